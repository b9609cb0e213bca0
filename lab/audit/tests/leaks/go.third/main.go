// As Go programs do it: variables that are set before main.
package main

import "os"

func sumAVX2(at *int32, count int) int64
func cpuid(leaf, sub uint32) (a, b, c, d uint32)
func xgetbv() (low, high uint32)

func sumPlain(at *int32, count int) int64 { return int64(*at) * int64(count) }

// The features, in the order in which they came.
var x86 struct {
	_       [64]byte
	hasAVX  bool
	hasFMA  bool
	hasAVX2 bool
	hasBMI2 bool
	_       [64]byte
}

func init() {
	most, _, _, _ := cpuid(0, 0)
	if most < 7 {
		return
	}
	_, _, c, _ := cpuid(1, 0)
	saved := false
	if c&(1<<27) != 0 {
		low, _ := xgetbv()
		saved = low&6 == 6
	}
	x86.hasAVX = c&(1<<28) != 0 && saved
	x86.hasFMA = c&(1<<12) != 0 && saved
	_, b, _, _ := cpuid(7, 0)
	x86.hasAVX2 = b&(1<<5) != 0 && saved
	x86.hasBMI2 = b&(1<<8) != 0
}

var result int64

func main() {
	cells := make([]int32, 64)
	for i := range cells {
		cells[i] = int32(i * len(os.Args))
	}
	result = run(cells)
}
