//! Functions of other libraries: what they do, and what they are given.

use super::Whole;
use crate::a64::features::{TRIED, Told};
use crate::a64::given::HEAP;
use crate::a64::program::Entry;
use crate::a64::state::State;
use crate::a64::step::{Memory, lose_frame};
use crate::a64::tellers::is_auxval;
use crate::a64::value::{Alt, OPAQUE, PLAIN, Val};

impl Whole<'_> {
    /// A call to another library that takes so many arguments.
    pub fn hand(&mut self, state: &mut State, name: &str, arguments: usize) {
        if name == "__libc_start_main" {
            for register in [0, 3, 4] {
                if let Some(to) = state.get(register).as_constant() {
                    if register == 0 {
                        self.main = Some(to);
                    }
                    self.enter(to, &[PLAIN; 8], 0);
                    if let Some(node) = self.nodes.get_mut(&to) {
                        node.entry = Some(Entry::Start);
                    }
                }
            }
            return;
        }
        if matches!(name, "sigaction" | "signal" | "bsd_signal" | "sysv_signal") {
            let number = state.get(0);
            // A handler comes back behind the instruction by a long jump only.
            let is_it = |list: &[Alt]| list.iter().any(|alt| alt.value & 0xffff_ffff == 4);
            let handler = state.get(1);
            // To ignore it, or to have it as it was (0, 1), is no handler.
            let is_none = name != "sigaction" && matches!(handler.as_constant(), Some(0 | 1))
                || name == "sigaction" && handler.as_constant() == Some(0);
            if number.as_alts().is_some_and(is_it) && !is_none {
                state.has |= TRIED;
            }
            self.catches |= match number.as_alts() {
                Some(list) => is_it(list),
                None => self
                    .program
                    .imports_any(&["siglongjmp", "longjmp", "_longjmp"]),
            };
        }
        for register in 0..arguments.min(8) {
            let value = state.get(register);
            self.lose(&value, state.has);
            lose_frame(state, self, &value);
        }
    }
}

/// `getauxval` of what it is asked.
pub(super) fn auxval(what: &Val) -> Val {
    match what.as_constant() {
        Some(16) => Val::told(Told::Hwcap),
        Some(26) => Val::told(Told::Hwcap2),
        // AT_HWCAP3, AT_HWCAP4, AT_PLATFORM.
        Some(29 | 30 | 15) | None => OPAQUE,
        Some(_) => PLAIN,
    }
}

/// The address of an object that was allocated.
pub(in crate::a64) const OBJECT: Val = Val::Stack(HEAP, 0);

/// What a function of another library does.
pub(in crate::a64) struct Imported {
    pub value: Val,
    pub returns: bool,
    /// Whether it is not known what it does.
    pub doubt: bool,
    /// Registers that it takes.
    pub arguments: usize,
}

pub(in crate::a64) fn import(name: &str, state: &State) -> Imported {
    let known = |value: Val, arguments: usize| Imported {
        value,
        returns: true,
        doubt: false,
        arguments,
    };
    match name {
        _ if is_auxval(name) => known(auxval(&state.get(0)), 0),
        "exit" | "_exit" | "_Exit" | "quick_exit" | "abort" | "__stack_chk_fail"
        | "__assert_fail" | "longjmp" | "_longjmp" | "siglongjmp" | "__longjmp_chk"
        | "__chk_fail" | "err" | "errx" | "_Unwind_Resume" | "__cxa_throw" | "__cxa_rethrow"
        | "_ZSt9terminatev" | "pthread_exit" => Imported {
            returns: false,
            ..known(PLAIN, 1)
        },
        // They read what they are given, and keep none of it.
        "malloc" | "_Znwm" => known(OBJECT, 0),
        "printf" | "__printf_chk" | "fprintf" | "__fprintf_chk" | "puts" | "putchar" | "fputs"
        | "write" | "free" | "fflush" | "close" | "clock" | "rand" | "srand" => known(PLAIN, 0),
        "sprintf" | "snprintf" | "memset" | "calloc" | "realloc" | "time" => known(PLAIN, 1),
        "memcpy" | "memmove" | "read" => known(PLAIN, 2),
        // What they tell may be of the environment.
        "atoi" | "strtol" | "strlen" | "memcmp" | "strcmp" | "strncmp" => known(OPAQUE, 0),
        "__cxa_finalize"
        | "__gmon_start__"
        | "_ITM_registerTMCloneTable"
        | "_ITM_deregisterTMCloneTable" => known(PLAIN, 0),
        // An environment that overrides, and code that is tried.
        _ => Imported {
            doubt: true,
            ..known(OPAQUE, 8)
        },
    }
}
