// Package kernels has the forms; who calls the fast ones has asked the CPU.
package kernels

func sumAVX2(p *byte, n int) uint64
func dotFMA(a, b *float32, n int) float32
func depositBMI2(value, mask uint64) uint64

// SumAVX2 adds up bytes and needs AVX2.
func SumAVX2(data []byte) uint64 {
	if len(data) == 0 {
		return 0
	}
	return sumAVX2(&data[0], len(data))
}

// SumGeneric adds up bytes.
func SumGeneric(data []byte) (sum uint64) {
	for _, b := range data {
		sum += uint64(b)
	}
	return sum
}

// DotFMA is an inner product of whole eights, and needs FMA.
func DotFMA(a, b []float32) float32 {
	n := min(len(a), len(b)) &^ 7
	if n == 0 {
		return 0
	}
	return dotFMA(&a[0], &b[0], n)
}

// DotGeneric is the same.
func DotGeneric(a, b []float32) (sum float32) {
	for i := 0; i < min(len(a), len(b))&^7; i++ {
		sum += a[i] * b[i]
	}
	return sum
}

// DepositBMI2 puts bits to the places of a mask, and needs BMI2.
func DepositBMI2(value, mask uint64) uint64 { return depositBMI2(value, mask) }

// DepositGeneric is the same.
func DepositGeneric(value, mask uint64) (out uint64) {
	for ; mask != 0; mask &= mask - 1 {
		if value&1 != 0 {
			out |= mask & -mask
		}
		value >>= 1
	}
	return out
}
