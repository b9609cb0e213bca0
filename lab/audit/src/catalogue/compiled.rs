//! A catalogue made ready for searching.

use super::mix::{Key, Mix, from_name};
use super::names::Names;
use karat_model::catalogue::{Fingerprint, Kernel, Library};

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
pub(super) struct Entry<'c> {
    pub library: &'c Library,
    pub kernel: &'c Kernel,
    pub needs: Vec<Key>,
}

/// A fingerprint and the kernel it is of.
pub(super) struct Print<'c> {
    pub kernel: u32,
    pub build: &'c Fingerprint,
    pub mix: Mix,
    /// Whether code without a name is compared with it.
    pub tells: bool,
}

impl<'c> Catalogue<'c> {
    /// Takes libraries in order of trust: of two kernels with one name the first
    /// has it.
    pub fn new(libraries: impl IntoIterator<Item = &'c Library>) -> Self {
        let mut out = Self {
            kernels: Vec::new(),
            prints: Vec::new(),
            names: Names::new(),
        };
        for library in libraries {
            for prefix in &library.prefixes {
                out.names.add_prefix(prefix);
            }
            for kernel in &library.kernels {
                out.add(library, kernel);
            }
        }
        out.names.finish();
        out
    }

    /// The kernel that a function is by its name (`library: kernel`), and the
    /// instruction set that it is written for.
    pub fn known(&self, name: &str) -> Option<(String, &'c str)> {
        let Entry {
            library, kernel, ..
        } = self.kernels.get(self.names.find(name)? as usize)?;
        Some((format!("{}: {}", library.name, kernel.name), &kernel.isa))
    }

    fn add(&mut self, library: &'c Library, kernel: &'c Kernel) {
        let number = self.kernels.len() as u32;
        // A need that the decoder cannot name is never met.
        let needs: Option<Vec<Key>> = kernel.needs.iter().map(from_name).collect();
        self.kernels.push(Entry {
            library,
            kernel,
            needs: needs.unwrap_or_else(|| vec![Key::MAX]),
        });
        for name in &kernel.symbols {
            self.names.add(name, number);
        }
        for build in &kernel.builds {
            let Some(mix) = Mix::from_named(&build.mix) else {
                continue;
            };
            let tells = mix.instructions >= LEAST_INSTRUCTIONS
                && mix.counts.len() >= LEAST_KINDS
                && mix.vector() >= LEAST_VECTOR
                && f64::from(mix.vector()) >= LEAST_SHARE * f64::from(mix.instructions);
            self.prints.push(Print {
                kernel: number,
                build,
                mix,
                tells,
            });
        }
    }
}
