use super::*;

/// The values whose bit is set, in order.
fn chosen<T: Copy>(mask: u32, from: &[T]) -> Vec<T> {
    let bit = |l: usize| mask >> l & 1 == 1;
    (0..from.len()).filter(|&l| bit(l)).map(|l| from[l]).collect()
}

fn compresses<V: Simd<Scalar: From<u8> + PartialEq + std::fmt::Debug>>(simd: Available<V>) {
    let lanes: Vec<V::Scalar> = (1..).take(V::WIDTH).map(V::Scalar::from).collect();
    let numbers: Vec<u32> = (100..).take(V::WIDTH).collect();
    for mask in 0..1 << V::WIDTH {
        let mut to = vec![V::Scalar::from(0); V::WIDTH];
        let mut to_u32 = vec![0; V::WIDTH];
        simd.load(&lanes).compress(mask, &mut to);
        simd.compress_u32(mask, &numbers, &mut to_u32);
        let count = mask.count_ones() as usize;
        assert_eq!(to[..count], chosen(mask, &lanes), "mask {mask:b}");
        assert_eq!(to_u32[..count], chosen(mask, &numbers), "mask {mask:b}");
    }
}

#[test]
fn compressing_keeps_the_chosen_lanes_in_order_with_every_instruction_set() {
    compresses(Portable64::AVAILABLE);
    compresses(Portable32::AVAILABLE);
    simd_dispatch!(f64x8, compresses());
    simd_dispatch!(f32x16, compresses());
    #[cfg(target_arch = "x86_64")]
    {
        Avx2x64::run(compresses);
        Avx2x32::run(compresses);
    }
}
