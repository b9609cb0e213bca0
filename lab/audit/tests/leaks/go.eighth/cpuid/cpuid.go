// Package cpuid has the CPU's features as a set of numbered bits.
package cpuid

import "strings"

// FeatureID is a feature's number.
type FeatureID int

const (
	UNKNOWN FeatureID = iota
	SSE2
	SSSE3
	SSE42
	POPCNT
	AVX
	AVX2
	AVX512BW
	AVX512F
	BMI1
	BMI2
	FMA3
	GFNI
	lastID
)

var names = map[FeatureID]string{
	SSE2: "SSE2", SSSE3: "SSSE3", SSE42: "SSE42", POPCNT: "POPCNT", AVX: "AVX", AVX2: "AVX2",
	AVX512BW: "AVX512BW", AVX512F: "AVX512F", BMI1: "BMI1", BMI2: "BMI2", FMA3: "FMA3", GFNI: "GFNI",
}

func (f FeatureID) String() string { return names[f] }

type flags uint64

type flagSet [(lastID + 63) / 64]flags

func (s *flagSet) set(feat FeatureID) { s[feat>>6] |= 1 << (feat & 63) }

func (s *flagSet) setIf(cond bool, features ...FeatureID) {
	if cond {
		for _, f := range features {
			s.set(f)
		}
	}
}

func (s *flagSet) inSet(feat FeatureID) bool { return s[feat>>6]&(1<<(feat&63)) != 0 }

// CPUInfo is what is known of a CPU.
type CPUInfo struct {
	VendorString  string
	Family, Model int
	featureSet    flagSet
}

// CPU is the one the program runs on.
var CPU CPUInfo

func asmCpuidex(op, op2 uint32) (eax, ebx, ecx, edx uint32)
func asmXgetbv(index uint32) (eax, edx uint32)

func init() { Detect() }

// Detect fills CPU; it is called before main, and may be again.
func Detect() {
	CPU = CPUInfo{}
	max, b, c, d := asmCpuidex(0, 0)
	var vendor strings.Builder
	for _, reg := range [...]uint32{b, d, c} {
		for shift := 0; shift < 32; shift += 8 {
			vendor.WriteByte(byte(reg >> shift))
		}
	}
	CPU.VendorString = vendor.String()
	CPU.featureSet = support(max)
	if max >= 1 {
		a, _, _, _ := asmCpuidex(1, 0)
		CPU.Family, CPU.Model = int(a>>8&15), int(a>>4&15|a>>12&0xf0)
	}
}

func support(max uint32) (fs flagSet) {
	if max < 1 {
		return fs
	}
	_, _, c, d := asmCpuidex(1, 0)
	fs.setIf(d&(1<<26) != 0, SSE2)
	fs.setIf(c&(1<<9) != 0, SSSE3)
	fs.setIf(c&(1<<20) != 0, SSE42)
	fs.setIf(c&(1<<23) != 0, POPCNT)
	const ymm = 1<<26 | 1<<27 | 1<<28
	if c&ymm != ymm {
		return fs
	}
	eax, _ := asmXgetbv(0)
	if eax&6 != 6 {
		return fs
	}
	fs.set(AVX)
	fs.setIf(c&(1<<12) != 0, FMA3)
	if max < 7 {
		return fs
	}
	_, b, c7, _ := asmCpuidex(7, 0)
	fs.setIf(b&(1<<3) != 0, BMI1)
	fs.setIf(b&(1<<5) != 0, AVX2)
	fs.setIf(b&(1<<8) != 0, BMI2)
	fs.setIf(c7&(1<<8) != 0, GFNI)
	if eax&0xe6 == 0xe6 {
		fs.setIf(b&(1<<16) != 0, AVX512F)
		fs.setIf(b&(1<<30) != 0, AVX512BW)
	}
	return fs
}

// Supports says whether the CPU has all of these.
func (c *CPUInfo) Supports(ids ...FeatureID) bool {
	for _, id := range ids {
		if !c.featureSet.inSet(id) {
			return false
		}
	}
	return true
}

// AnyOf says whether it has one of these.
func (c *CPUInfo) AnyOf(ids ...FeatureID) bool {
	for _, id := range ids {
		if c.featureSet.inSet(id) {
			return true
		}
	}
	return false
}

// Has says whether it has this one.
func (c *CPUInfo) Has(id FeatureID) bool { return c.featureSet.inSet(id) }

// FeatureSet lists their names.
func (c *CPUInfo) FeatureSet() []string {
	var out []string
	for id := UNKNOWN + 1; id < lastID; id++ {
		if c.Has(id) {
			out = append(out, id.String())
		}
	}
	return out
}
