"""Objects that several threads use, and processes that fork."""

import hashlib
import os
import signal
import threading
import time

import pytest

import karat


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
