import ctypes
import sys

c = ctypes.CDLL(sys.argv[1])
c.EVP_get_digestbyname.restype = c.EVP_MD_CTX_new.restype = ctypes.c_void_p
out = ctypes.create_string_buffer(64)
for name in b"md5 sha1 sha256 sha512 sha3-256 blake2b512 ripemd160 sm3".split():
    kind = c.EVP_get_digestbyname(name)
    if kind:
        c.EVP_Digest(b"x" * 999, ctypes.c_size_t(999), out, None, ctypes.c_void_p(kind), None)
c.EVP_CIPHER_fetch.restype = c.EVP_CIPHER_CTX_new.restype = ctypes.c_void_p
for name in b"AES-128-CBC AES-256-GCM AES-128-CTR AES-256-XTS ChaCha20-Poly1305 CAMELLIA-128-CBC AES-128-OCB".split():
    cipher, ctx = c.EVP_CIPHER_fetch(None, name, None), c.EVP_CIPHER_CTX_new()
    space, n = ctypes.create_string_buffer(2048), ctypes.c_int()
    key = bytes(range(64))
    assert c.EVP_EncryptInit_ex(ctypes.c_void_p(ctx), ctypes.c_void_p(cipher), None, key, key) == 1, name
    c.EVP_EncryptUpdate(ctypes.c_void_p(ctx), space, ctypes.byref(n), b"y" * 999, 999)
c.EVP_PKEY_Q_keygen.restype = ctypes.c_void_p
assert c.EVP_PKEY_Q_keygen(None, None, b"RSA", ctypes.c_size_t(1024))
assert c.EVP_PKEY_Q_keygen(None, None, b"EC", b"P-256")
assert c.EVP_PKEY_Q_keygen(None, None, b"X25519")
