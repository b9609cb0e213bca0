import zstandard

data = b"".join(b"%d %d;" % (i, i * i % 997) for i in range(9000))
for level in (1, 3, 9, 19):
    packed = zstandard.ZstdCompressor(level=level).compress(data)
    assert zstandard.ZstdDecompressor().decompress(packed) == data
