use super::*;

/// The values whose bit is set, in order.
fn chosen<T: Copy>(mask: u32, from: &[T]) -> Vec<T> {
    let bit = |l: usize| mask >> l & 1 == 1;
    (0..from.len())
        .filter(|&l| bit(l))
        .map(|l| from[l])
        .collect()
}

fn compresses<V: Simd<Scalar: From<u8> + PartialEq + std::fmt::Debug>>() {
    let lanes: Vec<V::Scalar> = (1..).take(V::WIDTH).map(V::Scalar::from).collect();
    let numbers: Vec<u32> = (100..).take(V::WIDTH).collect();
    for mask in 0..1 << V::WIDTH {
        let mut to = vec![V::Scalar::from(0); V::WIDTH];
        let mut to_u32 = vec![0; V::WIDTH];
        // SAFETY: the caller has seen that the machine has the instructions.
        unsafe {
            V::load(&lanes).compress(mask, &mut to);
            V::compress_u32(mask, &numbers, &mut to_u32);
        }
        let count = mask.count_ones() as usize;
        assert_eq!(to[..count], chosen(mask, &lanes), "mask {mask:b}");
        assert_eq!(to_u32[..count], chosen(mask, &numbers), "mask {mask:b}");
    }
}

#[test]
fn compressing_keeps_the_chosen_lanes_in_order_with_every_instruction_set() {
    compresses::<Portable64>();
    compresses::<Portable32>();
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            compresses::<Avx2x64>();
            compresses::<Avx2x32>();
        }
        if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl") {
            compresses::<Avx512x64>();
            compresses::<Avx512x32>();
        }
    }
}
