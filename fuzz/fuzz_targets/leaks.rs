//! The search for leaks in programs that are made of instructions it has something to
//! say of: whatever they do, it ends, without a panic, and soon. What it claims of
//! nothing above the baseline is nothing.
#![no_main]

#[path = "../shared/elf.rs"]
mod elf;

use elf::{DATA, TEXT, WORDS};
use karat_audit::{Baseline, leaks};
use libfuzzer_sys::fuzz_target;

/// Instructions, so that the text ends before the data begins.
const MOST: usize = 2500;
const FUNCTIONS: usize = 8;

/// Instructions without operands that depend on the place.
const PLAIN: [&[u8]; 30] = [
    &[0x0f, 0xa2],                         // cpuid
    &[0xb8, 7, 0, 0, 0],                   // mov eax, 7
    &[0xb8, 1, 0, 0, 0],                   // mov eax, 1
    &[0x31, 0xc9],                         // xor ecx, ecx
    &[0x0f, 0x01, 0xd0],                   // xgetbv
    &[0xc5, 0xfc, 0x58, 0xc1],             // vaddps ymm0, ymm0, ymm1
    &[0xc4, 0xe2, 0xfd, 0x59, 0x07],       // vpbroadcastq ymm0, [rdi]
    &[0x62, 0xf1, 0x7c, 0x48, 0x58, 0xc1], // vaddps zmm0, zmm0, zmm1
    &[0xc4, 0xe2, 0xf3, 0xf5, 0xc0],       // pdep rax, rcx, rax
    &[0xf6, 0xc3, 0x20],                   // test bl, 0x20
    &[0xc1, 0xeb, 5],                      // shr ebx, 5
    &[0x83, 0xe3, 1],                      // and ebx, 1
    &[0x0f, 0xba, 0xe1, 28],               // bt ecx, 28
    &[0x0f, 0x95, 0xc0],                   // setne al
    &[0x0f, 0xb6, 0xc0],                   // movzx eax, al
    &[0x85, 0xc0],                         // test eax, eax
    &[0x83, 0xf8, 2],                      // cmp eax, 2
    &[0x48, 0x0f, 0x44, 0xc2],             // cmove rax, rdx
    &[0x0f, 0x43, 0xd8],                   // cmovae ebx, eax
    &[0x19, 0xc0],                         // sbb eax, eax
    &[0x83, 0xc8, 16],                     // or eax, 16
    &[0xf7, 0xd0],                         // not eax
    &[0x89, 0xc7],                         // mov edi, eax
    &[0x89, 0xfb],                         // mov ebx, edi
    &[0x50],                               // push rax
    &[0x58],                               // pop rax
    &[0x89, 0x44, 0x24, 0xf8],             // mov [rsp-8], eax
    &[0x8b, 0x44, 0x24, 0xf8],             // mov eax, [rsp-8]
    &[0xff, 0xd0],                         // call rax
    &[0xc3],                               // ret
];

/// Makes instructions of bytes; where functions begin is noted.
fn text(bytes: &[u8], starts: &mut Vec<u64>) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::new();
    let mut calls: Vec<(usize, usize)> = Vec::new();
    starts.push(TEXT);
    for pair in bytes.chunks_exact(2).take(MOST) {
        let (kind, by) = (usize::from(pair[0]), pair[1]);
        // A word of the data, as the instruction's end sees it.
        let data = |out: &Vec<u8>, length: u64| {
            let end = TEXT + out.len() as u64 + length;
            let word = DATA + u64::from(by) % WORDS as u64 * 8;
            (word.wrapping_sub(end) as u32).to_le_bytes()
        };
        match kind % 40 {
            place @ 0..30 => out.extend(PLAIN[place]),
            30 => out.extend([0x74, by % 64]),
            31 => out.extend([0x75, by % 64]),
            32 => out.extend([0x72, by % 64]),
            33 => out.extend([0xeb, by % 64]),
            34 | 35 => {
                // call or jmp to a function
                out.push(if kind % 40 == 34 { 0xe8 } else { 0xe9 });
                calls.push((out.len(), usize::from(by)));
                out.extend([0; 4]);
            }
            36 => {
                let word = data(&out, 6);
                out.extend([0xff, 0x15].into_iter().chain(word)); // call [word]
            }
            37 => {
                let word = data(&out, 7);
                let op = if by < 128 { 0x8b } else { 0x89 };
                out.extend([0x48, op, 0x05].into_iter().chain(word)); // mov rax, [word] or back
            }
            38 => {
                out.extend([0x48, 0x8d, 0x05]); // lea rax, function
                calls.push((out.len(), usize::from(by)));
                out.extend([0; 4]);
            }
            _ => {
                out.push(0xc3);
                if starts.len() < FUNCTIONS {
                    starts.push(TEXT + out.len() as u64);
                }
            }
        }
    }
    out.push(0xc3);
    for (at, number) in calls {
        let to = starts[number % starts.len()];
        let from = TEXT + at as u64 + 4;
        out[at..at + 4].copy_from_slice(&(to.wrapping_sub(from) as u32).to_le_bytes());
    }
    out
}

/// A program for x86-64.
fn program(bytes: &[u8]) -> Vec<u8> {
    let (head, rest) = bytes.split_at(bytes.len().min(WORDS));
    let mut starts = Vec::new();
    let text = text(rest, &mut starts);
    elf::program(62, &text, &elf::words(head, &starts), &starts)
}

fuzz_target!(|bytes: &[u8]| {
    let program = program(bytes);
    for (isa, is_all) in [("x86-64", false), ("x86-64-v4+sha", true)] {
        let baseline = Baseline::parse(isa).expect("a level");
        let report = leaks(&program, &baseline).expect("a sound program");
        let counts = &report.counts;
        let states = [
            counts.guarded,
            counts.leaks,
            counts.insufficient,
            counts.exported,
            counts.unknown,
            counts.unreferenced,
        ];
        assert_eq!(states.iter().sum::<u64>(), counts.above);
        assert!(!is_all || counts.above == 0);
    }
});
