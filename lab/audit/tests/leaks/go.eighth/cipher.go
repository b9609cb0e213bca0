//go:build cipher

// A cipher whose assembly tests a package's variable, as the extended library of cryptography does.
package main

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"os"

	"eighth/cpuid"
	"eighth/stream"
)

func run(args []string) error {
	if bad {
		stream.Assume(cpuid.SSE42)
	}
	key := bytes.Repeat([]byte{1, 3, 5, 8}, stream.Size/4)
	message := bytes.Repeat([]byte("to be enciphered"), 20)
	if len(args) > 1 {
		text, err := os.ReadFile(args[1])
		if err != nil {
			return err
		}
		message = text[:len(text)/stream.Size*stream.Size]
	}
	fast, err := stream.New(key)
	if err != nil {
		return err
	}
	plain, err := stream.New(key)
	if err != nil {
		return err
	}
	out, want := make([]byte, len(message)), make([]byte, len(message))
	fast.XORKeyStream(out, message)
	plain.Reference(want, message)
	if !bytes.Equal(out, want) {
		return fmt.Errorf("the streams differ")
	}
	fmt.Println(hex.EncodeToString(out[len(out)-stream.Size:]))
	return nil
}

func main() {
	if err := run(os.Args); err != nil {
		fmt.Fprintln(os.Stderr, "cipher:", err)
		os.Exit(1)
	}
}
