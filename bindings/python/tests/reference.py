"""Readable implementations in plain Python, written from the standards."""

import hashlib


def nmt_root(leaves, size=29, ignore_max=True):
    """Celestia's namespaced Merkle tree over (namespace, data), by its specification."""

    def node(leaves):
        if len(leaves) == 1:
            namespace, data = leaves[0]
            digest = hashlib.sha256(b"\0" + namespace + data).digest()
            return namespace + namespace + digest
        split = 1
        while 2 * split < len(leaves):
            split *= 2
        left, right = node(leaves[:split]), node(leaves[split:])
        most = b"\xff" * size
        smallest = left[:size]
        if ignore_max and right[:size] == most:
            largest = left[size : 2 * size]
        else:
            largest = right[size : 2 * size]
        return smallest + largest + hashlib.sha256(b"\1" + left + right).digest()

    if not leaves:
        return bytes(2 * size) + hashlib.sha256(b"").digest()
    return node(leaves)


class Gf8:
    """GF(2^8) with polynomial 0x11d."""

    def __init__(self):
        self.exp, self.log = [0] * 512, [0] * 256
        value = 1
        for power in range(255):
            self.exp[power] = self.exp[power + 255] = value
            self.log[value] = power
            value <<= 1
            if value & 256:
                value ^= 0x11D

    def mul(self, a, b):
        return self.exp[self.log[a] + self.log[b]] if a and b else 0

    def inv(self, a):
        return self.exp[255 - self.log[a]]


def cauchy_encode(data, parity):
    """Parity shards of ISA-L's ``gf_gen_cauchy1_matrix``: element (i, j) is 1/((k+i) ^ j)."""
    field = Gf8()
    out = []
    for i in range(parity):
        shard = bytearray(len(data[0]))
        for j, source in enumerate(data):
            factor = field.inv((len(data) + i) ^ j)
            row = [field.mul(factor, byte) for byte in range(256)]
            for place, byte in enumerate(source):
                shard[place] ^= row[byte]
        out.append(bytes(shard))
    return out


_PRIMES = [n for n in range(2, 312) if all(n % d for d in range(2, n))]


def _fraction(number, root):
    """The first 32 bits of the fraction of a root of a number."""
    low, high = 0, number << 32
    while high - low > 1:
        middle = (low + high) // 2
        if middle**root <= number << (32 * root):
            low = middle
        else:
            high = middle
    return low & 0xFFFFFFFF


_K = [_fraction(p, 3) for p in _PRIMES[:64]]
_START = [_fraction(p, 2) for p in _PRIMES[:8]]


def sha256(message):
    """SHA-256 (FIPS 180-4)."""
    rest = -(len(message) + 9) % 64
    message += b"\x80" + bytes(rest) + (8 * len(message)).to_bytes(8, "big")
    state = _START
    for start in range(0, len(message), 64):
        block = message[start : start + 64]
        w = [int.from_bytes(block[4 * i : 4 * i + 4], "big") for i in range(16)]
        for i in range(16, 64):
            x, y = w[i - 15], w[i - 2]
            s0 = (x >> 7 | x << 25) ^ (x >> 18 | x << 14) ^ x >> 3
            s1 = (y >> 17 | y << 15) ^ (y >> 19 | y << 13) ^ y >> 10
            w.append((w[i - 16] + (s0 & 0xFFFFFFFF) + w[i - 7] + (s1 & 0xFFFFFFFF)) & 0xFFFFFFFF)
        a, b, c, d, e, f, g, h = state
        for k, word in zip(_K, w):
            s1 = (e >> 6 | e << 26) ^ (e >> 11 | e << 21) ^ (e >> 25 | e << 7)
            t1 = h + (s1 & 0xFFFFFFFF) + ((e & f) ^ (~e & g)) + k + word
            s0 = (a >> 2 | a << 30) ^ (a >> 13 | a << 19) ^ (a >> 22 | a << 10)
            t2 = (s0 & 0xFFFFFFFF) + ((a & b) ^ (a & c) ^ (b & c))
            a, b, c, d, e, f, g, h = (t1 + t2) & 0xFFFFFFFF, a, b, c, (d + t1) & 0xFFFFFFFF, e, f, g
        state = [(x + y) & 0xFFFFFFFF for x, y in zip(state, (a, b, c, d, e, f, g, h))]
    return b"".join(word.to_bytes(4, "big") for word in state)
