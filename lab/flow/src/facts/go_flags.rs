//! Fields of Go's `cpu.X86`, of the standard library and of `golang.org/x/sys/cpu`.
//!
//! Their order differs from version to version. But a user may switch them off by name
//! (`GODEBUG=cpu.avx2=off`), so the routine that fills them makes a list of names and places:
//! of a name the length is stored, then its text and the field's place are loaded.

use super::features::Facts;
use super::known::vouched;
use super::value::Value;
use crate::program::Program;
use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic};

/// Routines that make the list, by the ends of their names.
const LISTING: [&str; 2] = ["internal/cpu.doinit", "/sys/cpu.initOptions"];
/// Longest name of a field.
const LONGEST: u64 = 16;

/// By Go's name: the variable as it is shown, and what is there where it is set.
const FIELDS: [(&str, &str, &str); 36] = [
    ("adx", "cpu.X86.HasADX", "adx"),
    ("aes", "cpu.X86.HasAES", "aes"),
    ("avx", "cpu.X86.HasAVX", "avx"),
    ("avx2", "cpu.X86.HasAVX2", "avx2"),
    ("avx512f", "cpu.X86.HasAVX512F", "avx512f"),
    ("avx512bf16", "cpu.X86.HasAVX512BF16", "avx512bf16"),
    ("avx512bitalg", "cpu.X86.HasAVX512BITALG", "avx512bitalg"),
    ("avx512bw", "cpu.X86.HasAVX512BW", "avx512bw"),
    ("avx512cd", "cpu.X86.HasAVX512CD", "avx512cd"),
    ("avx512dq", "cpu.X86.HasAVX512DQ", "avx512dq"),
    ("avx512er", "cpu.X86.HasAVX512ER", "avx512er"),
    ("avx512ifma", "cpu.X86.HasAVX512IFMA", "avx512ifma"),
    ("avx512vbmi", "cpu.X86.HasAVX512VBMI", "avx512vbmi"),
    ("avx512vbmi2", "cpu.X86.HasAVX512VBMI2", "avx512vbmi2"),
    ("avx512vl", "cpu.X86.HasAVX512VL", "avx512vl"),
    ("avx512vnni", "cpu.X86.HasAVX512VNNI", "avx512vnni"),
    (
        "avx512vpopcntdq",
        "cpu.X86.HasAVX512VPOPCNTDQ",
        "avx512vpopcntdq",
    ),
    ("avxvnni", "cpu.X86.HasAVXVNNI", "avxvnni"),
    ("avxifma", "cpu.X86.HasAVXIFMA", "avxifma"),
    ("bmi1", "cpu.X86.HasBMI1", "bmi1"),
    ("bmi2", "cpu.X86.HasBMI2", "bmi2"),
    ("fma", "cpu.X86.HasFMA", "fma"),
    ("gfni", "cpu.X86.HasGFNI", "gfni"),
    ("pclmulqdq", "cpu.X86.HasPCLMULQDQ", "pclmulqdq"),
    ("popcnt", "cpu.X86.HasPOPCNT", "popcnt"),
    ("rdrand", "cpu.X86.HasRDRAND", "rdrand"),
    ("rdseed", "cpu.X86.HasRDSEED", "rdseed"),
    ("sha", "cpu.X86.HasSHA", "sha"),
    ("sse3", "cpu.X86.HasSSE3", "sse3"),
    ("sse41", "cpu.X86.HasSSE41", "sse4.1"),
    ("sse42", "cpu.X86.HasSSE42", "sse4.2"),
    ("ssse3", "cpu.X86.HasSSSE3", "ssse3"),
    ("vaes", "cpu.X86.HasVAES", "vaes"),
    ("vpclmulqdq", "cpu.X86.HasVPCLMULQDQ", "vpclmulqdq"),
    ("avx512gfni", "cpu.X86.HasAVX512GFNI", "gfni"),
    ("avx512vaes", "cpu.X86.HasAVX512VAES", "vaes"),
];

/// What a field of this name holds, of those that are told apart.
pub(super) fn field(variable: &str, bytes: u8) -> Option<Value> {
    let known = FIELDS.iter().find(|(_, shown, _)| *shown == variable)?;
    Some(vouched(bytes, Facts::known(known.2)?))
}

impl Program<'_> {
    /// Finds the fields, and takes each for a variable of its own.
    pub fn find_go_flags(&mut self) {
        let is_one = |names: &[&str]| {
            let ends = |name: &&str| LISTING.iter().any(|end| name.ends_with(end));
            names.iter().any(ends)
        };
        let lists = (self.routines.iter()).filter(|routine| is_one(&routine.names));
        let ranges = lists.flat_map(|routine| routine.ranges.iter().copied());
        let mut fields: Vec<(u64, &str)> = Vec::new();
        for (start, end) in ranges {
            let bytes = self.bytes(start, end).unwrap_or_default();
            let list = List {
                program: self,
                length: None,
                text: None,
            };
            let code = Decoder::with_ip(64, bytes, start, DecoderOptions::NONE);
            fields.extend(list.fields(code));
        }
        for (at, name) in fields {
            self.variables.push((at, 1, name));
            self.cells.push((at, at.saturating_add(1), name));
        }
        self.variables.sort_unstable();
    }
}

/// What was seen of the next field.
struct List<'p> {
    program: &'p Program<'p>,
    length: Option<u64>,
    text: Option<u64>,
}

impl List<'_> {
    fn fields(mut self, code: Decoder<'_>) -> Vec<(u64, &'static str)> {
        let mut found = Vec::new();
        for it in code {
            match it.mnemonic() {
                Mnemonic::Mov => {
                    let stored = it.try_immediate(1).ok();
                    let is_length = |length: &u64| (1..=LONGEST).contains(length);
                    let is_word = it.memory_size().size() == 8;
                    self.length = stored
                        .filter(|length| is_word && is_length(length))
                        .or(self.length);
                }
                Mnemonic::Lea if it.is_ip_rel_memory_operand() => found.extend(self.place(&it)),
                _ => {}
            }
        }
        found
    }

    /// A place that is loaded: a text's, or a field's.
    fn place(&mut self, lea: &Instruction) -> Option<(u64, &'static str)> {
        let at = lea.ip_rel_memory_address();
        if !self.program.is_written(at) {
            self.text = Some(at);
            return None;
        }
        let name = self.program.text(self.text.take()?, self.length?)?;
        let known = FIELDS.iter().find(|(own, ..)| own.as_bytes() == name)?;
        Some((at, known.1))
    }
}

impl Program<'_> {
    /// So many bytes of data.
    fn text(&self, at: u64, length: u64) -> Option<Vec<u8>> {
        let mut bytes: Vec<u8> = Vec::new();
        for by in (0..length).step_by(8) {
            bytes.extend(self.stored(at.checked_add(by)?)?.to_le_bytes());
        }
        bytes.truncate(usize::try_from(length).ok()?);
        Some(bytes)
    }
}
