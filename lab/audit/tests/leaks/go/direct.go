//go:build direct

package main

//go:noinline
func work(a []int32) int32 { return kernel(&a[0]) }
