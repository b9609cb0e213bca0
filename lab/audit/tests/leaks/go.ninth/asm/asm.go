// Package asm has distances of vectors in assembly.
package asm

// Of AVX2 and FMA; l is a multiple of eight.
//
//go:noescape
func l2AVX2(x, y, res *float32, l *int64)

// L2 gives the square of a distance.
func L2(x, y []float32) float32 {
	n := int64(len(x) &^ 7)
	var res float32
	if n > 0 {
		l2AVX2(&x[0], &y[0], &res, &n)
	}
	for i := int(n); i < len(x); i++ {
		res += (x[i] - y[i]) * (x[i] - y[i])
	}
	return res
}
