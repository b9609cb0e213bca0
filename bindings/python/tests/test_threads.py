"""Objects that several threads use, and processes that fork."""

import hashlib
import os
import threading
import time

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
