-- The answer of one_machine.py, on_spark.py, on_dask.py and on_ray.py, from the tables.
select name, kind, count(*) as moments, max(rank) as worst
from read_parquet('tables/moments/**/*.parquet')
group by name, kind
order by name, kind;
