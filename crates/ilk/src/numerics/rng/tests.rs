use super::{Rng, rng, rng_stream};

fn moments(n: usize, mut draw: impl FnMut() -> f64) -> [f64; 4] {
    let mut sums = [0.0; 4];
    for _ in 0..n {
        let x = draw();
        let mut power = 1.0;
        for sum in &mut sums {
            power *= x;
            *sum += power / n as f64;
        }
    }
    sums
}

fn first_bits(mut generator: Rng) -> Vec<u64> {
    (0..8).map(|_| generator.uniform().to_bits()).collect()
}

#[test]
fn a_seed_repeats_and_another_differs() {
    assert_eq!(first_bits(rng(7)), first_bits(rng(7)));
    assert_ne!(first_bits(rng(7)), first_bits(rng(8)));
    assert_ne!(first_bits(rng(7)), first_bits(rng_stream(7, 1)));
}

#[test]
fn the_numbers_of_a_seed_are_these_for_ever() {
    let mut generator = rng(42);
    assert_eq!(generator.uniform(), 0.681_896_192_306_671_4);
    assert_eq!(generator.uniform(), 0.950_275_407_672_484);
    assert_eq!([generator.below(1000), generator.below(1000)], [772, 427]);
    assert_eq!(generator.normal(), -0.973_295_535_166_464_6);
    assert_eq!(generator.normal(), -0.387_423_154_531_716_4);
    assert_eq!(generator.sample(100, 5), [82, 61, 77, 15, 76]);
}

#[test]
fn uniforms_have_the_moments_of_the_uniform() {
    let mut generator = rng(1);
    let [m1, m2, m3, m4] = moments(200_000, || generator.uniform());
    for (found, expected) in [(m1, 0.5), (m2, 1.0 / 3.0), (m3, 0.25), (m4, 0.2)] {
        assert!((found - expected).abs() < 4e-3, "{found} is not {expected}");
    }
}

#[test]
fn normals_have_the_moments_and_tails_of_the_normal() {
    let mut generator = rng(2);
    let [m1, m2, m3, m4] = moments(400_000, || generator.normal());
    for (found, expected, tolerance) in
        [(m1, 0.0, 0.01), (m2, 1.0, 0.012), (m3, 0.0, 0.03), (m4, 3.0, 0.08)]
    {
        assert!((found - expected).abs() < tolerance, "{found} is not {expected}");
    }
    let beyond = |limit: f64, generator: &mut Rng| {
        (0..400_000).filter(|_| generator.normal() > limit).count() as f64 / 400_000.0
    };
    // 1 - Phi(1), 1 - Phi(3).
    assert!((beyond(1.0, &mut generator) - 0.158_655).abs() < 3e-3);
    assert!((beyond(3.0, &mut generator) - 0.001_350).abs() < 3e-4);
}

#[test]
fn below_draws_every_number_as_often() {
    let mut generator = rng(3);
    let mut counts = [0_u32; 7];
    for _ in 0..70_000 {
        counts[generator.below(7)] += 1;
    }
    // Five standard deviations of a binomial with mean 10,000.
    assert!(counts.iter().all(|c| c.abs_diff(10_000) < 470), "{counts:?}");
}

#[test]
fn a_sample_holds_different_numbers_each_as_often() {
    let mut generator = rng(4);
    let mut first = [0_u32; 10];
    let mut member = [0_u32; 10];
    for _ in 0..20_000 {
        let mut drawn = generator.sample(10, 4);
        assert_eq!(drawn.len(), 4);
        first[drawn[0]] += 1;
        drawn.sort_unstable();
        assert!(drawn.windows(2).all(|w| w[0] < w[1]));
        for i in drawn {
            member[i] += 1;
        }
    }
    assert!(first.iter().all(|c| c.abs_diff(2_000) < 220), "{first:?}");
    assert!(member.iter().all(|c| c.abs_diff(8_000) < 350), "{member:?}");
}

#[test]
fn a_sample_larger_than_the_population_is_all_of_it() {
    let mut all = rng(5).sample(6, 9);
    all.sort_unstable();
    assert_eq!(all, [0, 1, 2, 3, 4, 5]);
    assert!(rng(5).sample(0, 3).is_empty());
}

#[test]
fn a_small_sample_of_a_huge_population_needs_no_memory_for_it() {
    let drawn = rng(6).sample(1 << 60, 1000);
    assert_eq!(drawn.len(), 1000);
    assert!(drawn.iter().any(|&i| i > 1 << 58));
}

#[test]
fn a_shuffle_keeps_the_items_and_reaches_every_order() {
    let mut generator = rng(7);
    let mut seen = std::collections::BTreeMap::<[u8; 3], u32>::new();
    for _ in 0..6_000 {
        let mut items = [1, 2, 3];
        generator.shuffle(&mut items);
        *seen.entry(items).or_default() += 1;
    }
    assert_eq!(seen.len(), 6);
    assert!(seen.values().all(|c| c.abs_diff(1_000) < 150), "{seen:?}");
}
