"""Asks one question in five ways and compares the answers: `check.py CAPTURES TABLES PROGRAM`.

`cargo xtask test --only engines` runs it. Times are wall time, and the processor time of a script with the
processes that it waits for. Workers of Spark and Ray are not among them. Spark, Dask and Ray start a cluster of
two workers each, which takes most of the wall time.
"""

import importlib.util
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

import pyarrow
from measured_speeds import written
from pyarrow import parquet
from query import ask

HERE = Path(__file__).parent

# Kinds of creatures in simulated archives, and their true speeds, from `sample/beasts.rs`.
TRUE_SPEEDS = {
    ("0x09007001", "Walk"): 1.8,
    ("0x09007001", "Run"): 5.2,
    ("0x09007002", "Walk"): 0.9,
    ("0x09007002", "Run"): 2.6,
    ("0x09007003", "Walk"): 3.4,
    ("0x09007003", "Run"): 9.1,
}


def timed(what, answer):
    """Prints the time of a way, and returns its answer."""

    def cpu():
        return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))

    wall, before = time.monotonic(), cpu()
    found = answer()
    print(f"{what:<44} {time.monotonic() - wall:>8.1f} {cpu() - before:>8.1f}", flush=True)
    return found


def by(script, *arguments):
    """Returns the answer of a script."""
    spark_home = Path(importlib.util.find_spec("pyspark").origin).parent
    environment = {**os.environ, "SPARK_HOME": str(spark_home), "PYTHONWARNINGS": "ignore"}
    command = [sys.executable, str(HERE / script), *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=1200)
    if done.returncode != 0:
        sys.exit(f"{script} failed ({done.returncode}):\n{done.stderr[-4000:]}")
    return json.loads(done.stdout)


def check_answers(captures, tables):
    pattern = f"{captures}/**/*.pcap.gz"
    print(f"{'moments by creature and kind':<44} {'wall s':>8} {'CPU s':>8}")
    one = timed("one machine", lambda: by("one_machine.py", pattern))
    ways = {
        "Spark, local cluster of two workers": lambda: by("on_spark.py", pattern, "local-cluster[2,1,1024]"),
        "Dask, two workers": lambda: by("on_dask.py", pattern),
        "Ray, two workers": lambda: by("on_ray.py", pattern),
        "DuckDB, on the tables": lambda: [list(row) for row in ask("moments_by_kind", tables).fetchall()],
    }
    assert len(one) > 10, one
    for name, way in ways.items():
        answer = timed(name, way)
        assert sorted(answer) == one, f"{name} differs from one machine:\n{answer}\n{one}"
    print(f"all {len(one)} rows are equal, to the last bit")


def check_queries(tables):
    for name in ("worst_creatures", "gaps_by_server", "speed_by_kind"):
        rows = ask(name, tables).fetchall()
        print(f"\n{name}")
        ask(name, tables).show(max_rows=8, max_width=120)
        assert rows, name


def check_commands(tables):
    """The commands of the guide for the program `duckdb` work as they stand there."""
    guide = (HERE / "../../../docs/archives.md").read_text()
    commands = re.findall(r'^duckdb -c "(.*)"$', guide, re.MULTILINE)
    assert commands, "the guide has no command"
    duckdb = Path(sys.executable).with_name("duckdb")
    for command in commands:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "tables").symlink_to(tables)
            done = subprocess.run([duckdb, "-c", command], cwd=folder, capture_output=True, text=True)
            assert done.returncode == 0, f"{command}: {done.stderr}"
    print(f"\n{len(commands)} commands of the guide work")


def check_speeds(captures, tables, program):
    """Measured speeds are the true ones, and the program moves creatures by them."""
    rows = ask("speed_by_kind", tables).fetchall()
    measured = {(row[0], row[1]): row[4] for row in rows}
    for kind, true in TRUE_SPEEDS.items():
        assert abs(measured[kind] - true) <= 0.01 * true, (kind, measured[kind], true)
    text = written([(table, motion, speed) for (table, motion), speed in measured.items()])
    tomllib.loads(text)
    # The command of the guide prints the same.
    command = [sys.executable, str(HERE / "measured_speeds.py"), tables]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == text, done.stdout
    capture = str(next(Path(captures).glob("**/beasts-*.pcap.gz")))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "measured.toml"
        path.write_text(text)
        errors = []
        for tables_of in ([], ["--tables", str(path)]):
            command = [program, "replay", capture, "--json", "--quiet", "--profile", "retail", *tables_of]
            done = subprocess.run(command, capture_output=True, text=True)
            summary = json.loads(done.stdout)
            offs = [entity["off_when_heard"]["p95"] for entity in summary["entities"]]
            errors.append(sum(offs) / len(offs))
    print(f"\nretail, error p95: {errors[0]:.2f} m with built-in speeds, {errors[1]:.2f} m with measured ones")
    assert errors[1] < 0.7 * errors[0], errors


def compare_compressions(tables):
    """Prints what Zstandard would save, by a library that has it."""
    folder = Path(tables) / "tracks"
    files = sorted(folder.glob("**/*.parquet"), key=lambda path: path.stat().st_size)[-8:]
    table = pyarrow.concat_tables(parquet.ParquetFile(path).read() for path in files)
    floats = [field.name for field in table.schema if field.type == pyarrow.float32()]
    others = [name for name in table.column_names if name not in floats]
    print("\nbytes per row of the largest tracks, written by pyarrow")
    for codec, level in [("gzip", 1), ("zstd", 1), ("zstd", 3)]:
        out = pyarrow.BufferOutputStream()
        options = {"use_byte_stream_split": floats, "use_dictionary": others}
        parquet.write_table(table, out, compression=codec, compression_level=level, **options)
        print(f"{codec} {level}: {out.tell() / table.num_rows:.1f}")


if __name__ == "__main__":
    captures, tables, program = sys.argv[1:]
    check_answers(captures, tables)
    check_queries(tables)
    check_commands(tables)
    check_speeds(captures, tables, program)
    compare_compressions(tables)
