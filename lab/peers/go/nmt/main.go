// celestiaorg/nmt as a peer of karat's namespaced Merkle trees
// (docs/peer-programs.md):
//
//	cd lab/peers/go/nmt && go build -o /tmp/nmt-peer .
//	karat kernels bench --kernel nmt --peer /tmp/nmt-peer
package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"github.com/celestiaorg/nmt"
)

// Bytes of a namespace of Celestia.
const namespace = 29

// Linux' number of the clock that counts processor time of all threads. The collector of
// garbage has threads of its own, and its time belongs to the tree's.
const processClock = 2

func now(clock string) int64 {
	if clock == "wall" {
		return time.Now().UnixNano()
	}
	var t syscall.Timespec
	_, _, e := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, processClock, uintptr(unsafe.Pointer(&t)), 0)
	if e != 0 {
		panic(e)
	}
	return t.Nano()
}

// One input: its leaves, and the tree that is used again for each pass.
type input struct {
	leaves [][]byte
	tree   *nmt.NamespacedMerkleTree
	root   []byte
}

func read(line string) (input, error) {
	fields := strings.Fields(line)
	if len(fields) != 3 {
		return input{}, fmt.Errorf("an input has 3 fields: %q", line)
	}
	items, err := strconv.Atoi(fields[0])
	if err != nil || items < 1 {
		return input{}, fmt.Errorf("a number of items is wrong: %q", fields[0])
	}
	data, err := hex.DecodeString(fields[1])
	if err != nil {
		return input{}, err
	}
	length := len(data) / items
	in := input{leaves: make([][]byte, items)}
	for i := range in.leaves {
		in.leaves[i] = data[i*length : (i+1)*length]
	}
	in.tree = nmt.New(sha256.New(),
		nmt.NamespaceIDSize(namespace), nmt.IgnoreMaxNamespace(true),
		nmt.InitialCapacity(items), nmt.ReuseBuffers(true))
	return in, nil
}

func (in *input) run() error {
	in.tree.Reset()
	for _, leaf := range in.leaves {
		if err := in.tree.Push(leaf); err != nil {
			return err
		}
	}
	root, err := in.tree.Root()
	in.root = append(in.root[:0], root...)
	return err
}

func answer(line string, sets map[string][]input, next func() string) (string, error) {
	fields := strings.Fields(line)
	if len(fields) == 0 {
		return "", fmt.Errorf("an empty request")
	}
	word, rest := fields[0], fields[1:]
	switch {
	case word == "hello":
		return "hello 1 celestiaorg/nmt, buffers reused", nil
	case word == "task" && len(rest) == 3:
		if rest[0] == "nmt" {
			return "yes", nil
		}
		return "no", nil
	case word == "inputs" && len(rest) == 2:
		count, err := strconv.Atoi(rest[1])
		if err != nil {
			return "", err
		}
		var inputs []input
		for range count {
			in, err := read(next())
			if err != nil {
				return "", err
			}
			inputs = append(inputs, in)
		}
		sets[rest[0]] = inputs
		runtime.GC()
		return "ok", nil
	case word == "run" && len(rest) == 3:
		passes, err := strconv.Atoi(rest[1])
		if err != nil {
			return "", err
		}
		set := sets[rest[0]]
		start := now(rest[2])
		for range passes {
			for i := range set {
				if err := set[i].run(); err != nil {
					return "", err
				}
			}
		}
		return strconv.FormatInt(now(rest[2])-start, 10), nil
	case word == "result" && len(rest) == 1:
		index, err := strconv.Atoi(rest[0])
		if err != nil || index < 0 || index >= len(sets["timed"]) {
			return "", fmt.Errorf("no input %q", rest[0])
		}
		return hex.EncodeToString(sets["timed"][index].root), nil
	}
	return "", fmt.Errorf("unknown request %q", line)
}

func main() {
	runtime.GOMAXPROCS(1)
	lines := bufio.NewReaderSize(os.Stdin, 1<<20)
	next := func() string {
		line, _ := lines.ReadString('\n')
		return line
	}
	sets := map[string][]input{}
	for {
		line := next()
		if line == "" {
			return
		}
		text, err := answer(line, sets, next)
		if err != nil {
			text = "error: " + err.Error()
		}
		fmt.Println(text)
	}
}
