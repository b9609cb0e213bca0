//! Features of CPUs as sets, and what answers of CPUID say of them; by the tables of
//! `tables.rs`.

pub use super::tables::Register;
use super::tables::{
    ARGUMENTS, EACH, IMPLIES, LEAVES, MEMBER, NAMES, OPAQUE, OTHER, PSEUDO, TOGETHER,
};
use crate::state::{IN_REGISTERS, PASSED};
use std::collections::HashMap;
use std::ops::{BitAnd, BitOr, BitOrAssign};
use std::sync::LazyLock;

/// A set of features that are there, and of arguments that are set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord, Debug)]
pub struct Facts(u128);

impl BitOr for Facts {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Facts {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitAnd for Facts {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

/// Numbers by name. This and what follows is asked for at every instruction.
static NUMBERS: LazyLock<HashMap<&str, usize>> = LazyLock::new(|| {
    NAMES
        .iter()
        .enumerate()
        .map(|(at, name)| (*name, at))
        .collect()
});

/// By number: the feature with all that follows from it.
static CLOSURES: LazyLock<[u128; NAMES.len()]> = LazyLock::new(|| {
    let mut all = std::array::from_fn(|at| 1u128 << at);
    loop {
        let before = all;
        for (name, adds) in IMPLIES {
            let from = Facts::named(name).0;
            let more = Facts::of(adds.iter().copied()).0;
            for known in all.iter_mut().filter(|known| **known & from != 0) {
                *known |= more;
            }
        }
        if all == before {
            return all;
        }
    }
});

/// What [`TOGETHER`] adds, closed.
static TOGETHER_ADDS: LazyLock<[(Facts, Facts); TOGETHER.len()]> = LazyLock::new(|| {
    TOGETHER.map(|(one, adds)| (Facts::named(one), Facts::of(adds.iter().copied()).closed()))
});

/// What is no question about an extension yet.
static LEAVES_ONLY: LazyLock<Facts> = LazyLock::new(|| {
    Facts::named("the highest leaf") | Facts::opaque(false) | Facts::opaque(true) | Facts::member()
});

/// Bits of answers by leaf, subleaf and register: what each says when it is one.
static ANSWERS: LazyLock<HashMap<(u32, u32, Register), [Facts; 32]>> = LazyLock::new(|| {
    let other = Facts::named(NAMES[OTHER]);
    let mut out = HashMap::new();
    for (leaf, subleaf, register, bits) in LEAVES {
        let word = out.entry((leaf, subleaf, register)).or_insert([other; 32]);
        for (bit, name) in bits {
            // With what follows, so that what two have in common is seen.
            word[usize::from(*bit)] = Facts::named(name).closed();
        }
    }
    out
});

/// The bits of an argument: the first of its low ones, and whether it is not zero.
fn argument_bits(number: u8) -> (u32, u32) {
    let number = u32::from(number);
    match number.checked_sub(IN_REGISTERS as u32) {
        None => {
            let first = ARGUMENTS + number * EACH;
            (first, first + EACH - 1)
        }
        Some(stacked) => {
            let any = ARGUMENTS + IN_REGISTERS as u32 * EACH + stacked;
            (any, any)
        }
    }
}

fn number(name: &str) -> Option<usize> {
    NUMBERS.get(name).copied()
}

impl Facts {
    /// Nothing is known.
    pub const NONE: Self = Self(0);
    /// What is known where nothing ever gets.
    pub const ALL: Self = Self(u128::MAX);

    /// One feature, by its name; of an unknown one, a feature that nothing implies.
    #[must_use]
    pub fn named(name: &str) -> Self {
        Self(1 << number(name).unwrap_or(OTHER))
    }

    /// One feature, by its name, if there is one of that name.
    #[must_use]
    pub fn known(name: &str) -> Option<Self> {
        number(name)
            .filter(|at| *at < OTHER)
            .map(|at| Self(1 << at).closed())
    }

    /// Several.
    pub fn of<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        let each = names.into_iter().map(Self::named);
        each.fold(Self::NONE, |all, one| all | one)
    }

    /// All extensions there are: what a user vouches for.
    #[must_use]
    pub fn vouched() -> Self {
        Self((1 << PSEUDO) - 1)
    }

    /// A bit of an argument is set; other bits than the low eight say only that it is
    /// not zero.
    #[must_use]
    pub fn argument(number: u8, bit: Option<u8>) -> Self {
        let (first, any) = argument_bits(number);
        Self(match bit {
            Some(bit) if first + u32::from(bit) < any => {
                1u128 << (first + u32::from(bit)) | 1u128 << any
            }
            _ => 1u128 << any,
        })
    }

    /// The arguments that are known of: number, and the bit if it is one.
    pub fn arguments(self) -> impl Iterator<Item = (u8, Option<u8>)> {
        let all = (0..PASSED as u8).flat_map(|number| {
            let (first, any) = argument_bits(number);
            let bits = (0..(any - first) as u8).map(Some);
            bits.chain([None]).map(move |bit| (number, bit))
        });
        all.filter(move |(number, bit)| {
            let (first, any) = argument_bits(*number);
            let at = bit.map_or(any, |bit| first + u32::from(bit));
            self.0 >> at & 1 == 1
        })
    }

    /// Whether it is nothing.
    #[must_use]
    pub fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Only extensions: not the vendor, a leaf or an argument.
    #[must_use]
    pub fn extensions(self) -> Self {
        Self(self.0 & ((1 << PSEUDO) - 1))
    }

    /// Without what is said of arguments.
    #[must_use]
    pub fn features(self) -> Self {
        Self(self.0 & ((1 << ARGUMENTS) - 1))
    }

    /// Only what is said of arguments.
    #[must_use]
    pub fn of_arguments(self) -> Self {
        Self(self.0 & !((1 << ARGUMENTS) - 1))
    }

    /// With everything that follows.
    #[must_use]
    pub fn closed(self) -> Self {
        let mut all = self.0;
        let mut rest = self.0 & ((1 << NAMES.len()) - 1);
        while rest != 0 {
            all |= CLOSURES[rest.trailing_zeros() as usize];
            rest &= rest - 1;
        }
        Self(all)
    }

    /// With what CPUs that are sold have together.
    #[must_use]
    pub fn together(self) -> Self {
        let all = self.closed();
        let added = TOGETHER_ADDS.iter();
        let added = added.filter(|(one, _)| all & *one != Self::NONE);
        added.fold(all, |all, (_, adds)| all | *adds)
    }

    /// What of these features `known` does not imply.
    #[must_use]
    pub fn without(self, known: Self) -> Self {
        // One extension that is not told apart is not another.
        let known = match known.0 & Self::vouched().0 == Self::vouched().0 {
            true => known,
            false => Self(known.0 & !(1 << OTHER)),
        };
        Self(self.0 & !known.closed().0)
    }

    /// Names of features, without those that others of them imply.
    #[must_use]
    pub fn names(self) -> Vec<String> {
        if self == Self::ALL {
            return Vec::new();
        }
        let has = |at: usize| self.0 >> at & 1 == 1;
        let is_implied = |at: usize| {
            // What the system saves implies that the CPU has it, but who asks for both asks for
            // both.
            let says_more = |other: usize| at >= PSEUDO || other < PSEUDO;
            (0..NAMES.len()).any(|other| {
                other != at && has(other) && says_more(other) && CLOSURES[other] >> at & 1 == 1
            })
        };
        (0..OPAQUE)
            .filter(|at| has(*at) && !is_implied(*at))
            .map(|at| NAMES[at].to_owned())
            .collect()
    }

    /// A side of a question that was not understood.
    #[must_use]
    pub fn opaque(side: bool) -> Self {
        Self(1 << (OPAQUE + usize::from(side)))
    }

    /// Whether something that was not understood had to hold.
    #[must_use]
    pub fn is_opaque(self) -> bool {
        self.0 >> OPAQUE & 0b11 != 0
    }

    /// That it rests on what a member of a structure holds, which is as good as that all
    /// stores to it were seen, or on somebody's word about a name.
    #[must_use]
    pub fn member() -> Self {
        Self(1 << MEMBER)
    }

    /// Whether it rests on a member of a structure or on somebody's word.
    #[must_use]
    pub fn is_member(self) -> bool {
        self != Self::ALL && self.0 >> MEMBER & 1 == 1
    }

    /// Without all features where it holds every one there is: no CPU has them, so it is
    /// somebody's word that what is needed is there.
    #[must_use]
    pub fn named_ones(self) -> Self {
        match self.extensions() == Self::vouched() {
            true => Self::NONE,
            false => self.features(),
        }
    }

    /// Whether all that it says is that some bit is set that is not told apart.
    #[must_use]
    pub fn is_vague(self) -> bool {
        self.0 >> OTHER & 1 == 1 && self.0 & ((1 << OTHER) - 1) == 0
    }

    /// Whether it holds that the CPU's family and model were asked for: the model may be one that
    /// has all that is needed.
    #[must_use]
    pub fn is_by_model(self) -> bool {
        static MODEL: LazyLock<Facts> = LazyLock::new(|| Facts::named("the model"));
        self.0 & MODEL.0 != 0
    }

    /// Whether it says more than that a leaf is there, which asks for nothing yet.
    #[must_use]
    pub fn says(self) -> bool {
        self.0 & !LEAVES_ONLY.0 != 0
    }

    /// Whether it holds an extension, not only the vendor, the model or a leaf.
    #[must_use]
    pub fn has_extension(self) -> bool {
        self.0 & ((1 << PSEUDO) - 1) != 0
    }
}

/// What a bit of CPUID's answer says when it is one, and when it is zero.
#[must_use]
pub fn cpuid_bit(leaf: u32, subleaf: u32, register: Register, bit: u8) -> (Facts, Facts) {
    let both = |name| (Facts::named(name), Facts::named(name));
    match (leaf, register) {
        (0 | 0x8000_0000, Register::A) => return both("the highest leaf"),
        (0 | 0x8000_0000 | 0x8000_0002..=0x8000_0004, _) => return both("the vendor"),
        (1, Register::A) => return both("the model"),
        _ => {}
    }
    // Leaves other than these do not go by the subleaf.
    let subleaf = if matches!(leaf, 7 | 0xd) { subleaf } else { 0 };
    // What no extension here goes by is still something else than what is needed.
    let known = ANSWERS.get(&(leaf, subleaf, register));
    let one = known.and_then(|word| word.get(usize::from(bit)).copied());
    (
        one.unwrap_or_else(|| Facts::named(NAMES[OTHER])),
        Facts::NONE,
    )
}

/// What a bit of XCR0 says when it is one (Intel SDM, volume 1, 13.3).
#[must_use]
pub fn xcr0_bit(bit: u8) -> Facts {
    match bit {
        2 => Facts::named("the operating system's AVX state").closed(),
        5..=7 => Facts::named("the operating system's AVX-512 state").closed(),
        _ => Facts::NONE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_implies_what() {
        let need = Facts::of(["avx2", "bmi2"]);
        assert!(
            Facts::named("avx2")
                .without(Facts::named("avx512vl"))
                .is_none()
        );
        assert_eq!(need.without(Facts::named("avx512f")), Facts::named("bmi2"));
        assert_eq!(need.without(Facts::named("sse4.2")), need);
        assert!(need.without(Facts::named("avx2").together()).is_none());
        assert!(
            !Facts::named("avx512f")
                .without(Facts::named("avx2").together())
                .is_none()
        );
        assert!(
            !Facts::named("bmi2")
                .without(Facts::named("bmi1").together())
                .is_none()
        );
        assert!(Facts::named("x").without(Facts::vouched()).is_none());
        assert!(!Facts::named("x").without(Facts::named("avx512f")).is_none());
    }

    #[test]
    fn every_name_is_known() {
        let implied = IMPLIES
            .iter()
            .flat_map(|(name, adds)| adds.iter().chain([name]));
        let bits = LEAVES
            .iter()
            .flat_map(|leaf| leaf.3.iter().map(|(_, name)| name));
        for name in implied
            .chain(bits)
            .chain(TOGETHER.iter().flat_map(|(_, adds)| *adds))
        {
            assert!(number(name).is_some(), "{name}");
        }
        assert_eq!(NAMES[OTHER], "another extension");
        assert_eq!(NAMES[PSEUDO], "the vendor");
    }

    #[test]
    fn arguments_are_apart_from_features() {
        let facts = Facts::argument(5, Some(6)) | Facts::named("avx2");
        assert_eq!(
            facts.arguments().collect::<Vec<_>>(),
            [(5, Some(6)), (5, None)]
        );
        let last = Facts::argument(11, Some(0));
        assert_eq!(last.arguments().collect::<Vec<_>>(), [(11, None)]);
        assert_eq!(last.features(), Facts::NONE);
        assert_eq!(facts.features(), Facts::named("avx2"));
        assert_eq!(Facts::argument(0, Some(20)), Facts::argument(0, None));
    }

    #[test]
    fn bits_of_answers() {
        let bit = |leaf, register, bit| cpuid_bit(leaf, 0, register, bit).0.names();
        assert_eq!(bit(7, Register::B, 5), ["avx2"]);
        assert_eq!(bit(1, Register::C, 20), ["sse4.2"]);
        assert_eq!(bit(0, Register::B, 3), ["the vendor"]);
        assert_eq!(bit(7, Register::A, 5), ["another extension"]);
        assert_eq!(
            xcr0_bit(6).names(),
            ["avx512f", "the operating system's AVX-512 state"]
        );
    }
}
