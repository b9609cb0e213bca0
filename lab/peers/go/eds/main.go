// The extended data square of Celestia by its Go libraries, as a peer of karat's
// (docs/peer-programs.md): klauspost/reedsolomon's Leopard and celestiaorg/nmt without
// what rsmt2d copies and allocates around them.
//
//	cd lab/peers/go && go build -o /tmp/eds-peer ./eds
//	karat kernels bench --kernel nmt --peer /tmp/eds-peer
package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"math"

	"github.com/celestiaorg/nmt"
	"github.com/klauspost/reedsolomon"

	"karat-peers/line"
)

// Bytes of a namespace of Celestia.
const namespace = 29

// A square whose memory, encoder and trees are used again for each pass.
type square struct {
	k        int
	original [][]byte
	// Shares by row and by column; both are the same memory.
	rows, columns [][][]byte
	encoder       reedsolomon.Encoder
	tree          *nmt.NamespacedMerkleTree
	leaf          []byte
	root          []byte
	// A repair begins with the last quarter, and knows the data root.
	repairs bool
	wanted  []byte
}

func prepare(task string, input line.Input) (line.Call, error) {
	k, size := int(math.Sqrt(float64(len(input.Items)))), len(input.Items[0])
	encoder, err := reedsolomon.New(k, k, reedsolomon.WithLeopardGF(true))
	if err != nil {
		return nil, err
	}
	s := &square{k: k, original: input.Items, encoder: encoder, leaf: make([]byte, namespace+size)}
	s.tree = nmt.New(sha256.New(), nmt.NamespaceIDSize(namespace), nmt.IgnoreMaxNamespace(true),
		nmt.InitialCapacity(2*k), nmt.ReuseBuffers(true))
	all := make([]byte, 4*k*k*size)
	s.rows, s.columns = lines(2*k), lines(2*k)
	for row := range 2 * k {
		for column := range 2 * k {
			at := (row*2*k + column) * size
			share := all[at : at+size : at+size]
			s.rows[row][column], s.columns[column][row] = share, share
		}
	}
	if task == "eds-repair" {
		s.repairs = true
		if err = s.extend(); err == nil {
			s.wanted, err = s.dataRoot()
		}
	}
	return s, err
}

func lines(side int) [][][]byte {
	all := make([][][]byte, side)
	for i := range all {
		all[i] = make([][]byte, side)
	}
	return all
}

func (s *square) extend() error {
	for i, share := range s.original {
		copy(s.rows[i/s.k][i%s.k], share)
	}
	for _, row := range s.rows[:s.k] {
		if err := s.encoder.Encode(row); err != nil {
			return err
		}
	}
	for _, column := range s.columns {
		if err := s.encoder.Encode(column); err != nil {
			return err
		}
	}
	return nil
}

// From the last quarter the lower rows, from these all columns.
func (s *square) repair() error {
	for _, row := range s.rows[s.k:] {
		if err := s.rebuild(row); err != nil {
			return err
		}
	}
	for _, column := range s.columns {
		if err := s.rebuild(column); err != nil {
			return err
		}
	}
	return nil
}

// The first half of a row or column from the last one. Memory is used again.
func (s *square) rebuild(all [][]byte) error {
	lost := make([][]byte, 2*s.k)
	for i, share := range all {
		lost[i] = share
		if i < s.k {
			lost[i] = share[:0]
		}
	}
	return s.encoder.Reconstruct(lost)
}

func (s *square) dataRoot() ([]byte, error) {
	var roots [][]byte
	for _, axis := range [][][][]byte{s.rows, s.columns} {
		for index, shares := range axis {
			s.tree.Reset()
			for place, share := range shares {
				if index < s.k && place < s.k {
					copy(s.leaf, share[:namespace])
				} else {
					copy(s.leaf, bytes.Repeat([]byte{0xff}, namespace))
				}
				copy(s.leaf[namespace:], share)
				if err := s.tree.Push(s.leaf); err != nil {
					return nil, err
				}
			}
			root, err := s.tree.Root()
			if err != nil {
				return nil, err
			}
			roots = append(roots, bytes.Clone(root))
		}
	}
	return merkle(roots), nil
}

// RFC 6962, section 2.1, for a power of two of leaves.
func merkle(leaves [][]byte) []byte {
	hash := sha256.New()
	if len(leaves) == 1 {
		hash.Write([]byte{0})
		hash.Write(leaves[0])
	} else {
		half := len(leaves) / 2
		hash.Write([]byte{1})
		hash.Write(merkle(leaves[:half]))
		hash.Write(merkle(leaves[half:]))
	}
	return hash.Sum(nil)
}

func (s *square) Run() error {
	work := s.extend
	if s.repairs {
		work = s.repair
	}
	if err := work(); err != nil {
		return err
	}
	var err error
	s.root, err = s.dataRoot()
	if err == nil && s.repairs && !bytes.Equal(s.root, s.wanted) {
		err = errors.New("the repaired square has another data root")
	}
	return err
}

func (s *square) Result() []byte { return s.root }

func main() {
	line.Serve(line.Peer{
		Name:    "klauspost/reedsolomon and celestiaorg/nmt",
		Has:     func(task string) bool { return task == "eds" || task == "eds-repair" },
		Prepare: prepare,
	})
}
