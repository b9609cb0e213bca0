//! What a process has mapped, from `/proc/PID/maps`.

use std::io;

/// One mapping of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mapping {
    pub start: u64,
    pub end: u64,
    pub is_code: bool,
    /// Of `start` in the file.
    pub offset: u64,
    /// Device and inode as stat(2) gives them.
    pub identity: (u64, u64),
    pub path: String,
}

/// The mappings of files of a process.
pub(crate) fn of(process: i32) -> io::Result<Vec<Mapping>> {
    let text = std::fs::read(format!("/proc/{process}/maps"))?;
    Ok(parse(&String::from_utf8_lossy(&text)))
}

/// Source: proc_pid_maps(5). Anonymous memory has inode 0.
fn parse(text: &str) -> Vec<Mapping> {
    text.lines().filter_map(line).collect()
}

fn line(line: &str) -> Option<Mapping> {
    let mut words = line.splitn(6, ' ');
    let (start, end) = words.next()?.split_once('-')?;
    let is_code = words.next()?.contains('x');
    let offset = hex(words.next()?)?;
    let (major, minor) = words.next()?.split_once(':')?;
    let inode: u64 = words.next()?.parse().ok()?;
    if inode == 0 {
        return None;
    }
    let (major, minor) = (hex(major)? as u32, hex(minor)? as u32);
    Some(Mapping {
        start: hex(start)?,
        end: hex(end)?,
        is_code,
        offset,
        identity: (libc::makedev(major, minor), inode),
        path: words.next().unwrap_or_default().trim_start().to_owned(),
    })
}

fn hex(text: &str) -> Option<u64> {
    u64::from_str_radix(text, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn files_are_told_from_memory() {
        let found = parse(
            "55d0-55e0 r-xp 00002000 fd:01 12345                      /opt/a b/prog (deleted)\n\
             7ffd-7ffe rw-p 00000000 00:00 0                          [stack]\n\
             garbage\n",
        );
        assert_eq!(found.len(), 1);
        let mapping = &found[0];
        assert_eq!(
            (mapping.start, mapping.end, mapping.offset),
            (0x55d0, 0x55e0, 0x2000)
        );
        assert!(mapping.is_code);
        assert_eq!(mapping.identity, (libc::makedev(0xfd, 1), 12345));
        assert_eq!(mapping.path, "/opt/a b/prog (deleted)");
    }
}
