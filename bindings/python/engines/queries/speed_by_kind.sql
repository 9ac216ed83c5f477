-- Speed of each kind of creature, in metres per second at a speed factor and a size of 1. Only positions between
-- which the motion did not change are measured. Turns shorten the way, so the upper half of the speeds counts.
with measured as (
    select motion_table, command, moved / gap / command_speed / scale as speed
    from read_parquet('tables/updates/**/*.parquet')
    where accepted and steady and command in (5, 7) and command_speed > 0.1
        and gap between 0.15 and 3 and moved > 0.05 and motion_table is not null and scale > 0
)
select
    printf('0x%08X', motion_table) as motion_table,
    case command when 5 then 'Walk' when 7 then 'Run' end as motion,
    count(*) as positions,
    round(quantile_cont(speed, 0.5), 3) as median,
    round(quantile_cont(speed, 0.75), 3) as metres_per_second
from measured
group by motion_table, command
having count(*) >= 20
order by motion_table, motion;
