//go:build wrong

package main

// FSGSBASE, which Nehalem lacks too, inverted.
var has = cpuid7()&1 == 0

//go:noinline
func work(a []int32) int32 {
	if has {
		return kernel(&a[0])
	}
	return plain(a)
}
