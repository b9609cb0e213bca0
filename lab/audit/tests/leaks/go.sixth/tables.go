//go:build tables

package main

import (
	"fmt"
	"os"
	"strings"

	"sixth/internal/cpu"
	"sixth/kernels"
)

type ops struct {
	sum func([]byte) uint64
	dot func(a, b []float32) float32
}

type backend struct {
	ops
	features []string
}

var backends = [...]backend{
	{ops{kernels.SumAVX2, kernels.DotFMA}, []string{"avx2", "fma"}},
	{ops{kernels.SumGeneric, kernels.DotFMA}, []string{"fma"}},
	{ops{kernels.SumGeneric, kernels.DotGeneric}, nil},
}

func has(feature string) bool {
	switch feature {
	case "avx2":
		return cpu.X86.HasAVX2
	case "fma":
		return cpu.X86.HasFMA
	}
	return false
}

func find() *backend {
	off := strings.Split(os.Getenv("FEATURES_OFF"), ",")
next:
	for i := range backends {
		b := &backends[i]
		for _, feature := range b.features {
			for _, name := range off {
				if name == feature {
					continue next
				}
			}
			if !has(feature) {
				if bad && i > 0 {
					break
				}
				continue next
			}
		}
		return b
	}
	panic("no backend")
}

func main() {
	b := find()
	fmt.Println(b.sum(text()), b.dot(floats(3), floats(len(os.Args))), strings.Join(os.Args[1:], " "))
}
