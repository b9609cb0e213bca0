//! A file of the catalogue, from TOML.
//!
//! ```toml
//! library = "blake2b_simd"
//! licence = "MIT"
//! source = "https://github.com/oconnor663/blake2_simd"
//!
//! [[kernel]]
//! name = "compress, one message, AVX2"
//! isa = "avx2"
//! symbols = ["blake2b_simd::avx2::compress1_loop"]
//!
//! [[kernel.build]]
//! of = "1.0.5, rustc 1.95"
//! mix = "vpaddq.y=384 vpxor.y=192 …"
//! loads = ["0304050607000102…"]
//! immediates = ["0x6a09e667f3bcc908"]
//! ```

use super::mix::MixKey;
use crate::diagnostic::Problem;
use crate::study::fields::{Fields, Located};
use std::collections::BTreeMap;
use toml::de::DeTable;

/// Kernels of one library.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Library {
    /// What readers call it.
    pub name: String,
    /// Where its source is.
    pub source: String,
    /// Its licence, as an SPDX expression.
    pub licence: String,
    /// What a reader of the file should know.
    pub note: String,
    /// Text that copies of the library put before their C symbols
    /// (`ring_core_`); digits and underscores behind it are taken off too.
    pub prefixes: Vec<String>,
    /// Its kernels.
    pub kernels: Vec<Kernel>,
}

/// One kernel: one algorithm for one instruction set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kernel {
    /// Its name within the library.
    pub name: String,
    /// The instruction set, by rustc's target-feature name.
    pub isa: String,
    /// Names of its functions: a Rust path (`a::avx2::f`, `a::avx2::*`) or a C
    /// symbol, which may end in `*`.
    pub symbols: Vec<String>,
    /// Constants of the algorithm that are enough to know it by, with the names
    /// to show. Only for kernels that no library is told by.
    pub constants: Vec<(String, Vec<u8>)>,
    /// Instructions it must contain to be known by its constants.
    pub needs: Vec<MixKey>,
    /// What it looked like in real builds.
    pub builds: Vec<Fingerprint>,
}

/// A function of a real build, as what can be compared without its name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fingerprint {
    /// Version, compiler and flags.
    pub of: String,
    /// Instructions by mnemonic and width, `nop` and `int3` left out.
    pub mix: BTreeMap<MixKey, u32>,
    /// The first 16 bytes of constants it loads into vector registers.
    pub loads: Vec<[u8; 16]>,
    /// Immediate operands too wide to be small numbers.
    pub immediates: Vec<u64>,
}

impl Fingerprint {
    /// Instructions it has in all.
    #[must_use]
    pub fn instructions(&self) -> u32 {
        self.mix.values().sum()
    }
}

impl Library {
    /// Reads a file of the catalogue.
    ///
    /// # Errors
    /// All that is wrong with it, each with its place.
    pub fn parse(text: &str) -> Result<Self, Vec<Problem>> {
        let table = parse_table(text)?;
        let mut problems = Vec::new();
        let first_line = 0..text.find('\n').unwrap_or(text.len());
        let mut root = Fields::new(table.get_ref(), first_line);
        let library = library(&mut root, &mut problems);
        root.finish("a catalogue file", &mut problems);
        problems.sort_by_key(|p| (p.span.start, p.span.end));
        if problems.is_empty() {
            Ok(library)
        } else {
            Err(problems)
        }
    }
}

/// The table of a text, or the problem that it is no TOML.
pub(super) fn parse_table(text: &str) -> Result<toml::Spanned<DeTable<'_>>, Vec<Problem>> {
    DeTable::parse(text).map_err(|error| {
        vec![Problem {
            message: "this is not TOML".into(),
            span: error.span().unwrap_or(0..0),
            label: error.message().to_owned(),
            help: None,
        }]
    })
}

fn library(root: &mut Fields<'_, '_>, problems: &mut Vec<Problem>) -> Library {
    let name = root.required("library", problems).value;
    let licence = root.required("licence", problems).value;
    let source = root.required("source", problems).value;
    let note = root.string("note", problems).map(|n| n.value);
    let prefixes = values(root.strings("prefixes", problems));
    let top = root.span();
    let mut kernels: Vec<Kernel> = Vec::new();
    for mut fields in root.tables("kernel", problems) {
        let span = fields.span();
        let kernel = kernel(&mut fields, problems);
        fields.finish("[[kernel]]", problems);
        if kernels.iter().any(|k| k.name == kernel.name) && !kernel.name.is_empty() {
            problems.push(Problem {
                message: format!("two kernels are called `{}`", kernel.name),
                span,
                label: "this name is taken".into(),
                help: None,
            });
        }
        kernels.push(kernel);
    }
    if kernels.is_empty() && problems.is_empty() {
        problems.push(Problem {
            message: "a catalogue file describes at least one kernel".into(),
            span: top,
            label: "no [[kernel]] in this file".into(),
            help: Some("`karat audit BIN --learn NAME` writes one from a build".into()),
        });
    }
    Library {
        name,
        source,
        licence,
        note: note.unwrap_or_default(),
        prefixes,
        kernels,
    }
}

fn kernel(fields: &mut Fields<'_, '_>, problems: &mut Vec<Problem>) -> Kernel {
    let span = fields.span();
    let name = fields.required("name", problems).value;
    let isa = fields.required("isa", problems).value;
    let symbols = fields.strings("symbols", problems).unwrap_or_default();
    for symbol in &symbols {
        check_symbol(symbol, problems);
    }
    let constants: Vec<_> = (fields.string_map("constants", problems).into_iter())
        .filter_map(|(name, text)| match bytes(&text) {
            Some(bytes) if bytes.len() >= 16 => Some((name, bytes)),
            _ => {
                problems.push(Problem {
                    message: format!("the constant `{name}` is not 16 bytes or more"),
                    span: span.clone(),
                    label: "expected pairs of hexadecimal digits, as the bytes lie in memory"
                        .into(),
                    help: None,
                });
                None
            }
        })
        .collect();
    let needs = fields.strings("needs", problems).unwrap_or_default();
    let needs = (needs.into_iter())
        .filter_map(|need| key(&need, problems))
        .collect();
    let mut builds = Vec::new();
    for mut build in fields.tables("build", problems) {
        builds.push(fingerprint(&mut build, problems));
        build.finish("[[kernel.build]]", problems);
    }
    let kernel = Kernel {
        name,
        isa,
        symbols: symbols.into_iter().map(|s| s.value).collect(),
        constants,
        needs,
        builds,
    };
    if kernel.symbols.is_empty() && kernel.constants.is_empty() && kernel.builds.is_empty() {
        problems.push(Problem {
            message: format!("nothing tells the kernel `{}`", kernel.name),
            span,
            label: "no `symbols`, no `constants` and no [[kernel.build]]".into(),
            help: None,
        });
    }
    kernel
}

/// A name that would match everything is a mistake.
fn check_symbol(symbol: &Located<String>, problems: &mut Vec<Problem>) {
    let text = symbol.value.as_str();
    let stem = text.strip_suffix('*').unwrap_or(text);
    let path = stem.strip_suffix("::").unwrap_or(stem);
    if path.len() >= 3 && !path.contains('*') && !path.contains(char::is_whitespace) {
        return;
    }
    // Rust's qualified paths have blanks: `<a::B as c::D>::f`.
    if path.len() >= 3 && path.starts_with('<') && !path.contains('*') {
        return;
    }
    problems.push(Problem {
        message: format!("`{text}` is no name of a function"),
        span: symbol.span.clone(),
        label: "a path or a C symbol; `*` only at the end, after three letters at least".into(),
        help: None,
    });
}

fn fingerprint(fields: &mut Fields<'_, '_>, problems: &mut Vec<Problem>) -> Fingerprint {
    let of = fields.required("of", problems).value;
    let written = fields.required("mix", problems);
    let mut mix = BTreeMap::new();
    for word in written.value.split_whitespace() {
        let entry = word.split_once('=').and_then(|(key, count)| {
            let count: u32 = count.parse().ok().filter(|c| (1..1 << 24).contains(c))?;
            Some((MixKey::parse(key)?, count))
        });
        match entry {
            Some((key, count)) => {
                mix.insert(key, count);
            }
            None => problems.push(Problem {
                message: format!("`{word}` is no part of a mix"),
                span: written.span.clone(),
                label: "expected words such as `vpaddd.z=112` or `mov=3`".into(),
                help: None,
            }),
        }
    }
    let loads = fields.strings("loads", problems).unwrap_or_default();
    let loads = (loads.into_iter())
        .filter_map(|load| {
            let bytes = bytes(&load.value).and_then(|b| <[u8; 16]>::try_from(b).ok());
            if bytes.is_none() {
                problems.push(Problem {
                    message: format!("`{}` is not 16 bytes", load.value),
                    span: load.span,
                    label: "expected 32 hexadecimal digits".into(),
                    help: None,
                });
            }
            bytes
        })
        .collect();
    let immediates = fields.strings("immediates", problems).unwrap_or_default();
    let immediates = (immediates.into_iter())
        .filter_map(|text| {
            let digits = text.value.strip_prefix("0x");
            let value = digits.and_then(|d| u64::from_str_radix(d, 16).ok());
            if value.is_none() {
                problems.push(Problem {
                    message: format!("`{}` is no 64-bit number", text.value),
                    span: text.span,
                    label: "expected `0x` and up to 16 hexadecimal digits".into(),
                    help: None,
                });
            }
            value
        })
        .collect();
    Fingerprint {
        of,
        mix,
        loads,
        immediates,
    }
}

fn key(text: &Located<String>, problems: &mut Vec<Problem>) -> Option<MixKey> {
    let key = MixKey::parse(&text.value);
    if key.is_none() {
        problems.push(Problem {
            message: format!("`{}` is no mnemonic", text.value),
            span: text.span.clone(),
            label: "expected such as `sha256rnds2.x` or `mulx`".into(),
            help: None,
        });
    }
    key
}

fn values(list: Option<Vec<Located<String>>>) -> Vec<String> {
    list.unwrap_or_default()
        .into_iter()
        .map(|located| located.value)
        .collect()
}

/// Hexadecimal digits, blanks allowed between them.
fn bytes(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> = text
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| c.to_digit(16).map(|d| d as u8))
        .collect();
    let digits = digits?;
    if digits.len() % 2 != 0 {
        return None;
    }
    Some(
        digits
            .chunks(2)
            .map(|pair| pair[0] << 4 | pair[1])
            .collect(),
    )
}
