// Saves what the ABI wants back, and makes room for `bytes` at rsp.
.macro karat_b2_enter bytes
.irp reg, rbp, rbx, r12, r13, r14, r15
    push \reg
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset \reg, 0
.endr
    sub rsp, \bytes
    .cfi_adjust_cfa_offset \bytes
.endm

.macro karat_b2_leave bytes
    add rsp, \bytes
    .cfi_adjust_cfa_offset -\bytes
.irp reg, r15, r14, r13, r12, rbx, rbp
    pop \reg
    .cfi_adjust_cfa_offset -8
    .cfi_restore \reg
.endr
    ret
.purgem karat_b2_enter
.purgem karat_b2_leave
.endm
