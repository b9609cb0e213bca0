import io

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet as pq

t = pa.table({"a": list(range(5000)), "b": [float(i) for i in range(5000)], "c": [str(i % 9) for i in range(5000)]})
pc.sum(t["a"]), pc.mean(t["b"]), pc.filter(t["a"], pc.greater(t["b"], 9.0)), t.sort_by("c")
t.group_by("c").aggregate([("a", "sum"), ("b", "min_max")])
for codec in ("snappy", "zstd", "lz4", "gzip", "brotli"):
    out = io.BytesIO()
    pq.write_table(t, out, compression=codec)
    assert pq.read_table(io.BytesIO(out.getvalue())).equals(t)
pyarrow.csv.read_csv(io.BytesIO(b"x,y\n1,2\n" * 99))
