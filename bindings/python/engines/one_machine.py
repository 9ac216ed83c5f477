"""Counts moments by creature on one machine: `one_machine.py 'captures/**/*.pcap.gz'`."""

import glob
import json
import sys

import evenstride
import pyarrow as pa


def moments(path):
    return pa.table(evenstride.moments(path)).select(["name", "kind", "rank"])


if __name__ == "__main__":
    files = sorted(glob.glob(sys.argv[1], recursive=True))
    table = pa.concat_tables(moments(path) for path in files)
    answer = table.group_by(["name", "kind"]).aggregate([("rank", "count"), ("rank", "max")])
    print(json.dumps(sorted([list(row.values()) for row in answer.to_pylist()])))
