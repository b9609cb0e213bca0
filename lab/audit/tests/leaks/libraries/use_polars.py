import polars as pl

t = pl.DataFrame({"a": range(5000), "b": [i / 3 for i in range(5000)], "c": [str(i % 9) for i in range(5000)]})
t.group_by("c").agg(pl.col("a").sum(), pl.col("b").mean()).sort("c")
t.filter(pl.col("b") > 9).join(t, on="a").select(pl.col("c").str.len_chars())
