"""Tests of the wheel."""

import os
import re
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import evenstride
import numpy as np
import pyarrow as pa
import pytest

ROOT = Path(__file__).resolve().parents[3]
CAPTURE = ROOT / "testdata/captures/first-light.pcap"
TABLES = ["tracks", "updates", "decisions", "moments", "entities"]


@pytest.mark.parametrize("name", TABLES)
def test_numpy_and_arrow_have_the_same_values(name):
    table = getattr(evenstride, name)(CAPTURE)
    arrow = pa.table(table)
    assert len(table) == arrow.num_rows > 0
    assert table.columns == arrow.column_names == [column[0] for column in evenstride.schema(name)]
    for column in table.columns:
        values, present = table[column], table.present(column)
        assert len(values) == len(present) == len(table)
        expected = arrow[column].to_pylist()
        assert [value is not None for value in expected] == present.tolist()
        for value, other, is_there in zip(values.tolist(), expected, present.tolist()):
            assert not is_there or value == other or (value != value and other != other)


def test_a_missing_float_is_nan():
    updates = evenstride.updates(CAPTURE)
    assert np.isnan(updates["gap"][~updates.present("gap")]).all()
    assert (updates["gap"][updates.present("gap")] >= 0).all()


def test_chunks_and_released_streams():
    tracks = evenstride.tracks(CAPTURE, fps=1000)
    assert len(tracks) > 1 << 18
    arrow = pa.table(tracks)
    expected = tracks["drawn_x"].copy()
    # The numbers belong to the table, which lives as long as they are needed.
    part = arrow["drawn_x"]
    del tracks, arrow
    assert np.array_equal(part.to_numpy(), expected)
    # A stream without readers is released too.
    for _ in range(100):
        evenstride.moments(CAPTURE).__arrow_c_stream__()
    schema = pa.schema(evenstride.moments(CAPTURE))
    assert schema.field("gap").nullable and not schema.field("rank").nullable


def test_rows_agree_with_the_program(tmp_path):
    program = os.environ.get("EVENSTRIDE_PROGRAM")
    if program is None:
        pytest.fail("EVENSTRIDE_PROGRAM names no program; run `cargo xtask test --only python`")
    import pyarrow.parquet as parquet

    for changed in (False, True):
        path = tmp_path / "tracks.parquet"
        extra = ["--changed"] if changed else []
        subprocess.run([program, "replay", CAPTURE, "-q", "-o", path, *extra], check=True, stdout=subprocess.DEVNULL)
        ours = pa.table(evenstride.tracks(CAPTURE, changed=changed))
        assert ours.to_pydict() == parquet.read_table(path).to_pydict()


def test_only_some_entities():
    tracks = evenstride.tracks(CAPTURE)
    one = int(tracks["entity"][0])
    only = evenstride.tracks(CAPTURE, entities=[one])
    assert set(only["entity"].tolist()) == {one}
    assert len(only) == (tracks["entity"] == one).sum()


def test_bad_input_is_an_error_that_names_it(tmp_path):
    noise = tmp_path / "noise.pcap"
    noise.write_bytes(b"this is no capture")
    with pytest.raises(ValueError, match="noise.pcap: not a capture"):
        evenstride.tracks(noise)
    with pytest.raises(FileNotFoundError, match="nowhere.pcap"):
        evenstride.moments("nowhere.pcap")
    with pytest.raises(OSError):
        evenstride.moments(tmp_path)
    with pytest.raises(ValueError, match="profile"):
        evenstride.tracks(CAPTURE, profile="retale")
    for fps in (0, float("nan"), 1e9):
        with pytest.raises(ValueError, match="fps"):
            evenstride.tracks(CAPTURE, fps=fps)
    with pytest.raises(MemoryError, match="max_rows"):
        evenstride.tracks(CAPTURE, max_rows=10)
    with pytest.raises(KeyError, match="drawn_x"):
        evenstride.tracks(CAPTURE)["drawn"]
    with pytest.raises(ValueError):
        evenstride.table("trakcs", CAPTURE)


@pytest.mark.parametrize("name", TABLES)
def test_no_table_has_more_than_max_rows(name):
    whole = len(evenstride.table(name, CAPTURE))
    assert len(evenstride.table(name, CAPTURE, max_rows=whole)) == whole
    with pytest.raises(MemoryError, match="max_rows"):
        evenstride.table(name, CAPTURE, max_rows=whole - 1)


@pytest.mark.parametrize("name", TABLES[1:])
def test_options_of_tracks_are_refused_by_other_tables(name):
    for options in ({"changed": True}, {"entities": [1]}):
        with pytest.raises(ValueError, match=f"for tracks, and not for {name}"):
            evenstride.table(name, CAPTURE, **options)


def test_all_connections_of_a_capture_have_rows(tmp_path):
    whole = CAPTURE.read_bytes()
    # The same session again, from a client at another port.
    again, at = bytearray(whole[24:]), 0
    while at < len(again):
        udp = at + 16 + 14 + 20
        for port in (udp, udp + 2):
            if not 9000 <= int.from_bytes(again[port : port + 2], "big") <= 10013:
                again[port : port + 2] = (40_000).to_bytes(2, "big")
        # 0 means that there is no checksum.
        again[udp + 6 : udp + 8] = bytes(2)
        at += 16 + int.from_bytes(again[at + 8 : at + 12], "little")
    path = tmp_path / "both.pcap"
    path.write_bytes(whole + again)
    one, both = evenstride.updates(CAPTURE), evenstride.updates(path)
    assert len(both) == 2 * len(one)
    captures = sorted(set(both["capture"].tolist()))
    assert len(captures) == 2 and captures[1].startswith(captures[0] + "-")


def test_damaged_captures_never_end_python(tmp_path):
    whole = CAPTURE.read_bytes()
    random = np.random.default_rng(20130918)
    for _ in range(60):
        damaged = bytearray(whole)
        for place in random.integers(0, len(whole), 20):
            damaged[place] = random.integers(0, 256)
        path = tmp_path / "damaged.pcap"
        path.write_bytes(damaged[: random.integers(1, len(whole))])
        try:
            evenstride.entities(path)
        except ValueError:
            pass


def test_other_threads_go_on():
    ticks = []
    is_done = threading.Event()

    def tick():
        while not is_done.is_set():
            ticks.append(1)
            is_done.wait(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    before = len(ticks)
    evenstride.tracks(CAPTURE, fps=1000)
    after = len(ticks)
    is_done.set()
    thread.join()
    assert after - before > 3


def test_scores():
    scores = evenstride.score(CAPTURE)
    names = [score["name"] for score in scores]
    assert "glide" in names and "retail" in names
    assert all(score["jerk"] >= 0 for score in scores)


def test_a_world_draws_between_updates():
    world = evenstride.World(axes="y_up_minus_z_forward")
    for frame in range(301):
        now = frame / 60
        world.advance(now)
        if frame % 60 == 0:
            world.update(now, 7, [frame / 20, 0.0, 0.0], number=frame)
    (x, _, _), rotation = world.drawn(7, 5.0)
    assert 14.0 < x < 16.0 and len(rotation) == 4
    entities, positions, rotations = world.drawn_all(5.0)
    assert entities.tolist() == [7] and positions.shape == (1, 3) and rotations.shape == (1, 4)
    assert np.isclose(positions[0, 0], x) and 7 in world and len(world) == 1
    world.trace(7)
    world.update(5.1, 7, [15.3, 0.0, 0.0], number=400)
    assert world.explain(7)
    assert world.remove(7) and not world.remove(7)
    with pytest.raises(KeyError):
        world.drawn(7, 5.2)
    with pytest.raises(ValueError):
        world.update(5.3, 8, [float("nan"), 0.0, 0.0])
    with pytest.raises(ValueError):
        evenstride.World(time=float("inf"))


def test_the_readme_runs(monkeypatch, tmp_path, capsys):
    readme = (ROOT / "bindings/python/README.md").read_text()
    (code,) = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    shutil.copy(CAPTURE, tmp_path / "session.pcap")
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "README.md", "exec"), {})
    assert "teleport" in capsys.readouterr().out


def test_stubs_name_everything():
    stubs = (Path(evenstride.__file__).parent / "__init__.pyi").read_text()
    for name in evenstride.__all__:
        assert f"class {name}" in stubs or f"def {name}(" in stubs, name
    for method in [*vars(evenstride.Table), *vars(evenstride.World)]:
        if not method.startswith("__") or method in ("__arrow_c_stream__", "__arrow_c_schema__"):
            assert f"def {method}(" in stubs, method


if __name__ == "__main__":
    sys.exit(pytest.main([__file__]))
