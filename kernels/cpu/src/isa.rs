//! The fixed list of ISAs, and sets of ISAs.

/// One instruction set, by rustc's target-feature name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Isa(u8);

/// All names, in the order of their bits in an [`IsaSet`]: first x86-64, each family
/// from old to new, then AArch64.
const NAMES: [&str; 55] = [
    "sse3",
    "ssse3",
    "sse4.1",
    "sse4.2",
    "sse4a",
    "popcnt",
    "cmpxchg16b",
    "movbe",
    "lzcnt",
    "bmi1",
    "bmi2",
    "adx",
    "rdrand",
    "rdseed",
    "aes",
    "pclmulqdq",
    "sha",
    "avx",
    "f16c",
    "fma",
    "avx2",
    "gfni",
    "vaes",
    "vpclmulqdq",
    "avxvnni",
    "avxifma",
    "avx512f",
    "avx512cd",
    "avx512bw",
    "avx512dq",
    "avx512vl",
    "avx512ifma",
    "avx512vbmi",
    "avx512vbmi2",
    "avx512vnni",
    "avx512bitalg",
    "avx512vpopcntdq",
    "avx512bf16",
    "avx512vp2intersect",
    "avx512fp16",
    "sha512",
    "sm3",
    "sm4",
    "amx-tile",
    "amx-int8",
    "amx-bf16",
    "neon",
    "aes-arm",
    "sha2",
    "sha3",
    "crc",
    "lse",
    "dotprod",
    "sve",
    "sve2",
];

impl Isa {
    /// The ISA that rustc calls `name`, if karat can detect it.
    ///
    /// `aes` exists on both architectures. On AArch64 this list calls it `aes-arm`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let name = if cfg!(target_arch = "aarch64") && name == "aes" {
            "aes-arm"
        } else {
            name
        };
        let index = NAMES.iter().position(|n| *n == name)?;
        Some(Self(index as u8))
    }

    /// The name that rustc uses. For AArch64's `aes` it is `aes-arm`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        NAMES[self.0 as usize]
    }

    /// The same as [`Isa::named`], for constants.
    const fn constant(name: &str) -> Self {
        let name = if cfg!(target_arch = "aarch64") && same(name, "aes") {
            "aes-arm"
        } else {
            name
        };
        let mut i = 0;
        while i < NAMES.len() {
            if same(NAMES[i], name) {
                return Self(i as u8);
            }
            i += 1;
        }
        panic!("no ISA of that name");
    }

    /// All ISAs of the list.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..NAMES.len() as u8).map(Self)
    }
}

/// String equality for constants, where `==` is not available.
const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

impl core::fmt::Debug for Isa {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of ISAs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct IsaSet(u64);

impl IsaSet {
    /// The empty set: no ISA beyond the architecture's baseline.
    pub const EMPTY: Self = Self(0);

    /// The set of the ISAs that rustc calls `names`, for tables of implementations.
    ///
    /// # Panics
    /// When a name is not in the list. In a constant that is a compile error.
    #[must_use]
    pub const fn of(names: &[&str]) -> Self {
        let mut set = Self::EMPTY;
        let mut i = 0;
        while i < names.len() {
            set = set.with(Isa::constant(names[i]));
            i += 1;
        }
        set
    }

    /// The ISAs of this set that are not in `other`.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// This set with `isa` added.
    #[must_use]
    pub const fn with(self, isa: Isa) -> Self {
        Self(self.0 | 1 << isa.0)
    }

    /// Whether the set contains `isa`.
    #[must_use]
    pub const fn contains(self, isa: Isa) -> bool {
        self.0 >> isa.0 & 1 == 1
    }

    /// Whether the set contains all of `other`.
    #[must_use]
    pub const fn contains_all(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The ISAs of the set, in the order of [`Isa::all`].
    pub fn iter(self) -> impl Iterator<Item = Isa> {
        Isa::all().filter(move |i| self.contains(*i))
    }
}

impl core::fmt::Debug for IsaSet {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// The names, separated by spaces; `none` for the empty set.
impl core::fmt::Display for IsaSet {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        for (i, isa) in self.iter().enumerate() {
            write!(f, "{}{}", if i == 0 { "" } else { " " }, isa.name())?;
        }
        if *self == Self::EMPTY {
            f.write_str("none")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_fit_a_word() {
        for (i, name) in NAMES.iter().enumerate() {
            assert!(!NAMES[..i].contains(name), "{name} twice");
        }
        const { assert!(NAMES.len() <= 64) };
    }

    #[test]
    fn sets_hold_what_is_put_in() {
        let avx2 = Isa::named("avx2").unwrap();
        let sha = Isa::named("sha").unwrap();
        let both = IsaSet::EMPTY.with(avx2).with(sha);
        assert!(both.contains(avx2) && both.contains_all(IsaSet::EMPTY.with(sha)));
        assert!(!IsaSet::EMPTY.with(sha).contains_all(both));
        assert_eq!(both.iter().count(), 2);
        const BOTH: IsaSet = IsaSet::of(&["sha", "avx2"]);
        assert_eq!(BOTH, both);
        assert_eq!(both.without(IsaSet::of(&["sha"])).iter().next(), Some(avx2));
        assert_eq!(Isa::named("avx3"), None);
    }
}
