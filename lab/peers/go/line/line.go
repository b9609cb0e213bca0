// Package line speaks karat's protocol for peers that are programs
// (docs/peer-programs.md).
package line

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

// Input is one input of a task: items of equal length, and numbers.
type Input struct {
	Items   [][]byte
	Numbers []int
}

// Call is an input in the peer's own form. Run is timed; Result is what the last Run made.
type Call interface {
	Run() error
	Result() []byte
}

// Peer is a library that is measured.
type Peer struct {
	Name string
	// Has tells whether there is such a task.
	Has func(task string) bool
	// Prepare makes the call of a task.
	Prepare func(task string, input Input) (Call, error)
}

// Linux' number of the clock that counts processor time of all threads. The collector of
// garbage has threads of its own, and its time belongs to the call's.
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

func read(line string) (Input, error) {
	fields := strings.Fields(line)
	if len(fields) != 3 {
		return Input{}, fmt.Errorf("an input has 3 fields: %q", line)
	}
	items, err := strconv.Atoi(fields[0])
	if err != nil || items < 1 {
		return Input{}, fmt.Errorf("a number of items is wrong: %q", fields[0])
	}
	data, err := hex.DecodeString(fields[1])
	if err != nil {
		return Input{}, err
	}
	in := Input{Items: make([][]byte, items)}
	length := len(data) / items
	for i := range in.Items {
		in.Items[i] = data[i*length : (i+1)*length]
	}
	if fields[2] == "-" {
		return in, nil
	}
	for _, text := range strings.Split(fields[2], ",") {
		number, err := strconv.Atoi(text)
		if err != nil {
			return Input{}, err
		}
		in.Numbers = append(in.Numbers, number)
	}
	return in, nil
}

type session struct {
	peer Peer
	task string
	sets map[string][]Call
	next func() string
}

func (s *session) answer(line string) (string, error) {
	fields := strings.Fields(line)
	if len(fields) == 0 {
		return "", fmt.Errorf("an empty request")
	}
	word, rest := fields[0], fields[1:]
	switch {
	case word == "hello":
		return "hello 1 " + s.peer.Name, nil
	case word == "task" && len(rest) == 3:
		if !s.peer.Has(rest[0]) {
			return "no", nil
		}
		s.task = rest[0]
		return "yes", nil
	case word == "inputs" && len(rest) == 2:
		count, err := strconv.Atoi(rest[1])
		if err != nil {
			return "", err
		}
		var calls []Call
		for range count {
			in, err := read(s.next())
			if err != nil {
				return "", err
			}
			call, err := s.peer.Prepare(s.task, in)
			if err != nil {
				return "", err
			}
			calls = append(calls, call)
		}
		s.sets[rest[0]] = calls
		runtime.GC()
		return "ok", nil
	case word == "run" && len(rest) == 3:
		passes, err := strconv.Atoi(rest[1])
		if err != nil {
			return "", err
		}
		set := s.sets[rest[0]]
		start := now(rest[2])
		for range passes {
			for _, call := range set {
				if err := call.Run(); err != nil {
					return "", err
				}
			}
		}
		return strconv.FormatInt(now(rest[2])-start, 10), nil
	case word == "result" && len(rest) == 1:
		index, err := strconv.Atoi(rest[0])
		if err != nil || index < 0 || index >= len(s.sets["timed"]) {
			return "", fmt.Errorf("no input %q", rest[0])
		}
		return hex.EncodeToString(s.sets["timed"][index].Result()), nil
	}
	return "", fmt.Errorf("unknown request %q", line)
}

// Serve answers requests until there are no more. Calls have one processor.
func Serve(peer Peer) {
	runtime.GOMAXPROCS(1)
	lines := bufio.NewReaderSize(os.Stdin, 1<<20)
	next := func() string {
		line, _ := lines.ReadString('\n')
		return line
	}
	s := session{peer: peer, sets: map[string][]Call{}, next: next}
	for {
		line := next()
		if line == "" {
			return
		}
		text, err := s.answer(line)
		if err != nil {
			text = "error: " + err.Error()
		}
		fmt.Println(text)
	}
}
