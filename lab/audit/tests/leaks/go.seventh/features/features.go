// Package features asks the CPU once, when the program starts.
package features

import "strings"

// X86 says what may be used.
var X86 struct {
	HasSSE42, HasPCLMUL, HasAVX, HasAVX2, HasBMI1, HasBMI2, HasFMA, HasADX bool
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
	{"pclmul", &X86.HasPCLMUL},
	{"adx", &X86.HasADX},
}

const (
	ecxPCLMUL  = 1 << 1
	ecxFMA     = 1 << 12
	ecxSSE42   = 1 << 20
	ecxOSXSAVE = 1 << 27
	ecxAVX     = 1 << 28
	ebxBMI1    = 1 << 3
	ebxAVX2    = 1 << 5
	ebxBMI2    = 1 << 8
	ebxADX     = 1 << 19
)

func cpuid(eaxArg, ecxArg uint32) (eax, ebx, ecx, edx uint32)
func xgetbv() (eax, edx uint32)

func isSet(hwc, value uint32) bool { return hwc&value != 0 }

func init() {
	maxID, _, _, _ := cpuid(0, 0)
	if maxID < 1 {
		return
	}
	_, _, ecx1, _ := cpuid(1, 0)
	X86.HasPCLMUL = isSet(ecx1, ecxPCLMUL)
	X86.HasSSE42 = isSet(ecx1, ecxSSE42)
	osSupportsAVX := false
	if isSet(ecx1, ecxOSXSAVE) {
		eax, _ := xgetbv()
		osSupportsAVX = isSet(eax, 1<<1) && isSet(eax, 1<<2)
	}
	X86.HasAVX = isSet(ecx1, ecxAVX) && osSupportsAVX
	X86.HasFMA = isSet(ecx1, ecxFMA) && osSupportsAVX
	if maxID < 7 {
		return
	}
	_, ebx7, _, _ := cpuid(7, 0)
	X86.HasBMI1 = isSet(ebx7, ebxBMI1)
	X86.HasAVX2 = isSet(ebx7, ebxAVX2) && osSupportsAVX
	X86.HasBMI2 = isSet(ebx7, ebxBMI2)
	X86.HasADX = isSet(ebx7, ebxADX)
}

// Disable takes features away that a list names, like "avx2,bmi2".
func Disable(list string) (unknown []string) {
field:
	for _, name := range strings.Split(list, ",") {
		if name == "" {
			continue
		}
		for i := range options {
			if options[i].Name == name {
				*options[i].Feature = false
				continue field
			}
		}
		unknown = append(unknown, name)
	}
	return unknown
}
