//! Entering and leaving functions that use all general registers.

/// Callee-saved registers, and a frame of so many bytes.
macro_rules! save {
    ($frame:literal) => { concat!(
        save!(@ "rbx" "rbp" "r12" "r13" "r14" "r15"),
        "sub rsp,", $frame, "\n .cfi_adjust_cfa_offset ", $frame, "\n",
    ) };
    (@ $($r:literal)*) => { concat!($("push ", $r, "\n .cfi_adjust_cfa_offset 8\n .cfi_rel_offset ", $r, ",0\n",)*) };
}

/// Back to what they were.
macro_rules! restore {
    ($frame:literal) => { concat!(
        "add rsp,", $frame, "\n .cfi_adjust_cfa_offset -", $frame, "\n",
        restore!(@ "r15" "r14" "r13" "r12" "rbp" "rbx"),
    ) };
    (@ $($r:literal)*) => { concat!($("pop ", $r, "\n .cfi_adjust_cfa_offset -8\n .cfi_restore ", $r, "\n",)*) };
}

/// The chaining value to begin with, at r13.
macro_rules! start {
    () => {
        "mov eax,[r13]\n mov ecx,[r13+4]\n mov edx,[r13+8]\n mov ebx,[r13+12]\n \
         mov esi,[r13+16]\n mov edi,[r13+20]\n mov ebp,[r13+24]\n mov r8d,[r13+28]\n"
    };
}

/// The one to end with, to r13.
macro_rules! end {
    () => {
        "mov [r13],eax\n mov [r13+4],ecx\n mov [r13+8],edx\n mov [r13+12],ebx\n \
         mov [r13+16],esi\n mov [r13+20],edi\n mov [r13+24],ebp\n mov [r13+28],r8d\n"
    };
}
