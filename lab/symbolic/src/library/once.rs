//! `std::call_once`: libstdc++ keeps what it calls in two variables of the thread, and
//! `pthread_once` is given the library's function that calls it (GCC, `<mutex>`).

use crate::bits::Kind;
use crate::machine::{End, Machine, Stop};
use crate::memory::Image;
use crate::state::State;
use karat_binary::read::image as file;
use object::elf::RelocationType;
use object::{Object, ObjectSymbol, ObjectSymbolTable, RelocationFlags, RelocationTarget};

/// The function that it hands to `pthread_once`, and the variable that has what that calls.
pub(crate) const PROXY: &str = "__once_proxy";
const CALL: &str = "_ZSt11__once_call";
/// Where the first variable of another file lies from the thread's base, and bytes of each.
const FIRST: u64 = 0x800;
const EACH: u64 = 64;
/// `R_X86_64_TPOFF64`
const DISTANCE: RelocationType = RelocationType(18);
/// `R_AARCH64_TLS_TPREL`
const ARM_DISTANCE: RelocationType = RelocationType(1030);
/// `R_X86_64_DTPMOD64`: the first word of the pair that `__tls_get_addr` is given.
const PAIR: RelocationType = RelocationType(16);

impl Image<'_> {
    /// Reads which words the loader fills with the places of other files' variables.
    pub fn read_foreign(&mut self, file: &file::Image<'_>) {
        let Some(symbols) = file.file.dynamic_symbol_table() else {
            return;
        };
        let mut names = Vec::new();
        for (place, relocation) in file.file.dynamic_relocations().into_iter().flatten() {
            let RelocationFlags::Elf { r_type } = relocation.flags() else {
                continue;
            };
            let RelocationTarget::Symbol(index) = relocation.target() else {
                continue;
            };
            let symbol = symbols.symbol_by_index(index).ok();
            let symbol = symbol.filter(|symbol| symbol.is_undefined());
            let name = symbol.and_then(|symbol| symbol.name().ok());
            let Some(name) = name.filter(|_| [DISTANCE, PAIR, ARM_DISTANCE].contains(&r_type))
            else {
                continue;
            };
            let number = names.iter().position(|known| *known == name);
            let number = number.unwrap_or_else(|| {
                names.push(name);
                names.len() - 1
            });
            let distance = FIRST + number as u64 * EACH;
            if name == CALL {
                self.once = Some(distance);
            }
            match r_type {
                PAIR => self.pairs.insert(place, distance),
                _ => self.foreign.insert(place, distance),
            };
        }
    }
}

impl Machine<'_> {
    /// What libstdc++'s function calls.
    pub fn once(&self, state: &State) -> Result<u64, Stop> {
        let at = self.image.once.map(|distance| self.thread + distance);
        let to = self.load(state, at.ok_or(Kind::Opaque), 8).number()?;
        let is_code = |to: &u64| self.image.program.is_code(*to);
        to.filter(is_code).ok_or(Stop::End(End::Lost))
    }
}
