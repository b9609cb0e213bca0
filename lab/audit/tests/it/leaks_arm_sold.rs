//! AArch64 programs that runs on CPUs which were sold decide: of the second set those that were not
//! decided before, each with its wrong twin, and what such a run knows.

use crate::leaks_arm::program;
use crate::leaks_arm_followed::{DYNAMIC, dies, is_decided, lives};
use karat_model::leaks::LeakReport;

const STATIC: &[&str] = &["-O2", "-s", "-flto", "-static"];

/// A program of the second set.
fn of_set(name: &str, flags: &[&str]) -> Option<LeakReport> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/leaks");
    let text = std::fs::read_to_string(format!("{folder}/{name}.arm2.c")).expect("the program");
    let include = format!("-I{folder}");
    program(&text, &[&[include.as_str()], flags].concat())
}

fn lives_and_its_twin_does_not(name: &str, flags: &[&str]) {
    let Some(report) = of_set(name, flags) else {
        return;
    };
    assert!(lives(&report), "{name}: {report:#?}");
    let twin = of_set(name, &[flags, &["-DBAD"]].concat()).expect("the compiler");
    assert!(dies(&twin), "{name}, its wrong twin: {twin:#?}");
}

/// What it prints is known by the lower half of a vector register, which calls keep.
#[test]
fn a_static_program_prints_what_it_computed() {
    lives_and_its_twin_does_not("x264", STATIC);
}

/// What its kernels compute with half precision, or for SHA-512, is not carried out.
#[test]
fn a_static_program_prints_what_is_not_known() {
    for name in ["npy", "gcrypt"] {
        lives_and_its_twin_does_not(name, STATIC);
    }
}

/// Apple's M2 has I8MM and no SVE: no other comes to the kernel for it.
#[test]
fn a_kernel_that_a_better_one_hides_is_come_to() {
    lives_and_its_twin_does_not("yuv", STATIC);
}

/// What the environment may say decides in a small program: a pointer, and a variable whose flags
/// are set one by one.
#[test]
fn what_the_environment_may_say_proves_no_leak() {
    for flags in [&["-O2", "-DENV"][..], &["-O3", "-s", "-DENV"]] {
        for name in ["armcap", "rtcd"] {
            lives_and_its_twin_does_not(name, flags);
        }
    }
    lives_and_its_twin_does_not("override", &["-O3", "-s"]);
}

/// A number is taken for what a kernel computes. What it decides then proves nothing: neither that
/// the program lives, nor that it dies.
#[test]
fn a_number_that_was_made_up_proves_nothing() {
    let text = r#"
        #include <stdio.h>
        unsigned long getauxval(unsigned long);
        static int data[4] = {1, 2, 3, 4};
        static __attribute__((noinline)) int hash(const int *a) {
            int out[4];
            __asm__ volatile("ldr q0, [%1]\n .inst 0xcec08000\n str q0, [%0]"
                             : : "r"(out), "r"(a) : "v0", "memory");
            return out[0];
        }
        static __attribute__((noinline)) int wide(int n) {
            long count;
            __asm__ volatile(".arch_extension sve\n cntd %0" : "=r"(count));
            return n + count;
        }
        static struct { int (*hash)(const int *), (*wide)(int); } all;
        static int other(const int *a) { return a[0] + 1; }
        static int narrow(int n) { return n; }
        int main(int argc, char **argv) {
            all.hash = getauxval(16) >> 21 & 1 ? hash : other;
            int n = all.hash(data);
            all.wide = n == 0 ? wide : narrow;
            for (int i = 0; i < 3; i++) printf("%d\n", all.wide(n + i));
        }
    "#;
    for flags in [&["-O2"][..], &["-O2", "-s", "-static"]] {
        let Some(report) = program(text, flags) else {
            return;
        };
        assert!(!lives(&report) && !dies(&report), "{report:#?}");
    }
}

#[test]
fn the_lower_half_of_a_vector_register_is_kept_over_calls() {
    let text = r#"
        static volatile double two = 2;
        int main(void) {
            work *all[3] = {dot, dot, getauxval(16) >> BIT & 1 ? dot : plain};
            double which = two;
            puts("one");
            puts("two");
            printf("%d\n", all[(int)which](data, 3));
        }
    "#;
    is_decided(text, &DYNAMIC[..2]);
}

/// So Rust's `std_detect` takes the kernel's words apart.
#[test]
fn bits_that_are_shifted_and_looked_up_by_numbers_stay() {
    let text = r#"
        #include <arm_neon.h>
        struct has { unsigned char all[16]; };
        static volatile long long by[2] = {-BIT, -1};
        static volatile unsigned char places[16] = {8, 255, 0, 1};
        static __attribute__((noinline)) void take(struct has *has, unsigned long word) {
            int64x2_t counts = {by[0], by[1]};
            uint8x16_t from;
            for (int i = 0; i < 16; i++) from[i] = places[i];
            uint64x2_t bits = vshlq_u64(vdupq_n_u64(word), counts);
            bits = vandq_u64(bits, vdupq_n_u64(1));
            vst1q_u8(has->all, vqtbl1q_u8(vreinterpretq_u8_u64(bits), from));
        }
        static struct { int size; work *run; } *all;
        int main(void) {
            struct has has;
            take(&has, getauxval(16));
            all = malloc(sizeof *all);
            all->run = has.all[2] ? dot : plain;
            if (has.all[1]) all->run = dot;
            printf("%d\n", all->run(data, 3));
        }
    "#;
    is_decided(text, &DYNAMIC[..2]);
}
