//! Functions of C that call what they are given, as code that is run like the program's.

use super::{exits, sorting, waits};
use crate::a64::stubs as arm;
use crate::windows::stubs as windows;

/// `pthread_create(_, _, f, x)`: `f(x)`, and that it ended; then 0.
const THREAD: &[u8] = &[
    0x48, 0x89, 0xcf, // mov rdi, rcx
    0xff, 0xd2, // call rdx
    0x48, 0x8b, 0x0c, 0x24, // mov rcx, [rsp]
    0x48, 0x89, 0x41, 0x08, // mov qword [rcx+8], rax
    0xc7, 0x01, 0x01, 0x00, 0x00, 0x00, // mov dword [rcx], 1
    0x31, 0xc0, // xor eax, eax
    0xc3, // ret
];
/// `pthread_once(c, f)`: `f()` where `*c` is not 2 yet, then 0.
const ONCE: &[u8] = &[
    0x83, 0x3f, 0x02, // cmp dword [rdi], 2
    0x74, 0x10, // je end
    0xc7, 0x07, 0x02, 0x00, 0x00, 0x00, // mov dword [rdi], 2
    0x48, 0x83, 0xec, 0x08, // sub rsp, 8
    0xff, 0xd6, // call rsi
    0x48, 0x83, 0xc4, 0x08, // add rsp, 8
    0x31, 0xc0, // end: xor eax, eax
    0xc3, // ret
];
/// `std::thread::_M_start_thread(this, unique_ptr<State>, _)`: takes it, `state->_M_run()`, and its
/// end.
const STARTED: &[u8] = &[
    0x48, 0x8b, 0x3e, // mov rdi, [rsi]
    0x48, 0xc7, 0x06, 0x00, 0x00, 0x00, 0x00, // mov qword [rsi], 0
    0x48, 0x89, 0x7c, 0x24, 0x08, // mov qword [rsp+8], rdi
    0x48, 0x8b, 0x07, // mov rax, [rdi]
    0xff, 0x50, 0x10, // call qword [rax+16]
    0x48, 0x8b, 0x7c, 0x24, 0x08, // mov rdi, [rsp+8]
    0x48, 0x8b, 0x07, // mov rax, [rdi]
    0xff, 0x50, 0x08, // call qword [rax+8]
    0x48, 0x8b, 0x0c, 0x24, // mov rcx, [rsp]
    0xc7, 0x01, 0x01, 0x00, 0x00, 0x00, // mov dword [rcx], 1
    0xc3, // ret
];

/// Bytes from one to the next.
const EACH: u64 = 256;
const ALL: [(&[&str], &[u8]); 8] = [
    (&["pthread_create"], THREAD),
    (&["pthread_once", "call_once", "__gthread_once"], ONCE),
    (
        &["_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE"],
        STARTED,
    ),
    (&["exit"], exits::CODE),
    (&["qsort", "qsort_r"], sorting::QSORT),
    (&["bsearch"], sorting::BSEARCH),
    (&["lfind"], sorting::LFIND),
    (&["lsearch"], sorting::LSEARCH),
];
/// Of Windows' functions, which lie behind these, the same function goes by the other convention.
const OF_BOTH: &str = "exit";
/// Bytes of all.
pub(crate) const SIZE: u64 = EACH * (OF_X86 + arm::ALL.len()) as u64;
/// Those of AArch64 lie behind all of these.
const OF_X86: usize = BEFORE + waits::ALL.len();
/// How many lie before those that wait.
const BEFORE: usize = ALL.len() + windows::ALL.len();

/// Where a function's code is, from the first.
pub(crate) fn of(name: &str, is_windows: bool) -> Option<u64> {
    let all = ALL.iter().chain(&windows::ALL).chain(&waits::ALL);
    let is_here = |at: usize| {
        let of_windows = (ALL.len()..BEFORE).contains(&at);
        of_windows == (is_windows && name != OF_BOTH)
    };
    let mut all = all.enumerate().filter(|(at, _)| is_here(*at));
    let (at, _) = all.find(|(_, (names, _))| names.contains(&name))?;
    Some(at as u64 * EACH)
}

/// The same of AArch64's.
pub(crate) fn of_arm(name: &str) -> Option<u64> {
    let at = (arm::ALL.iter()).position(|(names, _)| names.contains(&name))?;
    Some((OF_X86 + at) as u64 * EACH)
}

fn code(at: u64) -> &'static [u8] {
    let at = (at / EACH) as usize;
    if let Some(at) = at.checked_sub(OF_X86) {
        return arm::ALL[at].1;
    }
    match ALL.get(at) {
        Some((_, bytes)) => bytes,
        None => match at.checked_sub(BEFORE) {
            Some(at) => waits::ALL[at].1,
            None => windows::ALL[at - ALL.len()].1,
        },
    }
}

/// Where code is that only returns.
pub(crate) fn back(is_arm: bool) -> u64 {
    let of_arm = || arm::ALL.iter().position(|(_, code)| *code == arm::RETURNS);
    match is_arm.then(of_arm).flatten() {
        Some(at) => (OF_X86 + at) as u64 * EACH + arm::RETURNS.len() as u64 - 4,
        None => ONCE.len() as u64 - 1 + EACH,
    }
}

/// Whether code starts a thread: what it calls may run at any other time too.
pub(crate) fn is_thread(code: u64) -> bool {
    [THREAD, STARTED, waits::THREAD, windows::THREAD].contains(&self::code(code))
        || arm::THREADS.contains(&self::code(code))
}

/// The code from there.
pub(crate) fn bytes(at: u64) -> &'static [u8] {
    code(at).get((at % EACH) as usize..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use iced_x86::Code as C;
    use iced_x86::Register::{self, EAX, None as No, RAX, RCX, RDI, RDX, RSI, RSP};
    use iced_x86::{Decoder, DecoderOptions};

    /// Of an instruction: what it is, its first register or base, its second, and its number.
    type Said = (C, Register, Register, u64);

    fn said(bytes: &[u8]) -> Vec<Said> {
        let decoder = Decoder::with_ip(64, bytes, 0, DecoderOptions::NONE);
        let one = |it: iced_x86::Instruction| {
            let last = it.op_count().saturating_sub(1);
            let number = match it.is_jcc_short_or_near() {
                true => it.near_branch_target(),
                false => it.try_immediate(last).unwrap_or(it.memory_displacement64()),
            };
            let of = |register, is_there| match is_there {
                true => register,
                false => it.memory_base(),
            };
            let first = of(it.op0_register(), it.op0_register() != No);
            let second = match it.op_count() {
                2 => of(
                    it.op1_register(),
                    it.op1_register() != No || first == it.memory_base(),
                ),
                _ => No,
            };
            (it.code(), first, second, number)
        };
        decoder.into_iter().map(one).collect()
    }

    const DOWN: Said = (C::Sub_rm64_imm8, RSP, No, 8);
    const UP: Said = (C::Add_rm64_imm8, RSP, No, 8);
    const NONE: Said = (C::Xor_rm32_r32, EAX, EAX, 0);
    const BACK: Said = (C::Retnq, No, No, 0);

    #[test]
    fn a_thread_calls_what_it_is_given() {
        let given = (C::Mov_rm64_r64, RDI, RCX, 0);
        let call = (C::Call_rm64, RDX, No, 0);
        let thread = (C::Mov_r64_rm64, RCX, RSP, 0);
        let result = (C::Mov_rm64_r64, RCX, RAX, 8);
        let ended = (C::Mov_rm32_imm32, RCX, No, 1);
        let all = [given, call, thread, result, ended, NONE, BACK];
        assert_eq!(said(THREAD), all);
        let given = (C::Mov_rm64_r64, RDI, RDX, 0);
        let call = (C::Call_rm64, RSI, No, 0);
        let all = [given, call, thread, result, ended, NONE, BACK];
        assert_eq!(said(waits::THREAD), all);
    }

    #[test]
    fn once_calls_unless_it_is_done() {
        let all = [
            (C::Cmp_rm32_imm8, RDI, No, 2),
            // To where the result is made.
            (C::Je_rel8_64, No, No, ONCE.len() as u64 - 3),
            (C::Mov_rm32_imm32, RDI, No, 2),
            DOWN,
            (C::Call_rm64, RSI, No, 0),
            UP,
            NONE,
            BACK,
        ];
        assert_eq!(said(ONCE), all);
    }

    #[test]
    fn a_started_thread_runs_its_state() {
        let state = (C::Mov_r64_rm64, RDI, RSI, 0);
        let taken = (C::Mov_rm64_imm32, RSI, No, 0);
        let kept = (C::Mov_rm64_r64, RSP, RDI, 8);
        let table = (C::Mov_r64_rm64, RAX, RDI, 0);
        let run = (C::Call_rm64, RAX, No, 16);
        let again = (C::Mov_r64_rm64, RDI, RSP, 8);
        let end = (C::Call_rm64, RAX, No, 8);
        let thread = (C::Mov_r64_rm64, RCX, RSP, 0);
        let ended = (C::Mov_rm32_imm32, RCX, No, 1);
        let all = [
            state, taken, kept, table, run, again, table, end, thread, ended, BACK,
        ];
        assert_eq!(said(STARTED), all);
    }

    #[test]
    fn each_is_found_by_its_names() {
        for (names, bytes) in ALL.iter().chain(&waits::ALL) {
            assert!(bytes.len() as u64 <= EACH);
            for name in *names {
                let at = of(name, false).expect("a function of C");
                assert!(at + EACH <= SIZE);
                assert_eq!(super::bytes(at), *bytes);
                assert_eq!(super::bytes(at + 4), &bytes[4..]);
                let is_thread = name.contains("start_thread") || name.contains("create");
                assert_eq!(super::is_thread(at), is_thread, "{name}");
            }
        }
        assert_eq!(super::bytes(back(false)), [0xc3]);
        assert_eq!(of("sort", false), None);
        assert_eq!(of("CreateThread", false), None);
        assert_eq!(of("bsearch", true), None);
        assert_eq!(of("exit", true), of("exit", false));
        let at = of("CreateThread", true).expect("a function of Windows'");
        assert_eq!(
            (super::bytes(at), super::is_thread(at)),
            (windows::THREAD, true)
        );
    }

    /// Windows' `qsort` is given the address of its bridge, and of what sorts.
    #[test]
    fn what_sorts_on_windows_knows_where_its_parts_lie() {
        let at = of("qsort", true).expect("a function of C");
        let numbers: Vec<u64> = said(code(at))
            .into_iter()
            .filter(|(it, ..)| *it == C::Mov_r64_imm64)
            .map(|(.., number)| number)
            .collect();
        let other = of("qsort", false).expect("a function of C");
        let from = crate::memory::STUBS;
        assert_eq!(numbers[1..], [from + at + EACH, from + other]);
        let bridge = said(code(at + EACH));
        assert!(bridge.iter().any(|(.., number)| *number == numbers[0]));
        for (_, bytes) in windows::ALL {
            let starts: Vec<u64> = (Decoder::with_ip(64, bytes, 0, DecoderOptions::NONE))
                .into_iter()
                .map(|it| it.ip())
                .collect();
            for (it, _, _, to) in said(bytes) {
                let is_jump = it.is_jcc_short_or_near() || it.is_jmp_short_or_near();
                assert!(!is_jump || starts.contains(&to));
            }
        }
    }
}
