//! Variables of AArch64's libraries that others may write: by addresses that are left over in
//! registers, by what lies beside them, by their names.

use crate::leaks_arm::library;
use karat_model::leaks::{Certainty, Reach};

/// A flag as `cpufeatures` of Rust has it: 255 until somebody asked. Its address is in a register
/// that calls keep, and meets another there.
const LEFT: &str = r#"
    unsigned long getauxval(unsigned long);
    void others(int *a);
    void given(unsigned char *flag);
    static unsigned char flag = 255, plain = 0;
    static __attribute__((noinline)) int help(int *a) {
        __asm__ volatile("sdot v0.4s, v1.16b, v2.16b" : : : "v0", "memory");
        return a[0];
    }
    static __attribute__((noinline)) int told(void) { return getauxval(16) >> 20 & 1; }
    int work(int *a, int which) {
        register unsigned char *at __asm__("x19");
        int result = 0;
        if (which) {
            at = &flag;
            __asm__ volatile("" : "+r"(at));
            if (*at == 255) *at = told();
            if (*at == 1) result = help(a);
        } else {
            at = (unsigned char *)a;
            __asm__ volatile("" : "+r"(at));
            others(a);
        }
    #ifdef READ
        __asm__ volatile("" : "+r"(at));
        given(at);
    #endif
        others(a);
        return result + *a;
    }
"#;

#[test]
fn what_is_left_over_in_a_register_goes_nowhere() {
    for (flag, reach) in [("-UREAD", Reach::Guarded), ("-DREAD", Reach::Unknown)] {
        let Some(report) = library(LEFT, &["-s", flag]) else {
            return;
        };
        let [help] = &report.functions[..] else {
            panic!("{report:#?}");
        };
        assert_eq!(help.reach, reach, "{flag}: {help:#?}");
    }
}

/// A flag that lies behind a variable whose address others are given.
const BEHIND: &str = r#"
    unsigned long getauxval(unsigned long);
    void others(unsigned char *a);
    extern unsigned char shared[16] __attribute__((visibility("hidden")));
    extern unsigned char flag __attribute__((visibility("hidden")));
    __asm__(".data; .balign 64; .global shared; .hidden shared; shared: .zero 16; "
            ".global flag; .hidden flag; flag: .byte 255; .text");
    static __attribute__((noinline)) int help(int *a) {
        __asm__ volatile("sdot v0.4s, v1.16b, v2.16b" : : : "v0", "memory");
        return a[0];
    }
    int work(int *a) {
        unsigned char *at;
    #ifdef MEMBER
        at = shared + 16;
    #else
        __asm__("adrp %0, :got:flag; ldr %0, [%0, :got_lo12:flag]" : "=r"(at));
    #endif
        if (*at == 255) *at = getauxval(16) >> 20 & 1;
        if (*at == 1) return help(a);
        others(shared);
        return 0;
    }
"#;

#[test]
fn a_variable_ends_where_the_linkage_table_has_another() {
    for (flag, reach) in [("-UMEMBER", Reach::Guarded), ("-DMEMBER", Reach::Unknown)] {
        let Some(report) = library(BEHIND, &["-s", flag]) else {
            return;
        };
        let [help] = &report.functions[..] else {
            panic!("{report:#?}");
        };
        let is_sure = help.confidence > Certainty::Low || reach == Reach::Unknown;
        assert!(help.reach == reach && is_sure, "{flag}: {help:#?}");
    }
}

/// A flag with a symbol, in a library that is not stripped.
const NAMED: &str = r#"
    unsigned long getauxval(unsigned long);
    LINKAGE int flag = -1;
    static __attribute__((noinline)) int help(int *a) {
        __asm__ volatile("sdot v0.4s, v1.16b, v2.16b" : : : "v0", "memory");
        return a[0];
    }
    int work(int *a) {
        if (flag < 0) flag = getauxval(16) >> 20 & 1;
        return flag == 1 ? help(a) : 0;
    }
"#;

#[test]
fn only_what_is_exported_others_may_write_by_its_name() {
    for (flag, reach) in [
        ("-DLINKAGE=static", Reach::Guarded),
        ("-DLINKAGE=", Reach::Unknown),
    ] {
        let Some(report) = library(NAMED, &[flag]) else {
            return;
        };
        let mut all = report.functions.iter();
        let help = all.find(|one| one.function == "help").expect("help");
        assert_eq!(help.reach, reach, "{flag}: {help:#?}");
    }
}
