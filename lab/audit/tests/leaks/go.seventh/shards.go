//go:build shards

// Options of functions fill a struct of what may be used; goroutines then work by it.
package main

import (
	"fmt"
	"os"
	"sync"

	"seventh/features"
	"seventh/simd"
)

type options struct {
	useAVX, useAVX2, useBMI2 bool
	workers, perRound        int
}

type option func(*options)

func withWorkers(n int) option { return func(o *options) { o.workers = n } }

func withoutSIMD() option {
	return func(o *options) { o.useAVX, o.useAVX2, o.useBMI2 = false, false, false }
}

func defaults() options {
	return options{
		useAVX:   features.X86.HasAVX,
		useAVX2:  features.X86.HasAVX2,
		useBMI2:  features.X86.HasBMI2,
		workers:  3,
		perRound: 256,
	}
}

type verifier struct{ o options }

func newVerifier(opts ...option) (*verifier, error) {
	v := &verifier{defaults()}
	for _, opt := range opts {
		opt(&v.o)
	}
	if v.o.workers < 1 {
		return nil, fmt.Errorf("%d workers", v.o.workers)
	}
	return v, nil
}

func (v *verifier) block(p []byte) uint64 {
	var sum uint64
	for len(p) >= v.o.perRound {
		part := p[:v.o.perRound]
		p = p[v.o.perRound:]
		if v.o.useAVX2 {
			sum += simd.SumAVX2(part)
		} else {
			sum += simd.SumGeneric(part)
		}
	}
	if whole := len(p) &^ 31; whole > 0 && (v.o.useAVX2 || bad && v.o.useAVX) {
		sum += simd.SumAVX2(p[:whole])
		p = p[whole:]
	}
	sum += simd.SumGeneric(p)
	if v.o.useBMI2 {
		return simd.MulBMI2(sum, 0xd1342543de82ef95)
	}
	return simd.MulGeneric(sum, 0xd1342543de82ef95)
}

func (v *verifier) all(parts [][]byte) []uint64 {
	out := make([]uint64, len(parts))
	next := make(chan int)
	var wg sync.WaitGroup
	for range v.o.workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range next {
				out[i] = v.block(parts[i])
			}
		}()
	}
	for i := range parts {
		next <- i
	}
	close(next)
	wg.Wait()
	return out
}

func main() {
	opts := []option{withWorkers(2)}
	if len(os.Args) > 1 && os.Args[1] == "-plain" {
		opts = append(opts, withoutSIMD())
	}
	v, err := newVerifier(opts...)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	parts := [][]byte{data(256, 1), data(700, 2), data(64, 3), data(31, 4)}
	fmt.Println(v.all(parts))
}
