//! Links a program of the build cache in some layouts and shows what moved:
//! `cargo run -p karat-run --example layouts -- BINARY COUNT [HOT FUNCTION...]`.

use karat_build::layout::{Kit, moved};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(binary), Some(count)) = (args.next(), args.next()) else {
        return Err("usage: layouts BINARY COUNT [HOT FUNCTION...]".into());
    };
    let hot: Vec<String> = args.collect();
    let kit = Kit::of(Path::new(&binary))?;
    println!(
        "{} · {:?} · exact: {}",
        kit.linker(),
        kit.method(),
        kit.exact()
    );
    let mut images = Vec::new();
    for seed in 0..=count.parse()? {
        let start = Instant::now();
        let path = kit.link(seed, &AtomicBool::new(false))?;
        println!("layout {seed}: {:.3} s", start.elapsed().as_secs_f64());
        images.push((seed, std::fs::read(path)?));
    }
    let images: Vec<(u64, &[u8])> = images.iter().map(|(s, i)| (*s, &i[..])).collect();
    for end in 2..=images.len() {
        let found = moved(&[images[0], images[end - 1]], &hot);
        match found {
            Ok(m) => println!(
                "layouts 0 and {}: {} functions, {} bytes; moved mod 64: {:.1} %, mod 4096: {:.1} %",
                end - 1,
                m.functions,
                m.code_bytes,
                m.by_64 * 100.0,
                m.by_4096 * 100.0
            ),
            Err(e) => println!("layouts 0 and {}: {e}", end - 1),
        }
    }
    let all = moved(&images, &hot)?;
    println!(
        "all: mod 64: {:.1} %, mod 4096: {:.1} %",
        all.by_64 * 100.0,
        all.by_4096 * 100.0
    );
    for h in &all.hot {
        let at: Vec<String> = h.addresses.iter().map(|a| format!("{a:#x}")).collect();
        println!("{}: {}", h.name, at.join(" "));
    }
    Ok(())
}
