import numpy as np
import simsimd

for kind in "float64 float32 float16 int8 uint8 complex64".split():
    a = np.ones((9, 99), dtype=kind)
    for name in "cosine sqeuclidean inner dot".split():
        try:
            getattr(simsimd, name)(a[0], a[1])
        except (ValueError, LookupError):
            pass
simsimd.hamming(np.ones(99, np.uint8), np.ones(99, np.uint8), "bin8")
