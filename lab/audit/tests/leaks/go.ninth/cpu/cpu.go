// Package cpu has a struct of what the CPU has, and options that the environment turns off.
package cpu

import (
	"errors"
	"os"
	"strings"
)

type cacheLinePad struct{ _ [64]byte }

// X86 has the features of the current CPU.
var X86 struct {
	_            cacheLinePad
	HasAVX       bool
	HasAVX2      bool
	HasBMI1      bool
	HasBMI2      bool
	HasFMA       bool
	HasOSXSAVE   bool
	HasPCLMULQDQ bool
	HasSSE41     bool
	HasAVX512F   bool
	HasAVX512BW  bool
	_            cacheLinePad
}

type option struct {
	Name    string
	Feature *bool
}

var options = []option{
	{"avx", &X86.HasAVX},
	{"avx2", &X86.HasAVX2},
	{"bmi1", &X86.HasBMI1},
	{"bmi2", &X86.HasBMI2},
	{"fma", &X86.HasFMA},
	{"pclmulqdq", &X86.HasPCLMULQDQ},
	{"avx512f", &X86.HasAVX512F},
	{"avx512bw", &X86.HasAVX512BW},
}

// Errors are of what the environment asks and there is not.
var Errors []error

func cpuid(eaxArg, ecxArg uint32) (eax, ebx, ecx, edx uint32)
func xgetbv() (eax, edx uint32)

func isSet(hwc, value uint32) bool { return hwc&value != 0 }

func init() {
	doinit()
	processOptions(os.Getenv("NINTHDEBUG"))
}

func doinit() {
	maxID, _, _, _ := cpuid(0, 0)
	if maxID < 1 {
		return
	}
	_, _, ecx1, _ := cpuid(1, 0)
	X86.HasPCLMULQDQ = isSet(ecx1, 1<<1)
	X86.HasSSE41 = isSet(ecx1, 1<<19)
	X86.HasOSXSAVE = isSet(ecx1, 1<<27)
	osSupportsAVX, osSupportsAVX512 := false, false
	if X86.HasOSXSAVE {
		eax, _ := xgetbv()
		osSupportsAVX = isSet(eax, 1<<1) && isSet(eax, 1<<2)
		osSupportsAVX512 = osSupportsAVX && isSet(eax, 1<<5) && isSet(eax, 1<<6) && isSet(eax, 1<<7)
	}
	X86.HasAVX = isSet(ecx1, 1<<28) && osSupportsAVX
	X86.HasFMA = isSet(ecx1, 1<<12) && X86.HasOSXSAVE && osSupportsAVX
	if maxID < 7 {
		return
	}
	_, ebx7, _, _ := cpuid(7, 0)
	X86.HasBMI1 = isSet(ebx7, 1<<3)
	X86.HasAVX2 = isSet(ebx7, 1<<5) && osSupportsAVX
	X86.HasBMI2 = isSet(ebx7, 1<<8)
	X86.HasAVX512F = isSet(ebx7, 1<<16) && osSupportsAVX512
	X86.HasAVX512BW = isSet(ebx7, 1<<30) && osSupportsAVX512
}

func processOptions(env string) {
field:
	for env != "" {
		var word string
		word, env, _ = strings.Cut(env, ",")
		name, off := strings.CutPrefix(word, "cpu.")
		if !off {
			continue
		}
		name, value, found := strings.Cut(name, "=")
		if !found || value != "on" && value != "off" {
			Errors = append(Errors, errors.New("no value for "+name))
			continue
		}
		for i := range options {
			if options[i].Name == name || name == "all" {
				*options[i].Feature = *options[i].Feature && value == "on"
				if name != "all" {
					continue field
				}
			}
		}
		if name != "all" {
			Errors = append(Errors, errors.New("unknown feature "+name))
		}
	}
}
