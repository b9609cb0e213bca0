// klauspost/reedsolomon as a peer of karat's erasure codes (docs/peer-programs.md):
//
//	cd lab/peers/go && go build -o /tmp/erasure-peer ./erasure
//	karat kernels bench --kernel rs-gf8 --peer /tmp/erasure-peer
//
// It keeps inverted matrices, as it does by default: the second reconstruction of the
// same loss inverts none.
package main

import (
	"bytes"
	"strings"

	"github.com/klauspost/reedsolomon"

	"karat-peers/line"
)

// Its options for each of karat's codes, by the beginning of a task's name.
var codes = map[string][]reedsolomon.Option{
	"rs-a-": nil,
	"rs-b-": {reedsolomon.WithLeopardGF(true)},
	"rs-c-": {reedsolomon.WithLeopardGF16(true)},
	"rs-d-": {reedsolomon.WithCauchyMatrix()},
}

func has(task string) bool {
	_, known := codes[task[:min(len(task), 5)]]
	return known
}

// Shards of data and parity. The first `lost` ones are rebuilt; without any, parity is.
type shards struct {
	encoder reedsolomon.Encoder
	all     [][]byte
	data    int
	lost    int
}

func prepare(task string, input line.Input) (line.Call, error) {
	data, parity := len(input.Items), input.Numbers[0]
	// The size lets it plan for the caches.
	size := len(input.Items[0])
	options := append([]reedsolomon.Option{reedsolomon.WithAutoGoroutines(size)}, codes[task[:5]]...)
	encoder, err := reedsolomon.New(data, parity, options...)
	if err != nil {
		return nil, err
	}
	s := &shards{encoder: encoder, data: data}
	// Memory on a boundary of 64 bytes, as its documentation advises.
	s.all = reedsolomon.AllocAligned(data+parity, size)
	for i, item := range input.Items {
		copy(s.all[i], item)
	}
	// Memory that nobody has written is given by the system when it is: not in a timed call.
	for _, shard := range s.all[data:] {
		for i := range shard {
			shard[i] = 0xff
		}
	}
	if strings.HasSuffix(task, "-lost") {
		s.lost = min(data, parity)
		err = encoder.Encode(s.all)
	}
	return s, err
}

func (s *shards) Run() error {
	if s.lost == 0 {
		return s.encoder.Encode(s.all)
	}
	// Empty shards are lost; their memory is used again.
	for i := range s.lost {
		s.all[i] = s.all[i][:0]
	}
	return s.encoder.ReconstructData(s.all)
}

func (s *shards) Result() []byte {
	if s.lost == 0 {
		return bytes.Join(s.all[s.data:], nil)
	}
	return bytes.Join(s.all[:s.lost], nil)
}

func main() {
	line.Serve(line.Peer{
		Name:    "klauspost/reedsolomon",
		Has:     has,
		Prepare: prepare,
	})
}
