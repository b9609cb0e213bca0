import numpy as np

a = np.arange(64 * 64, dtype=np.float64).reshape(64, 64) / 7
for kind in (np.float32, np.float64, np.int8, np.int16, np.int32, np.int64, np.uint8, np.complex64):
    b = a.astype(kind)
    b + b, b * b, b - b, np.maximum(b, b[::-1]), b > b[::-1], np.sort(b.ravel()), b.sum(), b.argmax()
f = a.astype(np.float32)
for name in "exp log sin cos tanh sqrt floor rint abs expm1 cbrt isnan".split():
    getattr(np, name)(f), getattr(np, name)(a)
(f > 3) & (f < 9), ~(f > 3), np.packbits(f > 3), np.partition(a.ravel(), 9), a.astype(np.float16)
np.linalg.svd(a), f @ f, np.fft.fft(a), np.random.default_rng(1).normal(size=99)
