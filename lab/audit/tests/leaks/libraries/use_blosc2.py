import blosc2
import numpy as np

a = np.arange(50000, dtype=np.int32)
for codec in blosc2.Codec.BLOSCLZ, blosc2.Codec.LZ4, blosc2.Codec.ZSTD, blosc2.Codec.ZLIB:
    for filter in blosc2.Filter.SHUFFLE, blosc2.Filter.BITSHUFFLE, blosc2.Filter.DELTA:
        for kind in np.int8, np.int16, np.int32, np.int64:
            b = blosc2.asarray(a.astype(kind), cparams={"codec": codec, "filters": [filter]})
            assert (b[:] == a.astype(kind)).all()
