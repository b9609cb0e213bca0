"""Whatever is given to whatever there is: an exception with words, no crash and no panic."""

import array
import functools
import io
import random
import warnings

import numpy as np
import pytest

import karat
from karat import bigint, erasure, lab, nmt, vdf


class Long(list):
    """It says that it has more than there is memory for."""

    def __len__(self):
        return 10**12


class Broken:
    def __len__(self):
        return -1

    def __index__(self):
        raise KeyError("no number")

    def __iter__(self):
        raise KeyError("no items")


class Text(str):
    pass


class Octets(bytes):
    pass


def junk():
    """Objects of every kind. No numbers that are only too long to wait for."""
    bytes_64 = np.arange(64, dtype=np.uint8)
    square = bytes_64.reshape(8, 8)
    readonly = bytes_64.copy()
    readonly.flags.writeable = False
    released = memoryview(bytearray(8))
    released.release()
    tree = nmt.Tree([(bytes([n]) * 29, b"leaf") for n in range(5)])
    return [
        None, True, 0, 1, -1, 3, 64, 255, 2**64, -2**63, 10**400, 0.5, float("nan"), 1j,
        "", "sha256", "blake2b", "shake_128", "D", "row", "\ud800", "a\0b", Text("sha256"),
        b"", b"k" * 32, bytes(512), bytes(5000), Octets(b"abc"), bytearray(64),
        memoryview(bytes(64)), memoryview(bytes(64))[::2], memoryview(bytes(64)).cast("d"),
        memoryview(bytes(64)).cast("B", (8, 8)), released, array.array("d", [1.0]),
        bytes_64, bytes_64[::-1], square, square.T, square[:, :3], square.reshape(4, 4, 4),
        np.array(5, np.uint8), readonly, np.array([None, 1]), np.zeros((0, 5), np.uint8),
        np.zeros((5, 0), np.uint8), np.array(["text"]), np.zeros(2, [("a", "u1"), ("b", "f8")]),
        np.broadcast_to(np.uint8(1), (4, 64)), io.BytesIO(b"abc"), io.StringIO("abc"),
        [], [b"a"], [b"a"] * 6, [None] * 6, [b"ab", None] * 3, [bytearray(8) for _ in range(6)],
        [bytes(512)] * 4, [(b"n" * 29, b"d")] * 4, [(b"n",)], [()], [True] * 6, ["a"], [1],
        (b"a", b"b"), {b"a"}, {"a": 1}, range(3), iter([b"a"]), Long([b"a"]), Broken(),
        object(), object, len, karat, karat.sha256(b""), karat.LtHash(), tree, tree.prove(1),
        nmt.Square([bytes(512)] * 4), erasure.Codec("A", 4, 2), -(2**255 + 95), Ellipsis,
        "/nonexistent", "/etc/passwd",
    ]


def called():
    """What can be called: functions, classes, and methods of objects."""
    for module in (karat, nmt, erasure, vdf, bigint, lab):
        for name in module.__all__:
            function = getattr(module, name)
            if function is karat.ab:
                function = functools.partial(karat.ab, seconds=0.01)
            if callable(function):
                yield f"{module.__name__}.{name}", function
    objects = [
        *(karat.new(name, b"abc") for name in karat.algorithms if not name.startswith("kmac")),
        karat.blake3(bytes(5000)), karat.LtHash([b"a"]), nmt.Tree([]), *junk()[-9:-5],
        *(erasure.Codec(code, 4, 2) for code in "ABCD"),
    ]
    for thing in objects:
        for name in dir(thing):
            if not name.startswith("__") or name in ("__eq__", "__reduce__", "__copy__"):
                if callable(getattr(thing, name)):
                    yield f"{thing!r}.{name}", getattr(thing, name)


NAMES = [
    "length", "digest_size", "key", "salt", "person", "seek", "out", "namespace_size",
    "leaves_in_tree", "threads", "fanout", "depth", "node_offset", "customization",
    "derive_key_context", "baseline", "noise", "nobody has this",
]


@pytest.mark.parametrize("seed", [1, None])
def test_anything_to_anything(seed):
    seed = random.randrange(2**32) if seed is None else seed
    rng, things, raised = random.Random(seed), list(called()), 0
    for turn in range(6000):
        if turn % 500 == 0:
            # Some are used up, others written to.
            values = junk()
        name, function = rng.choice(things)
        args = [rng.choice(values) for _ in range(rng.choice([0, 1, 1, 2, 2, 3, 3, 4]))]
        options = {rng.choice(NAMES): rng.choice(values) for _ in range(rng.choice([0, 0, 0, 1]))}
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                function(*args, **options)
        except Exception as error:
            raised += 1
            # A panic's class is no Exception; these are mistakes of the package's own.
            call = f"seed {seed}: {name}(*{args!r:.500}, **{options!r:.200})"
            assert not isinstance(error, (AttributeError, SystemError)), call
            assert str(error) or isinstance(error, MemoryError), call
    assert 1000 < raised < 6000
