//! A catalogue made ready for searching.

use super::mix::{Key, Mix, from_name};
use super::names::Names;
use karat_model::catalogue::{Kernel, Library};
use std::borrow::Cow;

/// Fingerprints of less code are not compared: too little to tell kernels apart.
const LEAST_INSTRUCTIONS: u32 = 48;
/// Nor those with fewer vector instructions: scalar code of one size is too
/// much alike.
pub(super) const LEAST_VECTOR: u32 = 16;
/// Nor those with a smaller share of them: compilers move data by xmm registers
/// in all code.
const LEAST_SHARE: f64 = 0.25;
/// Nor those of fewer kinds of instructions.
const LEAST_KINDS: usize = 6;

/// All kernels of a catalogue.
pub(crate) struct Catalogue<'c> {
    pub(super) kernels: Vec<Entry<'c>>,
    pub(super) prints: Vec<Print<'c>>,
    pub(super) names: Names<'c>,
}

/// A kernel and the library it is of.
#[derive(Debug, PartialEq)]
pub(super) struct Entry<'c> {
    pub library: &'c str,
    pub name: &'c str,
    pub isa: &'c str,
    /// Of its algorithm, with their names.
    pub constants: Vec<(&'c str, &'c [u8])>,
    pub needs: Vec<Key>,
}

/// A fingerprint and the kernel it is of.
#[derive(Debug, PartialEq)]
pub(super) struct Print<'c> {
    pub kernel: u32,
    /// Version, compiler and flags.
    pub of: &'c str,
    pub mix: Mix,
    pub loads: &'c [[u8; 16]],
    pub immediates: Cow<'c, [u64]>,
    /// Whether code without a name is compared with it.
    pub tells: bool,
}

/// What a kernel needs. What the decoder cannot name is never met.
pub(super) fn needs(kernel: &Kernel) -> Vec<Key> {
    let needs: Option<Vec<Key>> = kernel.needs.iter().map(from_name).collect();
    needs.unwrap_or_else(|| vec![Key::MAX])
}

impl<'c> Catalogue<'c> {
    /// Libraries in order of trust, and those that karat brings along: of two kernels with one
    /// name the first has it.
    pub fn new(libraries: &'c [Library]) -> Self {
        let mut out = Self::empty();
        libraries.iter().for_each(|library| out.add(library));
        out.add_builtin();
        out.names.finish();
        out
    }

    pub(super) fn empty() -> Self {
        Self {
            kernels: Vec::new(),
            prints: Vec::new(),
            names: Names::new(),
        }
    }

    /// The kernel that a function is by its name (`library: kernel`), and the
    /// instruction set that it is written for.
    pub fn known(&self, name: &str) -> Option<(String, &'c str)> {
        let entry = self.kernels.get(self.names.find(name)? as usize)?;
        Some((format!("{}: {}", entry.library, entry.name), entry.isa))
    }

    pub(super) fn add(&mut self, library: &'c Library) {
        for prefix in &library.prefixes {
            self.names.add_prefix(prefix);
        }
        for kernel in &library.kernels {
            let constants = kernel.constants.iter();
            let entry = Entry {
                library: &library.name,
                name: &kernel.name,
                isa: &kernel.isa,
                constants: constants.map(|(name, bytes)| (&**name, &**bytes)).collect(),
                needs: needs(kernel),
            };
            self.add_kernel(entry, kernel.symbols.iter().map(String::as_str));
            for build in &kernel.builds {
                if let Some(mix) = Mix::from_named(&build.mix) {
                    let immediates = Cow::Borrowed(&build.immediates[..]);
                    self.add_print(&build.of, mix, &build.loads, immediates);
                }
            }
        }
    }

    pub(super) fn add_kernel(
        &mut self,
        entry: Entry<'c>,
        symbols: impl IntoIterator<Item = &'c str>,
    ) {
        let number = self.kernels.len() as u32;
        self.kernels.push(entry);
        for name in symbols {
            self.names.add(name, number);
        }
    }

    /// Adds a fingerprint of the kernel that was added last.
    pub(super) fn add_print(
        &mut self,
        of: &'c str,
        mix: Mix,
        loads: &'c [[u8; 16]],
        immediates: Cow<'c, [u64]>,
    ) {
        let tells = mix.instructions >= LEAST_INSTRUCTIONS
            && mix.counts.len() >= LEAST_KINDS
            && mix.vector() >= LEAST_VECTOR
            && f64::from(mix.vector()) >= LEAST_SHARE * f64::from(mix.instructions);
        self.prints.push(Print {
            kernel: self.kernels.len() as u32 - 1,
            of,
            mix,
            loads,
            immediates,
            tells,
        });
    }
}
