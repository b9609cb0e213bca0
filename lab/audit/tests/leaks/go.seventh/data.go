package main

func data(n int, seed uint32) []byte {
	out := make([]byte, n)
	state := seed*2654435761 + 12345
	for i := range out {
		state = state*1664525 + 1013904223
		out[i] = byte(state >> 24)
	}
	return out
}
