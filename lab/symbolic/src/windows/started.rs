//! What the C library's start asks for: the program's arguments, what runs at its end, and the
//! places of the library's own variables.

use super::{ENVIRONMENT, NAME, STREAMS, VARIABLES, VECTOR, WIDE_NAME, WIDE_VECTOR};
use crate::bits::{Kind, Word};
use crate::library::Told;
use crate::machine::{Machine, Stop};
use crate::state::State;

/// Functions that only set how the library works.
const SETTING: &str = "
    __set_app_type _set_app_type __setusermatherr _configthreadlocale
    _set_invalid_parameter_handler _set_new_mode _set_fmode _configure_narrow_argv
    _configure_wide_argv _initialize_narrow_environment _initialize_wide_environment
    _initialize_onexit_table _register_thread_local_exe_atexit_callback _controlfp_s _controlfp
    _fpreset _lock _unlock _cexit _c_exit __stdio_common_vfprintf
";
/// Functions that tell the place of a variable, and what it holds.
const PLACES: [(&str, u64); 10] = [
    ("__p___argc", 1),
    ("__p___argv", VECTOR),
    ("__p___wargv", WIDE_VECTOR),
    ("__p__environ", ENVIRONMENT),
    ("__p__wenviron", ENVIRONMENT),
    ("__p___initenv", ENVIRONMENT),
    ("__p__acmdln", NAME),
    ("__p__wcmdln", WIDE_NAME),
    ("__p__fmode", 0),
    ("__p__commode", 0),
];
/// The same of variables that a program imports.
const IMPORTED: [(&str, u64); 5] = [
    ("_acmdln", NAME),
    ("_wcmdln", WIDE_NAME),
    ("__initenv", ENVIRONMENT),
    ("_fmode", 0),
    ("_commode", 0),
];
/// Bytes of one stream.
const STREAM: u64 = 48;

impl<'p> Machine<'p> {
    /// What variables of the C library hold that the program imports.
    pub fn windows_variables(&self, state: &mut State) {
        for (name, value) in IMPORTED {
            let at = self.image.import(name);
            state.memory.write(at, &Word::Known(value), 8);
        }
    }

    /// Carries out what the C library's start calls; none if it is none of that.
    pub fn windows_start(&mut self, state: &mut State, name: &str) -> Result<Option<Told>, Stop> {
        if SETTING.split_whitespace().any(|known| known == name) {
            return Ok(Some(0.into()));
        }
        if let Some(number) = PLACES.iter().position(|(known, _)| *known == name) {
            let at = VARIABLES + number as u64 * 8;
            let value = match (PLACES[number], self.is_begun(state)) {
                ((_, 0), _) | (_, false) => Word::Known(PLACES[number].1),
                _ => Word::unknown(8, Kind::Input),
            };
            state.memory.write(at, &value, 8);
            return Ok(Some(at.into()));
        }
        Ok(Some(match name {
            "__getmainargs" | "__wgetmainargs" => {
                let vector = match name {
                    "__getmainargs" => VECTOR,
                    _ => WIDE_VECTOR,
                };
                for (argument, value, size) in [(0, 1, 4), (1, vector, 8), (2, ENVIRONMENT, 8)] {
                    let to = self.given(state, argument).number()?.ok_or(Kind::Opaque);
                    self.store(state, to, &Word::Known(value), size);
                }
                0.into()
            }
            "_get_initial_narrow_environment" | "_get_initial_wide_environment" => {
                ENVIRONMENT.into()
            }
            "_onexit" | "__dllonexit" | "_crt_atexit" => {
                let first = self.given(state, 0);
                self.is_called_last(state, [&first, &Word::ZERO, &Word::ZERO])?;
                match name {
                    "_crt_atexit" => 0.into(),
                    _ => Told(Some(first), None),
                }
            }
            "_register_onexit_function" => {
                let second = self.given(state, 1);
                self.is_called_last(state, [&second, &Word::ZERO, &Word::ZERO])?;
                0.into()
            }
            "__iob_func" => STREAMS.into(),
            "__acrt_iob_func" => match self.given(state, 0).low(4).number()? {
                Some(number @ 0..3) => (STREAMS + number * STREAM).into(),
                _ => Told(None, None),
            },
            _ => return Ok(None),
        }))
    }
}
