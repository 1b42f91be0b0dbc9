use super::*;
use crate::numerics::rng::rng;
use crate::numerics::simd::Portable32;

fn points(dims: usize, n_blocks: usize, radii: bool) -> F32Points {
    let mut rng = rng(dims as u64);
    let n_lanes = n_blocks * BLOCK_LEN_F32;
    let mut draw = |n: usize| (0..n).map(|_| rng.uniform() as f32).collect::<Vec<_>>();
    let coords = draw(n_lanes * dims);
    let radii = if radii { draw(n_lanes) } else { Vec::new() };
    F32Points::new(coords, dims, radii)
}

#[test]
fn the_portable_ball_query_finds_the_same_members() {
    for (dims, radii) in [(1, true), (5, true), (9, false)] {
        let points = points(dims, 6, radii);
        let (x, blocks) = (vec![0.5; dims], [0, 2, 3, 5]);
        let is_member = |slot: u32| slot.is_multiple_of(2);
        let (mut ours, mut portable) = (Vec::new(), vec![0; points.n_lanes() + WIDTH]);
        let count = points.members(&blocks, &x, &is_member, &mut ours);
        let simd = Portable32::AVAILABLE;
        let again = find_members(simd, &points, &blocks, &x, &is_member, &mut portable);
        assert!(count > 0);
        assert_eq!(ours[..count], portable[..again]);
    }
}

#[test]
fn the_portable_gather_copies_the_same_points() {
    for radii in [false, true] {
        let points = points(3, 6, radii);
        let (x, blocks) = ([0.5; 3], [0, 1, 4, 5]);
        let [mut ours, mut portable] = [F32Points::default(), F32Points::default()];
        points.gather(&blocks, &x, 0.6, &mut ours);
        let bound = Edge::around(&x).high(0.6) as f32;
        let simd = Portable32::AVAILABLE;
        gather_within(simd, &points, &blocks, &x, bound, &mut portable);
        assert!(ours.n_lanes() > BLOCK_LEN_F32);
        assert_eq!(ours.coords, portable.coords);
        assert_eq!(ours.slots, portable.slots);
        assert_eq!(ours.radii, portable.radii);
    }
}
