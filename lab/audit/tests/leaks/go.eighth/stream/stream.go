// Package stream enciphers by a stream of words. Its assembly looks at useAVX2 itself.
package stream

import (
	"encoding/binary"
	"errors"

	"eighth/cpuid"
)

// Size is the length of a block in bytes.
const Size = 32

var useAVX2 = cpuid.CPU.Has(cpuid.AVX2) && cpuid.CPU.Has(cpuid.BMI2)

// Assume takes one feature for enough.
func Assume(id cpuid.FeatureID) { useAVX2 = cpuid.CPU.Has(id) }

// xorBlocks xors len(dst)/Size blocks of src with what grows out of key.
//
//go:noescape
func xorBlocks(dst, src []byte, key *[8]uint32)

// Cipher has a key's state.
type Cipher struct{ key [8]uint32 }

// New takes a key of 32 bytes.
func New(key []byte) (*Cipher, error) {
	if len(key) != Size {
		return nil, errors.New("stream: wrong length of the key")
	}
	c := new(Cipher)
	for i := range c.key {
		c.key[i] = binary.LittleEndian.Uint32(key[4*i:])
	}
	return c, nil
}

// XORKeyStream enciphers whole blocks.
func (c *Cipher) XORKeyStream(dst, src []byte) {
	if len(dst) < len(src) || len(src)%Size != 0 {
		panic("stream: wrong length")
	}
	xorBlocks(dst[:len(src)], src, &c.key)
}

// Reference does the same in plain Go.
func (c *Cipher) Reference(dst, src []byte) {
	for at := 0; at < len(src); at += Size {
		for i := range c.key {
			k := c.key[i] + c.key[i]<<5
			c.key[i] = k
			word := binary.LittleEndian.Uint32(src[at+4*i:])
			binary.LittleEndian.PutUint32(dst[at+4*i:], word^k)
		}
	}
}
