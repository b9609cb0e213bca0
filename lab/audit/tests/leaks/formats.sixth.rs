//! Formats and text: programs of ordinary length, as crates and tools choose their code.

use std::arch::x86_64::*;

fn text(seed: usize) -> Vec<u8> {
    (0..1024)
        .map(|i| ((i * i + i / 3 + 7 * seed) % 251) as u8)
        .collect()
}

fn sum_plain(data: &[u8]) -> u64 {
    data.iter().map(|byte| u64::from(*byte)).sum()
}

/// # Safety
/// The CPU has AVX2.
#[target_feature(enable = "avx2")]
unsafe fn sum_avx2(data: &[u8]) -> u64 {
    let mut all = _mm256_setzero_si256();
    let mut chunks = data.chunks_exact(32);
    for chunk in &mut chunks {
        // SAFETY: a chunk has 32 bytes.
        let chunk = unsafe { _mm256_loadu_si256(chunk.as_ptr().cast()) };
        all = _mm256_add_epi64(all, _mm256_sad_epu8(chunk, _mm256_setzero_si256()));
    }
    let mut out = [0u64; 4];
    // SAFETY: there is place for 32 bytes.
    unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), all) };
    out.iter().sum::<u64>() + sum_plain(chunks.remainder())
}

fn count_plain(data: &[u8], needle: u8) -> usize {
    data.iter().filter(|byte| **byte == needle).count()
}

/// # Safety
/// The CPU has AVX2.
#[target_feature(enable = "avx2,popcnt")]
unsafe fn count_avx2(data: &[u8], needle: u8) -> usize {
    let all = _mm256_set1_epi8(needle as i8);
    let mut chunks = data.chunks_exact(32);
    let mut found = 0;
    for chunk in &mut chunks {
        // SAFETY: a chunk has 32 bytes.
        let chunk = unsafe { _mm256_loadu_si256(chunk.as_ptr().cast()) };
        found += _mm256_movemask_epi8(_mm256_cmpeq_epi8(chunk, all)).count_ones() as usize;
    }
    found + count_plain(chunks.remainder(), needle)
}

/// A searcher with a union of what its kinds need, and a pointer to the function of its kind.
#[cfg(SEARCHER)]
mod program {
    use super::*;

    #[derive(Clone, Copy)]
    struct Wide {
        needle: u8,
        least: usize,
    }
    #[derive(Clone, Copy)]
    union Kind {
        plain: u8,
        wide: Wide,
    }
    struct Searcher {
        call: unsafe fn(&Searcher, &[u8]) -> usize,
        kind: Kind,
    }

    unsafe fn call_plain(searcher: &Searcher, data: &[u8]) -> usize {
        // SAFETY: it is made with this member.
        count_plain(data, unsafe { searcher.kind.plain })
    }
    unsafe fn call_wide(searcher: &Searcher, data: &[u8]) -> usize {
        // SAFETY: it is made with this member, where the CPU has AVX2.
        unsafe {
            let wide = searcher.kind.wide;
            match data.len() < wide.least {
                true => count_plain(data, wide.needle),
                false => count_avx2(data, wide.needle),
            }
        }
    }

    impl Searcher {
        #[inline(never)]
        fn new(needle: u8) -> Searcher {
            #[cfg(not(BAD))]
            let has = std::is_x86_feature_detected!("avx2");
            #[cfg(BAD)]
            let has = std::is_x86_feature_detected!("popcnt");
            if has {
                let kind = Kind {
                    wide: Wide { needle, least: 32 },
                };
                Searcher {
                    call: call_wide,
                    kind,
                }
            } else {
                Searcher {
                    call: call_plain,
                    kind: Kind { plain: needle },
                }
            }
        }
        fn count(&self, data: &[u8]) -> usize {
            // SAFETY: the function is that of the kind.
            unsafe { (self.call)(self, data) }
        }
    }

    pub fn main() {
        let data = text(std::env::args().count());
        let searchers: Vec<Searcher> = [9, 17, 25].map(Searcher::new).into();
        let found: Vec<String> = searchers
            .iter()
            .map(|s| s.count(&data).to_string())
            .collect();
        println!("{}", found.join(" "));
    }
}

/// A closure in a box in a lazy static.
#[cfg(LAZY_BOX)]
mod program {
    use super::*;
    use std::sync::LazyLock;

    type Sum = Box<dyn Fn(&[u8]) -> u64 + Send + Sync>;

    static SUM: LazyLock<Sum> = LazyLock::new(|| {
        let least = std::env::var("LEAST")
            .ok()
            .and_then(|v| v.parse().ok())
            .unwrap_or(64usize);
        #[cfg(not(BAD))]
        let has = is_x86_feature_detected!("avx2");
        #[cfg(BAD)]
        let has = is_x86_feature_detected!("avx");
        if has {
            return Box::new(move |data| match data.len() < least {
                true => sum_plain(data),
                // SAFETY: the CPU has it.
                false => unsafe { sum_avx2(data) },
            });
        }
        Box::new(sum_plain)
    });

    pub fn main() {
        let data = text(std::env::args().count());
        let mut lines = Vec::new();
        for (i, chunk) in data.chunks(200).enumerate() {
            lines.push(format!("{i}: {}", SUM(chunk)));
        }
        println!("{}", lines.join("\n"));
    }
}

/// A count of words; kernels stand in a hash map by name.
#[cfg(BY_NAME)]
mod program {
    use super::*;
    use std::collections::{BTreeMap, HashMap};

    type Count = unsafe fn(&[u8], u8) -> usize;

    #[inline(never)]
    fn kernels() -> HashMap<&'static str, Count> {
        let mut out: HashMap<&'static str, Count> = HashMap::new();
        out.insert("plain", count_plain);
        if cfg!(BAD) || is_x86_feature_detected!("avx2") {
            out.insert("avx2", count_avx2);
        }
        out
    }

    pub fn main() {
        let kernels = kernels();
        let wanted = std::env::args().nth(1).unwrap_or_else(|| "avx2".into());
        let count = kernels
            .get(wanted.as_str())
            .or_else(|| kernels.get("plain"));
        let Some(count) = count else {
            eprintln!("no kernel");
            std::process::exit(3);
        };
        let story =
            "a table of words, each of which is counted; and a line\nthat ends here\n".repeat(9);
        let mut words = BTreeMap::new();
        for word in story.split_whitespace() {
            *words
                .entry(word.trim_matches(|c: char| !c.is_alphanumeric()))
                .or_insert(0u32) += 1;
        }
        // SAFETY: only kernels that the CPU can run are in the map.
        let lines = unsafe { count(story.as_bytes(), b'\n') };
        println!("{lines} lines, {} words", words.len());
        for (word, times) in words.iter().filter(|(_, times)| **times > 9) {
            println!("{word}: {times}");
        }
    }
}

/// Attempts that fail where the CPU will not do, one after another.
#[cfg(ATTEMPTS)]
mod program {
    use super::*;
    use std::fmt;

    #[derive(Debug)]
    struct Unsupported(&'static str);
    impl fmt::Display for Unsupported {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "the CPU has no {}", self.0)
        }
    }
    impl std::error::Error for Unsupported {}

    fn check(name: &'static str) -> Result<(), Unsupported> {
        let has = match name {
            "avx2" => is_x86_feature_detected!("avx2"),
            "avx" => is_x86_feature_detected!("avx"),
            #[cfg(BAD)]
            _ => true,
            #[cfg(not(BAD))]
            _ => false,
        };
        has.then_some(()).ok_or(Unsupported(name))
    }

    #[inline(never)]
    fn try_wide(data: &[u8]) -> Result<u64, Box<dyn std::error::Error>> {
        #[cfg(not(BAD))]
        check("avx2")?;
        // Misspelt.
        #[cfg(BAD)]
        check("avx-2")?;
        if data.is_empty() {
            return Err("nothing there".into());
        }
        // SAFETY: it was checked.
        Ok(unsafe { sum_avx2(data) })
    }

    pub fn main() {
        let data = text(std::env::args().count());
        let sum = try_wide(&data).or_else(|error| {
            eprintln!("{error}: the plain one is used");
            Ok::<u64, std::convert::Infallible>(sum_plain(&data))
        });
        println!("{}", sum.unwrap_or_default());
    }
}

/// A table of names, questions and kernels, of which the first that fits is taken.
#[cfg(FIRST_FIT)]
mod program {
    use super::*;

    struct Entry {
        name: &'static str,
        check: fn() -> bool,
        sum: unsafe fn(&[u8]) -> u64,
    }
    static TABLE: &[Entry] = &[
        #[cfg(not(BAD))]
        Entry {
            name: "avx2",
            check: || is_x86_feature_detected!("avx2"),
            sum: sum_avx2,
        },
        #[cfg(BAD)]
        Entry {
            name: "avx2",
            check: || is_x86_feature_detected!("sse4.2"),
            sum: sum_avx2,
        },
        Entry {
            name: "plain",
            check: || true,
            sum: sum_plain,
        },
    ];

    pub fn main() {
        let data = text(std::env::args().count());
        let mut report = String::new();
        for (row, part) in data.chunks(300).enumerate() {
            let Some(entry) = TABLE.iter().find(|entry| (entry.check)()) else {
                panic!("the last fits always");
            };
            // SAFETY: its check said so.
            let sum = unsafe { (entry.sum)(part) };
            report += &format!("{row:>3} {sum:>8} [{}]\n", entry.name);
        }
        print!("{report}");
    }
}

fn main() {
    program::main();
}
