//! Instructions counted: of a whole binary, and of its functions, crates and sections.
//!
//! Counts are of *instructions*, not of lines of a disassembly, and not of
//! executions: code that never runs is counted like code that does.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Instructions counted by register width and by instruction-set extension.
///
/// An instruction belongs to the widest register class it names: `vpaddd zmm1,
/// zmm2, ymm3` counts as zmm. `mask` counts instructions that name a `k0..k7`
/// register in any operand or as a write mask; those are counted in their width
/// class too.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Census {
    /// All decoded instructions.
    pub instructions: u64,
    /// Bytes of those instructions.
    pub bytes: u64,
    /// Instructions whose widest vector register is 128 bits.
    pub xmm: u64,
    /// Instructions whose widest vector register is 256 bits.
    pub ymm: u64,
    /// Instructions whose widest vector register is 512 bits.
    pub zmm: u64,
    /// Bytes of the 128-bit instructions.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub xmm_bytes: u64,
    /// Bytes of the 256-bit instructions.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub ymm_bytes: u64,
    /// Bytes of the 512-bit instructions.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub zmm_bytes: u64,
    /// Instructions that name a mask register.
    pub mask: u64,
    /// AArch64: instructions of the Advanced SIMD and floating-point encoding
    /// groups, loads and stores of their registers included.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub simd: u64,
    /// AArch64: instructions of the SVE and SME encoding groups, whatever registers
    /// they name.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub sve: u64,
    /// Positions that do not decode as an instruction.
    pub undecodable: u64,
    /// Instructions by extension (`avx2`, `avx512vl`, `bmi2`, …); the 64-bit
    /// baseline (8086 to SSE2; Armv8.0 with Advanced SIMD) is left out.
    pub extensions: BTreeMap<String, u64>,
}

impl Census {
    /// Instructions that work on vector registers.
    pub fn vector(&self) -> u64 {
        self.xmm + self.ymm + self.zmm + self.simd + self.sve
    }

    /// Positions that do not decode over all that were tried, 0 to 1; 0 without
    /// code.
    pub fn undecodable_rate(&self) -> f64 {
        let tried = self.instructions + self.undecodable;
        self.undecodable as f64 / tried.max(1) as f64
    }
}

/// One function of the binary, or one region that nothing says is a function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FunctionCensus {
    /// Demangled name without the hash; `[fde 0x…]` for code that has only an
    /// entry of the unwind table (`.eh_frame`), with the address the entry starts
    /// at; `[no symbol]` for code with neither. In an archive the member follows, as
    /// in `crc32 (crc32.o)`.
    pub name: String,
    /// Address of the first instruction. In an object file or an archive, which
    /// have none yet, one that karat gave it; it tells functions apart.
    pub address: u64,
    /// Instructions of this function, inlined code included.
    pub census: Census,
}

/// Code that came from one crate (or one C compile unit's directory),
/// wherever it was inlined. A crate may come twice: by its source lines, and by the
/// symbols of functions that have none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CrateCensus {
    /// Crate name, `core`/`alloc`/`std`, or `[unattributed]`.
    pub name: String,
    /// Whether only the name of the function says so: its code has no source line, as
    /// in naked assembly and in builds without debug information. The crate is then
    /// that of the symbol's path, of `T` for `<T as Trait>::f`; what was inlined there
    /// counts with it. Symbols of C and C++ tell no crate.
    #[serde(default, skip_serializing_if = "is_false")]
    pub by_symbol: bool,
    /// Instructions whose innermost source line is in this crate; intrinsics'
    /// wrappers (`core::arch`, and what of `core` they call; the compiler's
    /// `*intrin.h`) are charged to who called them. Where the binary does not say
    /// who that was, they stay with `core`, or with the compile unit in C.
    pub census: Census,
}

/// Code of one section that counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SectionCensus {
    /// Name of the section; in Mach-O with its segment, as `__TEXT,__text`. Sections
    /// of one name (in objects and archives) are taken together.
    pub name: String,
    /// Bytes of it that count.
    pub bytes: u64,
    /// Its instructions.
    pub census: Census,
}

fn is_false(flag: &bool) -> bool {
    !*flag
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}
