"""Trees against a reference in Python, and proofs that hold and that do not."""

import collections
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat import VerifyError, nmt
import reference


def space(number, size=29):
    return bytes([number]) * size


leaves = st.lists(st.tuples(st.integers(0, 255), st.binary(max_size=50)), max_size=40).map(
    lambda rows: [(space(number), data) for number, data in sorted(rows, key=lambda row: row[0])])


@given(leaves=leaves, ignore_max=st.booleans())
def test_root(leaves, ignore_max):
    expected = reference.nmt_root(leaves, ignore_max=ignore_max)
    tree = nmt.Tree(leaves, ignore_max=ignore_max)
    assert tree.root == expected == nmt.root(leaves, ignore_max=ignore_max)
    assert nmt.root([n + d for n, d in leaves], ignore_max=ignore_max) == expected
    assert len(tree) == len(leaves)


def test_what_leaves_may_be():
    class Bytes(bytes):
        pass

    class Backwards(list):
        def __iter__(self):
            return reversed(self[:])

    Pair = collections.namedtuple("Pair", "namespace data")
    pairs = [(space(i), bytes([i]) * i) for i in range(5)]
    expected = reference.nmt_root(pairs)
    forms = [bytes, Bytes, bytearray, memoryview]
    for namespace in forms:
        for data in forms:
            for many in (list, tuple, iter, lambda items: Backwards(reversed(items))):
                assert nmt.root(many([(namespace(n), data(d)) for n, d in pairs])) == expected
    for joined in forms:
        assert nmt.root([joined(n + d) for n, d in pairs]) == expected
        # One of another kind, wherever it stands, is read as well.
        for place in range(5):
            namespace, data = pairs[place]
            for other in ((joined(namespace), data), Pair(namespace, joined(data)),
                          joined(namespace + data)):
                mixed = [*pairs[:place], other, *pairs[place + 1 :]]
                assert nmt.root(mixed) == expected == nmt.Tree(mixed).root


@pytest.mark.parametrize("wrong, error", [
    ((b"\x02" * 29,), ValueError), ((), ValueError), ((b"\x02" * 29, b"", b""), ValueError),
    ((b"\x02" * 28, b""), ValueError), (b"\x02" * 28, ValueError), ((b"\x00" * 29, b""), ValueError),
    ((b"\x02" * 29, "text"), TypeError), ((None, b""), TypeError), ([b"\x02" * 29, b""], TypeError),
    (None, TypeError), (7, TypeError), ("text", TypeError),
])
def test_leaves_that_are_none(wrong, error):
    good = [(space(1), b"one"), (space(2), b"two"), (space(3), b"three")]
    tree = nmt.Tree(good)
    for place in range(1, 4):
        leaves = [*good[:place], wrong, *good[place:]]
        for many in (list, tuple):
            with pytest.raises(error):
                nmt.root(many(leaves))
            with pytest.raises(error if error is TypeError else (ValueError, VerifyError)):
                nmt.verify(tree.root, tree.prove_range(0, 3), many(leaves))


@given(count=st.integers(0, 40), size=st.integers(0, 50), data=st.data())
def test_leaves_in_one_array(count, size, data):
    rows = np.frombuffer(data.draw(st.binary(min_size=count * size, max_size=count * size)),
                         np.uint8).reshape(count, size)
    spaces = np.repeat(np.arange(count, dtype=np.uint8)[:, None], 29, axis=1)
    array = np.hstack([spaces, rows])
    pairs = [(space(i), rows[i].tobytes()) for i in range(count)]
    expected = reference.nmt_root(pairs)
    assert nmt.root(array) == nmt.root(memoryview(array)) == nmt.Tree(array).root == expected
    # Rows with gaps between them.
    assert nmt.root(np.repeat(array, 2, axis=0)[::2]) == expected
    if count:
        tree = nmt.Tree(array)
        nmt.verify(tree.root, tree.prove_range(0, count), array, leaves_in_tree=count)


@given(leaves=leaves.filter(bool), data=st.data())
def test_proofs(leaves, data):
    tree = nmt.Tree(leaves)
    start = data.draw(st.integers(0, len(leaves) - 1))
    end = data.draw(st.integers(start + 1, len(leaves)))
    proof = pickle.loads(pickle.dumps(tree.prove_range(start, end)))
    assert (proof.start, proof.end) == (start, end)
    assert proof == nmt.Proof.from_bytes(proof.to_bytes())
    options = dict(leaves_in_tree=len(leaves))
    nmt.verify(tree.root, proof, leaves[start:end], **options)
    namespace, content = leaves[start]
    wrong = [(namespace, content + b"!"), *leaves[start + 1 : end]]
    with pytest.raises(VerifyError):
        nmt.verify(tree.root, proof, wrong, **options)
    root = bytearray(tree.root)
    root[-1] ^= 1
    with pytest.raises(VerifyError):
        nmt.verify(root, proof, leaves[start:end], **options)
    if namespace != space(255):
        proof = tree.prove_namespace(namespace)
        held = [d for n, d in leaves if n == namespace]
        nmt.verify_namespace(tree.root, proof, namespace, held, **options)
        with pytest.raises(VerifyError):
            nmt.verify_namespace(tree.root, proof, namespace, held[:-1], **options)


def test_absence():
    tree = nmt.Tree([(space(1), b"a"), (space(3), b"b")])
    proof = tree.prove_namespace(space(2))
    assert proof.is_of_absence and tree.namespace_range(space(3)) == (1, 2)
    nmt.verify_namespace(tree.root, proof, space(2), [], leaves_in_tree=2)
    with pytest.raises(VerifyError):
        nmt.verify_namespace(tree.root, proof, space(2), [b"a"], leaves_in_tree=2)


def test_wrong():
    for call in (
        lambda: nmt.Tree([(space(2), b""), (space(1), b"")]),
        lambda: nmt.Tree([(b"short", b"")]),
        lambda: nmt.Tree([b"short"]),
        lambda: nmt.Tree(np.zeros((3, 28), np.uint8)),
        lambda: nmt.Tree([], namespace_size=0),
        lambda: nmt.Tree([(space(1), b"")]).prove(1),
        lambda: nmt.Proof.from_bytes(b"\xff"),
        lambda: nmt.Square([b"x" * 512] * 3),
        lambda: nmt.Square([b"x" * 512] * 3 + [b"y" * 64]),
        lambda: nmt.Square([]),
        lambda: nmt.repair([None] * 16, [b""] * 4, [b""] * 4),
    ):
        with pytest.raises(ValueError):
            call()
    for call in (
        lambda: nmt.Tree(5),
        lambda: nmt.Tree(b"one buffer"),
        lambda: nmt.Tree(np.zeros((2, 2, 29), np.uint8)[:, :, ::2]),
        lambda: nmt.Tree(["text"]),
        lambda: nmt.Tree([(space(1), "text")]),
        lambda: nmt.Tree([(space(1), b"", b"")]),
        lambda: nmt.verify(b"", b"", []),
    ):
        with pytest.raises((TypeError, ValueError, BufferError)):
            call()
    with pytest.raises(ValueError, match="index is -1"):
        nmt.Tree([]).prove(-1)


def test_square():
    k = 4
    shares = np.zeros((k * k, 512), np.uint8)
    shares[:, :29] = 1
    shares[:, 29:] = np.arange(k * k)[:, None]
    square = nmt.Square(shares)
    assert square.data_root == nmt.Square([row.tobytes() for row in shares]).data_root
    assert square.data_root == nmt.data_root(square.row_roots, square.column_roots)
    assert len(square.to_bytes()) == 4 * k * k * 512 and square.share_size == 512
    # A row's root is that of a tree of its shares; parity is in the largest namespace.
    row = [square.share(1, column) for column in range(2 * k)]
    leaves = [(s[:29] if i < k else space(255), s) for i, s in enumerate(row)]
    assert square.row_roots[1] == reference.nmt_root(leaves) == square.tree("row", 1).root
    shards = [square.share(i // (2 * k), i % (2 * k)) for i in range(4 * k * k)]
    # A square of k + 1 times k + 1 may be missing at most; here every third share is.
    lossy = [None if i % 3 == 0 else s for i, s in enumerate(shards)]
    repaired = nmt.repair(lossy, square.row_roots, square.column_roots)
    assert repaired.to_bytes() == square.to_bytes()
    lossy[1] = lossy[2]
    with pytest.raises(VerifyError):
        nmt.repair(lossy, square.row_roots, square.column_roots)
    with pytest.raises(VerifyError):
        nmt.repair([*shards[:3], *[None] * (4 * k * k - 3)], square.row_roots, square.column_roots)
    with pytest.raises(ValueError):
        square.tree("diagonal", 1)
