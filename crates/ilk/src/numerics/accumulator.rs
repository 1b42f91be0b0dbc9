//! Sums by index, few of which are used at a time.

/// Sums for the indices `0..n`, with a list of those that something was added to, so that clearing
/// costs as much as was added and not n.
pub(crate) struct SparseAccumulator {
    /// The bits of every sum, exclusive or with those of -0. An index that nothing was added to is
    /// 0 here, which keeps its value apart from a sum of 0: a sum never becomes -0.
    sums: Vec<u64>,
    touched: Vec<u32>,
}

const NEGATIVE_ZERO: u64 = (-0.0_f64).to_bits();

impl SparseAccumulator {
    pub(crate) fn new(n: usize) -> Self {
        Self { sums: vec![0; n], touched: Vec::new() }
    }

    #[inline]
    pub(crate) fn add(&mut self, index: u32, value: f64) {
        let stored = &mut self.sums[index as usize];
        let sum = if *stored == 0 {
            self.touched.push(index);
            value + 0.0 // -0 becomes 0.
        } else {
            f64::from_bits(*stored ^ NEGATIVE_ZERO) + value
        };
        *stored = sum.to_bits() ^ NEGATIVE_ZERO;
    }

    /// The sum of an index; 0 where nothing was added.
    #[inline]
    pub(crate) fn get(&self, index: usize) -> f64 {
        f64::from_bits(self.sums[index] ^ NEGATIVE_ZERO) + 0.0
    }

    /// Whether something was added, be it 0.
    pub(crate) fn is_touched(&self, index: usize) -> bool {
        self.sums[index] != 0
    }

    /// The indices that something was added to, in that order, each once.
    pub(crate) fn touched(&self) -> &[u32] {
        &self.touched
    }

    pub(crate) fn clear(&mut self) {
        for index in self.touched.drain(..) {
            self.sums[index as usize] = 0;
        }
    }

    /// Clears all sums and returns the index with the largest `score` of its sum, if any has a
    /// score; of several equal ones, that with the largest `tie_break`.
    pub(crate) fn take_best(
        &mut self,
        score: impl Fn(u32, f64) -> Option<f64>,
        tie_break: impl Fn(u32) -> u64,
    ) -> Option<u32> {
        let mut best: Option<(f64, u32)> = None;
        for &index in &self.touched {
            let Some(score) = score(index, self.get(index as usize)) else {
                continue;
            };
            if best.is_none_or(|(most, other)| {
                score > most || score == most && tie_break(index) > tie_break(other)
            }) {
                best = Some((score, index));
            }
        }
        self.clear();
        best.map(|(_, index)| index)
    }
}

#[cfg(test)]
mod tests;
