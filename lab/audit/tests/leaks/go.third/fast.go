//go:build variable && !bad

package main

func fast() bool { return x86.hasAVX2 }
