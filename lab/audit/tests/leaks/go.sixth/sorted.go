//go:build sorted

package main

import (
	"fmt"
	"sort"

	"sixth/internal/cpu"
	"sixth/kernels"
)

type candidate struct {
	name  string
	cost  float64
	needs []*bool
	run   func([]byte) uint64
}

func (c candidate) usable() bool {
	for _, need := range c.needs {
		if !*need {
			return false
		}
	}
	return true
}

func candidates() []candidate {
	all := []candidate{
		{"generic", 1, nil, kernels.SumGeneric},
		{"avx2", 0.1, []*bool{&cpu.X86.HasAVX2, &cpu.X86.HasAVX}, kernels.SumAVX2},
	}
	if bad {
		all[1].needs = all[1].needs[1:]
	}
	return all
}

func main() {
	all := candidates()
	sort.Slice(all, func(i, j int) bool { return all[i].cost < all[j].cost })
	for _, c := range all {
		if c.usable() {
			fmt.Printf("%d [%s]\n", c.run(text()), c.name)
			return
		}
	}
}
