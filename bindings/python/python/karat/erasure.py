"""Reed-Solomon erasure codes, byte for byte those of the usual libraries.

In place, over rows of one NumPy array or any writable buffers:

>>> from karat import erasure
>>> codec = erasure.Codec("D", 2, 1)
>>> shards = [bytearray(b"one"), bytearray(b"two"), bytearray(3)]
>>> codec.encode_into(shards[:2], shards[2:])
>>> shards[0][:] = b"???"
>>> codec.reconstruct_into(shards, [False, True, True])
>>> bytes(shards[0])
b'one'
"""

from ._karat import Codec

__all__ = ["Codec"]
