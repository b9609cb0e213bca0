//go:build variable

package main

// A variable of the package: what is best is put there before main.
var best = sumPlain

func init() {
	if fast() {
		best = sumAVX2
	}
}

func run(cells []int32) int64 { return best(&cells[0], len(cells)) }
