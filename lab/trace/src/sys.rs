//! ptrace(2) and what belongs to it, as functions that give errors.

use crate::abi::{
    GET_SYSCALL_INFO, PeekSiginfo, Request, SYSCALL_INFO_ENTRY, SYSCALL_INFO_EXIT, SyscallInfo,
};
use std::io;
use std::mem::zeroed;
use std::time::Duration;

/// Stops that are wished for: at every fork, vfork, clone, exec and exit; the program
/// does not outlive its tracer, whose end would leave breakpoints in it.
const OPTIONS: i32 = libc::PTRACE_O_TRACEFORK
    | libc::PTRACE_O_TRACEVFORK
    | libc::PTRACE_O_TRACECLONE
    | libc::PTRACE_O_TRACEEXEC
    | libc::PTRACE_O_TRACEVFORKDONE
    | libc::PTRACE_O_TRACEEXIT
    | libc::PTRACE_O_TRACESYSGOOD
    | libc::PTRACE_O_EXITKILL;

/// A request whose two last arguments are numbers.
fn request(what: Request, task: i32, address: usize, data: usize) -> io::Result<()> {
    // SAFETY: callers pass requests only that take numbers there, so that nothing in
    // this process is read or written.
    let got = unsafe { libc::ptrace(what as _, task, address, data) };
    match got {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// A request that fills a value.
fn filled<T>(what: Request, task: i32, address: usize) -> io::Result<T>
where
    T: Copy,
{
    // SAFETY: callers ask for plain numbers only, of which all-zero is a value.
    let mut out: T = unsafe { zeroed() };
    // SAFETY: the kernel writes at most the `T` that the request is defined with, or
    // `address` bytes where that says the size, into the live local.
    let got = unsafe { libc::ptrace(what as _, task, address, &raw mut out) };
    match got {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(out),
    }
}

/// Becomes the tracer of a child that runs.
pub(crate) fn seize(task: i32) -> io::Result<()> {
    request(libc::PTRACE_SEIZE, task, 0, OPTIONS as usize)
}

/// How a stopped task goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Go {
    /// Up to the next event.
    On,
    /// Up to the next system call too.
    ToSystemCall,
    /// One instruction.
    Step,
}

/// Lets a stopped task go on, with a signal (0 is none).
pub(crate) fn go(task: i32, how: Go, signal: i32) -> io::Result<()> {
    let what = match how {
        Go::On => libc::PTRACE_CONT,
        Go::ToSystemCall => libc::PTRACE_SYSCALL,
        Go::Step => libc::PTRACE_SINGLESTEP,
    };
    request(what, task, 0, signal as usize)
}

/// Leaves a task stopped by job control, and waits for what ends that.
pub(crate) fn listen(task: i32) -> io::Result<()> {
    request(libc::PTRACE_LISTEN, task, 0, 0)
}

/// Asks a running task to stop.
pub(crate) fn interrupt(task: i32) -> io::Result<()> {
    request(libc::PTRACE_INTERRUPT, task, 0, 0)
}

/// Traces a stopped task no longer; it goes on with a signal (0 is none).
pub(crate) fn detach(task: i32, signal: i32) -> io::Result<()> {
    request(libc::PTRACE_DETACH, task, 0, signal as usize)
}

/// The number that an event comes with: that of a new task, or the former one of a
/// task that has called exec.
pub(crate) fn event_message(task: i32) -> io::Result<i32> {
    let message: libc::c_ulong = filled(libc::PTRACE_GETEVENTMSG, task, 0)?;
    Ok(message as i32)
}

/// What a task was stopped by.
pub(crate) fn signal_info(task: i32) -> io::Result<libc::siginfo_t> {
    filled(libc::PTRACE_GETSIGINFO, task, 0)
}

/// Gives back what a signal came with, which a step in between has overwritten.
pub(crate) fn set_signal_info(task: i32, info: &libc::siginfo_t) -> io::Result<()> {
    // SAFETY: the kernel reads one siginfo_t from the live reference.
    let got = unsafe { libc::ptrace(libc::PTRACE_SETSIGINFO as _, task, 0, &raw const *info) };
    match got {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// Whether a `SIGTRAP` of a breakpoint waits for a stopped task.
pub(crate) fn trap_is_pending(task: i32) -> bool {
    const MOST: usize = 8;
    // SAFETY: both are plain numbers, of which all-zero is a value.
    let (mut args, mut infos): (PeekSiginfo, [libc::siginfo_t; MOST]) =
        unsafe { (zeroed(), zeroed()) };
    args.nr = MOST as i32;
    // SAFETY: the kernel reads `args` and writes at most `nr` siginfo_t, for which
    // `infos` has room.
    let got = unsafe {
        libc::ptrace(
            libc::PTRACE_PEEKSIGINFO as _,
            task,
            &raw const args,
            infos.as_mut_ptr(),
        )
    };
    let count = usize::try_from(got).unwrap_or(0).min(MOST);
    infos[..count].iter().any(is_breakpoint)
}

/// Whether a signal is the kernel's about a breakpoint instruction, and nobody's who
/// sends signals.
pub(crate) fn is_breakpoint(info: &libc::siginfo_t) -> bool {
    /// `SI_KERNEL`, which x86 gives for `int3`.
    const KERNEL: i32 = 0x80;
    info.si_signo == libc::SIGTRAP && (info.si_code == KERNEL || info.si_code == libc::TRAP_BRKPT)
}

/// The signals that a stopped task blocks, a bit each, the first for signal 1.
pub(crate) fn signal_mask(task: i32) -> io::Result<u64> {
    filled(libc::PTRACE_GETSIGMASK as _, task, size_of::<u64>())
}

/// Sets them.
pub(crate) fn set_signal_mask(task: i32, mask: u64) -> io::Result<()> {
    // SAFETY: the kernel reads eight bytes, as many as it is told, from the live local.
    let got = unsafe {
        libc::ptrace(
            libc::PTRACE_SETSIGMASK as _,
            task,
            size_of::<u64>(),
            &raw const mask,
        )
    };
    match got {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// A stop at a system call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    /// It is about to be made.
    Entry {
        /// Its number.
        number: u64,
        /// Its third argument.
        third: u64,
    },
    /// It has been made.
    Exit,
}

/// What a task does that is stopped at a system call (Linux 5.3).
pub(crate) fn system_call(task: i32) -> io::Result<Option<Call>> {
    let size = size_of::<SyscallInfo>();
    let info: SyscallInfo = filled(GET_SYSCALL_INFO, task, size)?;
    Ok(match info.op {
        SYSCALL_INFO_ENTRY => Some(Call::Entry {
            number: info.number,
            third: info.arguments[2],
        }),
        SYSCALL_INFO_EXIT => Some(Call::Exit),
        _ => None,
    })
}

/// The program counter of a stopped task.
#[cfg(target_arch = "x86_64")]
pub(crate) fn program_counter(task: i32) -> io::Result<u64> {
    let registers: libc::user_regs_struct = filled(libc::PTRACE_GETREGS as _, task, 0)?;
    Ok(registers.rip)
}

/// Sets it.
#[cfg(target_arch = "x86_64")]
pub(crate) fn set_program_counter(task: i32, value: u64) -> io::Result<()> {
    let place = std::mem::offset_of!(libc::user_regs_struct, rip);
    request(libc::PTRACE_POKEUSER, task, place, value as usize)
}

/// The general registers, as AArch64 has them: through `PTRACE_GETREGSET` only.
#[cfg(target_arch = "aarch64")]
fn registers(task: i32, what: Request, value: &mut libc::user_regs_struct) -> io::Result<()> {
    let mut vector = libc::iovec {
        iov_base: (&raw mut *value).cast(),
        iov_len: size_of::<libc::user_regs_struct>(),
    };
    // SAFETY: the kernel reads or writes at most `iov_len` bytes at `iov_base`, the live
    // reference.
    let got = unsafe { libc::ptrace(what as _, task, libc::NT_PRSTATUS as usize, &raw mut vector) };
    match got {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// The program counter of a stopped task.
#[cfg(target_arch = "aarch64")]
pub(crate) fn program_counter(task: i32) -> io::Result<u64> {
    // SAFETY: plain numbers, of which all-zero is a value.
    let mut value: libc::user_regs_struct = unsafe { zeroed() };
    registers(task, libc::PTRACE_GETREGSET as _, &mut value)?;
    Ok(value.pc)
}

/// Sets it.
#[cfg(target_arch = "aarch64")]
pub(crate) fn set_program_counter(task: i32, counter: u64) -> io::Result<()> {
    // SAFETY: plain numbers, of which all-zero is a value.
    let mut value: libc::user_regs_struct = unsafe { zeroed() };
    registers(task, libc::PTRACE_GETREGSET as _, &mut value)?;
    value.pc = counter;
    registers(task, libc::PTRACE_SETREGSET as _, &mut value)
}

/// Writes one word into the memory of a stopped task, which its protection does not
/// hinder.
pub(crate) fn poke(task: i32, address: u64, word: u64) -> io::Result<()> {
    request(libc::PTRACE_POKEDATA, task, address as usize, word as usize)
}

/// Whether two tasks share their memory; none where the kernel does not tell.
pub(crate) fn share_memory(one: i32, other: i32) -> Option<bool> {
    /// `KCMP_VM` of kcmp(2).
    const VM: i32 = 1;
    // SAFETY: numbers only.
    let order = unsafe { libc::syscall(libc::SYS_kcmp, one, other, VM, 0, 0) };
    (order >= 0).then_some(order == 0)
}

/// A task whose state has changed.
pub(crate) struct Change {
    pub task: i32,
    pub status: i32,
    pub usage: libc::rusage,
}

/// Waits for a task of this thread's, or for any of them (-1); none when there is none.
///
/// `__WNOTHREAD` leaves alone the children of karat's other threads.
pub(crate) fn wait(task: i32) -> io::Result<Option<Change>> {
    // SAFETY: plain numbers, of which all-zero is a value.
    let mut usage: libc::rusage = unsafe { zeroed() };
    let mut status = 0;
    loop {
        // SAFETY: both pointers are to live locals of the right type.
        let got = unsafe {
            libc::wait4(
                task,
                &raw mut status,
                libc::__WALL | libc::__WNOTHREAD,
                &raw mut usage,
            )
        };
        if got > 0 {
            let task = got;
            return Ok(Some(Change {
                task,
                status,
                usage,
            }));
        }
        let error = io::Error::last_os_error();
        match error.raw_os_error() {
            Some(libc::EINTR) => {}
            Some(libc::ECHILD) => return Ok(None),
            _ => return Err(error),
        }
    }
}

/// A time of an account.
pub(crate) fn duration(time: libc::timeval) -> Duration {
    let seconds = Duration::from_secs(u64::try_from(time.tv_sec).unwrap_or(0));
    seconds + Duration::from_micros(u64::try_from(time.tv_usec).unwrap_or(0))
}
