//go:build codec

package main

import (
	"errors"
	"fmt"

	"sixth/internal/cpu"
	"sixth/kernels"
)

// Codec is what the forms have in common.
type Codec interface {
	Name() string
	Encode(value uint64) uint64
}

var errUnsupported = errors.New("codec: not supported by this CPU")

type genericCodec struct{ mask uint64 }
type bmi2Codec struct{ genericCodec }

func (genericCodec) Name() string                 { return "generic" }
func (c genericCodec) Encode(value uint64) uint64 { return kernels.DepositGeneric(value, c.mask) }
func (bmi2Codec) Name() string                    { return "bmi2" }
func (c bmi2Codec) Encode(value uint64) uint64    { return kernels.DepositBMI2(value, c.mask) }

func newBMI2(mask uint64) (Codec, error) {
	has := cpu.X86.HasBMI2
	if bad {
		has = cpu.X86.HasBMI1
	}
	if !has {
		return nil, fmt.Errorf("bmi2: %w", errUnsupported)
	}
	return bmi2Codec{genericCodec{mask}}, nil
}

// New gives the best codec there is.
func New(mask uint64) Codec {
	c, err := newBMI2(mask)
	if errors.Is(err, errUnsupported) {
		return genericCodec{mask}
	}
	return c
}

func main() {
	codec := New(0x5555555555555555)
	for _, b := range text()[:4] {
		fmt.Printf("%x ", codec.Encode(uint64(b)*0x01010101))
	}
	fmt.Printf("[%s]\n", codec.Name())
}
