//! Fitting: from points to modes, clusters and a model.

use ndarray::Array2;

use super::blur::{Iterate, blur};
use super::climb::{Captors, Climb, End, Rule, Trace, Watch};
use super::density::{Density, Kernel, dist_sq};
use super::model::{Climber, MeanShiftModel, Path};
use super::modes::{Linked, Summits};
use super::params::MeanShift;
use crate::Result;
use crate::group::{Grouping, StopReason};
use crate::numerics::rng::rng;
use crate::observe::Observer;
use crate::problem::Points;
use crate::similarity::Resolved;

/// A mode captures what comes this close, as a share of the merge radius.
const CAPTURE: f64 = 0.1;

/// Ends coincide in cells of this side, as a share of the merge radius.
const CELL: f64 = 1e-3;

/// How far a summit is pushed to see whether it is a saddle, as a share of the merge radius.
const PUSH: f64 = 0.1;

/// Points are climbed in waves, every 64th tile of eight first; the modes of a wave capture the
/// points of the next.
const WAVES: [usize; 4] = [64, 16, 4, 1];

/// Points in a tile of a wave.
const TILE: usize = 8;

impl MeanShift {
    /// Finds the modes of the density and the points that climb to each.
    ///
    /// `weights` says how many points each point counts for.
    pub fn fit(
        &self,
        points: &Points,
        weights: Option<&[f64]>,
        observer: &dyn Observer,
    ) -> Result<(Grouping, MeanShiftModel)> {
        self.check()?;
        let mut bandwidth = self.bandwidth.resolve(points, self.seed)?;
        if bandwidth.is_degenerate() {
            // All points coincide; any bandwidth gives the one cluster there is.
            bandwidth = Resolved::Fixed(1.0);
        }
        let kernel = Kernel {
            profile: self.kernel,
            truncation: self.truncation,
        };
        let watch = Watch::new(observer, "mean shift", points.len());
        if self.blurring {
            self.fit_blurring(points, weights, &bandwidth, kernel, &watch)
        } else {
            self.fit_climbing(points, weights, &bandwidth, kernel, &watch)
        }
    }

    fn fit_climbing(
        &self,
        points: &Points,
        weights: Option<&[f64]>,
        bandwidth: &Resolved,
        kernel: Kernel,
        watch: &Watch<'_>,
    ) -> Result<(Grouping, MeanShiftModel)> {
        let (n, dims) = (points.len(), points.dims());
        let density = Density::new(points.as_slice(), dims, weights, bandwidth, kernel);
        let h = density.bandwidth();
        let rule = self.rule(kernel, h);
        let radius = self.merge_radius(kernel) * h;
        let mut ascent = Ascent::new(&density, rule, radius, watch);
        if kernel.jumps() || rule.fixed.is_some() {
            ascent.wave(&(0..n).collect::<Vec<_>>())?;
        } else {
            for (number, stride) in WAVES.into_iter().enumerate() {
                let earlier = number.checked_sub(1).map(|i| WAVES[i]);
                let taken = |tile: usize| {
                    tile % stride == 0 && earlier.is_none_or(|earlier| tile % earlier != 0)
                };
                let slots: Vec<usize> = (0..n).filter(|slot| taken(slot / TILE)).collect();
                ascent.wave(&slots)?;
                ascent.find_modes(self.seed)?;
            }
        }
        let Ascent {
            summits,
            summit_of,
            same,
            captors,
            captor_summits,
            trace,
            converged,
            ..
        } = ascent;
        let linked = if kernel.jumps() {
            summits.absorb(radius)
        } else {
            summits.link(radius, &same)
        };

        let mut labels = vec![None; n];
        for (slot, &i) in density.order().iter().enumerate() {
            labels[i as usize] = Some(linked.cluster_of[summit_of[slot]]);
        }
        let modes = mode_rows(&summits, &linked, &density);
        let mut places = summits.places().to_vec();
        density.to_input(&mut places);
        let mut captor_places = captors.places;
        density.to_input(&mut captor_places);
        let model = MeanShiftModel::new(
            modes.clone(),
            Climber {
                kernel: self.kernel,
                truncation: self.truncation,
                rule,
                bandwidth: h,
                summits: places,
                cluster_of: linked.cluster_of.clone(),
                path: Path::Fixed {
                    points: points.as_slice().to_vec(),
                    weights: weights.map(<[f64]>::to_vec),
                    bandwidths: per_point(bandwidth),
                    captors: captor_places,
                    captor_clusters: captor_summits
                        .iter()
                        .map(|&summit| linked.cluster_of[summit])
                        .collect(),
                    capture_radius: CAPTURE * radius,
                },
            },
        );
        let grouping = Grouping {
            labels,
            n_clusters: linked.modes.len(),
            centers: Some(modes),
            bandwidth: Some(h),
            iterations: trace.0.len(),
            stop: stop_reason(rule, converged),
            trace: trace.0,
        };
        Ok((grouping, model))
    }

    fn fit_blurring(
        &self,
        points: &Points,
        weights: Option<&[f64]>,
        bandwidth: &Resolved,
        kernel: Kernel,
        watch: &Watch<'_>,
    ) -> Result<(Grouping, MeanShiftModel)> {
        let (n, dims) = (points.len(), points.dims());
        let h = match bandwidth {
            Resolved::Fixed(h) => *h,
            Resolved::PerPoint(each) => {
                let mut sorted = each.clone();
                sorted.sort_unstable_by(f64::total_cmp);
                sorted[n / 2]
            }
        };
        let rule = self.rule(kernel, h);
        let start = Iterate {
            places: points.as_slice().to_vec(),
            masses: weights.map_or_else(|| vec![1.0; n], <[f64]>::to_vec),
            bandwidths: per_point(bandwidth),
        };
        let blurred = blur(start, dims, h, kernel, rule, watch)?;
        watch.report(blurred.trace.len(), n, 0.0, Some(blurred.last.masses.len()));

        // Blurring collapses points to single places whatever the kernel, so linkage is single.
        let radius = self.merge_radius.unwrap_or(SMOOTH_MERGE_RADIUS) * h;
        let mut summits = Summits::new(dims, CELL * radius);
        let summit_of_center: Vec<usize> = blurred
            .last
            .places
            .chunks_exact(dims)
            .zip(&blurred.last.masses)
            .map(|(place, &weight)| {
                let place = place.to_vec();
                summits.add(&End {
                    place,
                    weight,
                    converged: true,
                    captured_by: None,
                })
            })
            .collect();
        let linked = summits.link(radius, &[]);
        let labels = blurred
            .center_of
            .iter()
            .map(|&c| Some(linked.cluster_of[summit_of_center[c]]))
            .collect();
        let modes: Vec<f64> = linked
            .modes
            .iter()
            .flat_map(|&summit| summits.place(summit).to_vec())
            .collect();
        let modes = rows(modes, dims);
        let model = MeanShiftModel::new(
            modes.clone(),
            Climber {
                kernel: self.kernel,
                truncation: self.truncation,
                rule,
                bandwidth: h,
                summits: summits.places().to_vec(),
                cluster_of: linked.cluster_of.clone(),
                path: Path::Blurred {
                    history: blurred.history,
                },
            },
        );
        let grouping = Grouping {
            labels,
            n_clusters: linked.modes.len(),
            centers: Some(modes),
            bandwidth: Some(h),
            iterations: blurred.trace.len(),
            stop: stop_reason(rule, blurred.converged),
            trace: blurred.trace,
        };
        Ok((grouping, model))
    }

    fn rule(&self, kernel: Kernel, bandwidth: f64) -> Rule {
        let tol = self
            .tol
            .unwrap_or(if kernel.jumps() { JUMP_TOL } else { SMOOTH_TOL });
        Rule {
            tol: tol * bandwidth,
            max_iter: self.max_iter,
            fixed: self.fixed_iter,
        }
    }

    fn merge_radius(&self, kernel: Kernel) -> f64 {
        self.merge_radius.unwrap_or(if kernel.jumps() {
            JUMP_MERGE_RADIUS
        } else {
            SMOOTH_MERGE_RADIUS
        })
    }
}

/// Default tolerance of kernels that jump, in bandwidths: scikit-learn's.
const JUMP_TOL: f64 = 1e-3;
/// Default tolerance of smooth kernels, in bandwidths.
const SMOOTH_TOL: f64 = 1e-7;
/// Default merge radius of kernels that jump, in bandwidths: scikit-learn's.
const JUMP_MERGE_RADIUS: f64 = 1.0;
/// Default merge radius of smooth kernels, in bandwidths.
const SMOOTH_MERGE_RADIUS: f64 = 0.01;

/// The state of a fit between waves.
struct Ascent<'a> {
    density: &'a Density,
    rule: Rule,
    radius: f64,
    watch: &'a Watch<'a>,
    summits: Summits,
    /// The summit of every slot.
    summit_of: Vec<usize>,
    captors: Captors,
    /// The summit that each captor is.
    captor_summits: Vec<usize>,
    /// A saddle and the summit that a push from it led to.
    same: Vec<(usize, usize)>,
    /// Summits that have been looked at as modes.
    judged: usize,
    trace: Trace,
    converged: bool,
}

impl<'a> Ascent<'a> {
    fn new(density: &'a Density, rule: Rule, radius: f64, watch: &'a Watch<'a>) -> Self {
        let capture = CAPTURE * radius;
        Self {
            density,
            rule,
            radius,
            watch,
            summits: Summits::new(density.dims(), CELL * radius),
            summit_of: vec![0; density.len()],
            captors: Captors {
                places: Vec::new(),
                radius_sq: capture * capture,
            },
            captor_summits: Vec::new(),
            same: Vec::new(),
            judged: 0,
            trace: Trace::default(),
            converged: true,
        }
    }

    /// Climbs from the points in `slots`.
    fn wave(&mut self, slots: &[usize]) -> Result<()> {
        let starts: Vec<f64> = slots
            .iter()
            .flat_map(|&slot| self.density.starts(slot..slot + 1))
            .collect();
        let climb = Climb {
            density: self.density,
            rule: self.rule,
            captors: &self.captors,
            watch: self.watch,
            counted: true,
        };
        let (ends, trace) = climb.run(&starts)?;
        self.trace.merge(&trace);
        for (&slot, end) in slots.iter().zip(&ends) {
            self.converged &= end.converged;
            self.summit_of[slot] = match end.captured_by {
                Some(captor) => self.captor_summits[captor],
                None => self.summits.add(end),
            };
        }
        Ok(())
    }

    /// Makes captors of the summits that are modes, and follows those that are saddles.
    ///
    /// At a saddle of the density a climb comes to rest although it should not: pushed a little, it
    /// goes on. A mode pushed a little returns.
    fn find_modes(&mut self, seed: u64) -> Result<()> {
        while self.judged < self.summits.len() {
            let new = self.judged..self.summits.len();
            self.judged = self.summits.len();
            let mut candidates: Vec<usize> = Vec::new();
            for summit in self.summits.by_density(new) {
                let place = self.summits.place(summit);
                let near = |other: &[f64]| dist_sq(other, place) <= self.radius * self.radius;
                let known = self.captors.places.chunks_exact(place.len()).any(near)
                    || candidates
                        .iter()
                        .any(|&other| near(self.summits.place(other)));
                if self.summits.converged(summit) && !known {
                    candidates.push(summit);
                }
            }
            let push = direction(self.density.dims(), seed, PUSH * self.radius);
            let starts: Vec<f64> = candidates
                .iter()
                .flat_map(|&summit| {
                    self.summits
                        .place(summit)
                        .iter()
                        .zip(&push)
                        .map(|(x, p)| x + p)
                        .collect::<Vec<_>>()
                })
                .collect();
            let nothing = Captors::default();
            let climb = Climb {
                density: self.density,
                rule: self.rule,
                captors: &nothing,
                watch: self.watch,
                counted: false,
            };
            let (ends, _) = climb.run(&starts)?;
            for (&summit, end) in candidates.iter().zip(&ends) {
                let place = self.summits.place(summit);
                if dist_sq(place, &end.place) <= self.radius * self.radius {
                    self.captors.places.extend_from_slice(place);
                    self.captor_summits.push(summit);
                } else {
                    let target = self.summits.add(end);
                    self.same.push((summit, target));
                }
            }
        }
        Ok(())
    }
}

/// A seeded direction of the given length.
fn direction(dims: usize, seed: u64, length: f64) -> Vec<f64> {
    let mut rng = rng(seed);
    let raw: Vec<f64> = (0..dims).map(|_| rng.normal()).collect();
    let norm = raw
        .iter()
        .map(|x| x * x)
        .sum::<f64>()
        .sqrt()
        .max(f64::MIN_POSITIVE);
    raw.iter().map(|x| x / norm * length).collect()
}

fn stop_reason(rule: Rule, converged: bool) -> StopReason {
    match (rule.fixed, converged) {
        (Some(_), _) => StopReason::FixedCount,
        (None, true) => StopReason::Converged,
        (None, false) => StopReason::MaxIterations,
    }
}

fn per_point(bandwidth: &Resolved) -> Option<Vec<f64>> {
    match bandwidth {
        Resolved::Fixed(_) => None,
        Resolved::PerPoint(each) => Some(each.clone()),
    }
}

fn mode_rows(summits: &Summits, linked: &Linked, density: &Density) -> Array2<f64> {
    let mut places: Vec<f64> = linked
        .modes
        .iter()
        .flat_map(|&summit| summits.place(summit).to_vec())
        .collect();
    density.to_input(&mut places);
    rows(places, density.dims())
}

fn rows(values: Vec<f64>, dims: usize) -> Array2<f64> {
    let n = values.len() / dims;
    Array2::from_shape_fn((n, dims), |(i, k)| values[i * dims + k])
}
