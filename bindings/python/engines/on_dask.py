"""Counts moments by creature on Dask: `on_dask.py 'captures/**/*.pcap.gz' [SCHEDULER]`."""

import glob
import json
import sys

import evenstride
import pandas as pd
import pyarrow as pa
from dask.distributed import Client


def moments(path):
    table = pa.table(evenstride.moments(path)).select(["name", "kind", "rank"])
    return table.to_pandas().groupby(["name", "kind"])["rank"].agg(["count", "max"])


if __name__ == "__main__":
    files = sorted(glob.glob(sys.argv[1], recursive=True))
    cluster = {"address": sys.argv[2]} if len(sys.argv) > 2 else {"n_workers": 2, "threads_per_worker": 1}
    with Client(dashboard_address=None, **cluster) as client:
        parts = pd.concat(client.gather(client.map(moments, files)))
    answer = parts.groupby(["name", "kind"]).agg({"count": "sum", "max": "max"}).reset_index()
    print(json.dumps(sorted(answer.values.tolist())))
