//! The report in a browser: it renders, wide and narrow, light and dark, says what
//! it must, and asks nobody for anything.

use super::browser::{Browser, Page, missing};
use super::smoke;
use super::step::Outcome;
use anyhow::{Context as _, Result, ensure};
use karat_model::evidence::Evidence;
use std::path::{Path, PathBuf};

/// Height of every picture.
const HEIGHT: u32 = 2000;

/// Chromium's window has a least width; a narrower page is shown in a frame.
const LEAST_WINDOW: u32 = 500;

/// A picture of the report is this many times as large as one of an empty page:
/// flat areas compress to nothing, text and plots do not. (Measured: 33 to 39.)
const FULLER: usize = 8;

const EMPTY: &str = "<!DOCTYPE html><title>empty</title>\n";

/// Does what a report must not do, to see that it would be noticed.
const GUILTY: &str = "<!DOCTYPE html><title>guilty</title>\n\
    <img src=\"http://karat.invalid/picture.png\">\
    <script>console.error('guilty')</script>\n";

/// Opens the report of the smoke run.
pub fn run() -> Result<Outcome> {
    let run = smoke::last_run()?;
    let folder = smoke::folder()?.join("page");
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    std::fs::create_dir_all(&folder)?;
    let Some(browser) = Browser::find(&folder) else {
        return Ok(Outcome::Skipped(missing()));
    };
    let checker = Checker { browser, folder };
    checker.notices_guilt()?;
    let report = run.join("report.html");
    let evidence = smoke::evidence(&run)?;
    checker.says_all(&report, &evidence)?;
    checker.is_drawn(&report)?;
    Ok(Outcome::Noted(format!(
        "pictures in {}",
        checker.folder.display()
    )))
}

struct Checker {
    browser: Browser,
    folder: PathBuf,
}

impl Checker {
    /// The checks below would pass everything if the browser's logs changed.
    fn notices_guilt(&self) -> Result<()> {
        let visit = self
            .browser
            .visit(&wide(&self.write("guilty.html", GUILTY)?))?;
        ensure!(
            visit.console.len() == 1 && visit.requests.len() == 1,
            "this browser's logs are not understood: a page with one console message and one \
             request showed {:?} and {:?}",
            visit.console,
            visit.requests
        );
        Ok(())
    }

    fn says_all(&self, report: &Path, evidence: &Evidence) -> Result<()> {
        let visit = self.browser.visit(&wide(report))?;
        ensure!(
            visit.console.is_empty(),
            "the report writes to the console: {}",
            visit.console.join("; ")
        );
        ensure!(
            visit.requests.is_empty(),
            "the report asks for {}",
            visit.requests.join(", ")
        );
        let lacking = lacking(&visit.dom, evidence);
        ensure!(
            lacking.is_empty(),
            "the report lacks {}",
            lacking.join(", ")
        );
        Ok(())
    }

    fn is_drawn(&self, report: &Path) -> Result<()> {
        let empty = self.write("empty.html", EMPTY)?;
        let light = self.picture(&wide(report), &wide(&empty), "1280-light")?;
        let dark = Page {
            dark: true,
            ..wide(report)
        };
        let dark = self.picture(&dark, &wide(&empty), "1280-dark")?;
        ensure!(light != dark, "light and dark look the same");

        let narrow = 400;
        let frame = self.write("frame.html", &frame(report, narrow))?;
        let frame = narrow_page(&frame);
        self.picture(&frame, &narrow_page(&empty), "400-light")?;
        let dom = self.browser.visit(&frame)?.dom;
        let shown = attribute(&dom, "data-width").context("the frame told no width")?;
        ensure!(
            shown == narrow.to_string(),
            "at {narrow} px the report is {shown} px wide and scrolls sideways"
        );
        Ok(())
    }

    /// A picture of the page that is not as empty as that of an empty page.
    fn picture(&self, page: &Page<'_>, empty: &Page<'_>, name: &str) -> Result<Vec<u8>> {
        let file = self.folder.join(format!("{name}.png"));
        let picture = self.browser.picture(page, &file)?;
        let blank = self
            .browser
            .picture(empty, &self.folder.join("empty.png"))?;
        ensure!(
            size(&picture) == Some((page.width, page.height)),
            "{} should be {} x {}, but is {:?}",
            file.display(),
            page.width,
            page.height,
            size(&picture)
        );
        ensure!(
            picture.len() > FULLER * blank.len(),
            "{} looks empty: {} bytes, an empty page has {}",
            file.display(),
            picture.len(),
            blank.len()
        );
        Ok(picture)
    }

    fn write(&self, name: &str, text: &str) -> Result<PathBuf> {
        let file = self.folder.join(name);
        std::fs::write(&file, text)?;
        Ok(file)
    }
}

const fn wide(file: &Path) -> Page<'_> {
    Page {
        file,
        width: 1280,
        height: HEIGHT,
        dark: false,
    }
}

const fn narrow_page(file: &Path) -> Page<'_> {
    Page {
        file,
        width: LEAST_WINDOW,
        height: HEIGHT,
        dark: false,
    }
}

/// A page that shows another in a frame and tells how wide it came out.
fn frame(file: &Path, width: u32) -> String {
    format!(
        "<!DOCTYPE html><title>frame</title><body style=\"margin:0\">\n\
         <iframe src=\"file://{}\" width=\"{width}\" height=\"{HEIGHT}\" style=\"border:0\" \
         onload=\"document.body.dataset.width = this.contentDocument.documentElement.scrollWidth\">\
         </iframe>\n",
        file.display()
    )
}

/// Value of the first attribute of that name.
fn attribute<'a>(dom: &'a str, name: &str) -> Option<&'a str> {
    let (_, after) = dom.split_once(&format!("{name}=\""))?;
    after.split_once('"').map(|(value, _)| value)
}

/// What the page should show and does not.
fn lacking(dom: &str, evidence: &Evidence) -> Vec<String> {
    let mut lacking = Vec::new();
    if !headings(dom).any(|heading| heading == "Verdict") {
        lacking.push("the heading `Verdict`".to_owned());
    }
    let variants = evidence.variants.iter().map(|v| &v.name);
    for name in variants.chain(evidence.workloads.iter().map(|w| &w.name)) {
        if !dom.contains(name.as_str()) {
            lacking.push(format!("`{name}`"));
        }
    }
    // Effects and run order of each workload are drawn.
    let least = 2 * evidence.workloads.len();
    let drawn = dom.matches("<svg").count();
    if drawn < least {
        lacking.push(format!("plots ({drawn}, expected at least {least})"));
    }
    lacking
}

/// Texts of the second-level headings.
fn headings(dom: &str) -> impl Iterator<Item = &str> {
    dom.split("<h2").skip(1).filter_map(|after| {
        let (_, text) = after.split_once('>')?;
        text.split_once("</h2>").map(|(text, _)| text)
    })
}

/// Width and height of a PNG.
fn size(png: &[u8]) -> Option<(u32, u32)> {
    let header = png.strip_prefix(b"\x89PNG\r\n\x1a\n")?.get(8..16)?;
    let (width, height) = header.split_at(4);
    let number = |bytes: &[u8]| Some(u32::from_be_bytes(bytes.try_into().ok()?));
    Some((number(width)?, number(height)?))
}

#[cfg(test)]
mod tests {
    use super::{attribute, headings, size};

    #[test]
    fn headings_are_read_with_and_without_attributes() {
        let dom = "<h1>no</h1><h2 class=\"hidden\">Verdict</h2><h2>Noise floor</h2>";
        assert_eq!(
            headings(dom).collect::<Vec<_>>(),
            ["Verdict", "Noise floor"]
        );
    }

    #[test]
    fn an_attribute_is_read() {
        let dom = "<body style=\"margin:0\" data-width=\"400\">";
        assert_eq!(attribute(dom, "data-width"), Some("400"));
        assert_eq!(attribute(dom, "data-height"), None);
    }

    #[test]
    fn a_picture_tells_its_size() {
        let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
        png.extend([0, 0, 5, 0, 0, 0, 7, 208]);
        assert_eq!(size(&png), Some((1280, 2000)));
        assert_eq!(size(b"GIF89a"), None);
    }
}
