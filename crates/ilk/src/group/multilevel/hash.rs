//! Random choices that do not depend on the order in which they are made.

/// A pseudo-random number that depends on these three numbers alone (the finisher of SplitMix64).
pub(super) fn hash3(a: u64, b: u64, c: u64) -> u64 {
    let mut x = a
        .wrapping_add(b.wrapping_mul(0x9e37_79b9_7f4a_7c15))
        .wrapping_add(c.wrapping_mul(0xd1b5_4a32_d192_ed03));
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
