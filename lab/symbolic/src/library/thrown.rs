//! What C++ throws, and what catches it (Itanium C++ ABI, *Exception Handling*): calls are left
//! until one has a handler, and what it does at its landing pad goes on like other code.

use crate::bits::{Kind, Word};
use crate::library::Gap;
use crate::library::handlers::Landing;
use crate::machine::{End, Machine, Stop};
use crate::memory::STUBS;
use crate::panics::PANIC;
use crate::state::{Back, State};

/// Bytes before an object that is thrown: the library's own. Its type is kept first.
pub(crate) const HEADER: u64 = 32;
/// Where what was caught last is kept.
const CAUGHT: u64 = 0x6f00_2000_0000;
/// The table of methods that the library's own exceptions have here, and these.
const TABLE: u64 = CAUGHT + 0x1000;
const METHODS: [&str; 3] = [
    "_ZNSt9exceptionD1Ev",
    "_ZNSt9exceptionD0Ev",
    "_ZNKSt9exception4whatEv",
];
/// What libstdc++ throws, by a part of the name of what throws it.
const THROWN: [(&str, &str); 9] = [
    ("__throw_length_error", "_ZTISt12length_error"),
    ("__throw_logic_error", "_ZTISt11logic_error"),
    ("__throw_out_of_range", "_ZTISt12out_of_range"),
    ("__throw_invalid_argument", "_ZTISt16invalid_argument"),
    ("__throw_runtime_error", "_ZTISt13runtime_error"),
    ("__throw_bad_alloc", "_ZTISt9bad_alloc"),
    (
        "__throw_bad_array_new_length",
        "_ZTISt20bad_array_new_length",
    ),
    ("__throw_bad_function_call", "_ZTISt17bad_function_call"),
    ("__throw_bad_cast", "_ZTISt8bad_cast"),
];
/// What its types are made of.
const BASES: [(&str, &str); 14] = [
    ("_ZTISt12length_error", "_ZTISt11logic_error"),
    ("_ZTISt12out_of_range", "_ZTISt11logic_error"),
    ("_ZTISt12domain_error", "_ZTISt11logic_error"),
    ("_ZTISt16invalid_argument", "_ZTISt11logic_error"),
    ("_ZTISt11range_error", "_ZTISt13runtime_error"),
    ("_ZTISt14overflow_error", "_ZTISt13runtime_error"),
    ("_ZTISt15underflow_error", "_ZTISt13runtime_error"),
    ("_ZTISt12system_error", "_ZTISt13runtime_error"),
    ("_ZTISt11logic_error", "_ZTISt9exception"),
    ("_ZTISt13runtime_error", "_ZTISt9exception"),
    ("_ZTISt9bad_alloc", "_ZTISt9exception"),
    ("_ZTISt20bad_array_new_length", "_ZTISt9bad_alloc"),
    ("_ZTISt17bad_function_call", "_ZTISt9exception"),
    ("_ZTISt8bad_cast", "_ZTISt9exception"),
];

impl<'p> Machine<'p> {
    /// Carries out what throws and catches. Some: what is told. A way that was thrown goes on
    /// elsewhere.
    pub fn thrown(&mut self, state: &mut State, name: &'p str) -> Result<Option<Word>, Stop> {
        let first = self.given(state, 0);
        let object = match name {
            "__cxa_begin_catch" | "__cxa_get_exception_ptr" => {
                let at = first.number()?.ok_or(Stop::End(End::Lost))?;
                let object = at.wrapping_add(HEADER);
                if name == "__cxa_begin_catch" {
                    state.memory.write(CAUGHT, &Word::Known(object), 8);
                }
                return Ok(Some(Word::Known(object)));
            }
            _ if is_made(name) => {
                let object = first.number()?.ok_or(Stop::End(End::Lost))?;
                self.says(state, object);
                return Ok(Some(Word::unknown(8, Kind::Opaque)));
            }
            _ if is_gone(name) => return Ok(Some(Word::unknown(8, Kind::Opaque))),
            "__cxa_end_catch" => return Ok(Some(Word::unknown(8, Kind::Opaque))),
            "__cxa_throw" => {
                let object = first.number()?.ok_or(Stop::End(End::Lost))?;
                let kind = self.given(state, 1).number()?.ok_or(Stop::End(End::Lost))?;
                self.typed(state, object, kind);
                object
            }
            "__cxa_rethrow" => {
                let caught = self.load(state, Ok(CAUGHT), 8).number()?;
                caught.ok_or(Stop::End(End::Lost))?
            }
            "_Unwind_Resume" => {
                let at = first.number()?.ok_or(Stop::End(End::Lost))?;
                at.wrapping_add(HEADER)
            }
            _ => {
                let known = THROWN.iter().find(|(part, _)| name.contains(part));
                let Some((_, kind)) = known else {
                    return Ok(None);
                };
                let object = state.memory.allocate(256) + 128;
                self.says(state, object);
                self.typed(state, object, self.image.import(kind));
                object
            }
        };
        self.unwind(state, object)?;
        Err(Stop::Go)
    }

    /// The program may ask one of the library's exceptions what it says.
    fn says(&self, state: &mut State, object: u64) {
        for (at, known) in (0..).zip(METHODS) {
            let method = Word::Known(self.image.import(known));
            state.memory.write(TABLE + at * 8, &method, 8);
        }
        state.memory.write(object, &Word::Known(TABLE), 8);
    }

    /// An object of a type is thrown from where a call is.
    pub fn throw(&mut self, state: &mut State, kind: u64) -> Result<(), Stop> {
        let object = state.memory.allocate(256) + 128;
        self.typed(state, object, kind);
        self.unwind(state, object)
    }

    fn typed(&self, state: &mut State, object: u64, kind: u64) {
        let at = object.wrapping_sub(HEADER);
        state.memory.write(at, &Word::Known(kind), 8);
    }

    /// Goes to what cleans up or catches.
    pub fn unwind(&mut self, state: &mut State, object: u64) -> Result<(), Stop> {
        let kind = self.load(state, Ok(object.wrapping_sub(HEADER)), 8);
        let kind = kind.number()?.ok_or(Stop::End(End::Lost))?;
        // Without a handler nothing is cleaned up: the program ends. What begins Rust's programs
        // and threads has one.
        let is_panic = kind == PANIC;
        let mut at = state.at;
        let mut pads = Vec::new();
        let mut is_caught = false;
        for frame in state.frames.iter().rev() {
            let landing = match (STUBS..CAUGHT).contains(&at) {
                true => Landing::None,
                false => self.handlers.landing(&self.image, at),
            };
            let pad = match landing {
                Landing::None => None,
                Landing::Ends => return Err(Stop::End(End::Left)),
                // `main` itself, which calls Rust's library.
                Landing::Unknown if is_panic && frame.back == Back::Next => None,
                Landing::Unknown => return Err(Stop::End(End::Lost)),
                Landing::Pad(pad, choices) => {
                    let mut chosen = 0;
                    for (number, wanted) in choices {
                        match self.is_a(kind, wanted) {
                            Ok(true) => {
                                (chosen, is_caught) = (number, true);
                                break;
                            }
                            Ok(false) => {}
                            Err(_) => return Err(Stop::End(End::Lost)),
                        }
                    }
                    Some((pad, chosen))
                }
            };
            pads.push(pad);
            if is_caught {
                break;
            }
            at = match frame.back {
                Back::To(_) => frame.call,
                _ if is_panic => break,
                // Nothing of the program's is behind.
                _ if self.image.program.is_library => return Err(Stop::End(End::Lost)),
                _ => return Err(Stop::End(End::Left)),
            };
        }
        let depth = pads.iter().position(Option::is_some);
        let landing = depth.and_then(|depth| Some((depth, pads[depth]?)));
        let Some((depth, (pad, number))) = landing.filter(|_| is_caught || is_panic) else {
            return Err(Stop::End(End::Left));
        };
        let saved = self.convention.saved;
        let of = |registers: &[Word]| -> Vec<Word> {
            saved
                .iter()
                .map(|number| registers[*number].clone())
                .collect()
        };
        let mut kept = of(&state.registers);
        let mut top = state.registers[4].clone();
        for frame in state
            .frames
            .split_off(state.frames.len() - depth)
            .iter()
            .rev()
        {
            kept = of(&*frame.given);
            top = Word::Known(frame.stack.wrapping_add(self.convention.pushed));
        }
        self.after_call(state, Some(Word::Known(object.wrapping_sub(HEADER))));
        for (number, word) in saved.iter().zip(kept) {
            state.registers[*number] = word;
        }
        if let Some(top) = top.known() {
            state.memory.leave(top);
        }
        state.registers[4] = top;
        state.registers[2] = Word::Known(number);
        let depth = state.frames.len() as u64;
        state.turns.retain(|key, _| (key >> 48) <= depth);
        state.at = pad;
        Ok(())
    }

    /// Whether what is thrown is of a type; zero is any.
    pub fn is_a(&self, mut kind: u64, wanted: u64) -> Result<bool, Gap> {
        if wanted == 0 {
            return Ok(true);
        }
        for _ in 0..16 {
            // `int` and the like, and a text.
            let is_plain = |name: &str| name.len() == "_ZTIi".len() || name == "_ZTIPKc";
            if kind == wanted
                || self
                    .type_name(kind)
                    .is_some_and(|name| self.type_name(wanted) == Some(name))
            {
                return Ok(true);
            }
            kind = match self
                .type_name(kind)
                .filter(|name| name.starts_with("_ZTISt"))
            {
                Some(name) => match BASES.iter().find(|(known, _)| *known == name) {
                    Some((_, base)) => self.image.import(base),
                    None if name == "_ZTISt9exception" => return Ok(false),
                    None => return Err(Gap::Unknown),
                },
                None if self.type_name(kind).is_some_and(is_plain) => return Ok(false),
                None => {
                    let word =
                        |at: u64| self.image.eight(kind.wrapping_add(at)).ok_or(Gap::Unknown);
                    // What kind of type it is.
                    let table = word(0)?;
                    let own = || self.handlers.type_at(table.wrapping_sub(16));
                    let table = self.image.name(table & !0xfff).or_else(own);
                    let table = table.unwrap_or_default();
                    if table.contains("__si_class_type_info") {
                        word(16)?
                    } else if table.contains("17__class_type_info") || table.contains("fundamental")
                    {
                        return Ok(false);
                    } else {
                        return Err(Gap::Unknown);
                    }
                }
            };
        }
        Err(Gap::Unknown)
    }

    /// What a type is called, where another file has it.
    fn type_name(&self, at: u64) -> Option<&'p str> {
        self.image.name(at).or_else(|| self.handlers.type_at(at))
    }
}

/// Whether a function of libstdc++'s is known by its name to throw, or to make what is thrown.
pub(super) fn throws(name: &str) -> bool {
    name.starts_with("_ZSt") && THROWN.iter().any(|(part, _)| name.contains(part)) || is_made(name)
}

/// Whether a function makes one of the library's exceptions.
fn is_made(name: &str) -> bool {
    let makes = [
        "errorC1E",
        "errorC2E",
        "argumentC1E",
        "argumentC2E",
        "rangeC1E",
        "rangeC2E",
    ];
    name.starts_with("_ZNSt") && makes.iter().any(|part| name.contains(part))
}

/// Whether it is the end of one of the library's objects, which only frees what that has.
fn is_gone(name: &str) -> bool {
    let ends = ["D0Ev", "D1Ev", "D2Ev"];
    name.starts_with("_ZNSt") && ends.iter().any(|end| name.ends_with(end))
}
