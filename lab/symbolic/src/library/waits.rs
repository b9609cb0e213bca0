//! Functions of C and C++ that start threads as C11 has them, or wait for others, as code that is
//! run like the program's. Where that pauses others go on.

/// `thrd_create(_, f, x)`: `f(x)`, and that it ended; then 0.
pub(crate) const THREAD: &[u8] = &[
    0x48, 0x89, 0xd7, // mov rdi, rdx
    0xff, 0xd6, // call rsi
    0x48, 0x8b, 0x0c, 0x24, // mov rcx, [rsp]
    0x48, 0x89, 0x41, 0x08, // mov qword [rcx+8], rax
    0xc7, 0x01, 0x01, 0x00, 0x00, 0x00, // mov dword [rcx], 1
    0x31, 0xc0, // xor eax, eax
    0xc3, // ret
];
/// `pthread_join(t, p)`: waits until that ended.
const JOIN: &[u8] = &[
    0x83, 0x3f, 0x00, // first: cmp dword [rdi], 0
    0x75, 0x04, // jne second
    0xf3, 0x90, // pause
    0xeb, 0xf7, // jmp first
    0x48, 0x85, 0xf6, // second: test rsi, rsi
    0x74, 0x07, // je third
    0x48, 0x8b, 0x47, 0x08, // mov rax, [rdi+8]
    0x48, 0x89, 0x06, // mov qword [rsi], rax
    0x31, 0xc0, // third: xor eax, eax
    0xc3, // ret
];
/// `thrd_join(t, p)`.
const C_JOIN: &[u8] = &[
    0x83, 0x3f, 0x00, // first: cmp dword [rdi], 0
    0x75, 0x04, // jne second
    0xf3, 0x90, // pause
    0xeb, 0xf7, // jmp first
    0x48, 0x85, 0xf6, // second: test rsi, rsi
    0x74, 0x05, // je third
    0x8b, 0x47, 0x08, // mov eax, dword [rdi+8]
    0x89, 0x06, // mov dword [rsi], eax
    0x31, 0xc0, // third: xor eax, eax
    0xc3, // ret
];
/// `std::thread::join(this)`.
const JOINED: &[u8] = &[
    0x48, 0x8b, 0x07, // first: mov rax, [rdi]
    0x83, 0x38, 0x00, // cmp dword [rax], 0
    0x75, 0x04, // jne second
    0xf3, 0x90, // pause
    0xeb, 0xf4, // jmp first
    0x48, 0xc7, 0x07, 0x00, 0x00, 0x00, 0x00, // second: mov qword [rdi], 0
    0xc3, // ret
];
/// Others go on. A condition may be waited for in vain: who waits looks again.
const REST: &[u8] = &[
    0xf3, 0x90, // pause
    0x31, 0xc0, // xor eax, eax
    0xc3, // ret
];
/// `std::__atomic_futex_unsigned_base::_M_futex_wait_until(…)`: it was not too long.
const FUTURE: &[u8] = &[
    0xf3, 0x90, // pause
    0xb8, 0x01, 0x00, 0x00, 0x00, // mov eax, 1
    0xc3, // ret
];
/// `sem_init(s, _, n)`.
const SEMAPHORE: &[u8] = &[
    0x89, 0x17, // mov dword [rdi], edx
    0x31, 0xc0, // xor eax, eax
    0xc3, // ret
];
/// `sem_post(s)`.
const POST: &[u8] = &[
    0xff, 0x07, // inc dword [rdi]
    0x31, 0xc0, // xor eax, eax
    0xc3, // ret
];
/// `sem_wait(s)`: waits until there is one.
const WAIT: &[u8] = &[
    0x83, 0x3f, 0x00, // first: cmp dword [rdi], 0
    0x75, 0x04, // jne second
    0xf3, 0x90, // pause
    0xeb, 0xf7, // jmp first
    0xff, 0x0f, // second: dec dword [rdi]
    0x31, 0xc0, // xor eax, eax
    0xc3, // ret
];
/// `sem_trywait(s)`.
const TRY: &[u8] = &[
    0x83, 0x3f, 0x00, // cmp dword [rdi], 0
    0x75, 0x06, // jne first
    0xb8, 0xff, 0xff, 0xff, 0xff, // mov eax, -1
    0xc3, // ret
    0xff, 0x0f, // first: dec dword [rdi]
    0x31, 0xc0, // xor eax, eax
    0xc3, // ret
];
/// `pthread_barrier_init(b, _, n)`: how many are waited for, how many came, and which time it is.
const BARRIER: &[u8] = &[
    0x89, 0x17, // mov dword [rdi], edx
    0x48, 0xc7, 0x47, 0x04, 0x00, 0x00, 0x00, 0x00, // mov qword [rdi+4], 0
    0x31, 0xc0, // xor eax, eax
    0xc3, // ret
];
/// `pthread_barrier_wait(b)`.
const MEET: &[u8] = &[
    0x8b, 0x4f, 0x08, // mov ecx, dword [rdi+8]
    0xff, 0x47, 0x04, // inc dword [rdi+4]
    0x8b, 0x47, 0x04, // mov eax, dword [rdi+4]
    0x3b, 0x07, // cmp eax, dword [rdi]
    0x74, 0x0a, // je second
    0xf3, 0x90, // first: pause
    0x3b, 0x4f, 0x08, // cmp ecx, dword [rdi+8]
    0x74, 0xf9, // je first
    0x31, 0xc0, // xor eax, eax
    0xc3, // ret
    0xc7, 0x47, 0x04, 0x00, 0x00, 0x00, 0x00, // second: mov dword [rdi+4], 0
    0xff, 0x47, 0x08, // inc dword [rdi+8]
    0xb8, 0xff, 0xff, 0xff, 0xff, // mov eax, -1
    0xc3, // ret
];

/// Those that may return though nobody else runs: as code only where somebody does.
pub(crate) const RESTS: [&str; 12] = [
    "syscall",
    "sched_yield",
    "thrd_yield",
    "thrd_sleep",
    "sleep",
    "usleep",
    "nanosleep",
    "clock_nanosleep",
    "pthread_cond_timedwait",
    "pthread_cond_clockwait",
    "cnd_timedwait",
    "sem_timedwait",
];
/// Those that wait for a condition, and for a future.
pub(crate) const CONDITIONS: [&str; 3] = [
    "pthread_cond_wait",
    "cnd_wait",
    "_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE",
];
pub(crate) const FUTURES: [&str; 1] = [
    "_ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_untilEPjjbNSt6chrono8durationI\
     lSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE",
];
/// Names and code.
pub(super) const ALL: [(&[&str], &[u8]); 13] = [
    (&["thrd_create"], THREAD),
    (&["pthread_join"], JOIN),
    (&["thrd_join"], C_JOIN),
    (&["_ZNSt6thread4joinEv"], JOINED),
    (&CONDITIONS, REST),
    (&RESTS, REST),
    (&FUTURES, FUTURE),
    (&["sem_init"], SEMAPHORE),
    (&["sem_post"], POST),
    (&["sem_wait"], WAIT),
    (&["sem_trywait"], TRY),
    (&["pthread_barrier_init"], BARRIER),
    (&["pthread_barrier_wait"], MEET),
];
