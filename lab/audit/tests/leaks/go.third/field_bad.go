//go:build field && bad

package main

func run(cells []int32) int64 {
	if x86.hasFMA && len(cells) >= 8 {
		return sumAVX2(&cells[0], len(cells))
	}
	return sumPlain(&cells[0], len(cells))
}
