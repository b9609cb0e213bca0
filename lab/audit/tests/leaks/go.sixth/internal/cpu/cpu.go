// Package cpu says what the CPU can, as that of the standard library does.
package cpu

import "os"

// CacheLinePad keeps what stands beside it in lines of its own.
type CacheLinePad struct{ _ [64]byte }

// X86 has the features; all are false until this package is initialized.
var X86 struct {
	_            CacheLinePad
	HasAES       bool
	HasAVX       bool
	HasAVX2      bool
	HasBMI1      bool
	HasBMI2      bool
	HasFMA       bool
	HasOSXSAVE   bool
	HasPCLMULQDQ bool
	HasPOPCNT    bool
	HasSSE42     bool
	_            CacheLinePad
}

type option struct {
	Name    string
	Feature *bool
}

var options = []option{
	{"aes", &X86.HasAES},
	{"avx", &X86.HasAVX},
	{"avx2", &X86.HasAVX2},
	{"bmi2", &X86.HasBMI2},
	{"fma", &X86.HasFMA},
	{"pclmulqdq", &X86.HasPCLMULQDQ},
}

func cpuid(eaxArg, ecxArg uint32) (eax, ebx, ecx, edx uint32)
func xgetbv() (eax, edx uint32)

func isSet(hwc uint32, bit uint32) bool { return hwc&(1<<bit) != 0 }

func init() {
	maxID, _, _, _ := cpuid(0, 0)
	if maxID < 1 {
		return
	}
	_, _, ecx1, _ := cpuid(1, 0)
	X86.HasPCLMULQDQ = isSet(ecx1, 1)
	X86.HasFMA = isSet(ecx1, 12)
	X86.HasSSE42 = isSet(ecx1, 20)
	X86.HasPOPCNT = isSet(ecx1, 23)
	X86.HasAES = isSet(ecx1, 25)
	X86.HasOSXSAVE = isSet(ecx1, 27)
	osSupportsAVX := false
	if X86.HasOSXSAVE {
		eax, _ := xgetbv()
		osSupportsAVX = isSet(eax, 1) && isSet(eax, 2)
	}
	X86.HasAVX = isSet(ecx1, 28) && osSupportsAVX
	X86.HasFMA = X86.HasFMA && osSupportsAVX
	if maxID >= 7 {
		_, ebx7, _, _ := cpuid(7, 0)
		X86.HasBMI1 = isSet(ebx7, 3)
		X86.HasAVX2 = isSet(ebx7, 5) && osSupportsAVX
		X86.HasBMI2 = isSet(ebx7, 8)
	}
	processOptions(os.Getenv("CPU_OFF"))
}

// processOptions turns off what a list names.
func processOptions(env string) {
	for env != "" {
		var name string
		if i := index(env, ','); i < 0 {
			name, env = env, ""
		} else {
			name, env = env[:i], env[i+1:]
		}
		for _, o := range options {
			if o.Name == name {
				*o.Feature = false
			}
		}
	}
}

func index(s string, c byte) int {
	for i := 0; i < len(s); i++ {
		if s[i] == c {
			return i
		}
	}
	return -1
}
