use super::*;

fn count(command: &Command) -> Option<Result<u64, Error>> {
    let never = AtomicBool::new(false);
    match instructions(command, &Setup::default(), Duration::from_secs(60), &never) {
        Err(Error::Missing) => {
            println!("SKIPPED: {}", Error::Missing);
            None
        }
        result => Some(result),
    }
}

/// A program of nothing but this machine code: an ELF header and one segment
/// (System V ABI, chapter 4).
#[cfg(target_arch = "x86_64")]
fn program(code: &[u8]) -> tempfile::TempPath {
    use std::io::Write;
    use std::os::unix::fs::PermissionsExt;
    const BASE: u64 = 0x40_0000;
    const HEADERS: u64 = 64 + 56;
    let mut elf = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0".to_vec();
    // An executable (2) for x86-64 (62).
    elf.extend([2, 0, 62, 0, 1, 0, 0, 0]);
    for word in [BASE + HEADERS, 64, 0] {
        elf.extend(word.to_le_bytes());
    }
    // Flags; sizes of this header, of a segment's and how many; no sections.
    elf.extend([0, 0, 0, 0, 64, 0, 56, 0, 1, 0, 64, 0, 0, 0, 0, 0]);
    // Loaded (1), readable and executable (5).
    elf.extend([1, 0, 0, 0, 5, 0, 0, 0]);
    let size = HEADERS + code.len() as u64;
    for word in [0, BASE, BASE, size, size, 0x1000] {
        elf.extend(word.to_le_bytes());
    }
    elf.extend(code);
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(&elf).unwrap();
    let only_owner = std::fs::Permissions::from_mode(0o700);
    file.as_file().set_permissions(only_owner).unwrap();
    file.into_temp_path()
}

/// mov eax, 231 (exit_group); xor edi, edi; syscall.
#[cfg(target_arch = "x86_64")]
const EXIT: [u8; 9] = [0xb8, 231, 0, 0, 0, 0x31, 0xff, 0x0f, 0x05];

#[cfg(target_arch = "x86_64")]
#[test]
fn every_instruction_is_counted_once() {
    // mov ecx, 1000; 1: dec ecx; jnz 1b.
    let mut code = vec![0xb9, 0xe8, 3, 0, 0, 0xff, 0xc9, 0x75, 0xfc];
    code.extend(EXIT);
    let path = program(&code);
    if let Some(found) = count(&Command::new(&*path)) {
        assert_eq!(found.unwrap(), 1 + 2 * 1000 + 3);
    }
}

#[cfg(target_arch = "x86_64")]
#[test]
fn avx512_is_named_as_the_reason() {
    // vpxorq zmm0, zmm0, zmm0.
    let mut code = vec![0x62, 0xf1, 0xfd, 0x48, 0xef, 0xc0];
    code.extend(EXIT);
    let path = program(&code);
    if let Some(found) = count(&Command::new(&*path)) {
        let error = found.unwrap_err();
        let Error::UnknownInstruction { bytes } = &error else {
            panic!("{error}");
        };
        assert!(bytes.starts_with("0x62 0xF1"), "{bytes}");
        assert!(error.to_string().contains("AVX-512"));
    }
}

#[test]
fn two_runs_give_the_same_count() {
    let mut command = Command::new("sh");
    command.args(["-c", "i=0; while [ $i -lt 2000 ]; do i=$((i+1)); done"]);
    if let Some(first) = count(&command) {
        let (first, second) = (first.unwrap(), count(&command).unwrap().unwrap());
        assert!(first > 100_000);
        // To what the loader does with other addresses.
        assert!(first.abs_diff(second) * 10_000 <= first, "{first} {second}");
    }
}

#[test]
fn failures_are_told() {
    let sh = |script: &str| {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        count(&command).map(|found| found.unwrap_err().to_string())
    };
    let Some(error) = sh("echo broken >&2; exit 3") else {
        return;
    };
    assert_eq!(error, "under valgrind: exit code 3\n    broken");
    assert!(sh("(exit 0); exit 0").unwrap().contains("2 processes"));
    let error = count(&Command::new("/nowhere/to/be/found")).unwrap();
    let error = error.unwrap_err().to_string();
    assert!(error.contains("/nowhere/to/be/found"), "{error}");
}

#[test]
fn files_that_are_not_as_expected_are_refused() {
    assert_eq!(summary("events: Ir\nfn=x\n1 2\nsummary: 12\n").unwrap(), 12);
    for (file, what) in [
        ("events: Ir\nfn=x\n", "no `summary:`"),
        ("events: Ir Dr\nsummary: 12 13\n", "`Ir Dr`"),
        ("events: Ir\nsummary: many\n", "`many` is not a number"),
    ] {
        let error = summary(file).unwrap_err().to_string();
        assert!(error.contains(what), "{error}");
    }
}

#[test]
fn a_missing_valgrind_is_told_with_its_remedy() {
    let setup = Setup {
        env: vec![("PATH".into(), "/nowhere".into())],
        ..Setup::default()
    };
    let never = AtomicBool::new(false);
    let found = instructions(
        &Command::new("true"),
        &setup,
        Duration::from_secs(60),
        &never,
    );
    assert!(
        found
            .unwrap_err()
            .to_string()
            .contains("apt install valgrind")
    );
}
