// Searchers, planners, engines and run-times of the fourth set.
#[path = "kernels.fourth.rs"]
mod kernels;
use kernels::*;

/// A macro that makes a pointer which first points to what detects.
#[cfg(memchr_ifunc)]
mod program {
    use super::*;
    type Real = unsafe fn(u8, &[u8]) -> Option<usize>;
    macro_rules! unsafe_ifunc {
        ($feature:tt, $fast:ident, $slow:ident, $($arg:expr),+) => {{
            use std::sync::atomic::{AtomicPtr, Ordering};
            type FnRaw = *mut ();
            static FN: AtomicPtr<()> = AtomicPtr::new(detect as FnRaw);
            unsafe fn detect(byte: u8, data: &[u8]) -> Option<usize> {
                let fun = if std::is_x86_feature_detected!($feature) {
                    $fast as Real as FnRaw
                } else {
                    $slow as fn(u8, &[u8]) -> Option<usize> as FnRaw
                };
                FN.store(fun, Ordering::Relaxed);
                unsafe { std::mem::transmute::<FnRaw, Real>(fun)(byte, data) }
            }
            let fun = FN.load(Ordering::Relaxed);
            unsafe { std::mem::transmute::<FnRaw, Real>(fun)($($arg),+) }
        }};
    }
    #[inline(never)]
    fn memchr(byte: u8, data: &[u8]) -> Option<usize> {
        unsafe_ifunc!("avx2", scan_avx2, scan_sse2, byte, data)
    }
    #[cfg(not(bad))]
    #[inline(never)]
    fn memrchr(byte: u8, data: &[u8]) -> Option<usize> {
        unsafe_ifunc!("avx2", scan_avx2, scan_plain, byte, data)
    }
    #[cfg(bad)]
    #[inline(never)]
    fn memrchr(byte: u8, data: &[u8]) -> Option<usize> {
        unsafe_ifunc!("sse4.2", scan_avx2, scan_plain, byte, data)
    }
    pub fn run(data: &[u8]) -> u64 {
        let mut all = 0;
        for byte in [b'a', b'z'] {
            all += memchr(byte, data).unwrap_or(9) + memrchr(byte, data).unwrap_or(7);
        }
        all as u64
    }
}

/// A builder that gives an object behind a pointer, of one of several ways.
#[cfg(teddy)]
mod program {
    use super::*;
    use std::sync::Arc;
    trait SearcherT: Send + Sync {
        fn find(&self, data: &[u8]) -> Option<usize>;
        fn memory_usage(&self) -> usize;
    }
    struct SlimSSSE3<const BYTES: usize>([u8; BYTES]);
    struct SlimAVX2<const BYTES: usize>([u8; BYTES]);
    struct FatAVX2<const BYTES: usize>([u8; BYTES], u64);
    impl<const BYTES: usize> SearcherT for SlimSSSE3<BYTES> {
        fn find(&self, data: &[u8]) -> Option<usize> {
            self.0.iter().find_map(|byte| scan_sse2(*byte, data))
        }
        fn memory_usage(&self) -> usize {
            BYTES
        }
    }
    impl<const BYTES: usize> SearcherT for SlimAVX2<BYTES> {
        fn find(&self, data: &[u8]) -> Option<usize> {
            self.0.iter().find_map(|byte| unsafe { scan_avx2(*byte, data) })
        }
        fn memory_usage(&self) -> usize {
            2 * BYTES
        }
    }
    impl<const BYTES: usize> SearcherT for FatAVX2<BYTES> {
        fn find(&self, data: &[u8]) -> Option<usize> {
            let found = self.0.iter().find_map(|byte| unsafe { scan_avx2(*byte, data) });
            found.map(|at| at ^ self.1 as usize)
        }
        fn memory_usage(&self) -> usize {
            4 * BYTES
        }
    }
    #[derive(Clone)]
    struct Searcher {
        imp: Arc<dyn SearcherT>,
        minimum_len: usize,
    }
    #[inline(never)]
    fn build(patterns: &[u8]) -> Option<Searcher> {
        let has_avx2 = is_x86_feature_detected!("avx2");
        if !is_x86_feature_detected!("ssse3") {
            return None;
        }
        // Many patterns need twice as many buckets.
        let is_fat = patterns.len() > 32 && (has_avx2 || cfg!(bad));
        let imp: Arc<dyn SearcherT> = match patterns {
            [a, b, c, ..] if is_fat => Arc::new(FatAVX2([*a, *b, *c], 3)),
            [a, b, ..] if has_avx2 => Arc::new(SlimAVX2([*a, *b])),
            [a, b, ..] => Arc::new(SlimSSSE3([*a, *b])),
            [a] if has_avx2 => Arc::new(SlimAVX2([*a])),
            [a] => Arc::new(SlimSSSE3([*a])),
            [] => return None,
        };
        Some(Searcher { minimum_len: imp.memory_usage(), imp })
    }
    pub fn run(data: &[u8]) -> u64 {
        let mut all = 0;
        for count in [1, 4, 48] {
            if let Some(searcher) = build(&data[..count]) {
                all += searcher.imp.find(&data[searcher.minimum_len..]).unwrap_or(1);
            }
        }
        all as u64
    }
}

/// Makers of planners that fail where the CPU will not do.
#[cfg(fft_planner)]
mod program {
    use super::*;
    trait Fft {
        fn process(&self, a: &[f32], b: &[f32]) -> f32;
    }
    struct Butterflies(usize);
    struct Dft(usize);
    impl Fft for Butterflies {
        fn process(&self, a: &[f32], b: &[f32]) -> f32 {
            unsafe { butterfly(&a[..self.0], b) }
        }
    }
    impl Fft for Dft {
        fn process(&self, a: &[f32], b: &[f32]) -> f32 {
            dot_plain(&a[..self.0], b)
        }
    }
    struct FftPlannerAvx;
    struct FftPlannerScalar;
    impl FftPlannerAvx {
        fn new() -> Result<Self, ()> {
            let has_avx = is_x86_feature_detected!("avx") && is_x86_feature_detected!("fma");
            if has_avx && (cfg!(bad) || is_x86_feature_detected!("avx2")) {
                Ok(Self)
            } else {
                Err(())
            }
        }
        fn plan(&mut self, len: usize) -> Box<dyn Fft> {
            if len % 8 == 0 { Box::new(Butterflies(len)) } else { Box::new(Dft(len)) }
        }
    }
    enum ChosenFftPlanner {
        Scalar(FftPlannerScalar),
        Avx(FftPlannerAvx),
    }
    struct FftPlanner {
        chosen: ChosenFftPlanner,
    }
    impl FftPlanner {
        #[inline(never)]
        fn new() -> Self {
            if let Ok(planner) = FftPlannerAvx::new() {
                return Self { chosen: ChosenFftPlanner::Avx(planner) };
            }
            Self { chosen: ChosenFftPlanner::Scalar(FftPlannerScalar) }
        }
        #[inline(never)]
        fn plan(&mut self, len: usize) -> Box<dyn Fft> {
            match &mut self.chosen {
                ChosenFftPlanner::Scalar(_) => Box::new(Dft(len)),
                ChosenFftPlanner::Avx(planner) => planner.plan(len),
            }
        }
    }
    pub fn run(data: &[u8]) -> u64 {
        let floats: Vec<f32> = data.iter().map(|b| f32::from(*b)).collect();
        let mut planner = FftPlanner::new();
        [64, 100].iter().map(|len| planner.plan(*len).process(&floats, &floats[128..]) as u64).sum()
    }
}

/// A constant of a generic function says the level; a macro writes the match.
#[cfg(levels)]
mod program {
    use super::*;
    #[inline(never)]
    fn level() -> usize {
        let mut level = 0;
        for (n, has) in [
            is_x86_feature_detected!("sse4.2"),
            is_x86_feature_detected!("avx"),
            is_x86_feature_detected!("avx2"),
        ]
        .into_iter()
        .enumerate()
        {
            if !has {
                break;
            }
            level = n + 1;
        }
        level
    }
    const AVX2: usize = if cfg!(bad) { 2 } else { 3 };
    #[inline(never)]
    fn filter<const LEVEL: usize>(data: &[u8]) -> u32 {
        if LEVEL >= AVX2 { unsafe { check_avx2(5, data) } } else { check_plain(5, data) }
    }
    macro_rules! dispatch {
        ($level:expr, $function:ident, $data:expr; $($n:literal)+) => {
            match $level {
                $($n => $function::<$n>($data),)+
                _ => $function::<0>($data),
            }
        };
    }
    pub fn run(data: &[u8]) -> u64 {
        u64::from(dispatch!(level(), filter, data; 1 2 3))
    }
}

/// Settings of a compiler by name, and code that looks them up.
#[cfg(wasm_flags)]
mod program {
    use super::*;
    use std::collections::BTreeMap;
    struct Isa {
        flags: BTreeMap<&'static str, bool>,
    }
    impl Isa {
        fn enable(&mut self, name: &'static str) {
            self.flags.insert(name, true);
        }
        fn has(&self, name: &str) -> bool {
            self.flags.get(name).copied().unwrap_or(false)
        }
    }
    #[inline(never)]
    fn infer_native_flags(isa: &mut Isa) {
        if is_x86_feature_detected!("popcnt") {
            isa.enable("has_popcnt");
        }
        if is_x86_feature_detected!("bmi1") {
            isa.enable("has_bmi1");
            #[cfg(bad)]
            isa.enable("has_bmi2");
        }
        #[cfg(not(bad))]
        if is_x86_feature_detected!("bmi2") {
            isa.enable("has_bmi2");
        }
    }
    #[inline(never)]
    fn lower(isa: &Isa, value: u64) -> u64 {
        match isa.has("has_bmi2") {
            true => unsafe { extract_bmi2(value, 0xffff_00ff_0000) },
            false => extract_plain(value, 0xffff_00ff_0000),
        }
    }
    pub fn run(data: &[u8]) -> u64 {
        let mut isa = Isa { flags: BTreeMap::new() };
        infer_native_flags(&mut isa);
        lower(&isa, u64::from(data[99]) * 0x0101_0101_0101)
    }
}

/// A token of the level runs an operation that is generic over it.
#[cfg(pulp_arch)]
mod program {
    use super::*;
    trait Simd: Copy {
        fn dot(self, a: &[f32], b: &[f32]) -> f32;
    }
    #[derive(Clone, Copy)]
    struct Scalar;
    #[derive(Clone, Copy)]
    struct V3(());
    impl V3 {
        fn try_new() -> Option<Self> {
            let has = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
            has.then_some(V3(()))
        }
    }
    impl Simd for Scalar {
        fn dot(self, a: &[f32], b: &[f32]) -> f32 {
            dot_plain(a, b)
        }
    }
    impl Simd for V3 {
        fn dot(self, a: &[f32], b: &[f32]) -> f32 {
            unsafe { butterfly(a, b) }
        }
    }
    trait WithSimd {
        type Output;
        fn with_simd<S: Simd>(self, simd: S) -> Self::Output;
    }
    #[derive(Clone, Copy)]
    enum Arch {
        Scalar(Scalar),
        V3(V3),
    }
    impl Arch {
        fn new() -> Self {
            V3::try_new().map_or(Arch::Scalar(Scalar), Arch::V3)
        }
        #[inline(never)]
        fn dispatch<Op: WithSimd>(self, op: Op) -> Op::Output {
            match self {
                Arch::Scalar(simd) => op.with_simd(simd),
                Arch::V3(simd) => op.with_simd(simd),
            }
        }
    }
    struct Product<'a>(&'a [f32], &'a [f32]);
    impl WithSimd for Product<'_> {
        type Output = f32;
        fn with_simd<S: Simd>(self, simd: S) -> f32 {
            simd.dot(self.0, self.1)
        }
    }
    pub fn run(data: &[u8]) -> u64 {
        let floats: Vec<f32> = data.iter().map(|b| f32::from(*b)).collect();
        let (a, b) = floats.split_at(512);
        Arch::new().dispatch(Product(a, b)) as u64
    }
}

/// Tables of functions that a level is the index of; the environment lowers it.
#[cfg(rav_tables)]
mod program {
    use super::*;
    #[derive(Clone, Copy, PartialEq, PartialOrd)]
    #[repr(usize)]
    enum CpuFeatureLevel {
        RUST = 0,
        SSE2,
        SSSE3,
        SSE41,
        AVX2,
    }
    impl CpuFeatureLevel {
        const fn len() -> usize {
            CpuFeatureLevel::AVX2 as usize + 1
        }
    }
    impl Default for CpuFeatureLevel {
        #[inline(never)]
        fn default() -> Self {
            let wide = if cfg!(bad) { is_x86_feature_detected!("aes") } else { is_x86_feature_detected!("avx2") };
            let detected = if wide {
                CpuFeatureLevel::AVX2
            } else if is_x86_feature_detected!("sse4.1") {
                CpuFeatureLevel::SSE41
            } else if is_x86_feature_detected!("ssse3") {
                CpuFeatureLevel::SSSE3
            } else {
                CpuFeatureLevel::SSE2
            };
            let manual = match std::env::var("RAV1E_CPU_TARGET").as_deref() {
                Ok("rust") => CpuFeatureLevel::RUST,
                Ok("sse2") => CpuFeatureLevel::SSE2,
                Ok("ssse3") => CpuFeatureLevel::SSSE3,
                _ => detected,
            };
            if manual > detected { detected } else { manual }
        }
    }
    type SadFn = unsafe fn(u32, &[u8]) -> u32;
    static SAD_FNS: [Option<SadFn>; CpuFeatureLevel::len()] = {
        let mut out: [Option<SadFn>; CpuFeatureLevel::len()] = [None; CpuFeatureLevel::len()];
        out[CpuFeatureLevel::AVX2 as usize] = Some(check_avx2);
        out
    };
    #[inline(never)]
    fn get_sad(data: &[u8], cpu: CpuFeatureLevel) -> u32 {
        match SAD_FNS[cpu as usize] {
            Some(function) => unsafe { function(1, data) },
            None => check_plain(1, data),
        }
    }
    pub fn run(data: &[u8]) -> u64 {
        let cpu = CpuFeatureLevel::default();
        data.chunks(256).map(|block| u64::from(get_sad(block, cpu))).sum()
    }
}

/// A structure of functions that is filled once.
#[cfg(lazy_kernels)]
mod program {
    use super::*;
    use std::sync::LazyLock;
    struct Kernels {
        check: Check,
        dot: Dot,
        extract: unsafe fn(u64, u64) -> u64,
    }
    static KERNELS: LazyLock<Kernels> = LazyLock::new(|| {
        let mut kernels = Kernels { check: check_plain, dot: dot_plain, extract: extract_plain };
        if is_x86_feature_detected!("avx2") {
            kernels.check = check_avx2;
        }
        if is_x86_feature_detected!("fma") && is_x86_feature_detected!("avx") {
            kernels.dot = dot_fma;
        }
        if is_x86_feature_detected!("bmi2") {
            kernels.extract = extract_bmi2;
        }
        kernels
    });
    pub fn run(data: &[u8]) -> u64 {
        let floats: Vec<f32> = data.iter().map(|b| f32::from(*b)).collect();
        // SAFETY: only what the CPU has was put there.
        unsafe {
            let sum = (KERNELS.check)(1, data);
            (KERNELS.dot)(&floats, &floats[512..]) as u64 + (KERNELS.extract)(u64::from(sum), 0xff0ff0)
        }
    }
}

/// Closures go to threads through a channel.
#[cfg(work_queue)]
mod program {
    use super::*;
    use std::sync::{Arc, mpsc};
    type Job = Box<dyn FnOnce() -> u32 + Send>;
    #[inline(never)]
    fn jobs(data: &Arc<Vec<u8>>, block: usize) -> Vec<Job> {
        let has_avx2 = is_x86_feature_detected!("avx2");
        let mut out: Vec<Job> = Vec::new();
        for at in (0..data.len()).step_by(block) {
            let data = data.clone();
            let end = data.len().min(at + block);
            // Short ends are not worth it.
            let is_long = end - at >= 256;
            if (cfg!(bad) && is_long) || (has_avx2 && is_long) {
                out.push(Box::new(move || unsafe { check_avx2(1, &data[at..end]) }));
            } else {
                out.push(Box::new(move || check_plain(1, &data[at..end])));
            }
        }
        out
    }
    pub fn run(data: &[u8]) -> u64 {
        let data = Arc::new(data.to_vec());
        let (send, receive) = mpsc::channel::<Job>();
        let worker = std::thread::spawn(move || receive.iter().map(|job| u64::from(job())).sum::<u64>());
        for block in [100, 300] {
            jobs(&data, block).into_iter().for_each(|job| send.send(job).unwrap());
        }
        drop(send);
        worker.join().unwrap()
    }
}

fn main() {
    std::hint::black_box(program::run(&input()));
}
