//! Scores that measure information, in nats.

use super::{Contingency, expected::expected_mutual_info};

crate::choice! {
    /// How the entropies of the two labellings become one normalizer.
    #[derive(Default)]
    pub enum Average {
        /// (`H_t` + `H_p`) / 2.
        #[default]
        Arithmetic = "arithmetic",
        /// sqrt(`H_t` `H_p`).
        Geometric = "geometric",
        /// The smaller.
        Min = "min",
        /// The larger.
        Max = "max",
    }
}

impl Average {
    /// All averages, in the order in which help lists them.
    pub const ALL: [Self; 4] = [Self::Arithmetic, Self::Geometric, Self::Min, Self::Max];

    fn of(self, a: f64, b: f64) -> f64 {
        match self {
            Self::Arithmetic => 0.5 * (a + b),
            Self::Geometric => (a * b).sqrt(),
            Self::Min => a.min(b),
            Self::Max => a.max(b),
        }
    }
}

/// A sum with Neumaier's correction: its error does not grow with the number of terms, of which
/// there can be as many as points.
pub(super) fn sum(terms: impl Iterator<Item = f64>) -> f64 {
    let mut total = 0.0_f64;
    let mut lost = 0.0_f64;
    for term in terms {
        let next = total + term;
        lost +=
            if total.abs() >= term.abs() { (total - next) + term } else { (term - next) + total };
        total = next;
    }
    total + lost
}

/// H = -sum p log p over the sizes of the groups.
fn entropy(sizes: &[u64], n: u64) -> f64 {
    if sizes.len() <= 1 {
        return 0.0;
    }
    let n = n as f64;
    let log_n = n.ln();
    -sum(sizes.iter().map(|&size| size as f64 / n * ((size as f64).ln() - log_n)))
}

impl Contingency {
    /// Entropy of the truth, in nats.
    pub fn class_entropy(&self) -> f64 {
        entropy(self.class_sizes(), self.n())
    }

    /// Entropy of the prediction, in nats.
    pub fn cluster_entropy(&self) -> f64 {
        entropy(self.cluster_sizes(), self.n())
    }

    /// I = sum `p_ij` log(`p_ij` / (`p_i` `p_j`)), in nats.
    pub fn mutual_info(&self) -> f64 {
        if self.class_sizes().len() <= 1 || self.cluster_sizes().len() <= 1 {
            return 0.0;
        }
        let n = self.n() as f64;
        let information = sum(self.cells().iter().map(|cell| {
            let count = cell.count as f64;
            let class = self.class_sizes()[cell.class] as f64;
            let cluster = self.cluster_sizes()[cell.cluster] as f64;
            let term = count / n * ((count * n).ln() - (class * cluster).ln());
            // Exact independence must give exactly 0.
            if term.abs() < f64::EPSILON { 0.0 } else { term }
        }));
        information.max(0.0)
    }

    /// Mutual information over an average of the entropies: 0 for independent labellings, 1 for
    /// equal ones.
    pub fn normalized_mutual_info(&self, average: Average) -> f64 {
        if self.class_sizes().len() <= 1 && self.cluster_sizes().len() <= 1 {
            return 1.0;
        }
        let information = self.mutual_info();
        if information == 0.0 {
            return 0.0;
        }
        information / average.of(self.class_entropy(), self.cluster_entropy())
    }

    /// Mutual information above that of random labellings of the same sizes, (I - E) / (avg H - E)
    /// (Vinh, Epps and Bailey 2010): 0 on average by chance, 1 for equal labellings.
    ///
    /// Where one labelling is all singletons, I = E whatever the other is. The score is then 0,
    /// or 1 where the normalizer equals E too (0/0: as good as can be).
    pub fn adjusted_mutual_info(&self, average: Average) -> f64 {
        if self.is_bijection() {
            return 1.0;
        }
        let (classes, clusters) = (self.class_sizes().len(), self.cluster_sizes().len());
        if classes == 1 || clusters == 1 {
            return 0.0;
        }
        let singletons = |groups: usize| groups as u64 == self.n();
        if singletons(classes) || singletons(clusters) {
            return if average == Average::Min { 1.0 } else { 0.0 };
        }
        let expected = expected_mutual_info(self);
        let normalizer = average.of(self.class_entropy(), self.cluster_entropy());
        (self.mutual_info() - expected) / away_from_zero(normalizer - expected)
    }

    /// 1 - H(class | cluster) / H(class): 1 where every cluster holds one class only.
    pub fn homogeneity(&self) -> f64 {
        share(self.mutual_info(), self.class_entropy())
    }

    /// 1 - H(cluster | class) / H(cluster): 1 where every class lies in one cluster.
    pub fn completeness(&self) -> f64 {
        share(self.mutual_info(), self.cluster_entropy())
    }

    /// The weighted harmonic mean of homogeneity and completeness,
    /// (1 + beta) h c / (beta h + c) (Rosenberg and Hirschberg 2007): beta above 1 favours
    /// completeness.
    pub fn v_measure(&self, beta: f64) -> f64 {
        let (h, c) = (self.homogeneity(), self.completeness());
        if h * c == 0.0 {
            return 0.0;
        }
        (1.0 + beta) * h * c / (beta * h + c)
    }
}

fn share(information: f64, entropy: f64) -> f64 {
    if entropy == 0.0 { 1.0 } else { information / entropy }
}

/// Keeps a rounded difference from being 0 or changing its sign.
fn away_from_zero(difference: f64) -> f64 {
    if difference < 0.0 { difference.min(-f64::EPSILON) } else { difference.max(f64::EPSILON) }
}
