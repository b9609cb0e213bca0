"""VDFs and modular powers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat import VerifyError, bigint, vdf


def test_vdf():
    d = vdf.create_discriminant(b"seed", 256)
    x = vdf.generator(d)
    proof = vdf.prove(d, x, 5000, threads=2)
    vdf.verify(d, x, proof, 5000)
    wrong = bytearray(proof)
    wrong[-3] ^= 1
    for bad, iterations in ((proof, 5001), (wrong, 5000), (proof[:-1], 5000)):
        with pytest.raises(VerifyError):
            vdf.verify(d, x, bad, iterations)


def test_a_discriminant_is_the_negative_of_a_prime():
    d = vdf.create_discriminant(b"seed", 512)
    assert d < 0 and d.bit_length() == 512 and -d % 8 == 7
    assert pow(2, -d - 1, -d) == 1


def test_wrong():
    d = vdf.create_discriminant(b"seed", 256)
    x = vdf.generator(d)
    for call in (
        lambda: vdf.create_discriminant(b"", 256),
        lambda: vdf.create_discriminant(b"seed", 100),
        lambda: vdf.generator(-5),
        lambda: vdf.generator(-d),
        lambda: vdf.prove(d, b"short", 10),
        lambda: vdf.prove(d, x, 10, threads=0),
    ):
        with pytest.raises(ValueError):
            call()
    for call in (lambda: vdf.generator("x"), lambda: vdf.prove(d, "x", 1), lambda: vdf.verify(d, x)):
        with pytest.raises(TypeError):
            call()


numbers = st.integers(0, 2**64) | st.integers(0, 2**4096 - 1)


@given(base=numbers, exponent=numbers, half=st.integers(1, 2**4095 - 1) | st.integers(1, 2**300))
def test_powers(base, exponent, half):
    modulus = 2 * half + 1
    assert bigint.powmod(base, exponent, modulus) == pow(base, exponent, modulus)


def test_wrong_powers():
    for args in ((2, 3, 4), (2, 3, 1), (2, 3, 0), (2, -1, 5), (-2, 1, 5), (2, 3, 2**4096 + 1)):
        with pytest.raises(ValueError):
            bigint.powmod(*args)
    with pytest.raises(TypeError):
        bigint.powmod(2.0, 3, 5)
