//go:build checksum

// A table of the standard library's kind: the architecture is asked once, by sync.Once.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"seventh/features"
	"seventh/simd"
)

var (
	sumArch   bool
	updateSum func(sum uint64, p []byte) uint64
	sumOnce   sync.Once
)

func archAvailable() bool {
	if bad {
		return features.X86.HasAVX && features.X86.HasPCLMUL
	}
	return features.X86.HasAVX2
}

func archUpdate(sum uint64, p []byte) uint64 {
	if !archAvailable() {
		panic("arch-specific sum not available")
	}
	if len(p) >= 32 {
		whole := len(p) &^ 31
		sum += simd.SumAVX2(p[:whole])
		p = p[whole:]
	}
	return sum + simd.SumGeneric(p)
}

func sumInit() {
	sumArch = archAvailable()
	if sumArch {
		updateSum = archUpdate
	} else {
		updateSum = func(sum uint64, p []byte) uint64 { return sum + simd.SumGeneric(p) }
	}
}

type digest struct{ sum uint64 }

func (d *digest) Write(p []byte) (int, error) {
	sumOnce.Do(sumInit)
	d.sum = updateSum(d.sum, p)
	return len(p), nil
}

var errEmpty = errors.New("nothing to add up")

func sumOf(r io.Reader) (uint64, error) {
	d := new(digest)
	n, err := io.CopyBuffer(struct{ io.Writer }{d}, struct{ io.Reader }{r}, make([]byte, 100))
	if err != nil {
		return 0, fmt.Errorf("after %d bytes: %w", n, err)
	}
	if n == 0 {
		return 0, errEmpty
	}
	return d.sum, nil
}

func main() {
	texts := map[string]string{"short": "a few bytes", "long": string(data(2000, 1)), "empty": ""}
	for _, name := range []string{"short", "long", "empty"} {
		sum, err := sumOf(strings.NewReader(texts[name]))
		if errors.Is(err, errEmpty) {
			fmt.Fprintln(os.Stderr, name, err)
			continue
		}
		fmt.Println(name, sum)
	}
}
