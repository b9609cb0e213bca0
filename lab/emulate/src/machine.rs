//! What programs are emulated for, and by what.

/// A kind of CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Machine {
    /// x86-64.
    X86,
    /// AArch64.
    Arm,
}

impl Machine {
    /// That of a baseline, as `--isa` takes it.
    pub fn of(isa: &str) -> Self {
        match isa.trim_start().to_ascii_lowercase().starts_with("armv") {
            true => Self::Arm,
            false => Self::X86,
        }
    }

    /// That of a file which begins so; none for what is no ELF file of these.
    pub fn of_elf(head: &[u8]) -> Option<Self> {
        // ELF for 64 bits; EM_X86_64, EM_AARCH64.
        let machine = head
            .get(18..20)
            .filter(|_| head.starts_with(b"\x7fELF\x02"))?;
        match machine {
            [62, 0] => Some(Self::X86),
            [183, 0] => Some(Self::Arm),
            _ => None,
        }
    }

    /// As messages name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::X86 => "x86-64",
            Self::Arm => "AArch64",
        }
    }

    /// The emulator.
    pub fn qemu(self) -> &'static str {
        match self {
            Self::X86 => "qemu-x86_64",
            Self::Arm => "qemu-aarch64",
        }
    }
}
