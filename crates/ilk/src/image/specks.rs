//! Small regions go to the segment around them.
//!
//! A region is a maximal set of pixels of one number that are connected by their sides. Methods group pixels by colour
//! as much as by place, so noise, textures and edges leave regions of a few pixels.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use crate::numerics::union_find::UnionFind;

/// Gives every region of fewer than `min_pixels` pixels the number of the region with which it shares most of its
/// boundary, the smallest first. The largest region of every number stays, so that no segment is lost, and so do regions
/// with a pixel for which `is_kept` holds.
pub(super) fn absorb(
    numbers: &mut [u32],
    width: usize,
    min_pixels: usize,
    is_kept: impl Fn(usize) -> bool,
) {
    if min_pixels <= 1 {
        return;
    }
    let mut regions = Regions::new(numbers, width, is_kept);
    regions.absorb(min_pixels);
    for (pixel, number) in numbers.iter_mut().enumerate() {
        let region = regions.sets.find(regions.of_pixel[pixel]);
        *number = regions.all[region].number;
    }
}

struct Region {
    number: u32,
    pixels: usize,
    is_kept: bool,
    /// The sides of pixels shared with each region around it.
    borders: BTreeMap<usize, usize>,
}

struct Regions {
    of_pixel: Vec<usize>,
    /// What belongs to a set of regions that were joined is at its root.
    all: Vec<Region>,
    sets: UnionFind,
}

impl Regions {
    fn new(numbers: &[u32], width: usize, is_kept: impl Fn(usize) -> bool) -> Self {
        let sides = || {
            (0..numbers.len()).flat_map(move |pixel| {
                let right = (pixel % width + 1 < width).then_some(pixel + 1);
                let below = Some(pixel + width).filter(|&below| below < numbers.len());
                [right, below].into_iter().flatten().map(move |other| (pixel, other))
            })
        };
        let mut pixels = UnionFind::new(numbers.len());
        for (a, b) in sides().filter(|&(a, b)| numbers[a] == numbers[b]) {
            pixels.union(a, b);
        }
        let (of_pixel, count) = pixels.components();
        let region = || Region { number: 0, pixels: 0, is_kept: false, borders: BTreeMap::new() };
        let mut all: Vec<Region> = std::iter::repeat_with(region).take(count).collect();
        for (pixel, &of) in of_pixel.iter().enumerate() {
            let region = &mut all[of];
            region.number = numbers[pixel];
            region.pixels += 1;
            region.is_kept |= is_kept(pixel);
        }
        for (a, b) in sides().map(|(a, b)| (of_pixel[a], of_pixel[b])).filter(|(a, b)| a != b) {
            *all[a].borders.entry(b).or_default() += 1;
            *all[b].borders.entry(a).or_default() += 1;
        }
        let mut largest: BTreeMap<u32, usize> = BTreeMap::new();
        for (at, region) in all.iter().enumerate() {
            let best = largest.entry(region.number).or_insert(at);
            if region.pixels > all[*best].pixels {
                *best = at;
            }
        }
        for at in largest.into_values() {
            all[at].is_kept = true;
        }
        Self { of_pixel, all, sets: UnionFind::new(count) }
    }

    fn absorb(&mut self, min_pixels: usize) {
        let is_speck = |region: &Region| !region.is_kept && region.pixels < min_pixels;
        let specks = self.all.iter().enumerate().filter(|(_, region)| is_speck(region));
        let mut queue: BinaryHeap<_> = specks.map(|(at, r)| Reverse((r.pixels, at))).collect();
        while let Some(Reverse((pixels, at))) = queue.pop() {
            let is_current = self.sets.find(at) == at && self.all[at].pixels == pixels;
            if !is_current || !is_speck(&self.all[at]) {
                continue;
            }
            // Of equal boundaries the first region's.
            let longest =
                self.all[at].borders.iter().max_by_key(|&(&other, &sides)| (sides, Reverse(other)));
            let Some((&target, _)) = longest else { continue };
            let number = self.all[target].number;
            let around = self.all[at].borders.keys().copied();
            let same: Vec<usize> =
                around.filter(|&other| self.all[other].number == number).collect();
            // A speck may have stood between two regions of that number.
            let joined = same.into_iter().fold(at, |joined, other| self.join(other, joined));
            self.all[joined].number = number;
            if is_speck(&self.all[joined]) {
                queue.push(Reverse((self.all[joined].pixels, joined)));
            }
        }
    }

    /// Joins two sets of regions, given by their roots, and returns the root of both.
    fn join(&mut self, a: usize, b: usize) -> usize {
        self.sets.union(a, b);
        let root = self.sets.find(a);
        let child = if root == a { b } else { a };
        let borders = std::mem::take(&mut self.all[child].borders);
        let (pixels, is_kept) = (self.all[child].pixels, self.all[child].is_kept);
        for (other, sides) in borders {
            self.all[other].borders.remove(&child);
            if other != root {
                *self.all[other].borders.entry(root).or_default() += sides;
                *self.all[root].borders.entry(other).or_default() += sides;
            }
        }
        self.all[root].pixels += pixels;
        self.all[root].is_kept |= is_kept;
        root
    }
}
