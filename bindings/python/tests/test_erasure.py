"""Codes against a reference in Python; losses; buffers in place."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.erasure import Codec
import reference


@given(data=st.data(), k=st.integers(1, 12), m=st.integers(1, 6), length=st.integers(1, 200))
@pytest.mark.parametrize("code", "ABCD")
def test_any_k_are_enough(code, data, k, m, length):
    length += length % 2
    shards = [data.draw(st.binary(min_size=length, max_size=length)) for _ in range(k)]
    codec = Codec(code, k, m)
    parity = codec.encode(shards)
    if code == "D":
        assert parity == reference.cauchy_encode(shards, m)
    assert codec.verify(shards, parity)
    whole = [*shards, *parity]
    lost = data.draw(st.sets(st.integers(0, k + m - 1), max_size=m))
    assert codec.reconstruct([None if i in lost else s for i, s in enumerate(whole)]) == whole
    rows = np.frombuffer(b"".join(whole), np.uint8).reshape(k + m, length).copy()
    rows[sorted(lost)] = 0xEE
    codec.reconstruct_into(rows, [i not in lost for i in range(k + m)])
    assert rows.tobytes() == b"".join(whole)
    again = np.zeros((m, length), np.uint8)
    codec.encode_into(rows[:k], again)
    assert again.tobytes() == b"".join(parity)
    wrong = bytearray(parity[-1])
    wrong[-1] ^= 1
    assert not codec.verify(shards, [*parity[:-1], wrong])
    if m >= 2:
        assert codec.locate([*whole[:-1], wrong]) == [k + m - 1]


def test_objects():
    codec = pickle.loads(pickle.dumps(Codec("A", 4, 2)))
    assert (codec.code, codec.data, codec.parity) == ("A", 4, 2)
    assert eval(repr(codec), {"Codec": Codec}).data == 4


def test_wrong():
    codec = Codec("A", 2, 1)
    same = bytearray(8)
    view = memoryview(same)
    for call in (
        lambda: Codec("E", 2, 1),
        lambda: Codec("A", 0, 1),
        lambda: Codec("A", 255, 2),
        lambda: codec.encode([b"ab"]),
        lambda: codec.encode([b"ab", b"abc"]),
        lambda: codec.encode([b"", b""]),
        lambda: codec.encode([]),
        lambda: Codec("C", 2, 1).encode([b"abc", b"abc"]),
        lambda: codec.reconstruct([None, None, b"ab"]),
        lambda: codec.reconstruct([b"ab", b"ab"]),
        lambda: codec.reconstruct([None] * 3),
        lambda: codec.reconstruct_into([bytearray(2)] * 3, [True, True, False]),
        lambda: codec.reconstruct_into([bytearray(2) for _ in range(3)], [True, False]),
        lambda: codec.encode_into([view[:4], view[4:]], [view[2:6]]),
    ):
        with pytest.raises(ValueError):
            call()
    for call in (
        lambda: codec.encode(b"ab"),
        lambda: codec.encode(["ab", "cd"]),
        lambda: codec.encode_into([b"a", b"b"], [b"c"]),
        lambda: codec.reconstruct(5),
        lambda: Codec(1, 2, 3),
    ):
        with pytest.raises(TypeError):
            call()
    # Reading the same buffer twice is fine.
    codec.encode_into([view[:4], view[:4]], [bytearray(4)])
