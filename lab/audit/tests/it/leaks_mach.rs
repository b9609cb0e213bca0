//! Labels that assemblers leave in files of macOS as symbols.

use crate::tools::{Dir, run};
use karat_audit::{Baseline, searched};
use karat_model::leaks::{Certainty, Reach};

/// A kernel with three labels, the way it is gone through between them, and a part that
/// clang makes a function of its own; `main` asks before it calls.
const SOURCE: &str = "
        .intel_syntax noprefix
        .text
        .globl _kernel
_kernel:
        vpaddd ymm0, ymm0, ymm0
        test ecx, ecx
        je .LLast
_kernel.loop:
        vpaddd ymm0, ymm0, ymm0
        dec ecx
        jne _kernel.loop
..@7.again:
        vpaddd ymm0, ymm0, ymm0
.LLast: vpaddd ymm0, ymm0, ymm0
        ret
_kernel.cold.1:
        vpaddd ymm0, ymm0, ymm0
        ret
        .globl _main
_main:  push rbx
        mov eax, 7
        xor ecx, ecx
        cpuid
        test ebx, 32
        je 1f
        call _kernel
        call _kernel.cold.1
1:      pop rbx
        ret
";

#[test]
fn labels_inside_of_functions_are_none() {
    let dir = Dir::new();
    dir.write("k.s", SOURCE.as_bytes());
    let build = |source: &str| {
        dir.write("k.s", source.as_bytes());
        let assemble = ["--target=x86_64-apple-macos11", "-c", "k.s", "-o", "k.o"];
        let link = "-arch x86_64 -platform_version macos 11 11 -e _main k.o -o k";
        run(&dir, "clang", &assemble)?;
        run(&dir, "ld64.lld-14", &link.split(' ').collect::<Vec<_>>())?;
        let baseline = Baseline::parse("x86-64-v2").expect("a level");
        Some(searched(&dir.read("k"), &baseline).expect("a sound file"))
    };
    let Some(report) = build(SOURCE) else {
        return;
    };
    let found: Vec<_> = (report.functions.iter())
        .map(|f| (f.function.as_str(), f.instructions, f.reach, f.confidence))
        .collect();
    let guarded = (Reach::Guarded, Certainty::High);
    let wanted = [
        ("kernel", 4, guarded.0, guarded.1),
        ("kernel.cold.1", 1, guarded.0, guarded.1),
    ];
    assert_eq!(found, wanted, "{report:#?}");
    // One that is called from elsewhere is not gated by that.
    let wrong = SOURCE
        .replace("je 1f", "je 1f\n        nop\n1:")
        .replace("1:      pop", "        pop");
    let report = build(&wrong).expect("what was built before");
    assert!(report.functions.iter().all(|f| f.reach != Reach::Guarded));
}
