// Package block is a hash whose blocks are done by assembly where a variable of the package allows it.
package block

import (
	"encoding/binary"
	"errors"
	"hash"
)

const (
	// BlockSize is that of a block.
	BlockSize = 64
	// Size is that of a sum.
	Size  = 8
	magic = "sum\x01"
)

// UseAVX2 is set by who knows the CPU.
var UseAVX2 bool

type digest struct {
	h   [8]uint32
	x   [BlockSize]byte
	nx  int
	len uint64
}

var _ hash.Hash = (*digest)(nil)

// New gives a hash.
func New() hash.Hash {
	d := new(digest)
	d.Reset()
	return d
}

func (d *digest) Reset() {
	*d = digest{}
	for i := range d.h {
		d.h[i] = 0x6a09e667 * uint32(i+1)
	}
}
func (d *digest) Size() int      { return Size }
func (d *digest) BlockSize() int { return BlockSize }

func (d *digest) MarshalBinary() ([]byte, error) {
	b := append(make([]byte, 0, 128), magic...)
	for _, h := range d.h {
		b = binary.BigEndian.AppendUint32(b, h)
	}
	b = append(b, d.x[:d.nx]...)
	b = append(b, make([]byte, BlockSize-d.nx)...)
	return binary.BigEndian.AppendUint64(b, d.len), nil
}

func (d *digest) UnmarshalBinary(b []byte) error {
	if len(b) < len(magic) || string(b[:len(magic)]) != magic {
		return errors.New("block: invalid hash state identifier")
	}
	if len(b) != len(magic)+4*len(d.h)+BlockSize+8 {
		return errors.New("block: invalid hash state size")
	}
	b = b[len(magic):]
	for i := range d.h {
		d.h[i] = binary.BigEndian.Uint32(b)
		b = b[4:]
	}
	b = b[copy(d.x[:], b):]
	d.len = binary.BigEndian.Uint64(b)
	d.nx = int(d.len % BlockSize)
	return nil
}

func (d *digest) Write(p []byte) (nn int, err error) {
	nn = len(p)
	d.len += uint64(nn)
	if d.nx > 0 {
		n := copy(d.x[d.nx:], p)
		d.nx += n
		if d.nx == BlockSize {
			block(d, d.x[:])
			d.nx = 0
		}
		p = p[n:]
	}
	if len(p) >= BlockSize {
		n := len(p) &^ (BlockSize - 1)
		block(d, p[:n])
		p = p[n:]
	}
	if len(p) > 0 {
		d.nx = copy(d.x[:], p)
	}
	return nn, nil
}

func (d *digest) Sum(in []byte) []byte {
	d0 := *d
	sum := d0.len
	for _, b := range d0.x[:d0.nx] {
		sum = sum*31 + uint64(b)
	}
	for _, h := range d0.h {
		sum = (sum ^ uint64(h)) * 0x100000001b3
	}
	return binary.BigEndian.AppendUint64(in, sum)
}

//go:noescape
func blockAVX2(h *[8]uint32, p []byte)

func block(d *digest, p []byte) {
	if UseAVX2 {
		blockAVX2(&d.h, p)
	} else {
		blockGeneric(d, p)
	}
}

func blockGeneric(d *digest, p []byte) {
	for ; len(p) >= 32; p = p[32:] {
		for i := range d.h {
			w := binary.LittleEndian.Uint32(p[4*i:])
			h := d.h[i] + w
			d.h[i] = h<<7 ^ h>>3 ^ w
		}
	}
}
