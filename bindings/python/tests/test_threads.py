"""Objects that several threads use, and processes that fork."""

import hashlib
import os
import signal
import subprocess
import sys
import sysconfig
import threading
import time

import pytest

import karat
from karat import erasure, nmt


def test_one_object_many_threads():
    # Equal pieces, so that their order does not matter; short ones and those for which the
    # GIL is released.
    hash = karat.blake3()
    piece, other = b"x" * 1000, b"x" * 100_000

    def work():
        for _ in range(100):
            hash.update(piece)
            hash.update(other)
            hash.digest()
            hash.copy()

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert hash.digest() == karat.blake3(b"x" * (8 * 100 * 101_000)).digest()


def together(*works):
    """Does all of it at once, each in threads of its own; what fails in one fails here."""
    start, failed = threading.Barrier(2 * len(works)), []

    def run(work):
        start.wait()
        try:
            for turn in range(50):
                work(turn)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=run, args=[work]) for work in works for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed, failed


def test_a_message_grows_out_of_the_object_while_others_read_it():
    # It begins as an object that is held, and becomes a hasher: by whom is chance.
    for name in ("sha256", "blake2b", "blake3", "shake_128"):
        hash, length = karat.new(name), [32] if name == "shake_128" else []
        together(
            lambda turn: hash.update(b"x"),
            lambda turn: hash.update(bytearray(b"x" * 3000)),
            lambda turn: hash.copy().update(b"other"),
            lambda turn: hash.digest(*length) and hash.hexdigest(*length),
        )
        expected = karat.new(name, b"x" * (2 * 50 * 3001))
        assert hash.digest(*length) == expected.digest(*length)


def test_every_kind_of_object_is_shared():
    leaves = [(bytes([i]) * 29, bytes(100)) for i in range(50)]
    tree = nmt.Tree(leaves)
    codec, data = erasure.Codec("D", 4, 2), [bytes([i]) * 3000 for i in range(4)]
    parity = codec.encode(data)
    square = nmt.Square([bytes([i]) * 512 for i in range(4)])
    roots = square.row_roots, square.data_root
    sum = karat.LtHash()

    def proof(turn):
        nmt.verify(tree.root, tree.prove(turn), [leaves[turn]], leaves_in_tree=50)

    def code(turn):
        assert codec.encode(data) == parity
        assert codec.reconstruct([None, None, *data[2:], *parity])[:2] == data[:2]

    def collect(turn):
        sum.add([b"an item"])
        sum.remove([b"an item"])

    def extend(turn):
        assert (square.row_roots, square.data_root) == roots

    together(proof, code, collect, extend)
    assert sum.checksum() == karat.LtHash().checksum()


def test_a_list_changes_while_it_is_read():
    messages = [bytes([i]) * 1000 for i in range(100)]
    leaves = [(bytes([i]) * 29, bytes([i]) * 1000) for i in range(100)]
    digests, root = karat.hash_many("sha256", messages), nmt.root(leaves)
    lists = [list(messages), list(leaves)]

    def change(turn):
        # Objects that nobody else holds: freed when the list lets them go.
        lists[0][:] = [bytes(bytearray(m)) for m in messages]
        lists[1][:] = [(bytes(bytearray(n)), bytes(bytearray(d))) for n, d in leaves]

    together(
        change,
        lambda turn: digests == karat.hash_many("sha256", lists[0]) or 1 / 0,
        lambda turn: root == nmt.root(lists[1]) or 1 / 0,
    )


def test_no_lock_of_the_interpreter_is_brought_back():
    if not sysconfig.get_config_var("Py_GIL_DISABLED"):
        pytest.skip("this Python has a GIL")
    code = "import karat, karat.nmt, sys; assert not sys._is_gil_enabled()"
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)


def test_others_run_while_a_big_input_is_hashed():
    data = bytes(60_000_000)
    counted, done = 0, threading.Event()

    def work():
        karat.sha3_512(data)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.is_set():
        counted += 1
        time.sleep(0.001)
    thread.join()
    # Had the GIL been held, the first sleep would have ended after the hash.
    assert counted > 20


def test_a_child_goes_on_with_the_hash():
    hash = karat.sha256(b"be")
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        hash.update(b"fore")
        karat.hash_many("blake3", [b"a" * 5000] * 100)
        os.write(write, hash.digest())
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert status == 0
    assert os.read(read, 32) == hashlib.sha256(b"before").digest()
    assert hash.digest() == hashlib.sha256(b"be").digest()
    os.close(read)
    os.close(write)


@pytest.mark.parametrize("name", ["shake_128", "turboshake_256", "kt_128", "cshake_256"])
@pytest.mark.parametrize("message", [b"abc", b"a" * 1000])
def test_a_signal_ends_the_way_to_a_far_place(name, message):
    hash = karat.new(name, message)

    def interrupted(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupted)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        with pytest.raises(KeyboardInterrupt):
            hash.digest(32, seek=1 << 62)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    # Near places are as they were.
    long = hash.digest(3000)
    assert hash.digest(100, seek=2900) == long[2900:]
