//! What the environment may say in AArch64's libraries, beside what the CPU does.

use crate::leaks_arm::library;
use karat_model::leaks::{Certainty, Reach};

/// Flags as OpenSSL (`PLAIN`) and AWS-LC (`SCANNED`) set them.
const SOURCE: &str = r#"
    #include <stdio.h>
    #include <stdlib.h>
    unsigned long getauxval(unsigned long);
    static unsigned flags;
    static __attribute__((noinline)) int help(int *a) {
        __asm__ volatile("sdot v0.4s, v1.16b, v2.16b" : : : "v0", "memory");
        return a[0];
    }
    #ifdef PLAIN
    __attribute__((constructor)) static void setup(void) {
        const char *said = getenv("FLAGS");
        if (said) { flags = strtoul(said, 0, 0); return; }
        if (getauxval(16) >> 20 & 1) flags |= 4;
    }
    #endif
    #ifdef SCANNED
    static __attribute__((noinline)) void hear(unsigned *flags, const char *said) {
        unsigned number;
        if (!sscanf(said + (said[0] == '~'), "%x", &number)) return;
        if (said[0] == '~') *flags &= ~number; else *flags = number;
    }
    __attribute__((constructor)) static void setup(void) {
        if (getauxval(16) >> 20 & 1) flags |= 4;
        const char *said = getenv("FLAGS");
        if (said) hear(&flags, said);
    }
    #endif
    #ifdef UNASKED
    /* Where the environment says anything all is on, whatever the CPU has. */
    __attribute__((constructor)) static void setup(void) {
        if (getenv("FLAGS")) { flags = 4; return; }
        if (getauxval(16) >> 20 & 1) flags |= 4;
    }
    #endif
    #ifdef LEVEL
    __attribute__((constructor)) static void setup(void) {
        const char *said = getenv("FLAGS");
        if (said) flags = atoi(said);
    }
    #endif
    int work(int *a) { return flags & BIT ? help(a) : a[0]; }
"#;

#[test]
fn what_the_environment_overrides_is_guarded_at_low() {
    let guarded = (Reach::Guarded, Certainty::Low);
    let unknown = (Reach::Unknown, Certainty::Low);
    for (way, bit, expected) in [
        ("-DPLAIN", 4, guarded),
        ("-DSCANNED", 4, guarded),
        // No answer tells this bit.
        ("-DPLAIN", 8, unknown),
        ("-DSCANNED", 8, unknown),
        ("-DUNASKED", 4, unknown),
        ("-DLEVEL", 4, unknown),
    ] {
        let bit = format!("-DBIT={bit}");
        let Some(report) = library(SOURCE, &["-s", way, &bit]) else {
            return;
        };
        let [help] = &report.functions[..] else {
            panic!("{report:#?}");
        };
        let found = (help.reach, help.confidence);
        assert_eq!(found, expected, "{way} {bit}: {help:#?}");
    }
}

/// A kernel that callers choose by its name, and what it calls.
const NAMED: &str = r#"
    static __attribute__((noinline)) int help(int *a) {
        __asm__ volatile("sdot v0.4s, v1.16b, v2.16b" : : : "v0", "memory");
        return a[0];
    }
    int NAME(int *a) { return help(a) + 1; }
"#;

#[test]
fn who_calls_a_function_that_names_what_it_needs_has_asked() {
    for (name, reach) in [
        ("-DNAME=sum_neon_dotprod", Reach::Exported),
        ("-DNAME=sum_sve", Reach::Leak),
        ("-DNAME=sum", Reach::Leak),
    ] {
        let Some(report) = library(NAMED, &[name]) else {
            return;
        };
        let [help] = &report.functions[..] else {
            panic!("{report:#?}");
        };
        assert_eq!(
            (help.reach, help.confidence),
            (reach, Certainty::Medium),
            "{name}: {help:#?}"
        );
    }
}

/// What OpenSSL's assembly goes by, where others may write it.
const ARMCAP: &str = r#"
    extern unsigned NAME __attribute__((visibility("hidden")));
    __asm__(".bss; .balign 4; .global " TEXT(NAME) "; .hidden " TEXT(NAME) ";"
            ".type " TEXT(NAME) ", %object; .size " TEXT(NAME) ", 4;" TEXT(NAME) ": .zero 4; .text");
    void others(unsigned *a);
    static __attribute__((noinline)) int help(int *a) {
        __asm__ volatile(".arch armv8.2-a+crypto; aese v0.16b, v1.16b" : : : "v0", "memory");
        return a[0];
    }
    void set(void) { others(&NAME); }
    int work(int *a) { return NAME & BIT ? help(a) + 1 : a[0]; }
"#;

#[test]
fn bits_of_openssl_are_known() {
    let define = "-DTEXT(x)=TEXT2(x)";
    let define2 = "-DTEXT2(x)=#x";
    for (name, bit, reach) in [
        ("OPENSSL_armcap_P", 4, Reach::Guarded),
        ("aws_lc_0_44_0_OPENSSL_armcap_P", 4, Reach::Guarded),
        // One that differs from library to library.
        ("OPENSSL_armcap_P", 0x2000, Reach::Unknown),
        ("OPENSSL_armcap", 4, Reach::Unknown),
    ] {
        let (name, bit) = (format!("-DNAME={name}"), format!("-DBIT={bit}"));
        let Some(report) = library(ARMCAP, &[define, define2, &name, &bit]) else {
            return;
        };
        let [help] = &report.functions[..] else {
            panic!("{report:#?}");
        };
        let found = (help.reach, help.confidence);
        assert_eq!(found, (reach, Certainty::Low), "{name} {bit}: {help:#?}");
    }
}
