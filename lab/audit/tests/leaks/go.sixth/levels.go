//go:build levels

package main

import (
	"fmt"
	"os"
	"sync"

	"sixth/internal/cpu"
	"sixth/kernels"
)

// Level is how much of the CPU is used.
type Level int

const (
	Scalar Level = iota
	V2
	V3
)

func (l Level) String() string { return [...]string{"scalar", "v2", "v3"}[l] }

var level = sync.OnceValue(func() Level {
	found := Scalar
	if cpu.X86.HasSSE42 && cpu.X86.HasPOPCNT {
		found = V2
	}
	if cpu.X86.HasAVX2 && cpu.X86.HasBMI2 && cpu.X86.HasFMA {
		found = V3
	}
	if bad && found > Scalar {
		found++
		found = min(found, V3)
	}
	if os.Getenv("LEVEL") == "scalar" {
		return Scalar
	}
	return found
})

func main() {
	switch level() {
	case V3:
		fmt.Println(kernels.SumAVX2(text()), kernels.DotFMA(floats(1), floats(2)))
	case V2, Scalar:
		fmt.Println(kernels.SumGeneric(text()), kernels.DotGeneric(floats(1), floats(2)))
	}
	fmt.Printf("[%v]\n", level())
}
