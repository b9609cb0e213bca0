//go:build methods

package main

type summer interface {
	usable() bool
	sum(cells []int32) int64
}
type plain struct{}
type wide struct{ least int }

func (plain) usable() bool             { return true }
func (plain) sum(cells []int32) int64  { return sumPlain(&cells[0], len(cells)) }
func (w wide) usable() bool            { return usable() }
func (w wide) sum(cells []int32) int64 { return sumAVX2(&cells[w.least], len(cells)-w.least) }

var all = []summer{wide{8}, plain{}}

func run(cells []int32) int64 {
	for _, one := range all {
		if one.usable() {
			return one.sum(cells)
		}
	}
	return 0
}
