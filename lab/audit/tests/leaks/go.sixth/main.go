// The sixth set's programs in Go, each chosen by a build tag.
package main

import "os"

func text() []byte {
	out := make([]byte, 1024)
	for i := range out {
		out[i] = byte((i*i + i/3 + 7*len(os.Args)) % 251)
	}
	return out
}

func floats(seed int) []float32 {
	out := make([]float32, 128)
	for i := range out {
		out[i] = float32((i + seed) % 7)
	}
	return out
}
