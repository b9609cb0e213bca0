//! Programs of Windows: what the loader gives them and calls, and where `main` begins (Microsoft,
//! "PE format", "x64 calling convention"; `TEB` and `PEB` of winternl.h and ntdll's symbols).

pub(crate) mod functions;
pub(crate) mod started;
pub(crate) mod stubs;

pub(crate) use functions::alias;

use crate::bits::{Kind, Word};
use crate::convention::MICROSOFT;
use crate::machine::Machine;
use crate::memory::{GIVEN, Memory, STACK, STACK_SIZE};
use crate::state::State;
use karat_binary::read::image::Image;
use karat_flow::program::{Program, Target};
use object::pe;
use object::read::pe::PeFile64;
use std::rc::Rc;

/// Where what the C library and the system keep is said to lie: whether `main` has begun, and how
/// many words threads have of their own.
const KEPT: u64 = 0x6f00_0003_0000;
const IS_BEGUN: u64 = KEPT;
const WORDS: u64 = KEPT + 8;
/// What `main` is given by the C library: a vector of the program's name, the environment, the
/// name and the same in wide characters. `main` itself is given anything then.
const VECTOR: u64 = KEPT + 0x100;
const ENVIRONMENT: u64 = KEPT + 0x110;
const NAME: u64 = KEPT + 0x120;
const WIDE_NAME: u64 = KEPT + 0x130;
const WIDE_VECTOR: u64 = KEPT + 0x150;
/// Variables of the C library that functions tell the places of.
const VARIABLES: u64 = KEPT + 0x200;
/// Standard streams.
const STREAMS: u64 = KEPT + 0x1000;
/// A thread's own words, the table of its variables, and what the process has.
const OWN: u64 = KEPT + 0x2000;
const TABLE: u64 = KEPT + 0x4000;
const PROCESS: u64 = KEPT + 0x5000;
/// Bytes of headers that are read, at most.
const HEADERS: u32 = 4096;
/// Callbacks of threads, at most.
const CALLBACKS: u64 = 64;
/// What tells a callback that the process begins.
const BEGINS: u64 = 1;
/// The handler of `__try`.
const TRY: &str = "__C_specific_handler";

/// What is known of a program.
pub(crate) struct Windows {
    base: u64,
    entry: u64,
    /// What the loader calls before.
    callbacks: Vec<u64>,
    headers: Vec<u8>,
    /// Where a thread's variables are, as the file has them.
    variables: u64,
    /// Where routines begin that catch what the CPU refuses (`__try`); sorted.
    tries: Vec<u64>,
    is_plain: bool,
}

fn four(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..at.checked_add(4)?)?.try_into().ok()?;
    Some(u32::from_le_bytes(four))
}

impl Windows {
    /// What is known of a program; none if it is not one of Windows'.
    pub fn of(image: &Image<'_>, program: &Program<'_>, is_plain: bool) -> Option<Self> {
        let object::File::Pe64(file) = &image.file else {
            return None;
        };
        let size = file.nt_headers().optional_header.size_of_headers;
        let size = size.get(object::LittleEndian).min(HEADERS) as usize;
        let directory = file.data_directory(pe::IMAGE_DIRECTORY_ENTRY_TLS);
        let threads = directory.map(|known| known.virtual_address.get(object::LittleEndian));
        let threads = threads.filter(|at| *at != 0).map(u64::from);
        let word = |by: u64| program.stored(program.image_base.wrapping_add(threads? + by));
        let list = word(24).unwrap_or(0);
        let callbacks = (0..CALLBACKS).map_while(|number| {
            let at = list.checked_add(number * 8).filter(|_| list != 0)?;
            program.stored(at).filter(|to| program.is_code(*to))
        });
        Some(Self {
            base: program.image_base,
            entry: program.start,
            callbacks: callbacks.collect(),
            headers: file.data().get(..size).unwrap_or_default().to_vec(),
            variables: word(0).unwrap_or(0),
            tries: tries(file, program),
            is_plain,
        })
    }

    /// What is called one after the other.
    pub fn first(&self) -> Vec<u64> {
        self.callbacks.clone()
    }

    pub fn entry(&self) -> u64 {
        self.entry
    }

    /// What the loader gives to callbacks.
    pub fn give(&self, state: &mut State) {
        state.registers[1] = Word::Known(self.base);
        state.registers[2] = Word::Known(BEGINS);
        state.registers[8] = Word::ZERO;
    }

    /// What is there before anything runs.
    pub fn begin(&self, state: &mut State, under: &mut Memory, thread: u64) {
        for (at, byte) in (self.base..).zip(&self.headers) {
            under.write(at, &Word::Known(u64::from(*byte)), 1);
        }
        let mut write = |at: u64, value: u64| state.memory.write(at, &Word::Known(value), 8);
        for (by, value) in [
            (0x00, 0),
            (0x08, STACK),
            (0x10, STACK - STACK_SIZE),
            (0x28, 0),
            (0x30, thread),
            (0x58, TABLE),
            (0x60, PROCESS),
            (0x68, 0),
        ] {
            write(thread + by, value);
        }
        write(TABLE, self.variables);
        // Nobody debugs it.
        write(PROCESS, 0);
        write(PROCESS + 0x10, self.base);
        for at in [IS_BEGUN, WORDS, ENVIRONMENT] {
            write(at, 0);
        }
        for (vector, name) in [(VECTOR, NAME), (WIDE_VECTOR, WIDE_NAME)] {
            write(vector, name);
            write(vector + 8, 0);
        }
        write(NAME, u64::from_le_bytes(*b"program\0"));
        for (at, byte) in (0..).zip(b"program\0") {
            state
                .memory
                .write(WIDE_NAME + at * 2, &Word::Known(u64::from(*byte)), 2);
        }
    }
}

/// Where routines begin that have `__try` in them: their record of unwinding names its handler.
fn tries(file: &PeFile64<'_>, program: &Program<'_>) -> Vec<u64> {
    let sections = file.section_table();
    let table = file
        .data_directory(pe::IMAGE_DIRECTORY_ENTRY_EXCEPTION)
        .and_then(|directory| directory.data(file.data(), &sections).ok());
    let is_named = |at: u64| {
        let routine = program.routine_at(at);
        let names = routine.map(|number| &program.routines[number as usize].names);
        names.is_some_and(|names| names.into_iter().any(|name| *name == TRY))
    };
    let is_try = |record: u32| {
        let bytes = sections.pe_data_at(file.data(), record)?;
        let (&flags, &count) = (bytes.first()?, bytes.get(2)?);
        // UNW_FLAG_EHANDLER; codes are two bytes each, an even number of them.
        let handler = four(bytes, 4 + usize::from(count).next_multiple_of(2) * 2)?;
        let handler = program.image_base.wrapping_add(u64::from(handler));
        let is_one = match program.follow(handler) {
            Target::Import(name) => name == TRY,
            Target::Address(at) => is_named(at),
        };
        (flags >> 3 & 1 != 0 && is_one).then_some(())
    };
    let entries = table.unwrap_or_default().chunks_exact(12);
    let all = entries.filter_map(|entry| {
        is_try(four(entry, 8)?)?;
        Some(program.image_base.wrapping_add(u64::from(four(entry, 0)?)))
    });
    let mut all: Vec<u64> = all.collect();
    all.sort_unstable();
    all
}

impl Machine<'_> {
    /// The machine follows a program of Windows'.
    pub fn follow_windows(&mut self, state: &mut State, windows: Windows) {
        windows.begin(state, &mut self.image.under, self.thread);
        self.windows_variables(state);
        self.convention = &MICROSOFT;
        self.has_imports = true;
        self.windows = Some(Rc::new(windows));
    }

    /// An argument of a function that is about to be called.
    pub fn windows_argument(&self, state: &State, number: usize) -> Word {
        let registers = self.convention.arguments;
        if let Some(register) = registers.get(number) {
            return state.registers[*register].clone();
        }
        let Some(top) = state.registers[4].known() else {
            return Word::unknown(8, Kind::Opaque);
        };
        // Behind a jump the address of return lies before them.
        let is_jump = state.frames.last().is_some_and(|frame| frame.stack == top);
        let place = number as u64 + u64::from(is_jump);
        self.load(state, Ok(top.wrapping_add(place * 8)), 8)
    }

    /// Whether `main` has begun: the C library was gone through.
    pub fn is_begun(&self, state: &State) -> bool {
        self.load(state, Ok(IS_BEGUN), 1).known() == Some(1)
    }

    /// Whether a routine of the program's own is called that catches what the CPU refuses.
    pub fn tries(&self, state: &State, address: u64) -> bool {
        let Some(windows) = &self.windows else {
            return false;
        };
        windows.tries.binary_search(&address).is_ok() && self.is_begun(state)
    }

    /// Where what is called is `main`, as the C library gives it the number of arguments, these
    /// and the environment, it is given any.
    pub fn comes_to_main(&self, state: &mut State) {
        let Some(windows) = &self.windows else {
            return;
        };
        let [count, vector, environment] = [0, 1, 2].map(|at| self.given(state, at).known());
        let count = count.map(|count| count as u32);
        if (count, environment) != (Some(1), Some(ENVIRONMENT)) || self.is_begun(state) {
            return;
        }
        let word = |at: Option<u64>, size| self.load(state, at.ok_or(Kind::Opaque), size).known();
        let name = word(vector, 8);
        let end = word(vector.and_then(|at| at.checked_add(8)), 8);
        if (word(name, 1), end) != (Some(u64::from(b'p')), Some(0)) {
            return;
        }
        state.memory.write(IS_BEGUN, &Word::Known(1), 8);
        if !windows.is_plain {
            state.registers[1] = Word::Unknown(31, Kind::Input);
        }
        state.registers[2] = Word::Known(GIVEN);
        state.registers[8] = Word::Known(GIVEN + 0x1000);
    }
}
