// Go's ways to ask, each chosen by a build tag.
package main

import (
	"fmt"
	"os"
)

func kernel(a *int32) int32

func cpuid7() uint32

//go:noinline
func plain(a []int32) int32 {
	var sum int32
	for _, x := range a {
		sum += x * x
	}
	return sum
}

func main() {
	a := make([]int32, 64)
	a[0] = int32(len(os.Args))
	fmt.Println(work(a), plain(a))
}
