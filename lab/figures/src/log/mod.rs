//! Readers of the lines and documents of a log that tell figures. Their order among
//! all readers of logs is that of the registry in `karat-readers`.

pub mod benchmark_dotnet;
pub mod cpp_benchmark;
pub mod criterion;
pub mod csv;
pub mod cycles;
pub mod divan;
pub mod documents;
pub mod fio;
pub mod firedancer;
pub mod http_load;
pub mod hyperfine;
pub mod hyperfine_table;
pub mod iperf3;
pub mod jmh;
pub mod k6_text;
pub mod load_json;
pub mod oha_text;
pub mod openssl;
pub mod perf_bench;
pub mod perf_stat;
pub mod pyperf;
pub mod redis;
pub mod runs;
pub mod sysbench;
pub mod time;
pub mod vdf;

mod counters;

use karat_log::{json_reader, line, line_reader, reader, scan, sleep};
