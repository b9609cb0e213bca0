//go:build closures

package main

import (
	"fmt"
	"os"

	"sixth/internal/cpu"
	"sixth/kernels"
)

type dotFunc func(a, b []float32) float32

func scaled(dot dotFunc, by float32) dotFunc {
	return func(a, b []float32) float32 { return by * dot(a, b) }
}

func registry() map[string]dotFunc {
	out := map[string]dotFunc{"generic": scaled(kernels.DotGeneric, 2)}
	if cpu.X86.HasFMA && cpu.X86.HasAVX || bad && cpu.X86.HasAVX {
		out["fma"] = scaled(kernels.DotFMA, 2)
	}
	return out
}

func main() {
	all := registry()
	names := append(os.Args[1:], "fma", "generic")
	for _, name := range names {
		if dot, ok := all[name]; ok {
			fmt.Println(dot(floats(1), floats(len(os.Args))))
			return
		}
	}
}
