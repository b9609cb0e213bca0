import numpy as np
from scipy.linalg import blas, lapack

rng = np.random.default_rng(1)
for kind in (np.float32, np.float64, np.complex64, np.complex128):
    a = rng.normal(size=(48, 48)).astype(kind)
    a = a @ a.conj().T + 48 * np.eye(48, dtype=kind)
    np.linalg.solve(a, a), np.linalg.cholesky(a), np.linalg.eigvalsh(a), np.linalg.qr(a), a @ a[0]
blas.ddot(np.ones(99), np.ones(99)), blas.daxpy(np.ones(99), np.ones(99))
blas.dgemm(1.0, np.ones((9, 9)), np.ones((9, 9))), lapack.dgetrf(np.eye(9))
