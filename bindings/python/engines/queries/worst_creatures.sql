-- The creatures whose drawing a person would notice most, over all captures.
select
    name,
    printf('0x%08X', motion_table) as motion_table,
    count(*) as entities,
    sum(moments)::bigint as moments,
    round(sum(badness), 1) as badness,
    round(sum(badness) / nullif(sum(heard_metres), 0) * 1000, 1) as badness_per_km
from read_parquet('tables/entities/**/*.parquet')
where not is_viewer
group by name, motion_table
having sum(moments) > 0
order by badness desc, name
limit 20;
