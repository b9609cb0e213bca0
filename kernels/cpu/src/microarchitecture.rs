//! Which design a CPU is, as far as speed depends on it.

use crate::{Identity, IsaSet};

/// What Golden Cove has, and Intel's server designs after it, and none before it.
const GOLDEN_COVE: IsaSet = IsaSet::of(&["avx512fp16"]);

macro_rules! microarchitectures {
    ($($variant:ident $name:literal $title:literal;)*) => {
        /// Which design a CPU is: what decides which implementation is the fastest.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Microarchitecture {
            $(#[doc = concat!($title, ", which compilers call `", $name, "`.")] $variant,)*
        }

        impl Microarchitecture {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// Its name as compilers write it, such as `znver4`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// Its name in Rust, such as `Zen4`.
            #[must_use]
            pub const fn variant(self) -> &'static str {
                match self { $(Self::$variant => stringify!($variant),)* }
            }

            /// Its name for people, such as `Zen 4`.
            #[must_use]
            pub const fn title(self) -> &'static str {
                match self { $(Self::$variant => $title,)* }
            }
        }
    };
}

microarchitectures! {
    Zen1 "znver1" "Zen";
    Zen2 "znver2" "Zen 2";
    Zen3 "znver3" "Zen 3";
    Zen4 "znver4" "Zen 4";
    Zen5 "znver5" "Zen 5";
    Haswell "haswell" "Haswell";
    Broadwell "broadwell" "Broadwell";
    Skylake "skylake" "Skylake";
    SkylakeServer "skylake-avx512" "Skylake server";
    IceLake "icelake-server" "Ice Lake";
    TigerLake "tigerlake" "Tiger Lake";
    AlderLake "alderlake" "Alder Lake";
    SapphireRapids "sapphirerapids" "Sapphire Rapids";
}

impl Microarchitecture {
    /// The design of a CPU by its vendor, family, model and ISAs; `None` if it is not known
    /// here.
    ///
    /// A hypervisor may show any model. It cannot show an ISA that the CPU lacks without
    /// programs dying of it. So where an ISA says more than the model, the ISA counts:
    /// an Intel CPU with AVX512-FP16 is a Golden Cove or a later design. GCC goes by ISAs too,
    /// for models that it does not know (`host_detect_local_cpu`,
    /// `gcc/config/i386/driver-i386.cc`).
    #[must_use]
    pub const fn of(cpu: &Identity, isas: IsaSet) -> Option<Self> {
        if matches!(&cpu.vendor, b"GenuineIntel")
            && cpu.family == 6
            && isas.contains_all(GOLDEN_COVE)
        {
            return Some(Self::SapphireRapids);
        }
        Self::by_model(cpu)
    }

    /// The design by vendor, family and model alone.
    ///
    /// Sources: Linux `arch/x86/kernel/cpu/amd.c` (`bsp_init_amd`) and
    /// `arch/x86/include/asm/intel-family.h`. Designs that differ little are one: Emerald and
    /// Granite Rapids are Sapphire Rapids here, and Rocket Lake is Ice Lake.
    #[must_use]
    pub const fn by_model(cpu: &Identity) -> Option<Self> {
        match &cpu.vendor {
            b"AuthenticAMD" => Self::amd(cpu.family, cpu.model),
            b"GenuineIntel" if cpu.family == 6 => Self::intel(cpu.model),
            _ => None,
        }
    }

    const fn amd(family: u32, model: u32) -> Option<Self> {
        Some(match (family, model) {
            (0x17, 0x00..=0x2f | 0x50..=0x5f) => Self::Zen1,
            (0x17, 0x30..=0x4f | 0x60..=0x7f | 0x90..=0x91 | 0xa0..=0xaf) => Self::Zen2,
            (0x19, 0x00..=0x0f | 0x20..=0x5f) => Self::Zen3,
            (0x19, 0x10..=0x1f | 0x60..=0xaf) => Self::Zen4,
            (0x1a, 0x00..=0x2f | 0x40..=0x4f | 0x60..=0x7f) => Self::Zen5,
            _ => return None,
        })
    }

    const fn intel(model: u32) -> Option<Self> {
        Some(match model {
            0x3c | 0x3f | 0x45 | 0x46 => Self::Haswell,
            0x3d | 0x47 | 0x4f | 0x56 => Self::Broadwell,
            0x4e | 0x5e | 0x8e | 0x9e | 0xa5 | 0xa6 => Self::Skylake,
            0x55 => Self::SkylakeServer,
            0x6a | 0x6c | 0x7d | 0x7e | 0xa7 => Self::IceLake,
            0x8c | 0x8d => Self::TigerLake,
            0x97 | 0x9a | 0xb7 | 0xba | 0xbf => Self::AlderLake,
            0x8f | 0xad | 0xae | 0xcf => Self::SapphireRapids,
            _ => return None,
        })
    }

    /// The design with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|m| m.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(vendor: &[u8; 12], family: u32, model: u32, isas: IsaSet) -> Option<&'static str> {
        let cpu = Identity {
            vendor: *vendor,
            family,
            model,
            ..Identity::UNKNOWN
        };
        Microarchitecture::of(&cpu, isas).map(Microarchitecture::name)
    }

    #[test]
    fn designs_are_told_by_vendor_family_and_model() {
        let of = |vendor, family, model| named(vendor, family, model, IsaSet::EMPTY);
        for (family, model, name) in [
            (0x17, 0x31, Some("znver2")),
            (0x19, 0x01, Some("znver3")),
            (0x19, 0x11, Some("znver4")),
            (0x1a, 0x02, Some("znver5")),
            (0x1a, 0x50, None),
            (0x1b, 0x02, None),
        ] {
            assert_eq!(of(b"AuthenticAMD", family, model), name, "{family}/{model}");
        }
        for (model, name) in [
            (0x8f, Some("sapphirerapids")),
            (0xad, Some("sapphirerapids")),
            (0xae, Some("sapphirerapids")),
            (0xa7, Some("icelake-server")),
            (0x6a, Some("icelake-server")),
            (0xff, None),
        ] {
            assert_eq!(of(b"GenuineIntel", 6, model), name, "{model}");
        }
        assert_eq!(of(b"GenuineIntel", 15, 0x8f), None);
        assert_eq!(of(b"HygonGenuine", 0x18, 0), None);
        assert_eq!(
            Microarchitecture::of(&Identity::UNKNOWN, IsaSet::EMPTY),
            None
        );
        for design in Microarchitecture::ALL {
            assert_eq!(Microarchitecture::named(design.name()), Some(*design));
        }
    }

    #[test]
    fn an_isa_says_more_than_a_model_that_a_hypervisor_shows() {
        let rocket_lake = IsaSet::of(&["avx2", "sha", "avx512f", "avx512vl", "avx512vbmi2"]);
        let granite_rapids = IsaSet::of(&["avx2", "sha", "avx512f", "avx512fp16", "amx-tile"]);
        let intel = |family, model, isas| named(b"GenuineIntel", family, model, isas);
        assert_eq!(intel(6, 0xa7, rocket_lake), Some("icelake-server"));
        assert_eq!(intel(6, 0xa7, granite_rapids), Some("sapphirerapids"));
        assert_eq!(intel(6, 0xff, granite_rapids), Some("sapphirerapids"));
        assert_eq!(intel(6, 0xff, rocket_lake), None);
        // Of a family that nobody knows nothing is known.
        assert_eq!(intel(19, 0x01, granite_rapids), None);
        // A design of AMD's may get the ISA too.
        let amd = named(b"AuthenticAMD", 0x1a, 0x02, granite_rapids);
        assert_eq!(amd, Some("znver5"));
        let masked = Identity {
            vendor: *b"GenuineIntel",
            family: 6,
            model: 0xa7,
            ..Identity::UNKNOWN
        };
        let by_model = Microarchitecture::by_model(&masked);
        assert_eq!(by_model, Some(Microarchitecture::IceLake));
    }
}
