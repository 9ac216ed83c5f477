"""Runs a query over an archive with DuckDB: `query.py worst_creatures tables`."""

import sys
from pathlib import Path

import duckdb


def ask(name, folder):
    """Returns the answer of a query in `queries`."""
    text = (Path(__file__).parent / "queries" / f"{name}.sql").read_text()
    quoted = str(folder).replace("'", "''")
    return duckdb.sql(text.replace("'tables/", f"'{quoted}/"))


if __name__ == "__main__":
    ask(sys.argv[1], sys.argv[2]).show(max_rows=60, max_width=160)
