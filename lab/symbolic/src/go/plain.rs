//! The run without arguments and environment, in Go: what the run-time and packages tell of these.

use crate::bits::{Kind, Word};
use crate::machine::{Machine, Stop};
use crate::memory::GIVEN;
use crate::plain::NAME;
use crate::state::State;

/// Where the list of arguments is: the program's name, and how long that is.
const LIST: u64 = GIVEN + 0x7800;
const LENGTH: u64 = 7;

/// Kinds of flags whose value is one word.
const FLAGS: [&str; 6] = ["Bool", "Int", "Int64", "Uint", "Uint64", "Duration"];
/// What all functions of a set of flags begin with: those of the package are these of its own set.
const SET: &str = "(*FlagSet).";

/// What asks for a variable of the environment.
const ENVIRONMENT: [&str; 3] = ["os.Getenv", "os.LookupEnv", "syscall.Getenv"];

impl Machine<'_> {
    /// What a function tells in that run; none if that is not known.
    pub fn go_answered(
        &mut self,
        state: &mut State,
        name: &str,
    ) -> Result<Option<Vec<Word>>, Stop> {
        let zeros = |count| vec![Word::ZERO; count];
        self.found.asks_environment |= ENVIRONMENT.contains(&name);
        Ok(Some(match name {
            "os.runtime_args" => {
                state.memory.write(LIST, &Word::Known(NAME), 8);
                state.memory.write(LIST + 8, &Word::Known(LENGTH), 8);
                vec![Word::Known(LIST), Word::Known(1), Word::Known(1)]
            }
            "syscall.runtime_envs" => zeros(3),
            "os.Getenv" => zeros(2),
            "os.LookupEnv" | "syscall.Getenv" => zeros(3),
            "internal/godebug.(*Setting).Value" => zeros(2),
            _ if let Some(own) = name.strip_prefix("flag.") => {
                let (own, first) = match own.strip_prefix(SET) {
                    Some(own) => (own, 1),
                    None => (own, 0),
                };
                return self.go_unset(state, own, first);
            }
            _ => return Ok(None),
        }))
    }

    /// What a function of the package `flag` tells where no flag is given: all have the values that
    /// they were made with. Its own arguments begin with this number.
    fn go_unset(
        &mut self,
        state: &mut State,
        name: &str,
        first: usize,
    ) -> Result<Option<Vec<Word>>, Stop> {
        let given = |machine: &Self, state: &State, number| machine.go_given(state, first + number);
        let made = |kind: &&str| FLAGS.contains(kind) || ["String", "Float64"].contains(kind);
        Ok(Some(match name {
            "NArg" | "NFlag" => vec![Word::ZERO],
            "Args" => vec![Word::ZERO; 3],
            "Arg" | "Parse" => vec![Word::ZERO; 2],
            // What a program's own kind of flags holds is as it was.
            "Var" => Vec::new(),
            _ if let Some(kind) = name.strip_suffix("Var").filter(made) => {
                let to = given(self, state, 0).number()?;
                let values = [3, 4].map(|number| given(self, state, number));
                match to {
                    Some(to) => self.go_default(state, kind, to, values),
                    None => state.is_unsure = true,
                }
                Vec::new()
            }
            kind if made(&kind) => {
                let object = state.memory.allocate(16);
                let values = [2, 3].map(|number| given(self, state, number));
                self.go_default(state, kind, object, values);
                vec![Word::Known(object)]
            }
            _ => return Ok(None),
        }))
    }

    /// A flag's value is put where it is kept; where that is in a register of vectors it is not
    /// known.
    fn go_default(&self, state: &mut State, kind: &str, to: u64, [value, length]: [Word; 2]) {
        match kind {
            "Bool" => state.memory.write(to, &value, 1),
            "Float64" => state.memory.forget(to, 8, Kind::Input),
            _ => state.memory.write(to, &value, 8),
        }
        if kind == "String" {
            state.memory.write(to + 8, &length, 8);
        }
    }
}
