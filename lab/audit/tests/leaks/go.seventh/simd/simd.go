// Package simd holds kernels in plain Go and in assembly. Who calls the latter has asked the CPU.
package simd

// SumGeneric adds bytes.
func SumGeneric(p []byte) (sum uint64) {
	for _, b := range p {
		sum += uint64(b)
	}
	return sum
}

// SumAVX2 does the same of a length that 32 divides.
//
//go:noescape
func SumAVX2(p []byte) uint64

// XorGeneric puts the xor of two slices in the first.
func XorGeneric(dst, src []byte) {
	for i := range dst {
		dst[i] ^= src[i]
	}
}

// XorAVX does the same of a length that 32 divides.
//
//go:noescape
func XorAVX(dst, src []byte)

// MulGeneric folds the product of two words.
func MulGeneric(a, b uint64) uint64 {
	low, high := mul(a, b)
	return low ^ high
}

// MulBMI2 does the same by mulx.
//
//go:noescape
func MulBMI2(a, b uint64) uint64

func mul(a, b uint64) (low, high uint64) {
	const half = 1<<32 - 1
	a0, a1, b0, b1 := a&half, a>>32, b&half, b>>32
	mid := a1*b0 + a0*b0>>32
	mid2 := mid&half + a0*b1
	return a * b, a1*b1 + mid>>32 + mid2>>32
}
