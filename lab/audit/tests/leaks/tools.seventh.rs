// Tools: lazy tables, options and plugins.
#![allow(unused)]
#[path = "products.seventh.rs"]
mod products;
use products::*;
use std::arch::x86_64::*;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, mpsc};
use std::thread;

#[cfg(LAZY_KERNELS)]
mod program {
    // A struct of functions in a LazyLock.
    use super::*;
    struct Kernels {
        dot: unsafe fn(&[f32], &[f32]) -> f32,
        ones: unsafe fn(&[u64]) -> u64,
        pick: unsafe fn(u64, u64) -> u64,
    }
    static KERNELS: LazyLock<Kernels> = LazyLock::new(|| {
        let mut k = Kernels { dot: dot_plain, ones: ones_plain, pick: pick_plain };
        if is_x86_feature_detected!("avx") {
            k.dot = dot_avx;
        }
        #[cfg(not(BAD))]
        if is_x86_feature_detected!("bmi2") {
            k.pick = pick_bmi2;
        }
        #[cfg(BAD)]
        if is_x86_feature_detected!("bmi1") {
            k.pick = pick_bmi2;
        }
        if is_x86_feature_detected!("avx2") {
            k.ones = ones_avx2;
            if is_x86_feature_detected!("fma") {
                k.dot = dot_fma;
            }
        }
        k
    });
    struct Board {
        pieces: HashMap<&'static str, u64>,
    }
    impl Board {
        fn attacks(&self, piece: &str, mask: u64) -> Option<u64> {
            let occupied = *self.pieces.get(piece)?;
            Some(unsafe { (KERNELS.pick)(occupied, mask) })
        }
    }
    pub fn run() {
        let board = Board { pieces: HashMap::from([("rook", 0x8100000000000081), ("bishop", 0x2400000000000024)]) };
        for piece in ["rook", "bishop", "queen"] {
            match board.attacks(piece, 0xff818181818181ff) {
                Some(index) => println!("{piece}: {index:#x}"),
                None => println!("{piece}: none"),
            }
        }
        let k = &*KERNELS;
        println!("{} {}", unsafe { (k.dot)(&floats(100, 2), &floats(100, 5)) }, unsafe { (k.ones)(&words(33)) });
    }
}

#[cfg(ISA_OPTION)]
mod program {
    // --isa=NAME, or what the defaults say; a name that does not fit is an error.
    use super::*;
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Isa {
        Portable,
        Avx,
        Avx2,
    }
    #[derive(Debug)]
    enum Error {
        Unknown(String),
        Lacking(Isa),
        Argument(String),
    }
    impl fmt::Display for Error {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self {
                Error::Unknown(name) => write!(f, "unknown instruction set {name:?}"),
                Error::Lacking(isa) => write!(f, "this CPU lacks {isa:?}"),
                Error::Argument(what) => write!(f, "unexpected argument {what:?}"),
            }
        }
    }
    impl std::error::Error for Error {}
    impl FromStr for Isa {
        type Err = Error;
        fn from_str(s: &str) -> Result<Self, Error> {
            match s.to_ascii_lowercase().as_str() {
                "portable" | "none" => Ok(Isa::Portable),
                "avx" => Ok(Isa::Avx),
                "avx2" => Ok(Isa::Avx2),
                other => Err(Error::Unknown(other.to_owned())),
            }
        }
    }
    impl Isa {
        fn is_there(self) -> bool {
            match self {
                Isa::Portable => true,
                Isa::Avx => is_x86_feature_detected!("avx"),
                Isa::Avx2 => is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"),
            }
        }
        fn best() -> Isa {
            [Isa::Avx2, Isa::Avx].into_iter().find(|isa| isa.is_there()).unwrap_or(Isa::Portable)
        }
    }
    #[cfg(BAD)]
    impl Default for Isa {
        fn default() -> Self {
            Isa::Avx
        }
    }
    #[cfg(not(BAD))]
    impl Default for Isa {
        fn default() -> Self {
            Isa::best()
        }
    }
    struct Options {
        isa: Isa,
        size: usize,
    }
    fn parse(args: impl Iterator<Item = String>) -> Result<Options, Error> {
        let mut out = Options { isa: Isa::default(), size: 96 };
        for arg in args {
            if let Some(name) = arg.strip_prefix("--isa=") {
                out.isa = name.parse()?;
                if !out.isa.is_there() {
                    return Err(Error::Lacking(out.isa));
                }
            } else if let Some(n) = arg.strip_prefix("--size=").and_then(|n| n.parse().ok()) {
                out.size = n;
            } else {
                return Err(Error::Argument(arg));
            }
        }
        Ok(out)
    }
    fn compute(options: &Options) -> f32 {
        let (a, b) = (floats(options.size, 4), floats(options.size, 5));
        match options.isa {
            Isa::Portable => dot_plain(&a, &b),
            Isa::Avx => unsafe { dot_avx(&a, &b) },
            Isa::Avx2 => unsafe { dot_fma(&a, &b) },
        }
    }
    fn inner() -> Result<(), Box<dyn std::error::Error>> {
        let options = parse(std::env::args().skip(1))?;
        println!("{}", compute(&options));
        Ok(())
    }
    pub fn run() {
        if let Err(error) = inner() {
            eprintln!("error: {error}");
            std::process::exit(3);
        }
    }
}

#[cfg(PLUGINS)]
mod program {
    // Plugins put themselves into a map; what comes later under a name replaces what was there.
    use super::*;
    type Run = Box<dyn Fn(&[u64]) -> u64>;
    #[derive(Default)]
    struct Registry {
        by_name: BTreeMap<String, Run>,
        refused: Vec<String>,
    }
    impl Registry {
        fn register(&mut self, name: &str, needs: &[&str], run: Run) -> &mut Self {
            #[cfg(BAD)]
            let fits = needs.iter().any(|n| has(n));
            #[cfg(not(BAD))]
            let fits = needs.iter().all(|n| has(n));
            match fits || needs.is_empty() {
                true => {
                    self.by_name.insert(name.to_owned(), run);
                }
                false => self.refused.push(format!("{name} ({})", needs.join("+"))),
            }
            self
        }
    }
    #[inline(never)]
    fn has(feature: &str) -> bool {
        match feature {
            "sse4.2" => is_x86_feature_detected!("sse4.2"),
            "popcnt" => is_x86_feature_detected!("popcnt"),
            "avx2" => is_x86_feature_detected!("avx2"),
            "bmi2" => is_x86_feature_detected!("bmi2"),
            _ => false,
        }
    }
    pub fn run() {
        let mut registry = Registry::default();
        registry
            .register("ones", &[], Box::new(ones_plain))
            .register("mask", &[], Box::new(|p| p.windows(2).fold(0, |all, w| all ^ pick_plain(w[0], w[1]))))
            .register("ones", &["popcnt", "avx2"], Box::new(|p| unsafe { ones_avx2(p) }))
            .register("mask", &["bmi2"], Box::new(|p| p.windows(2).fold(0, |all, w| all ^ unsafe { pick_bmi2(w[0], w[1]) })));
        for refused in &registry.refused {
            eprintln!("left out: {refused}");
        }
        let all = words(70);
        for (name, run) in &registry.by_name {
            println!("{name}: {:x}", run(&all));
        }
    }
}

fn main() {
    program::run();
}
