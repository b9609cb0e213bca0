//! What is chosen where, by measurements and without.

use super::*;

const WIDE: IsaSet = IsaSet::of(&["avx2"]);
const WIDER: IsaSet = IsaSet::of(&["avx512f"]);

static TABLE: [Implementation<fn() -> u8>; 3] = [
    Implementation::new("wider", WIDER, || 3, ""),
    Implementation::new("wide", WIDE, || 2, ""),
    Implementation::new("portable", IsaSet::EMPTY, || 1, ""),
];

static CHOICES: &[Choice] = &[
    Choice {
        kernel: "other",
        cpu: Microarchitecture::Zen4,
        order: &["portable"],
        short: None,
        evidence: "a record",
    },
    Choice {
        kernel: "test",
        cpu: Microarchitecture::Zen4,
        order: &["gone", "wide", "wider", "portable"],
        short: Some((128, &["portable", "wide"])),
        evidence: "a record",
    },
];

static KERNEL: Kernel<fn() -> u8> = Kernel::measured("test", CHOICES, &TABLE);

fn amd(family: u32, model: u32) -> Identity {
    Identity {
        vendor: *b"AuthenticAMD",
        family,
        model,
        ..Identity::UNKNOWN
    }
}

#[test]
fn what_was_measured_decides_where_it_was_measured() {
    let all = IsaSet::of(&["avx2", "avx512f"]);
    let chosen = |isas, cpu: &Identity, bytes| KERNEL.would_choose(isas, cpu, bytes);
    let (zen4, zen5) = (amd(0x19, 0x11), amd(0x1a, 0x02));
    assert_eq!(chosen(all, &zen4, 129), "wide");
    assert_eq!(chosen(all, &zen4, 128), "portable");
    // A hypervisor hides AVX2, then AVX-512 too.
    assert_eq!(chosen(WIDER, &zen4, 1000), "wider");
    assert_eq!(chosen(IsaSet::EMPTY, &zen4, 1000), "portable");
    // Elsewhere the table's order holds.
    for cpu in [zen5, Identity::UNKNOWN] {
        assert_eq!(chosen(all, &cpu, 128), "wider");
        assert_eq!(chosen(WIDE, &cpu, 128), "wide");
        assert_eq!(chosen(IsaSet::EMPTY, &cpu, 128), "portable");
    }
}

#[test]
fn what_is_chosen_fits_into_a_word() {
    for chosen in [
        Chosen::always(0),
        Chosen::always(253),
        Chosen {
            usual: 3,
            short: 7,
            limit: u16::MAX,
        },
    ] {
        assert_ne!(chosen.pack(), 0);
        assert_eq!(Chosen::unpack(chosen.pack()), chosen);
        assert!(u32::try_from(chosen.pack()).is_ok());
    }
}

#[test]
fn what_is_forced_holds_for_every_size() {
    static KERNEL: Kernel<fn() -> u8> = Kernel::measured("test", CHOICES, &TABLE);
    KERNEL.force(Some("portable")).unwrap();
    assert_eq!((KERNEL.get_for(1)(), KERNEL.get_for(1000)()), (1, 1));
    assert_eq!(KERNEL.info(2).chosen_up_to, None);
    KERNEL.force(None).unwrap();
    assert_eq!(KERNEL.get_for(usize::MAX)(), KERNEL.get()());
}
