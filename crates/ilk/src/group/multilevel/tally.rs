//! Sums over the clusters that a node has links with.

/// Sums for few of many places. They are 0 between one node and the next.
pub(super) struct Tally {
    sums: Vec<f64>,
    touched: Vec<u32>,
}

impl Tally {
    pub(super) fn new(n: usize) -> Self {
        Self {
            sums: vec![0.0; n],
            touched: Vec::new(),
        }
    }

    #[inline]
    pub(super) fn add(&mut self, place: u32, value: f64) {
        let sum = &mut self.sums[place as usize];
        if *sum == 0.0 {
            self.touched.push(place);
        }
        *sum += value;
    }

    pub(super) fn get(&self, place: usize) -> f64 {
        self.sums[place]
    }

    /// The places that something was added to. One whose sum was 0 on the way is named twice.
    pub(super) fn touched(&self) -> &[u32] {
        &self.touched
    }

    pub(super) fn clear(&mut self) {
        for place in self.touched.drain(..) {
            self.sums[place as usize] = 0.0;
        }
    }

    /// Clears all sums and returns the place with the largest `score` of its sum, if it has one; of
    /// several equal ones, that with the largest `chance`.
    pub(super) fn take_best(
        &mut self,
        score: impl Fn(u32, f64) -> Option<f64>,
        chance: impl Fn(u32) -> u64,
    ) -> Option<u32> {
        let mut best: Option<(f64, u32)> = None;
        for &place in &self.touched {
            let Some(score) = score(place, self.sums[place as usize]) else {
                continue;
            };
            if best.is_none_or(|(most, other)| {
                score > most || score == most && chance(place) > chance(other)
            }) {
                best = Some((score, place));
            }
        }
        self.clear();
        best.map(|(_, place)| place)
    }
}

/// A number that looks random and depends on nothing but these three (the finisher of SplitMix64).
pub(super) fn mixed(a: u64, b: u64, c: u64) -> u64 {
    let mut x = a
        .wrapping_add(b.wrapping_mul(0x9e37_79b9_7f4a_7c15))
        .wrapping_add(c.wrapping_mul(0xd1b5_4a32_d192_ed03));
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
