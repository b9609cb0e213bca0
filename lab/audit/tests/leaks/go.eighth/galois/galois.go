// Package galois multiplies slices in a field of 256 elements.
package galois

const poly = 0x1d

// Mul is the product of two elements.
func Mul(a, b byte) (out byte) {
	for ; b != 0; b >>= 1 {
		if b&1 != 0 {
			out ^= a
		}
		high := a&0x80 != 0
		a <<= 1
		if high {
			a ^= poly
		}
	}
	return out
}

// Tables of the products with the low and the high half of a byte.
type Tables [32]byte

// TablesOf makes those of a coefficient.
func TablesOf(c byte) (t Tables) {
	for i := range 16 {
		t[i] = Mul(c, byte(i))
		t[16+i] = Mul(c, byte(i<<4))
	}
	return t
}

// MulXorGeneric adds the product of src to dst.
func MulXorGeneric(t *Tables, dst, src []byte) {
	for i, b := range src {
		dst[i] ^= t[b&15] ^ t[16+b>>4]
	}
}

// MulXorAVX2 does the same of a length that 32 divides.
//
//go:noescape
func MulXorAVX2(t *Tables, dst, src []byte)
