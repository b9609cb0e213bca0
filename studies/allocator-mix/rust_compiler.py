"""A Rust compiler that takes its memory from what is preloaded.

The executable `rustc` has jemalloc linked in, and exports its functions: the loader finds
those before a preloaded library's. A copy whose table of names calls them undefined has
nothing to offer, so the compiler, which is a shared library, gets the preloaded ones.
"""

import os
import struct
import subprocess

# Everything by which memory is allocated or freed.
NAMES = {
    b"malloc", b"calloc", b"realloc", b"free", b"posix_memalign", b"aligned_alloc", b"memalign",
    b"valloc", b"pvalloc", b"malloc_usable_size", b"free_sized", b"free_aligned_sized",
}
SHT_DYNSYM = 11
SYMBOL = 24


def without_its_allocator(folder):
    """Makes the copy, beside links to what it loads; gives its path."""
    root = subprocess.run(["rustc", "--print", "sysroot"], check=True, capture_output=True, text=True).stdout.strip()
    os.makedirs(os.path.join(folder, "bin"))
    os.symlink(os.path.join(root, "lib"), os.path.join(folder, "lib"))
    with open(os.path.join(root, "bin", "rustc"), "rb") as file:
        image = bytearray(file.read())
    # ELF64, little-endian: the table of sections, then the symbols of the one for the loader.
    at, = struct.unpack_from("<Q", image, 40)
    size, count = struct.unpack_from("<HH", image, 58)
    sections = [struct.unpack_from("<IIQQQQIIQQ", image, at + size * i) for i in range(count)]
    table = next(s for s in sections if s[1] == SHT_DYNSYM)
    strings = sections[table[6]][4]
    for symbol in range(table[4], table[4] + table[5], SYMBOL):
        name, _, _, section, _ = struct.unpack_from("<IBBHQ", image, symbol)
        start = strings + name
        if section and bytes(image[start : image.index(0, start)]) in NAMES:
            struct.pack_into("<HQ", image, symbol + 6, 0, 0)
    path = os.path.join(folder, "bin", "rustc")
    with open(path, "wb") as file:
        file.write(image)
    os.chmod(path, 0o755)
    return path
