"""Wrong calls raise the exception that one expects, and nothing crashes."""

import array
import copy
import hashlib
import mmap

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import karat


@pytest.mark.parametrize("data", ["text", 7, 1.5, [1, 2], {1: 2}, object(), True])
@pytest.mark.parametrize("name", karat.algorithms)
def test_what_has_no_buffer(name, data):
    options = {"key": b"k" * 32} if name.startswith("kmac") else {}
    hash = karat.new(name, **options)
    with pytest.raises(TypeError):
        hash.update(data)
    with pytest.raises(TypeError):
        karat.new(name, data, **options)
    with pytest.raises(TypeError):
        karat.hash_many(name, [b"good", data], **options)
    with pytest.raises(TypeError):
        karat.hash_many(name, data, **options)


def test_one_buffer_is_not_many():
    for one in (b"abc", bytearray(b"abc"), memoryview(b"abc"), np.zeros(3, np.uint8), "abc"):
        with pytest.raises(TypeError):
            karat.hash_many("sha256", one)


def test_buffers_of_any_layout():
    content = bytes(range(240))
    expected = hashlib.sha256(content).digest()
    flat = np.frombuffer(content, np.uint8)
    mapped = mmap.mmap(-1, 240)
    mapped[:] = content
    good = [
        content, bytearray(content), memoryview(content), array.array("B", content), mapped,
        flat, flat.reshape(12, 20), flat.view(np.uint32), flat.view(np.float64).reshape(5, 6),
        memoryview(content).cast("I"),
    ]
    for data in good:
        assert karat.sha256(data).digest() == expected
    bad = [flat[::2], flat.reshape(12, 20).T, flat.reshape(12, 20)[:, :7], memoryview(content)[::3],
           flat[::-1]]
    for data in bad:
        with pytest.raises(BufferError):
            karat.sha256(data)
    for empty in (b"", bytearray(), np.zeros(0, np.uint8), np.zeros((0, 5)), memoryview(b"")):
        assert karat.sha256(empty).digest() == hashlib.sha256().digest()


@given(rows=st.integers(0, 20), length=st.integers(0, 70))
def test_rows_of_an_array(rows, length):
    messages = np.arange(rows * length, dtype=np.uint8).reshape(rows, length)
    each = [hashlib.sha256(row.tobytes()).digest() for row in messages]
    assert karat.hash_many("sha256", messages) == each
    out = np.zeros((rows, 32), np.uint8)
    karat.hash_many("sha256", messages, out=out)
    assert out.tobytes() == b"".join(each)
    wide = np.zeros((rows, 2 * length), np.uint8)
    wide[:, :length] = messages
    assert karat.hash_many("sha256", wide[:, :length]) == each


def test_out_is_looked_at():
    with pytest.raises(TypeError):
        karat.hash_many("sha256", [b"a"], out=bytes(32))
    with pytest.raises(ValueError):
        karat.hash_many("sha256", [b"a"], out=bytearray(31))
    both = bytearray(64)
    with pytest.raises(ValueError):
        karat.hash_many("sha256", [memoryview(both)[:40]], out=memoryview(both)[32:])
    readonly = np.zeros(32, np.uint8)
    readonly.flags.writeable = False
    with pytest.raises(TypeError):
        karat.hash_many("sha256", [b"a"], out=readonly)


def test_options():
    for call in (
        lambda: karat.new("sha256", key=b"k"),
        lambda: karat.new("blake3", b"", salt=b"s"),
        lambda: karat.new("kmac_128"),
        lambda: karat.sha256(b"", b""),
        lambda: karat.sha256(data=b""),
        lambda: karat.shake_128(b"").digest(),
        lambda: karat.sha256(b"").digest(32),
        lambda: karat.hash_many("shake_128", [b""]),
        lambda: karat.digest("sha256", b"", length=31),
        lambda: karat.sha256(b"").digest(seek=1),
        lambda: karat.blake2b(digest_size="x"),
        lambda: karat.blake2s(digest_length=16),
        lambda: karat.blake2b(data=b""),
        lambda: karat.blake2b(key="text"),
        lambda: karat.blake2b(usedforsecurity="x"),
    ):
        with pytest.raises(TypeError):
            call()
    for call in (
        lambda: karat.new("sha257"),
        lambda: karat.blake2b(digest_size=0),
        lambda: karat.blake2b(digest_size=65),
        lambda: karat.blake2s(key=b"k" * 33),
        lambda: karat.blake2b(salt=b"s" * 17),
        lambda: karat.blake2s(depth=0),
        lambda: karat.blake3(key=b""),
        lambda: karat.blake3(key=b"k" * 32, derive_key_context="c"),
        lambda: karat.shake_128(b"").digest(-1),
        lambda: karat.pbkdf2_hmac("sha256", b"", b"", 0),
        lambda: karat.hkdf("sha256", b"s", 255 * 32 + 1),
        lambda: karat.hmac_digest(b"", b"", "blake3"),
    ):
        with pytest.raises(ValueError):
            call()
    for call in (
        lambda: karat.blake3(b"").digest(2**62),
        lambda: karat.blake3(b"").hexdigest(2**62),
        lambda: karat.shake_128(b"").hexdigest(2**44),
        lambda: karat.pbkdf2_hmac("sha256", b"", b"", 1, 2**62),
    ):
        with pytest.raises((MemoryError, OverflowError)):
            call()
    with pytest.raises(ValueError, match=f"{2**62}.*8160"):
        karat.hkdf("sha256", b"s", 2**62)
    with pytest.raises(TypeError, match="blake2b.*salty"):
        karat.blake2b(salty=b"s")


TREE = karat.nmt.Tree([(bytes([n]) * 29, b"leaf") for n in range(5)])
SQUARE = karat.nmt.Square([bytes(512)] * 4)
PROVEN = TREE.root, TREE.prove(1), [(b"\1" * 29, b"leaf")]
D = karat.vdf.create_discriminant(b"seed", 256)
X = karat.vdf.generator(D)

# What takes a number: its name, the smallest that is right, and the call.
NUMBERS = [
    ("length", 0, lambda n: karat.shake_128(b"").digest(n)),
    ("length", 0, lambda n: karat.blake3(b"").hexdigest(n)),
    ("seek", 0, lambda n: karat.blake3(b"").digest(4, seek=n)),
    ("seek", 0, lambda n: karat.blake3(b"").hexdigest(4, seek=n)),
    ("length", 0, lambda n: karat.digest("shake_128", b"", length=n)),
    ("digest_size", 1, lambda n: karat.digest("blake2b", b"", digest_size=n)),
    ("length", 0, lambda n: karat.hash_many("blake3", [b""], length=n)),
    ("digest_size", 1, lambda n: karat.hash_many("blake2s", [b""], digest_size=n)),
    ("digest_size", 1, lambda n: karat.new("blake2b", digest_size=n)),
    ("digest_size", 1, lambda n: karat.new("kmac_128", key=b"k", digest_size=n)),
    ("digest_size", 1, lambda n: karat.kmac_256(b"k", digest_size=n)),
    ("digest_size", 1, lambda n: karat.blake2s(digest_size=n)),
    ("fanout", 0, lambda n: karat.blake2b(fanout=n)),
    ("depth", 1, lambda n: karat.blake2b(depth=n)),
    ("leaf_size", 0, lambda n: karat.blake2b(leaf_size=n)),
    ("node_offset", 0, lambda n: karat.blake2b(node_offset=n)),
    ("node_depth", 0, lambda n: karat.blake2b(node_depth=n)),
    ("inner_size", 0, lambda n: karat.blake2s(inner_size=n)),
    ("length", 0, lambda n: karat.hkdf("sha256", b"secret", n)),
    ("iterations", 1, lambda n: karat.pbkdf2_hmac("sha256", b"", b"", n)),
    ("dklen", 1, lambda n: karat.pbkdf2_hmac("sha256", b"", b"", 1, n)),
    ("namespace_size", 1, lambda n: karat.nmt.Tree([], namespace_size=n)),
    ("namespace_size", 1, lambda n: karat.nmt.root([], namespace_size=n)),
    ("namespace_size", 1, lambda n: karat.nmt.verify(*PROVEN, namespace_size=n)),
    ("leaves_in_tree", 0, lambda n: karat.nmt.verify(*PROVEN, leaves_in_tree=n)),
    ("leaves_in_tree", 0, lambda n: karat.nmt.verify_namespace(
        PROVEN[0], PROVEN[1], b"\1" * 29, [b"leaf"], leaves_in_tree=n)),
    ("index", 0, TREE.leaf),
    ("index", 0, TREE.prove),
    ("start", 0, lambda n: TREE.prove_range(n, 3)),
    ("end", 0, lambda n: TREE.prove_range(1, n)),
    ("data", 1, lambda n: karat.erasure.Codec("D", n, 1)),
    ("parity", 0, lambda n: karat.erasure.Codec("D", 1, n)),
    ("row", 0, lambda n: SQUARE.share(n, 0)),
    ("column", 0, lambda n: SQUARE.share(0, n)),
    ("index", 0, lambda n: SQUARE.tree("row", n)),
    ("bits", 64, lambda n: karat.vdf.create_discriminant(b"seed", n)),
    ("iterations", 0, lambda n: karat.vdf.prove(D, X, n)),
    ("threads", 1, lambda n: karat.vdf.prove(D, X, 1, threads=n)),
    ("iterations", 0, lambda n: karat.vdf.verify(D, X, karat.vdf.prove(D, X, 1), n)),
]
HAS_LAB = hasattr(karat._karat, "audit_json")
if HAS_LAB:
    NUMBERS += [
        ("top", 0, lambda n: karat.audit("/bin/true", top=n)),
        ("seed", 0, lambda n: karat.ab(len, len, seed=n)),
    ]


@pytest.mark.parametrize("name, least, call", NUMBERS)
def test_a_number_that_is_not_taken_is_named(name, least, call):
    for number in (-1, np.int64(-1), -2**70):
        with pytest.raises(ValueError, match=f"^{name} is {number}: give {least} (to|or) "):
            call(number)
    for number in (2**64, 2**200):
        with pytest.raises(ValueError, match=f"^{name} is {number}: give .*[0-9]"):
            call(number)
    # Python makes no text of it.
    with pytest.raises(ValueError, match=f"^{name} is a number of thousands of digits: give "):
        call(10**5000)
    for number in (1.5, "1", b"1"):
        with pytest.raises(TypeError, match=f"'{name}'"):
            call(number)


def test_a_number_that_a_hash_has_no_use_for():
    for number in (-1, 16, 2**64):
        for call in (
            lambda: karat.new("sha256", digest_size=number),
            lambda: karat.digest("blake3", b"", digest_size=number),
        ):
            with pytest.raises(TypeError, match="takes no digest_size"):
                call()
    with pytest.raises((MemoryError, OverflowError)):
        karat.digest("blake3", b"", length=2**63 - 1)


@pytest.mark.skipif(not HAS_LAB, reason="built without `lab`")
def test_seconds_that_are_none():
    for seconds in (-1, float("nan"), float("inf")):
        with pytest.raises(ValueError, match=f"(?i)^seconds is {seconds}: give 0 or more"):
            karat.ab(len, len, seconds=seconds)


def test_nothing_is_made_ready_for_a_length_that_is_only_said():
    class Long(list):
        def __len__(self):
            return 10**12

    codec = karat.erasure.Codec("D", 2, 1)
    shards = Long([b"ab", b"cd", None])
    assert codec.reconstruct(shards)[:2] == [b"ab", b"cd"]
    codec.reconstruct_into([bytearray(2) for _ in range(3)], Long([True] * 3))
    assert len(karat.hash_many("sha256", Long([b"a"]))) == 1
    karat.nmt.Tree(Long([bytes(29)]))
    with pytest.raises(ValueError):
        karat.nmt.repair(Long([None]), [], [])


def test_objects():
    hash = karat.sha256(b"abc")
    assert copy.copy(hash).digest() == hash.digest()
    assert repr(hash) == "<sha256 karat.Hash>"
    with pytest.raises(AttributeError):
        hash.name = "x"
    with pytest.raises(TypeError):
        karat.Hash()
    with pytest.raises(TypeError):
        copy.deepcopy(hash)


def test_an_array_that_is_held_cannot_be_resized():
    # Only while the call lasts: afterwards it can.
    data = bytearray(10)
    karat.sha256(data)
    data.append(1)
    out = bytearray(32)
    karat.hash_many("sha256", [b"a"], out=out)
    out.append(1)
