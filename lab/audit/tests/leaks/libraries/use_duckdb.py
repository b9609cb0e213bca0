import duckdb

d = duckdb.connect()
d.execute("create table t as select range a, range / 3.0 b, (range % 9)::varchar c from range(5000)")
d.execute("select c, sum(a), avg(b) from t where b > 9 group by c order by c").fetchall()
d.execute("select count(*) from t x join t y using (a) where x.c like '%3%'").fetchall()
d.execute("select approx_count_distinct(a), quantile_cont(b, 0.3), regexp_replace(min(c), '.', 'x') from t").fetchall()
