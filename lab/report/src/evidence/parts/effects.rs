//! Point and interval of every variant, a chart for each workload.

use crate::document::{Block, Chart, Detail, Figure, Part};
use crate::evidence::tables::matrix;
use crate::svg::forest::Forest;
use crate::wording::heading;
use karat_model::evidence::{Evidence, WorkloadEvidence};

const NOTE: &str = "Point: estimated change. Bar: its interval. Band: the margin. Filled points are \
    decided, hollow ones are not; squares lie inside the margin. Small rings: the change in each \
    layout, when there are several. The grey row is the baseline against itself. Each figure has \
    its own scale.";

pub fn part(evidence: &Evidence, detail: Detail) -> Option<Part> {
    if detail != Detail::Full {
        return None;
    }
    let compared = evidence
        .workloads
        .iter()
        .filter(|w| !w.comparisons.is_empty());
    let rows = matrix::rows(evidence);
    let figure = |workload: &WorkloadEvidence| {
        let names = rows.iter().map(|r| &r.variant.name);
        let compared = names.filter_map(|name| matrix::comparison(workload, name));
        Figure {
            title: workload.name.clone(),
            chart: Chart::Forest(Forest::new(workload, compared, evidence.study.margin)),
        }
    };
    let figures: Vec<Figure> = compared.map(figure).collect();
    if figures.is_empty() {
        return super::unmeasured("effects", heading::FOREST, detail);
    }
    let blocks = vec![Block::Figures(figures)];
    Some(Part::new("effects", heading::FOREST, blocks).note(NOTE))
}
