//go:build registry

// A map of kernels with a test for each, and a flag that names one.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"sort"

	"seventh/features"
	"seventh/simd"
)

type kernel struct {
	available func() bool
	priority  int
	xor       func(dst, src []byte)
}

var kernels = map[string]kernel{}

func register(name string, k kernel) {
	if k.available == nil {
		k.available = func() bool { return true }
	}
	kernels[name] = k
}

func init() {
	register("generic", kernel{xor: simd.XorGeneric})
	avx := kernel{priority: 10, xor: func(dst, src []byte) {
		whole := len(dst) &^ 31
		simd.XorAVX(dst[:whole], src[:whole])
		simd.XorGeneric(dst[whole:], src[whole:])
	}}
	if !bad {
		avx.available = func() bool { return features.X86.HasAVX }
	}
	register("avx", avx)
}

var errNone = errors.New("no such kernel here")

func choose(name string) (kernel, error) {
	if name != "auto" {
		if k, ok := kernels[name]; ok && k.available() {
			return k, nil
		}
		return kernel{}, fmt.Errorf("%q: %w", name, errNone)
	}
	names := make([]string, 0, len(kernels))
	for name, k := range kernels {
		if k.available() {
			names = append(names, name)
		}
	}
	sort.Slice(names, func(i, j int) bool { return kernels[names[i]].priority > kernels[names[j]].priority })
	return kernels[names[0]], nil
}

type shards [][]byte

func (s shards) parity(k kernel) []byte {
	out := make([]byte, len(s[0]))
	for _, shard := range s {
		k.xor(out, shard)
	}
	return out
}

func main() {
	name := flag.String("kernel", "auto", "which kernel")
	disable := flag.String("disable", "", "features to leave out")
	flag.Parse()
	for _, unknown := range features.Disable(*disable) {
		fmt.Fprintln(os.Stderr, "unknown feature", unknown)
	}
	k, err := choose(*name)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	s := shards{data(100, 1), data(100, 2), data(100, 3)}
	fmt.Printf("%x\n", s.parity(k))
}
