//go:build vectors

// A database of vectors: variables of function type begin with plain Go and are set by an init, and
// providers of distances are an interface that a configuration names.
package main

import (
	"errors"
	"fmt"
	"os"
	"sort"

	"ninth/asm"
	"ninth/cpu"
)

var l2SquaredImpl func(a, b []float32) float32 = func(a, b []float32) float32 {
	var sum float32
	for i := range a {
		diff := a[i] - b[i]
		sum += diff * diff
	}
	return sum
}

func init() {
	if bad {
		if cpu.X86.HasAVX || cpu.X86.HasFMA {
			l2SquaredImpl = asm.L2
		}
	} else if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		l2SquaredImpl = asm.L2
	}
}

var errLength = errors.New("vector lengths don't match")

// Provider is a kind of distance.
type Provider interface {
	Type() string
	SingleDist(a, b []float32) (float32, error)
	Wrap(x float32) float32
}

type l2Squared struct{}

func (l2Squared) Type() string { return "l2-squared" }
func (l2Squared) SingleDist(a, b []float32) (float32, error) {
	if len(a) != len(b) {
		return 0, fmt.Errorf("%w: %d vs %d", errLength, len(a), len(b))
	}
	return l2SquaredImpl(a, b), nil
}
func (l2Squared) Wrap(x float32) float32 { return x }

type manhattan struct{}

func (manhattan) Type() string { return "manhattan" }
func (manhattan) SingleDist(a, b []float32) (float32, error) {
	if len(a) != len(b) {
		return 0, errLength
	}
	var sum float32
	for i := range a {
		if diff := a[i] - b[i]; diff > 0 {
			sum += diff
		} else {
			sum -= diff
		}
	}
	return sum, nil
}
func (manhattan) Wrap(x float32) float32 { return x / 2 }

var providers = map[string]func() Provider{
	"l2-squared": func() Provider { return l2Squared{} },
	"manhattan":  func() Provider { return manhattan{} },
}

type config struct {
	distance string
	limit    int
}

type index struct {
	provider Provider
	limit    int
	vectors  map[int][]float32
}

func newIndex(c config) (*index, error) {
	make_, ok := providers[c.distance]
	if !ok {
		return nil, fmt.Errorf("unrecognized distance metric %q", c.distance)
	}
	return &index{provider: make_(), limit: c.limit, vectors: map[int][]float32{}}, nil
}

func (x *index) add(id int, v []float32) { x.vectors[id] = v }

type result struct {
	id   int
	dist float32
}

func (x *index) search(v []float32) ([]result, error) {
	var out []result
	for id, have := range x.vectors {
		dist, err := x.provider.SingleDist(have, v)
		if err != nil {
			return nil, fmt.Errorf("vector %d: %w", id, err)
		}
		out = append(out, result{id, x.provider.Wrap(dist)})
	}
	sort.Slice(out, func(i, j int) bool {
		return out[i].dist < out[j].dist || out[i].dist == out[j].dist && out[i].id < out[j].id
	})
	return out[:min(x.limit, len(out))], nil
}

func main() {
	configs := []config{{"manhattan", 2}, {"l2-squared", 3}, {"euclid", 1}}
	if len(os.Args) > 1 {
		configs = append(configs, config{os.Args[1], 1})
	}
	for _, c := range configs {
		x, err := newIndex(c)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			continue
		}
		for id := range 20 {
			v := make([]float32, 37)
			for i := range v {
				v[i] = float32((i * (id + 1)) % 9)
			}
			x.add(id, v)
		}
		for _, length := range []int{37, 36} {
			found, err := x.search(make([]float32, length))
			if errors.Is(err, errLength) {
				fmt.Printf("%s: lengths differ\n", x.provider.Type())
			}
			for _, r := range found {
				fmt.Printf("%s: %d at %.0f\n", x.provider.Type(), r.id, r.dist)
			}
		}
	}
}
