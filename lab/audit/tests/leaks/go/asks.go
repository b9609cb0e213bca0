//go:build asks

package main

var hasAVX2 = cpuid7()>>5&1 == 1

//go:noinline
func work(a []int32) int32 {
	if hasAVX2 {
		return kernel(&a[0])
	}
	return plain(a)
}
