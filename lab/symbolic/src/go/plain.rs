//! The run without arguments and environment, in Go: what the run-time and packages tell of these.

use crate::bits::Word;
use crate::machine::{Machine, Stop};
use crate::memory::GIVEN;
use crate::plain::NAME;
use crate::state::State;

/// Where the list of arguments is: the program's name, and how long that is.
const LIST: u64 = GIVEN + 0x7800;
const LENGTH: u64 = 7;

/// What makes a flag whose value is a number or a truth value, and is its second argument.
const FLAGS: [&str; 7] = [
    "flag.Bool",
    "flag.Int",
    "flag.Int64",
    "flag.Uint",
    "flag.Uint64",
    "flag.Duration",
    "flag.Float64",
];

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
            "flag.NArg" | "flag.NFlag" => zeros(1),
            "flag.Args" => zeros(3),
            "flag.Arg" => zeros(2),
            "flag.String" => {
                let object = state.memory.allocate(16);
                for (by, argument) in [(0, 2), (8, 3)] {
                    let word = self.go_given(state, argument);
                    state.memory.write(object + by, &word, 8);
                }
                vec![Word::Known(object)]
            }
            _ if FLAGS.contains(&name) => {
                let object = state.memory.allocate(8);
                let value = self.go_given(state, 2);
                if name != "flag.Float64" {
                    state.memory.write(object, &value, 8);
                }
                vec![Word::Known(object)]
            }
            _ => return Ok(None),
        }))
    }
}
