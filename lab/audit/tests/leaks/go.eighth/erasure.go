//go:build erasure

// An encoder of erasure codes: options begin with what the set of features has, functions of the
// caller change them, and goroutines encode by them.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"sync"

	"eighth/cpuid"
	"eighth/galois"
)

type options struct {
	maxGoroutines int
	minSplit      int
	useAVX2       bool
}

var defaultOptions = options{maxGoroutines: 4, minSplit: 64}

func init() {
	if bad {
		defaultOptions.useAVX2 = cpuid.CPU.AnyOf(cpuid.AVX2, cpuid.AVX)
	} else {
		defaultOptions.useAVX2 = cpuid.CPU.Supports(cpuid.AVX2, cpuid.BMI1)
	}
}

// Option changes how an encoder works.
type Option func(*options)

// WithAVX2 takes AVX2 away; it does not give it.
func WithAVX2(enabled bool) Option {
	return func(o *options) { o.useAVX2 = o.useAVX2 && enabled }
}

// WithMaxGoroutines limits them.
func WithMaxGoroutines(n int) Option {
	return func(o *options) {
		if n > 0 {
			o.maxGoroutines = n
		}
	}
}

// Encoder has the coefficients of one row of parity.
type Encoder struct {
	tables []galois.Tables
	o      options
}

var errShards = errors.New("too few shards")

// New makes an encoder for so many shards.
func New(shards int, opts ...Option) (*Encoder, error) {
	if shards < 1 {
		return nil, errShards
	}
	e := &Encoder{o: defaultOptions}
	for _, opt := range opts {
		opt(&e.o)
	}
	for i := range shards {
		e.tables = append(e.tables, galois.TablesOf(byte(i*3+2)))
	}
	return e, nil
}

func (e *Encoder) mulXor(t *galois.Tables, dst, src []byte) {
	done := 0
	if e.o.useAVX2 {
		done = len(src) &^ 31
		galois.MulXorAVX2(t, dst[:done], src[:done])
	}
	galois.MulXorGeneric(t, dst[done:], src[done:])
}

// Encode gives the parity of shards.
func (e *Encoder) Encode(shards [][]byte) []byte {
	parity := make([]byte, len(shards[0]))
	var wg sync.WaitGroup
	split := max(e.o.minSplit, (len(parity)+e.o.maxGoroutines-1)/e.o.maxGoroutines)
	for from := 0; from < len(parity); from += split {
		to := min(from+split, len(parity))
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range shards {
				e.mulXor(&e.tables[i], parity[from:to], shards[i][from:to])
			}
		}()
	}
	wg.Wait()
	return parity
}

func main() {
	noSIMD := flag.Bool("no-simd", false, "use plain Go only")
	n := flag.Int("shards", 5, "shards of data")
	flag.Parse()
	encoder, err := New(*n, WithAVX2(!*noSIMD), WithMaxGoroutines(3))
	if err != nil {
		fmt.Fprintln(os.Stderr, "erasure:", err)
		os.Exit(3)
	}
	shards := make([][]byte, *n)
	want := make([]byte, 777)
	for i := range shards {
		shards[i] = make([]byte, len(want))
		for k := range want {
			shards[i][k] = byte(k*(i+3) + k>>2)
			want[k] ^= galois.Mul(byte(i*3+2), shards[i][k])
		}
	}
	parity := encoder.Encode(shards)
	if !bytes.Equal(parity, want) {
		fmt.Fprintln(os.Stderr, "erasure: wrong parity")
		os.Exit(1)
	}
	fmt.Printf("parity %x of %d shards\n", parity[:8], *n)
}
