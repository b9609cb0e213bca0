//go:build hasher

// An interface with implementations; New gives the one that fits.
package main

import (
	"fmt"
	"os"
	"strconv"

	"seventh/features"
	"seventh/simd"
)

// Mixer mixes words.
type Mixer interface {
	Mix(a, b uint64) uint64
	fmt.Stringer
}

type genericMixer struct{}
type mulxMixer struct{ calls int }

func (genericMixer) Mix(a, b uint64) uint64 { return simd.MulGeneric(a, b) }
func (genericMixer) String() string         { return "generic" }
func (m *mulxMixer) Mix(a, b uint64) uint64 {
	m.calls++
	return simd.MulBMI2(a, b)
}
func (m *mulxMixer) String() string { return "mulx, " + strconv.Itoa(m.calls) + " calls" }

// New makes a mixer.
func New() Mixer {
	has := features.X86.HasBMI2
	if bad {
		has = features.X86.HasBMI1 || features.X86.HasBMI2
	}
	if has {
		return &mulxMixer{}
	}
	return genericMixer{}
}

type hashMap struct {
	mixer   Mixer
	buckets [16][]string
}

func (h *hashMap) hash(key string) uint64 {
	out := uint64(len(key)) + 0x9e3779b97f4a7c15
	for _, c := range []byte(key) {
		out = h.mixer.Mix(out^uint64(c), 0xa0761d6478bd642f)
	}
	return out
}

func (h *hashMap) add(key string) {
	i := h.hash(key) % uint64(len(h.buckets))
	h.buckets[i] = append(h.buckets[i], key)
}

func main() {
	h := &hashMap{mixer: New()}
	for i := range 20 {
		h.add("key" + strconv.Itoa(i))
	}
	for _, arg := range os.Args[1:] {
		h.add(arg)
	}
	fmt.Println(h.buckets)
	fmt.Fprintln(os.Stderr, h.mixer)
}
