//! What the kernel's `linux/ptrace.h` says and libc knows for glibc only.

/// The type of a request: C libraries differ in its sign.
#[cfg(target_env = "musl")]
pub(crate) type Request = libc::c_int;
/// The type of a request: C libraries differ in its sign.
#[cfg(not(target_env = "musl"))]
pub(crate) type Request = libc::c_uint;

/// Says at which call a task is stopped.
pub(crate) const GET_SYSCALL_INFO: Request = 0x420e;
/// [`SyscallInfo::op`]: the call is about to be made.
pub(crate) const SYSCALL_INFO_ENTRY: u8 = 1;
/// [`SyscallInfo::op`]: the call has been made.
pub(crate) const SYSCALL_INFO_EXIT: u8 = 2;

/// `struct ptrace_syscall_info`, with the part of the union that an entry fills.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct SyscallInfo {
    pub(crate) op: u8,
    pub(crate) reserved: u8,
    pub(crate) flags: u16,
    pub(crate) arch: u32,
    pub(crate) instruction_pointer: u64,
    pub(crate) stack_pointer: u64,
    pub(crate) number: u64,
    pub(crate) arguments: [u64; 6],
    /// Where the union is longer: two fields of seccomp's.
    pub(crate) rest: [u64; 2],
}

/// `struct ptrace_peeksiginfo_args`.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct PeekSiginfo {
    pub(crate) off: u64,
    pub(crate) flags: u32,
    pub(crate) nr: i32,
}

#[cfg(target_env = "gnu")]
const _: () = {
    assert!(size_of::<SyscallInfo>() >= size_of::<libc::ptrace_syscall_info>());
    assert!(size_of::<PeekSiginfo>() == size_of::<libc::ptrace_peeksiginfo_args>());
    assert!(GET_SYSCALL_INFO == libc::PTRACE_GET_SYSCALL_INFO as Request);
    assert!(SYSCALL_INFO_ENTRY == libc::PTRACE_SYSCALL_INFO_ENTRY);
    assert!(SYSCALL_INFO_EXIT == libc::PTRACE_SYSCALL_INFO_EXIT);
};
