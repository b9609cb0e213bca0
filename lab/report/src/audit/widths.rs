//! Classes of vector instructions, as each machine calls them.
//!
//! x86-64 is told by the width of registers, AArch64 by the architecture's parts, whose
//! registers have one width (Advanced SIMD) or whichever the CPU has (SVE).

use crate::document::{Column, Value};
use karat_model::audit::{BinaryAudit, Census};
use karat_model::bloat::Amount;

/// One class.
pub struct Width {
    /// Heading of a column.
    pub name: &'static str,
    /// Heading of a row.
    pub long: &'static str,
    /// What the heading of a column means.
    pub meaning: &'static str,
    /// How many a census has.
    pub of: fn(&Census) -> u64,
    /// How many a side of growth has.
    pub amount: fn(&Amount) -> u64,
    /// Bytes of those.
    pub bytes: fn(&Amount) -> u64,
}

/// Those of x86-64, the widest first.
static X86: [Width; 3] = [
    Width {
        name: "zmm",
        long: "zmm (512 bits)",
        meaning: "512-bit instructions",
        of: |c| c.zmm,
        amount: |a| a.zmm,
        bytes: |a| a.zmm_bytes,
    },
    Width {
        name: "ymm",
        long: "ymm (256 bits)",
        meaning: "256-bit instructions",
        of: |c| c.ymm,
        amount: |a| a.ymm,
        bytes: |a| a.ymm_bytes,
    },
    Width {
        name: "xmm",
        long: "xmm (128 bits)",
        meaning: "128-bit instructions",
        of: |c| c.xmm,
        amount: |a| a.xmm,
        bytes: |a| a.xmm_bytes,
    },
];

/// Those of AArch64.
static AARCH64: [Width; 2] = [
    Width {
        name: "SVE",
        long: "SVE and SME",
        meaning: "scalable vectors and matrices",
        of: |c| c.sve,
        amount: |a| a.sve,
        bytes: |a| a.sve * 4,
    },
    Width {
        name: "Advanced SIMD",
        long: "Advanced SIMD and floating point",
        meaning: "128-bit vectors and floating point",
        of: |c| c.simd,
        amount: |a| a.simd,
        bytes: |a| a.simd * 4,
    },
];

/// The classes of one or more files.
pub struct Widths(Vec<&'static Width>);

impl Widths {
    /// Those of the machines that the audits are of: an archive may have members for
    /// several.
    pub fn of<'a>(audits: impl IntoIterator<Item = &'a BinaryAudit>) -> Self {
        let (mut arm, mut other) = (false, false);
        for audit in audits {
            let is_arm = audit.is_for("AArch64");
            arm |= is_arm;
            other |= !is_arm || audit.is_for("x86-64");
        }
        let x86 = X86.iter().filter(|_| other || !arm);
        Self(x86.chain(AARCH64.iter().filter(|_| arm)).collect())
    }

    /// All of them, those first that a bar shows.
    pub fn all(&self) -> impl DoubleEndedIterator<Item = &'static Width> + '_ {
        self.0.iter().copied()
    }

    /// The two that bars and areas show.
    pub fn bar(&self) -> [&'static Width; 2] {
        [self.0[0], self.0[1]]
    }

    /// How many of the two a census has.
    pub fn wide(&self, census: &Census) -> u64 {
        self.bar().iter().map(|w| (w.of)(census)).sum()
    }

    /// What the two are called together.
    pub fn words(&self) -> &'static str {
        match self.0[0].name {
            "zmm" => "wide vector code",
            _ => "vector code",
        }
    }

    /// Columns of counts, with `bar` behind the two that it shows.
    pub fn columns(&self, bar: Column) -> Vec<Column> {
        let mut columns: Vec<Column> = self.all().map(|w| Column::new(w.name, w.meaning)).collect();
        columns.insert(2, bar);
        columns
    }

    /// A census in those columns, its bar on a scale that ends at `full`.
    pub fn cells(&self, census: &Census, full: u64) -> Vec<Value> {
        let mut cells: Vec<Value> = self.all().map(|w| Value::Count((w.of)(census))).collect();
        let [first, second] = self.bar();
        let bar = Value::Bar((first.of)(census), (second.of)(census), full);
        cells.insert(2, bar);
        cells
    }
}
