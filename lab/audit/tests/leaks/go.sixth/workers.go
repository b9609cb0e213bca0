//go:build workers

package main

import (
	"fmt"
	"sync"

	"sixth/internal/cpu"
	"sixth/kernels"
)

var (
	once sync.Once
	best func([]byte) uint64
)

func choose() {
	switch {
	case cpu.X86.HasAVX2, bad && cpu.X86.HasSSE42:
		best = kernels.SumAVX2
	default:
		best = kernels.SumGeneric
	}
}

type job struct {
	data   []byte
	result chan<- uint64
}

func worker(jobs <-chan job, done *sync.WaitGroup) {
	defer done.Done()
	for j := range jobs {
		once.Do(choose)
		j.result <- best(j.data)
	}
}

func main() {
	data := text()
	jobs, results := make(chan job), make(chan uint64, 16)
	var done sync.WaitGroup
	for range [3]int{} {
		done.Add(1)
		go worker(jobs, &done)
	}
	for i := 0; i < 16; i++ {
		jobs <- job{data[i*64 : i*64+64], results}
	}
	close(jobs)
	done.Wait()
	close(results)
	var total uint64
	for r := range results {
		total += r
	}
	fmt.Println(total)
}
