-- Seconds between positions of entities that moved, by server and day.
select
    server,
    date,
    count(*) as positions,
    round(quantile_cont(gap, 0.5), 3) as median,
    round(quantile_cont(gap, 0.95), 3) as p95,
    round(quantile_cont(gap, 0.99), 3) as p99,
    round(100.0 * count(*) filter (where gap > 2) / count(*), 2) as percent_over_2_s
from read_parquet('tables/updates/**/*.parquet', hive_partitioning = true, hive_types = {'server': varchar, 'date': varchar})
where accepted and gap > 0 and moved > 0.05
group by server, date
order by server, date;
