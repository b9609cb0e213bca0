"""Hashes against hashlib, blake3 and pycryptodome, over random inputs."""

import hashlib
import hmac
import io

import blake3
import pytest
from Crypto.Hash import KMAC128, KMAC256, TurboSHAKE128, cSHAKE128, cSHAKE256, keccak
from hypothesis import given
from hypothesis import strategies as st

import karat
import reference

messages = st.one_of(
    st.binary(max_size=300),
    # Long ones, by a seed: hypothesis makes short ones only.
    st.builds(lambda seed, size: (seed * (size // len(seed) + 1))[:size],
              st.binary(min_size=1, max_size=17), st.integers(0, 20000)),
)
HASHLIB = [
    "sha224", "sha256", "sha384", "sha512", "sha3_224", "sha3_256", "sha3_384", "sha3_512",
    "blake2b", "blake2s",
]


@pytest.mark.parametrize("name", HASHLIB)
@given(message=messages)
def test_as_hashlib(name, message):
    ours, theirs = getattr(karat, name)(message), getattr(hashlib, name)(message)
    assert ours.digest() == theirs.digest()
    assert ours.hexdigest() == theirs.hexdigest()
    assert (ours.name, ours.digest_size, ours.block_size) == (
        theirs.name, theirs.digest_size, theirs.block_size)
    assert karat.digest(name, message) == theirs.digest()
    assert karat.new(name.upper(), message).digest() == theirs.digest()


@pytest.mark.parametrize("name", ["shake_128", "shake_256"])
@given(message=messages, length=st.integers(0, 600))
def test_shake_as_hashlib(name, message, length):
    ours, theirs = getattr(karat, name)(message), getattr(hashlib, name)(message)
    assert ours.digest(length) == theirs.digest(length)
    assert ours.hexdigest(length) == theirs.hexdigest(length)
    assert ours.digest(10, seek=length) == theirs.digest(length + 10)[length:]
    assert ours.digest_size == theirs.digest_size == 0


@given(data=st.data(), message=messages)
@pytest.mark.parametrize("name, most, side", [("blake2b", 64, 16), ("blake2s", 32, 8)])
def test_parameters_of_blake2(name, most, side, data, message):
    draw = data.draw
    options = dict(
        digest_size=draw(st.integers(1, most)),
        key=draw(st.binary(max_size=most)),
        salt=draw(st.binary(max_size=side)),
        person=draw(st.binary(max_size=side)),
        fanout=draw(st.integers(0, 255)),
        depth=draw(st.integers(1, 255)),
        leaf_size=draw(st.integers(0, 2**32 - 1)),
        node_offset=draw(st.integers(0, 2**48 - 1)),
        node_depth=draw(st.integers(0, 255)),
        inner_size=draw(st.integers(0, most)),
        last_node=draw(st.booleans()),
    )
    ours = getattr(karat, name)(message, **options)
    assert ours.digest() == getattr(hashlib, name)(message, **options).digest()


@given(message=messages, key=st.binary(min_size=32, max_size=32), length=st.integers(0, 200),
       seek=st.integers(0, 2**40))
def test_blake3(message, key, length, seek):
    pairs = [
        (karat.blake3(message), blake3.blake3(message)),
        (karat.blake3(message, key=key), blake3.blake3(message, key=key)),
        (karat.blake3(message, derive_key_context="c"),
         blake3.blake3(message, derive_key_context="c")),
    ]
    for ours, theirs in pairs:
        assert ours.digest() == theirs.digest()
        assert ours.digest(length, seek=seek) == theirs.digest(length, seek=seek)


@given(message=messages, key=st.binary(min_size=16, max_size=50), custom=st.binary(max_size=40),
       length=st.integers(8, 100))
def test_as_pycryptodome(message, key, custom, length):
    def theirs(hash, **options):
        made = hash.new(**options)
        made.update(message)
        return made
    for size in (256, 512):
        ours = karat.new(f"keccak_{size}", message).digest()
        assert ours == theirs(keccak, digest_bits=size).digest()
    assert (karat.cshake_128(message, customization=custom).digest(length)
            == theirs(cSHAKE128, custom=custom).read(length))
    assert (karat.cshake_256(message, customization=custom).digest(length)
            == theirs(cSHAKE256, custom=custom).read(length))
    assert karat.turboshake_128(message).digest(length) == theirs(TurboSHAKE128).read(length)
    options = dict(key=key, mac_len=length, custom=custom)
    assert (karat.kmac_128(key, message, digest_size=length, customization=custom).digest()
            == theirs(KMAC128, **options).digest())
    if len(key) >= 32:
        assert (karat.kmac_256(key, message, digest_size=length, customization=custom).digest()
                == theirs(KMAC256, **options).digest())


@given(message=messages, cuts=st.lists(st.integers(0, 20000), max_size=5))
@pytest.mark.parametrize("name", karat.algorithms)
def test_pieces_and_copies(name, message, cuts):
    options = {"key": b"k" * 32} if name.startswith("kmac") else {}
    length = () if karat.new(name, **options).digest_size else (32,)
    whole = karat.new(name, message, **options).digest(*length)
    pieces = karat.new(name, **options)
    before = 0
    for cut in sorted(min(c, len(message)) for c in cuts):
        copy = pieces.copy()
        copy.update(b"something else")
        pieces.update(message[before:cut])
        before = cut
    pieces.update(message[before:])
    assert pieces.digest(*length) == whole == pieces.digest(*length)


@given(many=st.lists(messages, max_size=20))
@pytest.mark.parametrize("name", [n for n in karat.algorithms if not n.startswith("kmac")])
def test_many(name, many):
    length = {} if karat.new(name).digest_size else {"length": 40}
    each = [karat.digest(name, message, **length) for message in many]
    assert karat.hash_many(name, many, **length) == each
    assert karat.hash_many(name, iter(many), **length) == each
    out = bytearray(len(b"".join(each)))
    assert karat.hash_many(name, many, out=out, **length) is None
    assert out == b"".join(each)


def test_many_with_a_key_and_a_size():
    many = [bytes([i]) * i for i in range(100)]
    key = b"k" * 32
    assert karat.hash_many("blake2b", many, digest_size=20, key=key) == [
        hashlib.blake2b(m, digest_size=20, key=key).digest() for m in many]
    assert karat.hash_many("blake3", many, key=key) == [
        blake3.blake3(m, key=key).digest() for m in many]


@given(key=st.binary(max_size=200), many=st.lists(messages, max_size=5))
@pytest.mark.parametrize("name", [n for n in HASHLIB if not n.startswith("blake")])
def test_hmac(name, key, many):
    each = [hmac.digest(key, message, name) for message in many]
    assert [karat.hmac_digest(key, message, name) for message in many] == each
    assert karat.hmac_many(key, many, name) == each


def test_derived_keys():
    for length in (1, 32, 100):
        assert (karat.pbkdf2_hmac("sha512", b"password", b"salt", 10, length)
                == hashlib.pbkdf2_hmac("sha512", b"password", b"salt", 10, length))
    assert (karat.pbkdf2_hmac("sha256", b"p", b"s", 3)
            == hashlib.pbkdf2_hmac("sha256", b"p", b"s", 3))
    # RFC 5869, A.1.
    okm = karat.hkdf("sha256", b"\x0b" * 22, 42, salt=bytes(range(13)), info=bytes(range(0xF0, 0xFA)))
    assert okm.hex().startswith("3cb25f25faacd57a90434f64d0362f2a")


@given(message=st.binary(max_size=200))
def test_the_reference_is_right(message):
    assert reference.sha256(message) == karat.sha256(message).digest()


def test_files(tmp_path):
    path = tmp_path / "file"
    content = bytes(range(256)) * 9000
    path.write_bytes(content)
    expected = hashlib.sha256(content).digest()
    assert karat.file_digest(path, "sha256").digest() == expected
    assert karat.file_digest(str(path), "sha256").digest() == expected
    with open(path, "rb") as file:
        assert karat.file_digest(file, "sha256").digest() == expected
    with open(path, "rb", buffering=0) as file:
        assert karat.file_digest(file, "sha256").digest() == expected
    assert karat.file_digest(io.BytesIO(content), "blake3").digest() == blake3.blake3(content).digest()
    with pytest.raises(FileNotFoundError):
        karat.file_digest(tmp_path / "none", "sha256")
    with pytest.raises(TypeError), open(path) as file:
        karat.file_digest(file, "sha256")
    with pytest.raises(TypeError):
        karat.file_digest(7, "sha256")


def test_lthash():
    import pickle
    both = karat.LtHash([b"a", b"b"])
    other = karat.LtHash()
    other.add([b"b"])
    assert both != other
    other.add([b"a"])
    assert both == other and both.checksum() == other.checksum()
    assert pickle.loads(pickle.dumps(both)) == both
    copy = both.copy()
    copy.remove([b"a", b"b"])
    assert copy == karat.LtHash() != both
    with pytest.raises(ValueError):
        karat.LtHash.from_bytes(b"short")


def test_an_error_names_the_file_as_open_does(tmp_path):
    for path in (tmp_path / "none", tmp_path):
        errors = []
        for read in (lambda: karat.file_digest(path, "sha256"), lambda: open(path, "rb").close()):
            with pytest.raises(OSError) as caught:
                read()
            errors.append(caught.value)
        ours, theirs = errors
        assert type(ours) is type(theirs)
        assert (ours.errno, ours.strerror) == (theirs.errno, theirs.strerror)
        assert ours.filename == str(path) and str(path) in str(ours)
