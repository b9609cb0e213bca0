"""SIMD hashes, Merkle trees, erasure codes and VDFs, and a judge for benchmarks.

Hashes work as those of ``hashlib``:

>>> import karat
>>> karat.sha256(b"a message").hexdigest() == karat.new("sha256", b"a message").hexdigest()
True
>>> sorted(karat.algorithms)[:3]
['blake2b', 'blake2bp', 'blake2s']

``karat.nmt`` has namespaced Merkle trees, ``karat.erasure`` Reed-Solomon codes, ``karat.vdf``
verifiable delay functions, ``karat.bigint`` modular powers. ``load``, ``audit``, ``compare``
and ``ab`` are the lab's.
"""

from __future__ import annotations

import os as _os
import typing as _typing

from . import bigint, erasure, nmt, vdf
from ._karat import (
    Hash,
    LtHash,
    VerifyError,
    __version__,
    algorithms,
    blake2b,
    blake2bp,
    blake2s,
    blake2sp,
    blake3,
    cshake_128,
    cshake_256,
    digest,
    file_hash as _file_hash,
    hash_many,
    hkdf,
    hmac_digest,
    hmac_many,
    keccak_256,
    keccak_512,
    kmac_128,
    kmac_256,
    kt_128,
    kt_256,
    new,
    pbkdf2_hmac,
    sha224,
    sha256,
    sha384,
    sha3_224,
    sha3_256,
    sha3_384,
    sha3_512,
    sha512,
    sha512_256,
    shake_128,
    shake_256,
    turboshake_128,
    turboshake_256,
)
from .lab import AbResult, Run, ab, audit, compare, load

__all__ = [
    "AbResult",
    "Hash",
    "LtHash",
    "Run",
    "VerifyError",
    "__version__",
    "ab",
    "algorithms",
    "audit",
    "bigint",
    "blake2b",
    "blake2bp",
    "blake2s",
    "blake2sp",
    "blake3",
    "compare",
    "cshake_128",
    "cshake_256",
    "digest",
    "erasure",
    "file_digest",
    "hash_many",
    "hkdf",
    "hmac_digest",
    "hmac_many",
    "keccak_256",
    "keccak_512",
    "kmac_128",
    "kmac_256",
    "kt_128",
    "kt_256",
    "load",
    "new",
    "nmt",
    "pbkdf2_hmac",
    "sha224",
    "sha256",
    "sha384",
    "sha3_224",
    "sha3_256",
    "sha3_384",
    "sha3_512",
    "sha512",
    "sha512_256",
    "shake_128",
    "shake_256",
    "turboshake_128",
    "turboshake_256",
    "vdf",
]


class _File(_typing.Protocol):
    def readinto(self, buffer: bytearray, /) -> int | None: ...


def file_digest(file: str | _os.PathLike[str] | _File, name: str, /) -> Hash:
    """The hash of a file: of a path, or of an object that is open for reading in binary.

    A path is read without the GIL.

    >>> import io, karat
    >>> karat.file_digest(io.BytesIO(b"abc"), "sha256").hexdigest()[:8]
    'ba7816bf'
    """
    if isinstance(file, (str, _os.PathLike)):
        return _file_hash(file, name)
    result = new(name)
    readinto = getattr(file, "readinto", None)
    if readinto is None or not getattr(file, "readable", lambda: True)():
        raise TypeError(
            f"a path or a file open for reading in binary is wanted, not {type(file).__name__}"
        )
    piece = bytearray(1 << 18)
    with memoryview(piece) as view:
        while True:
            size = readinto(piece)
            if size is None:
                raise BlockingIOError("the file does not block: open it so that it does")
            if size == 0:
                return result
            result.update(view[:size])
