//go:build variable

package main

import (
	"fmt"
	"hash"

	"sixth/internal/cpu"
	"sixth/kernels"
)

var (
	sum     = kernels.SumGeneric
	deposit = kernels.DepositGeneric
)

func init() {
	if cpu.X86.HasAVX2 {
		sum = kernels.SumAVX2
	}
	if cpu.X86.HasBMI2 || bad && cpu.X86.HasAVX {
		deposit = kernels.DepositBMI2
	}
}

type digest struct{ state uint64 }

func (d *digest) Write(p []byte) (int, error) {
	d.state = d.state<<5 ^ sum(p) ^ deposit(d.state, 0xff00ff00)
	return len(p), nil
}
func (d *digest) Sum(b []byte) []byte { return fmt.Appendf(b, "%016x", d.state) }
func (d *digest) Reset()              { d.state = 1 }
func (d *digest) Size() int           { return 16 }
func (d *digest) BlockSize() int      { return 1 }
func (d *digest) Sum64() uint64       { return d.state }

func main() {
	var h hash.Hash64 = &digest{1}
	for _, word := range []string{"some", "words", "and a longer one with many letters in it"} {
		h.Write([]byte(word))
	}
	h.Write(text())
	fmt.Printf("%s\n", h.Sum(nil))
}
