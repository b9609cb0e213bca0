//! Another place for the stack, for programs that cannot be linked again.
//!
//! The kernel puts the environment above the stack, so a longer environment
//! moves every frame (Mytkowicz et al., ASPLOS 2009, section 3). With the
//! randomisation of addresses on, as is usual (`randomize_va_space` in
//! Documentation/admin-guide/sysctl/kernel.rst), every run draws its stack
//! anew: then it is noise between runs already, not a difference between
//! programs. To hold one draw fixed, randomisation is turned off in the child.

use super::error::LayoutError;
use karat_process::{Command, output};
use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;

/// Longest time for karat to print an address.
const PATIENCE: Duration = Duration::from_secs(60);

/// The variable that takes up space; programs do not know it.
const VARIABLE: &str = "KARAT_STACK";

/// The ABI aligns the stack to 16 bytes: no smaller shift arrives.
const STEP: usize = 16;

/// Shifts of one page; a page further the low bits of all addresses are the same.
const SHIFTS: u64 = 256;

/// What asks karat for the address of its stack; no command's name begins so.
const PROBE: &str = "__stack";

/// A place for the stack: one of 256, drawn by the seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Environment {
    /// Seeds that are equal modulo 256 give the same place; 0 adds nothing.
    pub seed: u64,
}

impl Environment {
    /// Bytes that the environment grows by: a multiple of 16 below 4096.
    #[must_use]
    pub fn padding(self) -> usize {
        // Odd, so all shifts occur; near 0.61 of 256, so the first few seeds
        // are far apart (Knuth, TAOCP 3, 6.4, Fibonacci hashing).
        STEP * (self.seed.wrapping_mul(157) % SHIFTS) as usize
    }

    /// Lets `command` start its program without randomised addresses and with
    /// the padding. Where the system forbids it, starting fails.
    pub fn apply(self, command: &mut Command) {
        command.env(VARIABLE, "x".repeat(self.padding()));
        karat_process::fix_addresses(command);
    }
}

/// Whether this system randomises addresses; none if it does not say.
#[must_use]
pub fn randomised() -> Option<bool> {
    let text = std::fs::read_to_string("/proc/sys/kernel/randomize_va_space").ok()?;
    Some(text.trim() != "0")
}

/// Where the stack of a process was, by seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StackMoved {
    /// Seed, and an address on the stack.
    pub addresses: Vec<(u64, u64)>,
}

/// Starts karat itself (`karat`, which must call [`probe_if_asked`]) in the place
/// of each seed, twice, and looks where its stack is.
///
/// # Errors
/// [`LayoutError::Environment`] if a process cannot be started so, if a seed
/// gives two addresses, or if two seeds give the same one modulo 4096.
pub fn verify_environment(karat: &Path, seeds: &[u64]) -> Result<StackMoved, LayoutError> {
    let mut addresses = Vec::new();
    let mut places = HashSet::new();
    for &seed in seeds {
        let environment = Environment { seed };
        let at = probe(karat, environment)?;
        if probe(karat, environment)? != at {
            return Err(LayoutError::Environment(
                "addresses stay random although the process asked for fixed ones; a sandbox \
                 may undo it"
                    .into(),
            ));
        }
        if !places.insert(at % 4096) {
            return Err(LayoutError::Environment(format!(
                "seed {seed} gives the same address modulo 4096 ({at:#x}) as another; take seeds \
                 that differ modulo {SHIFTS}"
            )));
        }
        addresses.push((seed, at));
    }
    Ok(StackMoved { addresses })
}

fn probe(karat: &Path, environment: Environment) -> Result<u64, LayoutError> {
    let mut command = Command::new(karat);
    command.arg(PROBE);
    environment.apply(&mut command);
    let output = output(&mut command, PATIENCE).map_err(|e| {
        LayoutError::Environment(format!(
            "cannot start {} with fixed addresses: {e}; containers often forbid personality(2): \
             allow it (docker: --security-opt seccomp=unconfined), or leave addresses random and \
             take more rounds",
            karat.display()
        ))
    })?;
    let stdout = output.map(|o| o.stdout).unwrap_or_default();
    let text = String::from_utf8_lossy(&stdout);
    u64::from_str_radix(text.trim(), 16).map_err(|_| {
        LayoutError::Environment(format!(
            "{} {PROBE} printed no address: {text:?}",
            karat.display()
        ))
    })
}

/// Prints an address of the stack if this process was started to: whether it was.
#[must_use]
pub fn probe_if_asked() -> bool {
    if std::env::args_os().nth(1).is_none_or(|a| a != PROBE) {
        return false;
    }
    let here = 0_u8;
    println!("{:x}", std::hint::black_box(&raw const here).addr());
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shift_occurs_once_in_256_seeds() {
        let paddings: HashSet<usize> = (0..256)
            .map(|seed| Environment { seed }.padding())
            .collect();
        assert_eq!(paddings.len(), 256);
        assert!(paddings.iter().all(|p| p % 16 == 0 && *p < 4096));
        assert_eq!(Environment { seed: 0 }.padding(), 0);
    }

    #[test]
    fn a_started_process_has_fixed_addresses_and_the_padding() {
        let maps = |seed| {
            let mut command = Command::new("cat");
            command.arg("/proc/self/maps");
            Environment { seed }.apply(&mut command);
            match karat_process::output(&mut command, PATIENCE) {
                Ok(output) => Some(String::from_utf8(output.expect("in time").stdout).unwrap()),
                Err(e) => {
                    println!("SKIPPED: personality(2) is not allowed here: {e}");
                    None
                }
            }
        };
        let (Some(one), Some(again)) = (maps(1), maps(1)) else {
            return;
        };
        assert_eq!(one, again);
        let mut command = Command::new("sh");
        command.args(["-c", "printf %s \"$KARAT_STACK\" | wc -c"]);
        Environment { seed: 1 }.apply(&mut command);
        let output = karat_process::output(&mut command, PATIENCE).unwrap();
        let printed = String::from_utf8(output.expect("in time").stdout).unwrap();
        assert_eq!(printed.trim(), "2512");
    }
}
