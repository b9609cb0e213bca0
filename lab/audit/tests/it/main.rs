//! Audits of real binaries, compiled here from `fixtures/`.
//!
//! The fixtures are x86-64 Linux programs built with the machine's own `rustc`
//! and `cc`, so the tests exist only there.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

mod attribution;
mod build;
mod by_compilers;
mod by_symbol;
mod catalogue;
mod checks;
mod counts;
mod damage;
mod debug_files;
mod decided;
mod formats;
mod gates;
mod leaks;
mod leaks_arm;
mod leaks_arm_constants;
mod leaks_arm_doubts;
mod leaks_arm_followed;
mod leaks_arm_left;
mod leaks_arm_named;
mod leaks_arm_said;
mod leaks_arm_sold;
mod leaks_arm_static;
mod leaks_arm_symbolic;
mod leaks_begins;
mod leaks_behind;
mod leaks_certain;
mod leaks_constants;
mod leaks_embedded;
mod leaks_entries;
mod leaks_equal;
mod leaks_for_callers;
mod leaks_formats;
mod leaks_go;
mod leaks_limits;
mod leaks_mach;
mod leaks_middle;
mod leaks_numbered;
mod leaks_of_libraries;
mod leaks_of_systems;
mod leaks_of_values;
mod leaks_passed;
mod leaks_pe;
mod leaks_providers;
mod leaks_reasons;
mod leaks_recorded;
mod leaks_registered;
mod leaks_rust;
mod leaks_said_number;
mod leaks_same;
mod leaks_settled;
mod leaks_sold;
mod leaks_symbolic;
mod leaks_third;
mod leaks_threads;
mod leaks_windows;
mod leaks_worst;
mod leaks_xgetbv;
mod survival;
mod tools;
#[path = "../leaks/truth.rs"]
mod truth;
