//! Marks that differ in shape, for readers and printers without colours.

use crate::Writer;
use crate::pen::px;

/// How many shapes there are for arms.
const SHAPES: usize = 10;
/// How many colours there are for arms.
const COLOURS: usize = 8;

/// The shapes, defined once in a page and used by every chart.
const SYMBOLS: &str = r#"<svg class="symbols" width="0" height="0" aria-hidden="true"><defs>
<circle id="s0" r="3.2"/>
<path id="s1" d="M-3-3h6v6h-6z"/>
<path id="s2" d="M0-4L3.8 3h-7.6z"/>
<path id="s3" d="M0-4.4L4.4 0 0 4.4-4.4 0z"/>
<path id="s4" d="M0 4L3.8-3h-7.6z"/>
<path id="s5" class="stroked" d="M-3-3L3 3M3-3L-3 3"/>
<path id="s6" class="stroked" d="M-3.6 0h7.2M0-3.6v7.2"/>
<circle id="s7" class="stroked" r="3"/>
<path id="s8" class="stroked" d="M-2.8-2.8h5.6v5.6h-5.6z"/>
<path id="s9" class="stroked" d="M0-3.8L3.6 2.8h-7.2z"/>
<circle id="speck" class="speck" r="2.6"/>
<circle id="dot" r="5"/>
<circle id="ring" class="ring" r="4.4"/>
<path id="square" d="M-4.5-4.5h9v9h-9z"/>
<path id="less" class="stroked" d="M6-5L0 0l6 5"/>
<path id="more" class="stroked" d="M-6-5L0 0l-6 5"/>
</defs></svg>
"#;

/// Writes the shapes.
pub fn symbols(w: &mut Writer) {
    w.constant(SYMBOLS);
}

/// One mark at a place.
pub fn put(w: &mut Writer, symbol: &str, x: &str, y: f64) {
    let href = format!("#{symbol}");
    w.empty("use", &[("href", &*href), ("x", x), ("y", &*px(y))]);
}

/// The shape of the arm with this index.
pub fn shape(arm: usize) -> String {
    format!("s{}", arm % SHAPES)
}

/// The colour class of the arm with this index.
pub fn colour(arm: usize) -> String {
    format!("c{}", arm % COLOURS)
}
