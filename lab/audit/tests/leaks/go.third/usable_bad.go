//go:build methods && bad

package main

func usable() bool { return x86.hasAVX }
