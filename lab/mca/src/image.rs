//! This program's own file as the emulated machine sees it: loaded at address 0, with
//! imported functions at addresses of their own.

use crate::memory::Memory;
use anyhow::{Context as _, Result, bail};
use object::elf::{R_X86_64_64, R_X86_64_GLOB_DAT, R_X86_64_JUMP_SLOT, R_X86_64_RELATIVE};
use object::{
    Object as _, ObjectSegment as _, ObjectSymbol as _, RelocationFlags, RelocationTarget,
};
use std::collections::HashMap;
use std::path::Path;

/// Where imported functions stand, 16 bytes apart.
pub const IMPORTS: u64 = 0x7000_0000_0000;

/// A loaded program.
pub struct Image {
    /// Its segments, relocated.
    pub memory: Memory,
    /// Names of imported functions, by their place after [`IMPORTS`].
    pub imports: Vec<String>,
    symbols: HashMap<String, u64>,
}

impl Image {
    /// Loads an ELF x86-64 program.
    ///
    /// # Errors
    /// When the file cannot be read, is no such program, or has relocations of another
    /// kind.
    pub fn load(path: &Path) -> Result<Self> {
        let bytes =
            std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let file = object::File::parse(&*bytes)?;
        let mut image = Self {
            memory: Memory::default(),
            imports: Vec::new(),
            symbols: HashMap::new(),
        };
        for segment in file.segments() {
            image.memory.write(segment.address(), segment.data()?);
        }
        for symbol in file.symbols() {
            if let Ok(name) = symbol.name()
                && symbol.is_definition()
            {
                image.symbols.insert(name.to_owned(), symbol.address());
            }
        }
        let dynamic: HashMap<_, _> = file
            .dynamic_symbols()
            .filter_map(|s| Some((s.index(), (s.name().ok()?.to_owned(), s.address()))))
            .collect();
        let mut places: HashMap<String, u64> = HashMap::new();
        for (at, relocation) in file.dynamic_relocations().into_iter().flatten() {
            let RelocationFlags::Elf { r_type } = relocation.flags() else {
                bail!("{}: no ELF file", path.display());
            };
            let value = match r_type {
                R_X86_64_RELATIVE => relocation.addend() as u64,
                R_X86_64_64 | R_X86_64_GLOB_DAT | R_X86_64_JUMP_SLOT => {
                    let RelocationTarget::Symbol(index) = relocation.target() else {
                        continue;
                    };
                    let (name, address) = &dynamic[&index];
                    if *address != 0 {
                        address.wrapping_add_signed(relocation.addend())
                    } else {
                        *places.entry(name.clone()).or_insert_with(|| {
                            image.imports.push(name.clone());
                            IMPORTS + 16 * (image.imports.len() as u64 - 1)
                        })
                    }
                }
                // Variables of threads: none of the kernels has any.
                _ => continue,
            };
            image.memory.put(at, 8, value);
        }
        Ok(image)
    }

    /// The address of the function of that name in the module `entry`.
    ///
    /// # Errors
    /// When the program has no such symbol.
    pub fn entry(&self, name: &str) -> Result<u64> {
        let part = format!("5entry{}{name}17h", name.len());
        let mut found = self
            .symbols
            .iter()
            .filter(|(symbol, _)| symbol.contains(&part));
        let (_, address) = found.next().with_context(|| {
            format!("this program has no symbol entry::{name}; do not strip it")
        })?;
        Ok(*address)
    }
}
