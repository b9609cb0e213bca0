//! What can be seen of this machine without privileges.

use crate::disturbance;
use karat_model::machine::Machine;
use std::fs::read_to_string;

/// Looks at the machine. Starts nothing: of compilers it knows nothing.
#[must_use]
pub fn probe() -> Machine {
    let id = karat_cpu::identity();
    let text = |bytes: &[u8]| {
        String::from_utf8_lossy(bytes)
            .trim_matches(['\0', ' '])
            .to_owned()
    };
    let brand = text(&id.brand);
    Machine {
        cpu: if brand.is_empty() {
            std::env::consts::ARCH.to_owned()
        } else {
            brand
        },
        cpu_id: format!(
            "{} {}/{}/{}",
            text(&id.vendor),
            id.family,
            id.model,
            id.stepping
        ),
        isas: karat_cpu::detect()
            .iter()
            .map(|i| i.name().to_owned())
            .collect(),
        processors: crate::pin::allowed().len() as u32,
        memory_bytes: memory_bytes(),
        kernel: kernel(),
        hypervisor: Some(text(&id.hypervisor)).filter(|h| !h.is_empty()),
        governor: first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
        turbo: turbo(),
        smt: first_line("/sys/devices/system/cpu/smt/active").map(|t| t == "1"),
        perf_counters: perf_counters(),
        cpu_quota: disturbance::cpu_quota().map(|q| q.to_string()),
        rustc: None,
        cc: None,
    }
}

fn first_line(path: &str) -> Option<String> {
    let text = read_to_string(path).ok()?;
    text.lines().next().map(|l| l.trim().to_owned())
}

fn memory_bytes() -> u64 {
    let text = read_to_string("/proc/meminfo").unwrap_or_default();
    let kib = text
        .lines()
        .find_map(|l| l.strip_prefix("MemTotal:"))
        .and_then(|l| l.trim().trim_end_matches("kB").trim().parse::<u64>().ok());
    kib.unwrap_or(0) * 1024
}

fn kernel() -> String {
    let release = first_line("/proc/sys/kernel/osrelease").unwrap_or_default();
    format!("{} {release}", std::env::consts::OS)
}

fn turbo() -> Option<bool> {
    if let Some(boost) = first_line("/sys/devices/system/cpu/cpufreq/boost") {
        return Some(boost == "1");
    }
    first_line("/sys/devices/system/cpu/intel_pstate/no_turbo").map(|t| t == "0")
}

/// Whether the kernel lets us count the cycles of a process of our own.
fn perf_counters() -> bool {
    // struct perf_event_attr (linux/perf_event.h), first version (64 bytes):
    // type = PERF_TYPE_HARDWARE (0), size, config = PERF_COUNT_HW_CPU_CYCLES (0),
    // …, flags at word 5: exclude_kernel (bit 5) and exclude_hv (bit 6).
    let mut attr = [0_u64; 8];
    attr[0] = 64 << 32;
    attr[5] = 1 << 5 | 1 << 6;
    // SAFETY: the pointer is to 64 live bytes, as the size field says; the rest
    // are integers: this process, any processor, no group, no flags.
    let fd = unsafe { libc::syscall(libc::SYS_perf_event_open, attr.as_ptr(), 0, -1, -1, 0) };
    if fd < 0 {
        return false;
    }
    // SAFETY: the kernel has just made this descriptor for us alone.
    drop(unsafe { <std::os::fd::OwnedFd as std::os::fd::FromRawFd>::from_raw_fd(fd as i32) });
    true
}
