"""Counts moments by creature on Spark: `on_spark.py 'captures/**/*.pcap.gz' [MASTER]`."""

import glob
import json
import os
import sys

import pyarrow as pa
from pyspark.sql import SparkSession, functions as f


def moments(batches):
    import evenstride  # on the workers

    for batch in batches:
        for path in batch.column("path").to_pylist():
            yield from pa.table(evenstride.moments(path)).select(["name", "kind", "rank"]).to_batches()


if __name__ == "__main__":
    files = [(path,) for path in sorted(glob.glob(sys.argv[1], recursive=True))]
    master = sys.argv[2] if len(sys.argv) > 2 else "local[2]"
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # the Python that has the wheel
    spark = SparkSession.builder.master(master).appName("evenstride").getOrCreate()
    paths = spark.createDataFrame(files, "path string").repartition(4)
    table = paths.mapInArrow(moments, "name string, kind string, rank double")
    answer = table.groupBy("name", "kind").agg(f.count("rank"), f.max("rank"))
    print(json.dumps(sorted([list(row) for row in answer.collect()])))
    spark.stop()
