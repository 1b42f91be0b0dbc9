//! The cells of a row over its seeds.

use super::cells::{Cell, Ledger};
use super::folder::Folder;
use super::{Candidate, Figures, Row};

/// A score of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Metric {
    /// Adjusted Rand index on all rows that were drawn.
    Ari,
    /// Normalized mutual information on the same.
    Nmi,
    /// Adjusted Rand index on the rows without constraints.
    AriFree,
    /// Adjusted Rand index on the whole set, of which rows were drawn to learn from.
    AriWhole,
    /// Normalized mutual information on the half of the rows that no constraint may name.
    NmiTest,
    /// The share of rows whose cluster is the one matched with their class, by the best matching.
    Accuracy,
    /// The number of clusters.
    Clusters,
}

impl Metric {
    pub(crate) const ALL: [Self; 7] = [
        Self::Ari,
        Self::Nmi,
        Self::AriFree,
        Self::AriWhole,
        Self::NmiTest,
        Self::Accuracy,
        Self::Clusters,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Ari => "ARI",
            Self::Nmi => "NMI",
            Self::AriFree => "ARI unconstrained",
            Self::AriWhole => "ARI whole set",
            Self::NmiTest => "NMI test half",
            Self::Accuracy => "accuracy",
            Self::Clusters => "clusters",
        }
    }

    /// The name in files and JSON.
    pub(crate) fn key(self) -> &'static str {
        match self {
            Self::Ari => "ari",
            Self::Nmi => "nmi",
            Self::AriFree => "ari_free",
            Self::AriWhole => "ari_whole",
            Self::NmiTest => "nmi_test",
            Self::Accuracy => "accuracy",
            Self::Clusters => "clusters",
        }
    }

    /// What was printed of it. A paper prints one adjusted Rand index in one place; of which rows it is
    /// depends on the exhibit.
    pub(crate) fn of(self, figures: Figures) -> Option<f64> {
        match self {
            Self::Ari | Self::AriWhole => figures.ari,
            Self::Nmi | Self::NmiTest => figures.nmi,
            Self::Accuracy => figures.accuracy,
            Self::AriFree | Self::Clusters => None,
        }
    }

    fn of_cell(self, cell: &Cell) -> Option<f64> {
        match self {
            Self::Ari => Some(cell.ari),
            Self::Nmi => Some(cell.nmi),
            Self::AriFree => cell.ari_free,
            Self::AriWhole => cell.ari_whole,
            Self::NmiTest => cell.nmi_test,
            Self::Accuracy => cell.accuracy,
            Self::Clusters => Some(cell.clusters as f64),
        }
    }
}

/// A score to the three decimals that are shown, so that what is shown is what is judged.
pub(crate) fn rounded(score: f64) -> f64 {
    // The sum turns a negative zero into a zero.
    (score * 1e3).round() / 1e3 + 0.0
}

/// A mean, and the standard deviation (over n - 1) where there are two values or more.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct MeanStd {
    pub(crate) mean: f64,
    pub(crate) deviation: Option<f64>,
}

impl MeanStd {
    fn of(values: &[f64]) -> Self {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let sum_sq: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        Self { mean, deviation: (values.len() > 1).then(|| (sum_sq / (n - 1.0)).sqrt()) }
    }
}

/// What came of a row: its finished cells in the order of their seeds, at least one.
#[derive(Debug, Clone)]
pub(crate) struct Measured<'a> {
    pub(crate) cells: Vec<&'a Cell>,
    /// The candidate that they are of, where there were several.
    pub(crate) candidate: Option<&'a str>,
}

impl<'a> Measured<'a> {
    /// The finished cells of a row with seeds below `seeds`. Of several candidates the one with the
    /// best mean ARI is taken, among those with the most cells.
    pub(crate) fn of(
        row: &'a Row,
        folder: &Folder,
        ledger: &'a Ledger,
        seeds: u64,
    ) -> Option<Self> {
        let trial = row.trial.as_ref()?;
        let cells = |candidate: &Candidate| -> Vec<&'a Cell> {
            let Some(settings) = trial.settings(candidate, folder) else {
                return Vec::new();
            };
            let seeds = 0..seeds;
            seeds.filter_map(|s| ledger.cell(&settings, s)).collect()
        };
        let mut best: Option<Self> = None;
        for candidate in &trial.candidates {
            let measured = Self {
                cells: cells(candidate),
                candidate: (trial.candidates.len() > 1).then_some(candidate.name.as_str()),
            };
            let rank = |m: &Self| (m.cells.len(), m.score(Metric::Ari).map(|ari| ari.mean));
            if !measured.cells.is_empty()
                && best.as_ref().is_none_or(|best| rank(best) < rank(&measured))
            {
                best = Some(measured);
            }
        }
        best
    }

    /// A score over the seeds, where any cell has it.
    pub(crate) fn score(&self, metric: Metric) -> Option<MeanStd> {
        let values: Vec<f64> = self.cells.iter().filter_map(|cell| metric.of_cell(cell)).collect();
        (!values.is_empty()).then(|| MeanStd::of(&values))
    }

    /// The mean over the seeds.
    pub(crate) fn mean(&self, of: impl Fn(&Cell) -> usize) -> f64 {
        self.sum(of) as f64 / self.cells.len() as f64
    }

    /// The smallest and the largest over the seeds.
    pub(crate) fn range(&self, of: impl Fn(&Cell) -> usize) -> (usize, usize) {
        let values = self.cells.iter().map(|cell| of(cell));
        values.fold((usize::MAX, 0), |(low, high), v| (low.min(v), high.max(v)))
    }

    pub(crate) fn sum(&self, of: impl Fn(&Cell) -> usize) -> usize {
        self.cells.iter().map(|cell| of(cell)).sum()
    }
}
