//! Go's functions that are not gone through: what the run-time's do is known by their names, and
//! of packages that talk to the system nothing is.

use crate::bits::{Kind, Word};
use crate::convention::{GO_CLOSURE, GO_ROUTINE, GO_WORDS, GO_ZERO};
use crate::go::name;
use crate::instructions::flags::Flags;
use crate::machine::{End, Machine, Stop};
use crate::memory::{ENVIRONMENT, GIVEN};
use crate::state::State;
use karat_flow::program::Program;

/// What follows a call that is known by its name.
pub(crate) enum Called {
    /// It came back.
    Back,
    /// This code runs, and comes back.
    Code(u64),
}

/// Where a program ends, or panics: `is_caught` if something that was deferred may go on.
const ENDS: [(&str, bool); 21] = [
    ("runtime.panic", true),
    ("runtime.goPanic", true),
    ("runtime.gopanic", true),
    ("runtime.sigpanic", true),
    ("log.Panic", true),
    ("log.(*Logger).Panic", true),
    ("runtime.Goexit", true),
    ("runtime.throw", false),
    ("runtime.fatal", false),
    ("runtime.abort", false),
    ("runtime.exit", false),
    ("runtime.block", false),
    ("runtime.morestack", false),
    ("runtime.unreachable", false),
    ("sync.fatal", false),
    ("sync.throw", false),
    ("internal/sync.fatal", false),
    ("internal/sync.throw", false),
    ("os.Exit", false),
    ("syscall.Exit", false),
    ("log.Fatal", false),
];
/// The run-time's own that are gone through.
const THROUGH: [&str; 5] = [
    "duffzero",
    "duffcopy",
    "decoderune",
    "alginit",
    "initAlgAES",
];
/// Packages that talk to the system, or whose work says nothing of the CPU.
const OUTSIDE: [&str; 32] = [
    "bufio.",
    "compress/",
    "context.",
    "crypto/internal/entropy",
    "crypto/internal/sysrand.",
    "crypto/rand.",
    "crypto/tls.",
    "crypto/x509",
    "database/",
    "encoding/gob.",
    "encoding/json.",
    "encoding/xml.",
    "expvar.",
    "fmt.",
    "go/",
    "html/",
    "internal/bisect.",
    "internal/poll.",
    "internal/syscall/",
    "internal/testlog.",
    "io/ioutil.",
    "log.",
    "log/",
    "math/rand",
    "net.",
    "net/",
    "os.",
    "os/",
    "reflect.",
    "syscall.",
    "text/",
    "time.",
];
/// Of these, functions that write what they are given, and where that list of values is.
const PRINTED: [(&str, usize); 14] = [
    ("fmt.Println", 0),
    ("fmt.Print", 0),
    ("fmt.Sprintln", 0),
    ("fmt.Sprint", 0),
    ("fmt.Printf", 2),
    ("fmt.Sprintf", 2),
    ("fmt.Errorf", 2),
    ("fmt.Fprintln", 2),
    ("fmt.Fprint", 2),
    ("fmt.Fprintf", 4),
    ("log.Println", 0),
    ("log.Print", 0),
    ("log.Printf", 2),
    ("os.(*File).WriteString", 9),
];
/// Bytes of a text that is written.
const WRITTEN: u64 = 64;
/// Where a table of an interface's methods has the first.
const METHODS: u64 = 24;
/// The last kind of numbers, and of texts (`internal/abi/type.go`).
const COMPLEX: u64 = 16;
const TEXTS: u64 = 24;

/// Functions of the run-time that another package has by its own name.
const LENT: [(&str, &str); 2] = [
    ("internal/reflectlite.unsafe_New", "newobject"),
    ("internal/reflectlite.typedmemmove", "typedmemmove"),
];

/// Packages of Go's library that have code for some CPUs only.
const LIBRARY: [&str; 9] = [
    "runtime.",
    "internal/",
    "crypto/",
    "hash/",
    "math.",
    "math/",
    "sync/",
    "syscall.",
    "vendor/",
];

/// Whether a routine is of Go's own library, by its name: that of assembly may have no package.
pub(crate) fn is_of_library(name: &str) -> bool {
    !name.contains('.') || LIBRARY.iter().any(|package| name.starts_with(package))
}

/// Whether nothing follows a call of this name.
pub(crate) fn is_end(name: &str) -> bool {
    ENDS.iter().any(|(start, _)| name.starts_with(start))
}

/// Whether the routine that begins there is known by its name, and not gone through.
pub(crate) fn is_named(program: &Program<'_>, at: u64) -> bool {
    let name = name(program, at).unwrap_or("");
    let own = name.strip_prefix("runtime.");
    let is_outside = |start: &&str| name.starts_with(*start);
    let is_lent = LENT.iter().any(|(lent, _)| *lent == name);
    is_lent || own.is_some_and(|own| !THROUGH.contains(&own)) || OUTSIDE.iter().any(is_outside)
}

impl Machine<'_> {
    /// What an argument holds.
    pub fn go_given(&self, state: &State, number: usize) -> Word {
        state.plain(&self.symbols, state.registers[GO_WORDS[number]].clone())
    }

    /// What a function leaves that was not gone through.
    pub fn go_back(&self, state: &mut State, results: Vec<Word>, kind: Kind) {
        for number in (0..16).filter(|number| ![4, 5, GO_ROUTINE].contains(number)) {
            state.registers[number] = Word::unknown(8, kind);
        }
        for vector in state.vectors.iter_mut().take(GO_ZERO) {
            *vector = [const { Word::Unknown(64, Kind::Opaque) }; 2];
        }
        state.uppers.forget(0);
        for (number, word) in GO_WORDS.into_iter().zip(results) {
            state.registers[number] = word;
        }
        state.flags = Flags::unknown(Kind::Opaque);
    }

    /// A call of one of Go's functions that is known by its name; none if it is gone through.
    pub fn go_call(&mut self, state: &mut State, to: u64, at: u64) -> Result<Option<Called>, Stop> {
        if self.go.is_none() {
            return Ok(None);
        }
        let Some(name) = name(self.image.program, to) else {
            return Ok(None);
        };
        if let Some((start, is_caught)) = ENDS.iter().find(|(start, _)| name.starts_with(start)) {
            return Err(Stop::End(match (*start, *is_caught) {
                ("runtime.morestack", _) => End::Died,
                (_, true) if self.may_recover(state) => End::Lost,
                _ => End::Left,
            }));
        }
        if let Some(own) = name.strip_prefix("runtime.") {
            if THROUGH.contains(&own) {
                return Ok(None);
            }
            return self.go_runtime(state, own, at).map(Some);
        }
        if let Some((_, own)) = LENT.iter().find(|(lent, _)| *lent == name) {
            return self.go_runtime(state, own, at).map(Some);
        }
        if self.is_plain
            && let Some(results) = self.go_answered(state, name)?
        {
            self.go_back(state, results, Kind::Input);
            return Ok(Some(Called::Back));
        }
        let results = match name {
            "os.runtime_args" => {
                let count = Word::Unknown(31, Kind::Input);
                vec![Word::Known(GIVEN), count.clone(), count]
            }
            "syscall.runtime_envs" => {
                let count = Word::Unknown(31, Kind::Environment);
                vec![Word::Known(ENVIRONMENT), count.clone(), count]
            }
            // Nobody asks for FIPS 140 mode, whose tests of itself are long.
            "internal/godebug.(*Setting).Value" if self.is_setting(state, b"#fips140")? => {
                vec![Word::ZERO, Word::ZERO]
            }
            "internal/godebug.New" => return Ok(None),
            "os.Getenv"
            | "os.LookupEnv"
            | "syscall.Getenv"
            | "internal/godebug.(*Setting).Value" => {
                let length = Word::Unknown(31, Kind::Environment);
                let is_there = Word::Unknown(1, Kind::Environment);
                vec![Word::Known(ENVIRONMENT), length, is_there]
            }
            // Of an error that is not known: what it wraps, and whether it has methods that say so,
            // which would be called.
            "errors.Is" | "errors.is" if self.go_given(state, 0).number()?.is_none() => {
                self.found.lost(at, &state.conditions, &self.symbols);
                state.is_unsure = true;
                vec![Word::Unknown(1, Kind::Input)]
            }
            _ if name.starts_with("internal/synctest.") => vec![Word::ZERO],
            // What a user's settings are, and who is told when they change.
            _ if name.starts_with("internal/godebug.") => Vec::new(),
            _ if name.starts_with("flag.") => self.go_flag(state, name)?,
            _ if name.split('.').any(|part| part.starts_with("runtime_")) => Vec::new(),
            _ if OUTSIDE.iter().any(|start| name.starts_with(start)) => {
                let printed = PRINTED.iter().find(|(known, _)| *known == name);
                match printed {
                    Some((_, first)) => {
                        let is_plain = self.is_plain(state, *first)?;
                        state.is_unsure |= !is_plain;
                        if name.starts_with("fmt.F") && self.has_methods(state, 0) {
                            return Ok(self.go_writes(state));
                        }
                    }
                    None => self.go_gives(state, at),
                }
                Vec::new()
            }
            _ => return Ok(None),
        };
        self.go_back(state, results, Kind::Input);
        Ok(Some(Called::Back))
    }

    /// A text is given to what is written to, by the only method that an `io.Writer` has: how long
    /// it is nobody knows. What that tells is the result.
    fn go_writes(&self, state: &mut State) -> Option<Called> {
        let table = self.go_given(state, 0).known()?;
        let code = self
            .load(state, Ok(table.wrapping_add(METHODS)), 8)
            .known()?;
        let text = state.memory.allocate(WRITTEN);
        state.memory.forget(text, WRITTEN, Kind::Input);
        let length = Word::Unknown(31, Kind::Input);
        let given = [
            self.go_given(state, 1),
            Word::Known(text),
            length.clone(),
            length,
        ];
        self.go_back(state, given.into(), Kind::Input);
        Some(Called::Code(code))
    }

    /// Whether a setting of `GODEBUG` is one of that name: its first member.
    fn is_setting(&self, state: &State, wanted: &[u8]) -> Result<bool, Stop> {
        let Some(at) = self.go_given(state, 0).number()? else {
            return Ok(false);
        };
        let [text, length] = [0, 8].map(|by| self.load(state, Ok(at.wrapping_add(by)), 8));
        let size = length.number()?.unwrap_or(0);
        Ok(self
            .bytes(state, &text, size)?
            .is_ok_and(|name| name == wanted))
    }

    /// Whether a routine that runs may catch a panic.
    pub fn may_recover(&self, state: &State) -> bool {
        let program = self.image.program;
        let mut routines = (state.frames.iter()).filter_map(|f| program.routine_at(f.start));
        routines.any(|routine| self.go.as_ref().is_some_and(|go| go.defers(routine)))
    }

    /// Whether values that are written have no methods, which would be called.
    fn is_plain(&self, state: &State, first: usize) -> Result<bool, Stop> {
        if first + 1 >= GO_WORDS.len() {
            return Ok(true);
        }
        let (list, count) = (self.go_given(state, first), self.go_given(state, first + 1));
        let (Some(list), Some(count)) = (list.number()?, count.number()?) else {
            return Ok(false);
        };
        for at in 0..count.min(64) {
            let place = list.wrapping_add(at * 16);
            let Some(of) = self.load(state, Ok(place), 8).number()? else {
                return Ok(false);
            };
            let kind = self.load(state, Ok(of.wrapping_add(23)), 1).known();
            let flags = self.load(state, Ok(of.wrapping_add(20)), 1).known();
            let is_text = kind.is_some_and(|kind| kind & 31 <= COMPLEX || kind & 31 == TEXTS);
            // The first flag says that there is more to say, such as methods: numbers and texts
            // by their own name have it too, but no methods.
            let has_name = flags.is_none_or(|flags| flags & 1 == 1 && flags & 4 == 4);
            if of != 0 && (!is_text || has_name && !self.is_basic(of)) {
                return Ok(false);
            }
        }
        Ok(count <= 64)
    }

    /// Whether a type has no methods: their number is behind what all types have.
    fn is_basic(&self, of: u64) -> bool {
        let count = self.image.program.content(of.wrapping_add(48 + 4));
        count.is_some_and(|word| word & 0xffff == 0)
    }

    /// What a function is given that is not known: it may store there, or call it.
    pub fn go_gives(&mut self, state: &mut State, at: u64) {
        for number in 0..GO_WORDS.len() {
            let Word::Known(place) = self.go_given(state, number) else {
                continue;
            };
            let code = self.load(state, Ok(place), 8).known();
            let is_code = code.is_some_and(|code| self.is_start(code));
            if is_code || self.has_methods(state, number) {
                self.found.lost(at, &state.conditions, &self.symbols);
                state.is_unsure = true;
            }
            let was_unsure = state.is_unsure || self.leads_on(state, place);
            self.given_away(state, place);
            state.is_unsure = was_unsure;
        }
    }

    /// Whether an object has the address of another one, which may be stored to as well.
    fn leads_on(&self, state: &State, place: u64) -> bool {
        let (start, size) = state.memory.object(place).unwrap_or((place, 8));
        let words = (0..size.min(512)).step_by(8);
        words.map(|at| start.wrapping_add(at)).any(|at| {
            let to = self.load(state, Ok(at), 8).known();
            to.is_some_and(|to| {
                state.memory.object(to).is_some() || self.image.program.is_written(to)
            })
        })
    }

    /// Whether an argument is a table of methods that are gone through.
    fn has_methods(&self, state: &State, number: usize) -> bool {
        let Word::Known(table) = self.go_given(state, number) else {
            return false;
        };
        let first = self.load(state, Ok(table.wrapping_add(METHODS)), 8).known();
        let code = first.filter(|code| self.is_start(*code));
        let is_table = self.image.program.is_data(table) && !self.image.program.is_written(table);
        is_table && code.is_some_and(|code| !is_named(self.image.program, code))
    }

    /// The package `flag`: what a user says is not known, wherever it is asked for.
    fn go_flag(&mut self, state: &mut State, name: &str) -> Result<Vec<Word>, Stop> {
        const MADE: [&str; 8] = [
            "Bool", "Int", "Int64", "Uint", "Uint64", "String", "Float64", "Duration",
        ];
        let last = name.rsplit('.').next().unwrap_or(name);
        if MADE.contains(&last) {
            let object = state.memory.allocate(16);
            state.memory.forget(object, 16, Kind::Input);
            return Ok(vec![Word::Known(object)]);
        }
        if last.ends_with("Var") {
            // Of an interface the data comes second.
            let number = usize::from(name.contains('(')) + usize::from(last == "Var");
            match self.go_given(state, number).number()? {
                Some(at) => state.memory.forget(at, 16, Kind::Input),
                None => state.is_unsure = true,
            }
        }
        Ok(Vec::new())
    }

    /// A closure is called: its code, with its own data where that is looked for.
    pub fn go_closure(&self, state: &mut State, closure: &Word) -> Result<Option<u64>, Stop> {
        let Some(at) = closure.number()? else {
            return Ok(None);
        };
        let code = self.load(state, Ok(at), 8).number()?;
        state.registers[GO_CLOSURE] = Word::Known(at);
        Ok(code.filter(|code| self.is_start(*code)))
    }
}
