//! Prologue and epilogue of functions that use all general registers.

/// Saves the callee-saved registers and allocates `$frame` bytes.
macro_rules! save {
    ($frame:literal) => { concat!(
        save!(@ "rbx" "rbp" "r12" "r13" "r14" "r15"),
        "sub rsp,", $frame, "\n .cfi_adjust_cfa_offset ", $frame, "\n",
    ) };
    (@ $($r:literal)*) => { concat!($("push ", $r, "\n .cfi_adjust_cfa_offset 8\n .cfi_rel_offset ", $r, ",0\n",)*) };
}

/// Restores what `save!` saved.
macro_rules! restore {
    ($frame:literal) => { concat!(
        "add rsp,", $frame, "\n .cfi_adjust_cfa_offset -", $frame, "\n",
        restore!(@ "r15" "r14" "r13" "r12" "rbp" "rbx"),
    ) };
    (@ $($r:literal)*) => { concat!($("pop ", $r, "\n .cfi_adjust_cfa_offset -8\n .cfi_restore ", $r, "\n",)*) };
}

/// Loads the initial chaining value from r13.
macro_rules! start {
    () => {
        "mov eax,[r13]\n mov ecx,[r13+4]\n mov edx,[r13+8]\n mov ebx,[r13+12]\n \
         mov esi,[r13+16]\n mov edi,[r13+20]\n mov ebp,[r13+24]\n mov r8d,[r13+28]\n"
    };
}

/// Stores the final chaining value to r13.
macro_rules! end {
    () => {
        "mov [r13],eax\n mov [r13+4],ecx\n mov [r13+8],edx\n mov [r13+12],ebx\n \
         mov [r13+16],esi\n mov [r13+20],edi\n mov [r13+24],ebp\n mov [r13+28],r8d\n"
    };
}
