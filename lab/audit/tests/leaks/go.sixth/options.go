//go:build options

package main

import (
	"fmt"

	"sixth/internal/cpu"
	"sixth/kernels"
)

// Encoder knows by a field what it may use.
type Encoder struct {
	useAVX2 bool
	block   int
	written uint64
}

// Option changes an encoder that is being made.
type Option func(*Encoder)

// WithBlock sets how many bytes are taken at once.
func WithBlock(n int) Option { return func(e *Encoder) { e.block = n } }

// WithoutSIMD turns the fast form off.
func WithoutSIMD() Option { return func(e *Encoder) { e.useAVX2 = false } }

// NewEncoder makes one.
func NewEncoder(options ...Option) *Encoder {
	e := &Encoder{block: 64, useAVX2: cpu.X86.HasAVX2}
	if bad {
		e.useAVX2 = cpu.X86.HasAVX
	}
	for _, option := range options {
		option(e)
	}
	return e
}

func (e *Encoder) Write(data []byte) (int, error) {
	for at := 0; at < len(data); at += e.block {
		part := data[at:min(at+e.block, len(data))]
		if e.useAVX2 {
			e.written = e.written*31 + kernels.SumAVX2(part)
		} else {
			e.written = e.written*31 + kernels.SumGeneric(part)
		}
	}
	return len(data), nil
}

func main() {
	e := NewEncoder(WithBlock(100))
	fmt.Fprintf(e, "%d numbers: %v", 9, []int{1, 2, 3})
	e.Write(text())
	fmt.Println(e.written)
}
