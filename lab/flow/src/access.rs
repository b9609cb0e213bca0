//! What an instruction does with a register or with memory, perhaps under a condition.

use iced_x86::OpAccess;

/// Whether it reads what is there.
#[must_use]
pub fn reads(access: OpAccess) -> bool {
    matches!(
        access,
        OpAccess::Read | OpAccess::CondRead | OpAccess::ReadWrite | OpAccess::ReadCondWrite
    )
}

/// Whether it writes there.
#[must_use]
pub fn writes(access: OpAccess) -> bool {
    matches!(
        access,
        OpAccess::Write | OpAccess::CondWrite | OpAccess::ReadWrite | OpAccess::ReadCondWrite
    )
}
