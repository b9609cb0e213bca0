//go:build digest

// A tool that sums files, or what it makes itself: whether the wide blocks are used is a variable of a
// package, set by an init from the struct of features.
package main

import (
	"bytes"
	"encoding"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"ninth/block"
	"ninth/cpu"
)

func init() {
	if bad {
		// A line of the check was lost when it was made shorter.
		block.UseAVX2 = cpu.X86.HasAVX && cpu.X86.HasOSXSAVE
	} else {
		block.UseAVX2 = cpu.X86.HasAVX && cpu.X86.HasAVX2
	}
}

type source struct {
	name string
	open func() (io.ReadCloser, error)
}

func sources(args []string) []source {
	var out []source
	for _, arg := range args {
		out = append(out, source{arg, func() (io.ReadCloser, error) { return os.Open(arg) }})
	}
	for _, count := range []int{0, 3, 90} {
		text := strings.Repeat("a line that is summed\n", count)
		out = append(out, source{fmt.Sprintf("made-%d", count), func() (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader(text)), nil
		}})
	}
	return out
}

func sum(s source) ([]byte, error) {
	r, err := s.open()
	if err != nil {
		return nil, fmt.Errorf("cannot sum: %w", err)
	}
	defer r.Close()
	h := block.New()
	if _, err := io.CopyN(h, r, 100); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	// Half of it goes on in another hash, from a saved state.
	state, err := h.(encoding.BinaryMarshaler).MarshalBinary()
	if err != nil {
		return nil, err
	}
	second := block.New()
	if err := second.(encoding.BinaryUnmarshaler).UnmarshalBinary(state); err != nil {
		return nil, err
	}
	if _, err := io.Copy(second, r); err != nil {
		return nil, err
	}
	return second.Sum(nil), nil
}

func main() {
	verbose := flag.Bool("v", false, "say what the CPU has")
	flag.Parse()
	if *verbose {
		fmt.Printf("AVX2 %t, BMI2 %t\n", cpu.X86.HasAVX2, cpu.X86.HasBMI2)
	}
	for _, err := range cpu.Errors {
		fmt.Fprintln(os.Stderr, "digest:", err)
	}
	var out bytes.Buffer
	for _, s := range sources(flag.Args()) {
		digest, err := sum(s)
		if err != nil {
			fmt.Fprintln(os.Stderr, "digest:", s.name, err)
			continue
		}
		fmt.Fprintf(&out, "%x  %s\n", digest, s.name)
	}
	if _, err := out.WriteTo(os.Stdout); err != nil {
		os.Exit(3)
	}
}
