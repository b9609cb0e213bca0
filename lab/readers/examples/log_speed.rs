//! How fast logs are read: `cargo run --release -p karat-readers --example log_speed`.
//!
//! Makes a log in memory, of the given size in MiB (1024 by default): Firedancer's
//! and other programs' lines at 1 in 1000, the rest of no interest, as a server's log
//! is. It is read from memory, so no disk is measured; given a file, that is read.
//! The speed is that of the processor time, which a busy machine does not change much.

use karat_readers::log::{Readers, read};
use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader, Cursor};
use std::time::Instant;

/// One line in so many says something.
const RARE: u64 = 1000;

fn log(size: usize) -> Vec<u8> {
    let mut text = Vec::with_capacity(size + 512);
    let mut number = 0u64;
    while text.len() < size {
        number += 1;
        let line = match (number.is_multiple_of(RARE), number / RARE % 4) {
            (true, 0) => "NOTICE  01-29 12:34:56.000000 main      test_blake3.c(626):   ~38.910 Gbps throughput / core (par 16 sz 1024)\n".to_owned(),
            (true, 1) => "WARNING 01-29 12:34:56.000000 main      fd_blake3.c(343): NULL shmem\n".to_owned(),
            (true, 2) => format!("test module::case_{number} ... ok\n"),
            (true, _) => "src/lib.c:12:5: warning: unused variable 'x' [-Wunused-variable]\n".to_owned(),
            (false, _) => match number % 3 {
                0 => format!("2026-11-20T15:18:{:02}.123Z DEBUG net::peer: sent {number} bytes to peer 10.0.0.{}, queue 17\n", number % 60, number % 255),
                1 => format!("[{number:08}] Imported #{number} (0x{number:016x}), finalized #{} \u{2b07} 1.2kiB/s\n", number / 2),
                _ => format!("worker {} took task {number}: read 4096 rows, wrote 17, waited 3 ms (cache=hot)\n", number % 8),
            },
        };
        text.extend_from_slice(line.as_bytes());
    }
    text
}

/// Seconds that this thread has run (Documentation/scheduler/sched-stats.rst of Linux).
fn processor_time() -> Result<f64, Box<dyn Error>> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat")?;
    let nanoseconds = text.split(' ').next().unwrap_or("");
    Ok(nanoseconds.parse::<u64>()? as f64 / 1e9)
}

fn main() -> Result<(), Box<dyn Error>> {
    let argument = std::env::args().nth(1);
    let size = argument.as_deref().unwrap_or("1024").parse::<usize>();
    let text = match size {
        Ok(mebibytes) => log(mebibytes << 20),
        Err(_) => Vec::new(),
    };
    for round in 1..=3 {
        let mut stream: Box<dyn BufRead> = match (&size, &argument) {
            (Err(_), Some(path)) => Box::new(BufReader::with_capacity(1 << 16, File::open(path)?)),
            _ => Box::new(Cursor::new(&text)),
        };
        let mut events = 0u64;
        let (start, before) = (Instant::now(), processor_time()?);
        let summary = read(&mut *stream, &Readers::all(), &mut |_| events += 1)?;
        let (wall, seconds) = (start.elapsed().as_secs_f64(), processor_time()? - before);
        println!(
            "round {round}: {:.0} MB/s ({} bytes, {} lines, {events} events, {seconds:.2} s of \
             processor time in {wall:.2} s)",
            summary.bytes as f64 / 1e6 / seconds,
            summary.bytes,
            summary.lines
        );
    }
    Ok(())
}
