//! Variables that are known by their names: what their bits say.
//!
//! `__cpu_model` and `__cpu_features2` as libgcc and compiler-rt lay them out,
//! `OPENSSL_ia32cap_P` as `OPENSSL_ia32cap(3)` says (`ia32cap.rs` finds it without a name), and
//! Go's flags in `runtime` and `cpu.X86` (`go_flags.rs`). What else holds answers is found out
//! from the code that fills it.

use super::bits::constant_bit;
use super::builtin::supports;
use super::features::{Facts, Register, cpuid_bit};
use super::go_flags;
use super::value::Value;

fn flags(bytes: u8, bit: impl Fn(u64) -> Facts) -> Value {
    Value::word(|at| match u64::from(at) < u64::from(bytes) * 8 {
        true => (bit(u64::from(at)), Facts::NONE),
        false => constant_bit(false),
    })
}

/// What so many bytes at a distance in a variable hold; none if the name is not known.
pub fn variable(name: &str, distance: u64, bytes: u8) -> Option<Value> {
    let both = |name: &str, bytes: u8| {
        let facts = Facts::named(name);
        Value::word(|at| match u64::from(at) < u64::from(bytes) * 8 {
            true => (facts, facts),
            false => constant_bit(false),
        })
    };
    match name {
        "__cpu_model" => Some(match distance {
            0..4 => both("the vendor", bytes),
            4..12 => both("the model", bytes),
            _ => flags(bytes, |bit| supports((distance - 12) * 8 + bit)),
        }),
        "__cpu_features2" => Some(flags(bytes, |bit| supports(32 + distance * 8 + bit))),
        // In BoringSSL it is in a namespace of C++ (`bssl`).
        _ if name.ends_with("ia32cap_P") || name.ends_with("ia32cap_PE") => {
            // Leaf, its part, register. Others follow from OpenSSL 3.4 on.
            let words = [
                (1, 0, Register::D),
                (1, 0, Register::C),
                (7, 0, Register::B),
                (7, 0, Register::C),
                (7, 0, Register::D),
                (7, 1, Register::A),
            ];
            Some(flags(bytes, |bit| {
                let bit = distance * 8 + bit;
                // CPUID has nothing there; it is where AMD's XOP is told.
                if bit == 32 + 11 {
                    return Facts::named("xop").closed();
                }
                let word = words.get((bit / 32) as usize);
                word.map_or(Facts::NONE, |(leaf, part, register)| {
                    cpuid_bit(*leaf, *part, *register, (bit % 32) as u8).0
                })
            }))
        }
        // C++'s guard of a local variable (Itanium ABI, 3.3.3).
        _ if name.starts_with("_ZGV") && distance == 0 && bytes == 1 => Some(either()),
        _ => {
            let feature = match name {
                "runtime.x86HasPOPCNT" => "popcnt",
                "runtime.x86HasSSE41" => "sse4.1",
                "runtime.x86HasFMA" => "fma",
                _ => return go_flags::field(name, bytes).filter(|_| distance == 0),
            };
            Some(vouched(bytes, Facts::named(feature)))
        }
    }
}

/// One or zero, whatever the CPU has.
pub fn either() -> Value {
    Value::number(0).or(&Value::number(1))
}

/// A value that is not zero only where features are there.
pub(super) fn vouched(bytes: u8, facts: Facts) -> Value {
    flags(bytes, |_| facts.closed())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_of_known_variables() {
        let bit = |name, distance, bit| {
            variable(name, distance, 4)
                .and_then(|v| v.when(Some(bit)))
                .unwrap()
                .names()
        };
        assert_eq!(bit("__cpu_model", 12, 10), ["avx2"]);
        assert_eq!(bit("__cpu_model", 12, 15), ["avx512f"]);
        assert_eq!(bit("__cpu_features2", 0, 0), ["gfni"]);
        assert_eq!(bit("__cpu_features2", 4, 14), ["vaes"]);
        assert_eq!(bit("__cpu_model", 0, 0), ["the vendor"]);
        assert_eq!(bit("OPENSSL_ia32cap_P", 8, 5), ["avx2"]);
        assert_eq!(bit("_ZN4bssl17OPENSSL_ia32cap_PE", 8, 5), ["avx2"]);
        assert_eq!(bit("OPENSSL_ia32cap_P", 4, 11), ["xop"]);
        assert_eq!(bit("OPENSSL_ia32cap_P", 20, 2), ["sm4"]);
        assert!(variable("counter", 0, 4).is_none());
    }
}
