//! Code without names that is cut again and again: what is taken from pieces is what is read anew.

use super::pieces::Pieces;
use super::{LARGE, Sweep};
use crate::baseline::Baseline;
use crate::classes::Classes;
use crate::program::Program;
use karat_binary::read::image::Image;

/// Where the code lies, in the file and in memory.
const TEXT: u64 = 0x1000;

/// Numbers that look random (Marsaglia's xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % end
    }
}

/// Functions one behind the other, and where they begin.
struct Code {
    bytes: Vec<u8>,
    starts: Vec<u64>,
}

impl Code {
    fn new(random: &mut Random, size: u64) -> Self {
        let mut code = Self {
            bytes: Vec::new(),
            starts: Vec::new(),
        };
        while (code.bytes.len() as u64) < size {
            // Two of three begin where compilers let them begin.
            if random.below(3) > 0 {
                while !code.bytes.len().is_multiple_of(16) {
                    code.bytes.push([0xcc, 0x90][(code.starts.len()) & 1]);
                }
            }
            code.starts.push(TEXT + code.bytes.len() as u64);
            for _ in 0..random.below(24) {
                code.instruction(random, size);
            }
            match random.below(8) {
                0 => code.far(&[0xe9], random, size),
                // It runs on.
                1 => {}
                _ => code.bytes.push(0xc3),
            }
            if random.below(40) == 0 {
                // A constant: it does not decode.
                code.bytes.extend([0x06; 5]);
            }
        }
        code
    }

    fn instruction(&mut self, random: &mut Random, size: u64) {
        let short = random.below(64) as u8;
        match random.below(14) {
            0 => self.bytes.extend([0xc5, 0xfc, 0x58, 0xc1]),
            1 => self.bytes.extend([0x0f, 0xa2]),
            2 => self.bytes.extend([0x74, short]),
            3 => self.bytes.extend([0xeb, short]),
            4 => self.bytes.extend([0x75, short.wrapping_neg()]),
            5 => self.far(&[0xe8], random, size),
            6 => self.far(&[0x0f, 0x85], random, size),
            7 => self.far(&[0x48, 0x8d, 0x05], random, size),
            8 => self.far(&[0xc5, 0xfc, 0x28, 0x05], random, size),
            9 => self.bytes.extend([0x89, 0x47, short]),
            10 => self.bytes.extend([0xf3, 0x0f, 0xbc, 0xc1]),
            _ => self.bytes.extend([0x48, 0x89, 0xc8]),
        }
    }

    /// An instruction that ends with a distance to some place of the code.
    fn far(&mut self, head: &[u8], random: &mut Random, size: u64) {
        self.bytes.extend(head);
        let to = random.below(size) as i64;
        let by = to - (self.bytes.len() as i64 + 4);
        self.bytes.extend((by as i32).to_le_bytes());
    }

    /// A library that has nothing else.
    fn file(&self) -> Vec<u8> {
        const NAMES: &[u8] = b"\0.text\0.names\0";
        let names = TEXT + self.bytes.len() as u64;
        let sections = (names + NAMES.len() as u64).next_multiple_of(16);
        let mut out = b"\x7fELF\x02\x01\x01".to_vec();
        out.resize(16, 0);
        out.extend([3, 0, 62, 0, 1, 0, 0, 0]);
        for word in [0, 0, sections] {
            out.extend(u64::to_le_bytes(word));
        }
        out.extend([0, 0, 0, 0, 64, 0, 0, 0, 0, 0, 64, 0, 3, 0, 2, 0]);
        out.resize(TEXT as usize, 0);
        out.extend(&self.bytes);
        out.extend(NAMES);
        out.resize(sections as usize + 64, 0);
        let mut section = |name: u32, kind: u32, flags: u64, at: u64, address: u64, size: u64| {
            out.extend(name.to_le_bytes());
            out.extend(kind.to_le_bytes());
            for word in [flags, address, at, size, 0, 1, 0] {
                out.extend(u64::to_le_bytes(word));
            }
        };
        section(1, 1, 6, TEXT, TEXT, self.bytes.len() as u64);
        section(7, 3, 0, names, 0, NAMES.len() as u64);
        out
    }
}

/// All that a pass found, a line each.
fn found(sweep: &Sweep) -> Vec<String> {
    let mut out = Vec::new();
    for (number, one) in sweep.facts.iter().enumerate() {
        let flags = [
            one.asks,
            one.imports,
            one.extended,
            one.before_avx,
            one.returns,
            one.undecodable,
        ];
        let sets: Vec<u8> = one.set_indices().collect();
        let above = (one.above(), one.first(), one.xgetbv(), sets);
        let counts = (one.instructions, one.tzcnt);
        out.push(format!("routine {number}: {counts:?} {flags:?} {above:?}"));
    }
    let lists = [
        ("edge", &sweep.edges),
        ("taken", &sweep.taken),
        ("data", &sweep.data),
        ("embedded", &sweep.embedded),
        ("distance", &sweep.distances),
    ];
    for (name, list) in lists {
        let all = list.iter().map(|(to, at)| format!("{name} {to:x} {at:x}"));
        out.extend(all);
    }
    out.extend(sweep.members.iter().map(|store| format!("{store:?}")));
    out
}

#[test]
fn what_is_cut_anywhere_is_what_is_read_anew() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let code = Code::new(&mut random, LARGE + LARGE / 4);
    let bytes = code.file();
    let image = Image::parse(&bytes).expect("a sound file");
    let classes = Classes::new(&Baseline::parse("x86-64-v2").expect("a level"));
    let program = || Program::read(&image).expect("a program");
    let (mut one, mut other) = (program(), program());
    let (mut kept, mut anew) = (Sweep::run(&one, &classes), Sweep::run(&other, &classes));
    let mut is_taken = [0u32; 2];
    // A few first, so that most is in pieces; then where functions begin, and anywhere.
    for few in [40, 4, 2] {
        let mut starts: Vec<u64> = (code.starts.iter().copied())
            .filter(|_| random.below(few) == 0)
            .collect();
        if few < 40 {
            let anywhere = |_| TEXT + random.below(code.bytes.len() as u64);
            starts.extend((0..400).map(anywhere));
        }
        starts.sort_unstable();
        starts.dedup();
        let (cut, its) = (one.cut(&starts), other.cut(&starts));
        assert_eq!(cut, its);
        for range in one.ranges.iter().filter(|it| cut.contains(&it.value)) {
            let is_aligned = range.start.is_multiple_of(16) && range.end.is_multiple_of(16);
            let is_known = kept.pieces.facts(range.start, range.end).is_some();
            is_taken[usize::from(is_aligned)] += u32::from(is_known);
        }
        kept.repeat(&one, &classes, &cut);
        anew.pieces = Pieces::default();
        anew.repeat(&other, &classes, &its);
        let (kept, anew) = (found(&kept), found(&anew));
        let is_other = |(one, other): &(&String, &String)| one != other;
        let first: Vec<_> = kept.iter().zip(&anew).filter(is_other).take(3).collect();
        let counts = (kept.len(), anew.len());
        assert!(kept == anew, "{} cuts, {counts:?}: {first:?}", starts.len());
    }
    // Most of what ends elsewhere is read again: only where the code's end or start is meant is
    // that in pieces.
    assert!(is_taken[1] > 0, "{is_taken:?}");
}
