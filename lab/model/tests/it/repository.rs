//! The studies of this repository.

use karat_model::diagnostic::render;
use karat_model::study::Study;
use std::fs;
use std::path::Path;

#[test]
fn every_study_of_the_repository_is_sound() {
    let studies = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../studies");
    let mut found = 0;
    for folder in fs::read_dir(&studies).expect("the repository has studies") {
        let folder = folder.unwrap().path();
        let file = folder.join("study.toml");
        let Ok(source) = fs::read_to_string(&file) else {
            continue;
        };
        found += 1;
        let shown = file.display().to_string();
        let study = Study::parse(&source)
            .unwrap_or_else(|problems| panic!("{}", render(&problems, &shown, &source, false)));
        let missing = study.missing_paths(|p| folder.join(p).exists());
        assert!(
            missing.is_empty(),
            "{}",
            render(&missing, &shown, &source, false)
        );
        let name = folder.file_name().unwrap().to_string_lossy();
        assert_eq!(study.name, name, "a study is called like its folder");
    }
    assert!(found > 0, "no study in {}", studies.display());
}
