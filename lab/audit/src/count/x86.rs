//! x86-64: what one instruction counts as.

use crate::catalogue::Constants;
use crate::count::isa::{Isa, Step, Stretch};
use iced_x86::Mnemonic;
use karat_binary::brief::Briefs;
use karat_binary::x86::{CodeInfo, table};

/// The decoder of one section.
pub(crate) struct X86<'a> {
    briefs: Briefs<'a>,
    codes: &'static [CodeInfo],
    /// The number of the last code.
    code: u16,
    constants: Option<&'a Constants>,
}

impl<'a> Isa<'a> for X86<'a> {
    fn new(bytes: &'a [u8], start: u64, constants: Option<&'a Constants>) -> Self {
        Self {
            briefs: Briefs::new(bytes, start),
            codes: &table().codes,
            code: 0,
            constants,
        }
    }

    #[inline(always)]
    fn step(&mut self, at: u64, stretch: &mut Stretch) -> Step {
        let Some(brief) = self.briefs.learn(at) else {
            stretch.counts.undecodable += 1;
            return Step {
                next: at + 1,
                decoded: false,
            };
        };
        let length = u64::from(brief.length);
        self.code = brief.code;
        if brief.has_word && self.is_named(at) {
            stretch.places.push(at);
        }
        let info = self.codes[usize::from(brief.code)];
        if !info.is_plain() {
            stretch.class(info.width(&brief), length);
            stretch.counts.mask += u64::from(info.has_mask(&brief));
            stretch.set(info.set);
        }
        Step {
            next: at + length,
            decoded: true,
        }
    }

    fn mnemonic(&self) -> usize {
        self.codes[usize::from(self.code)].mnemonic as usize
    }
}

impl<'a> X86<'a> {
    /// The bytes of the section.
    pub fn bytes(&self) -> &'a [u8] {
        self.briefs.bytes()
    }

    /// Where the section lies.
    pub fn start(&self) -> u64 {
        self.briefs.start()
    }

    pub fn constants(&self) -> Option<&'a Constants> {
        self.constants
    }

    /// Whether the instruction at an address names a constant. It is read again: of most
    /// instructions the count asks for no more than their length and code.
    #[inline(never)]
    pub fn is_named(&mut self, at: u64) -> bool {
        let brief = self.briefs.at(at).zip(self.constants);
        brief.is_some_and(|(brief, constants)| constants.is_named(&brief))
    }
}

/// How many mnemonics there are.
pub(crate) fn mnemonics() -> usize {
    Mnemonic::values().len()
}

/// A mnemonic by its number, in lower case.
pub(crate) fn mnemonic_name(number: usize) -> String {
    let mnemonic = Mnemonic::values().nth(number);
    mnemonic.map_or(String::new(), |m| format!("{m:?}").to_ascii_lowercase())
}
