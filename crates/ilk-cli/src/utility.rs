//! What constraints add to what the table shows, before they are used.

use std::fmt::Write as _;

use anyhow::Result;
use ilk::explain::ConstraintUtility;
use ilk::method::{Auto, Method as _};
use ilk::numerics::rng::rng;
use ilk::parameter::AutoOr;
use ilk::problem::{Constraints, Points, Problem};
use ilk_io::ConstraintFiles;
use serde_json::{Value, json};

use crate::progress::Progress;
use crate::terminal::Terminal;
use crate::text::{count, table};

/// Rows that are grouped, at most, unless constraints name more.
const ROWS: usize = 2000;

/// Fits of the consensus without constraints.
const FITS: usize = 12;

/// The share of the constraints from which on clusters without them are seen to be in need of more.
const MANY: f64 = 0.1;

/// Fewer constraints tell nothing about more.
const FEWEST: usize = 10;

/// What the constraints add, and sentences for those at odds with the data.
pub(crate) struct Utility {
    measured: ConstraintUtility,
    n_clusters: usize,
    at_odds: Vec<String>,
}

impl Utility {
    /// Groups a sample of the rows without the constraints. None where there is nothing to group by or to compare with.
    pub(crate) fn of_table(
        points: &Points,
        constraints: &Constraints,
        files: &ConstraintFiles,
        terminal: &Terminal,
    ) -> Result<Option<Self>> {
        let mut rows = constraints.constrained_points();
        if rows.is_empty() || points.dims() == 0 {
            return Ok(None);
        }
        let n = points.len();
        rows.extend(rng(0).sorted_sample(n, n.min(ROWS.saturating_sub(rows.len()))));
        rows.sort_unstable();
        rows.dedup();
        // All that constraints name are among them, so entries keep their numbers.
        let (sample, known) = (points.select(&rows), constraints.among(&rows)?);
        let problem = Problem::new(sample.clone(), Constraints::new(rows.len()))?;
        let auto = Auto { n_fits: AutoOr::Fixed(FITS), ..Auto::default() };
        let without = auto.fit(&problem, &Progress::new(terminal))?.clustering;
        let Some(measured) = ConstraintUtility::new(&sample, &known, &without, 0)? else {
            return Ok(None);
        };
        let entries: Vec<_> = measured.at_odds.iter().map(|odd| (odd.kind, odd.entry)).collect();
        let at_odds = files.described(constraints, &entries)?;
        Ok(Some(Self { measured, n_clusters: without.n_clusters, at_odds }))
    }

    /// As paragraphs.
    pub(crate) fn text(&self) -> String {
        let measured = &self.measured;
        let broken = (measured.informativeness * measured.n_constraints as f64).round() as usize;
        let (broken, all) = (count(broken), count(measured.n_constraints));
        let mut rows = vec![
            vec!["clusters without answers".to_owned(), count(self.n_clusters)],
            vec!["informativeness".to_owned(), format!("{:.2}", measured.informativeness)],
        ];
        if let Some(coherence) = measured.coherence {
            rows.push(vec!["coherence".to_owned(), format!("{coherence:.2}")]);
        }
        let mut text =
            format!("\n{}\nClusters without answers break {broken} of {all}. ", table(&rows));
        text.push_str(self.advice());
        if !self.at_odds.is_empty() {
            text.push_str("\nmost at odds with the data: they tell most, or are wrong\n");
        }
        for (sentence, odd) in self.at_odds.iter().zip(&measured.at_odds) {
            let _ = writeln!(text, "- {sentence}: {:.0}% sure against", 100.0 * odd.certainty);
        }
        text
    }

    /// Whether more answers would help.
    fn advice(&self) -> &'static str {
        let measured = &self.measured;
        if measured.n_constraints < FEWEST {
            "These are too few answers to tell whether more would help.\n"
        } else if measured.informativeness >= MANY {
            "The answers tell what the data do not show: they will help, and more of them would.\n"
        } else {
            "The data show nearly all of this by themselves: more such answers will change little.\n"
        }
    }

    pub(crate) fn as_json(&self) -> Value {
        let measured = &self.measured;
        let at_odds: Vec<Value> = self
            .at_odds
            .iter()
            .zip(&measured.at_odds)
            .map(|(text, odd)| json!({ "constraint": text, "certainty": odd.certainty }))
            .collect();
        json!({
            "clusters_without_answers": self.n_clusters,
            "informativeness": measured.informativeness,
            "coherence": measured.coherence,
            "at_odds": at_odds,
        })
    }
}
