//go:build bad

package main

const bad = true
