// Services and tools: traits, registries, threads and options.
#![allow(unused)]
use std::arch::x86_64::*;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, mpsc};
use std::thread;

fn floats(n: usize, step: usize) -> Vec<f32> {
    (0..n).map(|i| (i * step % 11) as f32).collect()
}

fn words(n: usize) -> Vec<u64> {
    (1..=n as u64).map(|i| i.wrapping_mul(0xd1342543de82ef95)).collect()
}

fn dot_plain(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

#[target_feature(enable = "avx")]
fn dot_avx(a: &[f32], b: &[f32]) -> f32 {
    let (a8, b8) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest = dot_plain(a8.remainder(), b8.remainder());
    let mut sum = _mm256_setzero_ps();
    for (x, y) in a8.zip(b8) {
        let (x, y) = unsafe { (_mm256_loadu_ps(x.as_ptr()), _mm256_loadu_ps(y.as_ptr())) };
        sum = _mm256_add_ps(sum, _mm256_mul_ps(x, y));
    }
    let mut part = [0f32; 8];
    unsafe { _mm256_storeu_ps(part.as_mut_ptr(), sum) };
    part.iter().sum::<f32>() + rest
}

#[target_feature(enable = "avx2,fma")]
fn dot_fma(a: &[f32], b: &[f32]) -> f32 {
    let (a8, b8) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest = dot_plain(a8.remainder(), b8.remainder());
    let mut sum = _mm256_setzero_ps();
    for (x, y) in a8.zip(b8) {
        let (x, y) = unsafe { (_mm256_loadu_ps(x.as_ptr()), _mm256_loadu_ps(y.as_ptr())) };
        sum = _mm256_fmadd_ps(x, y, sum);
    }
    // The halves are added as whole numbers, for which AVX2 is.
    let whole = _mm256_cvtps_epi32(sum);
    let whole = _mm256_add_epi32(whole, _mm256_permute4x64_epi64(whole, 0x4e));
    let mut part = [0i32; 8];
    unsafe { _mm256_storeu_si256(part.as_mut_ptr().cast(), whole) };
    part[..4].iter().sum::<i32>() as f32 + rest
}

fn ones_plain(p: &[u64]) -> u64 {
    p.iter().map(|w| (0..64).map(|i| w >> i & 1).sum::<u64>()).sum()
}

#[target_feature(enable = "avx2")]
fn ones_avx2(p: &[u64]) -> u64 {
    let nibbles = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    let low = _mm256_set1_epi8(15);
    let mut sum = _mm256_setzero_si256();
    let chunks = p.chunks_exact(4);
    let rest = ones_plain(chunks.remainder());
    for chunk in chunks {
        let v = unsafe { _mm256_loadu_si256(chunk.as_ptr().cast()) };
        let a = _mm256_shuffle_epi8(nibbles, _mm256_and_si256(v, low));
        let b = _mm256_shuffle_epi8(nibbles, _mm256_and_si256(_mm256_srli_epi16(v, 4), low));
        sum = _mm256_add_epi64(sum, _mm256_sad_epu8(_mm256_add_epi8(a, b), _mm256_setzero_si256()));
    }
    let mut part = [0u64; 4];
    unsafe { _mm256_storeu_si256(part.as_mut_ptr().cast(), sum) };
    part.iter().sum::<u64>() + rest
}

fn pick_plain(value: u64, mut mask: u64) -> u64 {
    let (mut out, mut k) = (0, 0);
    while mask != 0 {
        let bit = mask & mask.wrapping_neg();
        out |= u64::from(value & bit != 0) << k;
        (mask, k) = (mask ^ bit, k + 1);
    }
    out
}

#[target_feature(enable = "bmi2")]
fn pick_bmi2(value: u64, mask: u64) -> u64 {
    _pext_u64(value, mask)
}

#[cfg(STATIC_BACKENDS)]
mod program {
    // Backends are statics behind a trait; the best that is available is kept in a OnceLock.
    use super::*;
    pub trait Backend: Sync {
        fn name(&self) -> &'static str;
        fn rank(&self) -> u32;
        fn available(&self) -> bool {
            true
        }
        fn dot(&self, a: &[f32], b: &[f32]) -> f32;
        fn ones(&self, p: &[u64]) -> u64 {
            ones_plain(p)
        }
    }
    struct Plain;
    struct Avx;
    struct Avx2;
    impl Backend for Plain {
        fn name(&self) -> &'static str {
            "plain"
        }
        fn rank(&self) -> u32 {
            0
        }
        fn dot(&self, a: &[f32], b: &[f32]) -> f32 {
            dot_plain(a, b)
        }
    }
    impl Backend for Avx {
        fn name(&self) -> &'static str {
            "avx"
        }
        fn rank(&self) -> u32 {
            1
        }
        fn available(&self) -> bool {
            is_x86_feature_detected!("avx")
        }
        fn dot(&self, a: &[f32], b: &[f32]) -> f32 {
            unsafe { dot_avx(a, b) }
        }
    }
    impl Backend for Avx2 {
        fn name(&self) -> &'static str {
            "avx2"
        }
        fn rank(&self) -> u32 {
            2
        }
        #[cfg(not(BAD))]
        fn available(&self) -> bool {
            is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")
        }
        fn dot(&self, a: &[f32], b: &[f32]) -> f32 {
            unsafe { dot_fma(a, b) }
        }
        fn ones(&self, p: &[u64]) -> u64 {
            unsafe { ones_avx2(p) }
        }
    }
    static BACKENDS: [&dyn Backend; 3] = [&Plain, &Avx, &Avx2];
    fn backend() -> &'static dyn Backend {
        static CHOSEN: OnceLock<&'static dyn Backend> = OnceLock::new();
        *CHOSEN.get_or_init(|| {
            let wanted = std::env::var("SERVICE_BACKEND").ok();
            BACKENDS
                .iter()
                .copied()
                .filter(|b| b.available() && wanted.as_deref().is_none_or(|w| w == b.name()))
                .max_by_key(|b| b.rank())
                .unwrap_or(&Plain)
        })
    }
    pub fn run() {
        let (a, b) = (floats(200, 3), floats(200, 7));
        eprintln!("{}", backend().name());
        println!("{} {}", backend().dot(&a, &b), backend().ones(&words(50)));
    }
}

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

#[cfg(TOKENS)]
mod program {
    // A token of a level can be had only where the CPU has it; operations are generic over tokens.
    use super::*;
    pub trait Simd: Copy {
        fn dot(self, a: &[f32], b: &[f32]) -> f32;
        fn ones(self, p: &[u64]) -> u64;
    }
    #[derive(Clone, Copy)]
    pub struct Scalar;
    #[derive(Clone, Copy)]
    pub struct V3 {
        _private: (),
    }
    impl V3 {
        pub fn try_new() -> Option<V3> {
            #[cfg(BAD)]
            let all = is_x86_feature_detected!("avx") && is_x86_feature_detected!("fma") && is_x86_feature_detected!("bmi1");
            #[cfg(not(BAD))]
            let all = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") && is_x86_feature_detected!("bmi1");
            all.then_some(V3 { _private: () })
        }
    }
    impl Simd for Scalar {
        fn dot(self, a: &[f32], b: &[f32]) -> f32 {
            dot_plain(a, b)
        }
        fn ones(self, p: &[u64]) -> u64 {
            ones_plain(p)
        }
    }
    impl Simd for V3 {
        fn dot(self, a: &[f32], b: &[f32]) -> f32 {
            unsafe { dot_fma(a, b) }
        }
        fn ones(self, p: &[u64]) -> u64 {
            unsafe { ones_avx2(p) }
        }
    }
    pub trait WithSimd {
        type Output;
        fn with_simd<S: Simd>(self, simd: S) -> Self::Output;
    }
    #[derive(Clone, Copy)]
    pub enum Arch {
        Scalar(Scalar),
        V3(V3),
    }
    impl Arch {
        pub fn new() -> Self {
            static KNOWN: AtomicU8 = AtomicU8::new(0);
            match KNOWN.load(Ordering::Relaxed) {
                1 => Arch::Scalar(Scalar),
                2 => V3::try_new().map_or(Arch::Scalar(Scalar), Arch::V3),
                _ => {
                    let found = V3::try_new();
                    KNOWN.store(if found.is_some() { 2 } else { 1 }, Ordering::Relaxed);
                    found.map_or(Arch::Scalar(Scalar), Arch::V3)
                }
            }
        }
        pub fn dispatch<O: WithSimd>(self, op: O) -> O::Output {
            match self {
                Arch::Scalar(s) => op.with_simd(s),
                Arch::V3(s) => op.with_simd(s),
            }
        }
    }
    struct Multiply<'a> {
        rows: &'a [Vec<f32>],
        by: &'a [f32],
    }
    impl WithSimd for Multiply<'_> {
        type Output = Vec<f32>;
        fn with_simd<S: Simd>(self, simd: S) -> Vec<f32> {
            self.rows.iter().map(|row| simd.dot(row, self.by)).collect()
        }
    }
    struct Count(Vec<u64>);
    impl WithSimd for Count {
        type Output = u64;
        fn with_simd<S: Simd>(self, simd: S) -> u64 {
            simd.ones(&self.0)
        }
    }
    pub fn run() {
        let rows: Vec<Vec<f32>> = (1..6).map(|i| floats(64, i)).collect();
        let by = floats(64, 9);
        let arch = Arch::new();
        println!("{:?} {}", arch.dispatch(Multiply { rows: &rows, by: &by }), Arch::new().dispatch(Count(words(20))));
    }
}

#[cfg(WORKER_THREADS)]
mod program {
    // Workers take boxed jobs from a channel and send their results.
    use super::*;
    type Job = Box<dyn FnOnce() -> (usize, u64) + Send>;
    struct Pool {
        jobs: Option<mpsc::Sender<Job>>,
        results: mpsc::Receiver<(usize, u64)>,
        threads: Vec<thread::JoinHandle<()>>,
    }
    impl Pool {
        fn new(n: usize) -> std::io::Result<Pool> {
            let (jobs, queue) = mpsc::channel::<Job>();
            let (done, results) = mpsc::channel();
            let queue = Arc::new(Mutex::new(queue));
            let mut threads = Vec::new();
            for i in 0..n {
                let (queue, done) = (Arc::clone(&queue), done.clone());
                threads.push(thread::Builder::new().name(format!("worker-{i}")).spawn(move || {
                    loop {
                        let job = match queue.lock() {
                            Ok(queue) => queue.recv(),
                            Err(_) => return,
                        };
                        let Ok(job) = job else { return };
                        if done.send(job()).is_err() {
                            return;
                        }
                    }
                })?);
            }
            Ok(Pool { jobs: Some(jobs), results, threads })
        }
        fn submit(&self, job: impl FnOnce() -> (usize, u64) + Send + 'static) {
            if let Some(jobs) = &self.jobs {
                let _ = jobs.send(Box::new(job));
            }
        }
        fn finish(mut self) -> BTreeMap<usize, u64> {
            self.jobs.take();
            let out = self.results.iter().collect();
            for thread in self.threads.drain(..) {
                let _ = thread.join();
            }
            out
        }
    }
    #[inline(never)]
    fn split(pool: &Pool, all: &[u64], size: usize) {
        let wide = is_x86_feature_detected!("avx2");
        let chunks = all.chunks_exact(size);
        let rest = chunks.remainder().to_vec();
        for (i, chunk) in chunks.enumerate() {
            let chunk = chunk.to_vec();
            match wide {
                true => pool.submit(move || (i, unsafe { ones_avx2(&chunk) })),
                false => pool.submit(move || (i, ones_plain(&chunk))),
            }
        }
        if !rest.is_empty() {
            #[cfg(BAD)]
            pool.submit(move || (usize::MAX, if rest.len() >= 4 { unsafe { ones_avx2(&rest) } } else { ones_plain(&rest) }));
            #[cfg(not(BAD))]
            pool.submit(move || (usize::MAX, if wide && rest.len() >= 4 { unsafe { ones_avx2(&rest) } } else { ones_plain(&rest) }));
        }
    }
    pub fn run() {
        let pool = match Pool::new(3) {
            Ok(pool) => pool,
            Err(error) => {
                eprintln!("no threads: {error}");
                std::process::exit(3);
            }
        };
        split(&pool, &words(250), 64);
        for (i, ones) in pool.finish() {
            println!("{i:x}: {ones}");
        }
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

#[cfg(MARKERS)]
mod program {
    // Engines are generic over a marker of their level, and boxed behind a trait.
    use super::*;
    trait Level {
        const NAME: &'static str;
        fn supported() -> bool;
        fn dot(a: &[f32], b: &[f32]) -> f32;
    }
    struct Base;
    struct Fused;
    impl Level for Base {
        const NAME: &'static str = "base";
        fn supported() -> bool {
            true
        }
        fn dot(a: &[f32], b: &[f32]) -> f32 {
            dot_plain(a, b)
        }
    }
    impl Level for Fused {
        const NAME: &'static str = "fused";
        fn supported() -> bool {
            is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")
        }
        fn dot(a: &[f32], b: &[f32]) -> f32 {
            unsafe { dot_fma(a, b) }
        }
    }
    trait Infer {
        fn layer(&mut self, input: &[f32]) -> Vec<f32>;
        fn describe(&self) -> String;
    }
    struct Engine<L: Level> {
        weights: Vec<Vec<f32>>,
        layers: usize,
        level: PhantomData<L>,
    }
    impl<L: Level> Engine<L> {
        fn new(weights: Vec<Vec<f32>>) -> Option<Self> {
            #[cfg(BAD)]
            debug_assert!(L::supported(), "{} on this CPU", L::NAME);
            #[cfg(not(BAD))]
            if !L::supported() {
                return None;
            }
            Some(Engine { weights, layers: 0, level: PhantomData })
        }
    }
    impl<L: Level> Infer for Engine<L> {
        fn layer(&mut self, input: &[f32]) -> Vec<f32> {
            self.layers += 1;
            self.weights.iter().map(|row| L::dot(row, input) % 17.0).collect()
        }
        fn describe(&self) -> String {
            format!("{} layers on {}", self.layers, L::NAME)
        }
    }
    fn engine(weights: Vec<Vec<f32>>) -> Option<Box<dyn Infer>> {
        if let Some(fused) = Engine::<Fused>::new(weights.clone()) {
            return Some(Box::new(fused));
        }
        Engine::<Base>::new(weights).map(|e| Box::new(e) as Box<dyn Infer>)
    }
    pub fn run() {
        let weights = (1..=16).map(|i| floats(16, i)).collect();
        let Some(mut engine) = engine(weights) else { std::process::exit(3) };
        let mut values = floats(16, 3);
        for _ in 0..3 {
            values = engine.layer(&values);
        }
        eprintln!("{}", engine.describe());
        println!("{values:?}");
    }
}

fn main() {
    program::run();
}
