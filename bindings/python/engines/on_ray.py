"""Counts moments by creature on Ray: `on_ray.py 'captures/**/*.pcap.gz' [ADDRESS]`."""

import glob
import json
import sys

import evenstride
import pyarrow as pa
import ray


@ray.remote
def moments(path):
    return pa.table(evenstride.moments(path)).select(["name", "kind", "rank"])


if __name__ == "__main__":
    files = sorted(glob.glob(sys.argv[1], recursive=True))
    cluster = {"address": sys.argv[2]} if len(sys.argv) > 2 else {"num_cpus": 2, "include_dashboard": False}
    ray.init(logging_level="ERROR", log_to_driver=False, **cluster)
    table = pa.concat_tables(ray.get([moments.remote(path) for path in files]))
    answer = table.group_by(["name", "kind"]).aggregate([("rank", "count"), ("rank", "max")])
    print(json.dumps(sorted([list(row.values()) for row in answer.to_pylist()])))
