//! Gaps between functions, drawn from a layout's seed.
//!
//! The order of sections moves much when there are many of them, and nothing
//! when there is one. Gaps move even that one.

use karat_judge::Rng;

/// Gaps of a layout. The linker puts them anywhere: that one function has none of
/// them before it, and so stays, happens in one layout of seventeen.
const COUNT: usize = 16;

/// Compilers align functions to 16 bytes by default; a gap keeps it so.
const STEP: u64 = 16;

/// A gap is 16 to 512 bytes. Sixteen of them are a page in the mean: so what
/// stands behind some of them can lie anywhere in a page.
const LONGEST: u64 = 32;

/// Where code may start in a page, in steps.
const STARTS: u64 = 256;

/// Sizes of the gaps of a layout, in bytes.
pub(super) fn sizes(rng: &mut Rng) -> [u64; COUNT] {
    std::array::from_fn(|_| STEP * (1 + rng.below(LONGEST)))
}

/// Bytes before all code, less than a page.
pub(super) fn start(rng: &mut Rng) -> u64 {
    STEP * rng.below(STARTS)
}

/// An object file whose sections are gaps of these sizes: ELF x86-64,
/// relocatable, without symbols.
///
/// Layout of the tables: System V ABI, "Object Files"; SHF_GNU_RETAIN and the
/// property note: Linux extensions to the gABI, H. J. Lu.
pub(super) fn object(sizes: &[u64]) -> Vec<u8> {
    const HEADER: usize = 64;
    const SECTION: usize = 64;
    // GNU_PROPERTY_X86_FEATURE_1_AND with IBT and SHSTK: the output has these
    // marks only if all objects do, and this one must not decide it.
    const PROPERTY: [u32; 8] = [4, 16, 5, 0x0055_4e47, 0xc000_0002, 4, 3, 0];

    let mut names = vec![0_u8];
    let mut data = Vec::new();
    // The null section comes first.
    let mut table = vec![[0_u64; 10]];
    let mut add = |name: &str, kind: u64, flags: u64, align: u64, bytes: &[u8]| {
        data.resize(data.len().next_multiple_of(16), 0);
        let offset = (HEADER + data.len()) as u64;
        table.push([
            names.len() as u64,
            kind,
            flags,
            0,
            offset,
            bytes.len() as u64,
            0,
            0,
            align,
            0,
        ]);
        names.extend_from_slice(name.as_bytes());
        names.push(0);
        data.extend_from_slice(bytes);
    };
    const PROGBITS: u64 = 1;
    const NOTE: u64 = 7;
    const ALLOC: u64 = 2;
    const EXEC: u64 = 4;
    // Or --gc-sections would drop what nobody calls.
    const RETAIN: u64 = 1 << 21;
    for size in sizes {
        // Filled with int3: whoever gets here is lost.
        let bytes = vec![0xcc; *size as usize];
        add(
            ".text.karat_gap",
            PROGBITS,
            ALLOC | EXEC | RETAIN,
            STEP,
            &bytes,
        );
    }
    let property: Vec<u8> = PROPERTY.iter().flat_map(|w| w.to_le_bytes()).collect();
    add(".note.gnu.property", NOTE, ALLOC, 8, &property);
    // Else the linker takes the stack for executable.
    add(".note.GNU-stack", PROGBITS, 0, 1, &[]);
    const STRTAB: u64 = 3;
    let strings = data.len().next_multiple_of(16);
    table.push([
        names.len() as u64,
        STRTAB,
        0,
        0,
        (HEADER + strings) as u64,
        0,
        0,
        0,
        1,
        0,
    ]);
    names.extend_from_slice(b".shstrtab\0");
    if let Some(last) = table.last_mut() {
        last[5] = names.len() as u64;
    }
    data.resize(strings, 0);
    data.extend_from_slice(&names);
    data.resize(data.len().next_multiple_of(16), 0);

    let mut out = Vec::with_capacity(HEADER + data.len() + table.len() * SECTION);
    // 64 bit, little-endian, version 1, the GNU ABI (which RETAIN belongs to).
    out.extend_from_slice(&[0x7f, b'E', b'L', b'F', 2, 1, 1, 3]);
    out.extend_from_slice(&[0; 8]);
    // Relocatable, for x86-64.
    out.extend_from_slice(&[1, 0, 62, 0, 1, 0, 0, 0]);
    out.extend_from_slice(&[0; 16]);
    out.extend_from_slice(&((HEADER + data.len()) as u64).to_le_bytes());
    out.extend_from_slice(&[0; 4]);
    for half in [HEADER, 0, 0, SECTION, table.len(), table.len() - 1] {
        out.extend_from_slice(&(half as u16).to_le_bytes());
    }
    out.extend_from_slice(&data);
    for row in table {
        for (i, value) in row.into_iter().enumerate() {
            // Name, kind, link and info are 32 bits wide, the others 64.
            if matches!(i, 0 | 1 | 6 | 7) {
                out.extend_from_slice(&(value as u32).to_le_bytes());
            } else {
                out.extend_from_slice(&value.to_le_bytes());
            }
        }
    }
    out
}
