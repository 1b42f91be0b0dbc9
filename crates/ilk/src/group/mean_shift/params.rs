//! The parameters of mean shift.

use crate::parameter::Range;
use crate::similarity::{Bandwidth, Profile};

crate::parameters! {
    /// Mean shift: every point climbs the density of the data to a mode, and the points that reach one
    /// mode are a cluster. The number of clusters is found, not given.
    ///
    /// The density is f(x) = Σ m_i K(|x - x_i|² / h²), and a step goes to the weighted mean
    ///
    /// ```text
    /// x  <-  Σ m_i k(|x - x_i|² / h²) x_i  /  Σ m_i k(|x - x_i|² / h²)
    /// ```
    ///
    /// which never lowers the density whose kernel has the derivative -k (Fukunaga and Hostetler 1975;
    /// Comaniciu and Meer 2002). With one bandwidth h_i a point, w_i gains a factor h_i^-(d+2).
    ///
    /// 1. The bandwidth is chosen, or taken as given.
    /// 2. Points climb until a step is shorter than `tol` bandwidths; one that comes near a known mode
    ///    is captured. With `blurring` all points move at once and the density moves with them.
    /// 3. A smooth kernel's resting places are pushed a little: a saddle is left, a mode is returned to.
    /// 4. Resting places within `merge_radius` bandwidths are one mode. A point belongs to the mode
    ///    that it climbed to (its basin), not to the nearest one.
    ///
    /// Use it where clusters are dense heaps of any number and the scale is about the same everywhere.
    /// Where heaps differ much in width, give every point its own bandwidth
    /// ([`Bandwidth::Neighbor`]). It does not follow curves such as moons or rings. In many dimensions
    /// densities are flat and one mode remains.
    ///
    /// ```
    /// use ilk::group::mean_shift::MeanShift;
    /// use ilk::group::GroupingAlgorithm;
    /// use ilk::observe::Silent;
    /// use ilk::problem::Points;
    /// use ilk::similarity::Bandwidth;
    ///
    /// let points = Points::from_rows(&[vec![0.0], vec![0.2], vec![0.1], vec![5.0], vec![5.2]])?;
    /// let params = MeanShift { bandwidth: Bandwidth::Fixed(1.0), ..MeanShift::default() };
    /// let (grouping, model) = params.group(&points, &Silent)?;
    /// assert_eq!(grouping.n_clusters, 2);
    /// assert_eq!(grouping.labels, [Some(0), Some(0), Some(0), Some(1), Some(1)]);
    /// assert_eq!(model.predict(&Points::from_rows(&[vec![4.0]])?)?, [Some(1)]);
    /// # Ok::<(), ilk::Error>(())
    /// ```
    pub struct MeanShift {
        /// Reach of the kernel. auto: chosen by the pairs and labels if there are any, else from the
        /// distances.
        pub bandwidth: Bandwidth = Bandwidth::Auto;
        /// Shape of the kernel.
        pub kernel: Profile = Profile::Gaussian;
        /// Values of the truncated kernel below this are 0.
        pub truncation: f64 = 0.2, in Range::above(0.0, 1.0);
        /// Whether the data move along with the centres.
        pub blurring: bool = false;
        /// While blurring, centres that share a grid cell of this many bandwidths become one; from 1e-4
        /// on, in single precision. Cells from 0.01 on grow, up to one bandwidth, while more than 100,000 centres are
        /// left after a step.
        pub cell: f64 = 1e-10, in Range::between(1e-12, 1.0);
        /// At most this many iterations.
        pub max_iter: usize = 300, in Range::COUNT;
        /// Exactly this many iterations, with no test of convergence (none: until converged).
        pub fixed_iter: Option<usize> = None, in Range::COUNT;
        /// A centre has arrived when it moves at most this share of the bandwidth (none: 1e-3 for flat
        /// and truncated, 1e-7 otherwise).
        pub tol: Option<f64> = None, in Range::SHARE;
        /// Modes closer than this share of the bandwidth are one (none: 1 for flat and truncated, 0.01
        /// otherwise and when blurring).
        pub merge_radius: Option<f64> = None, in Range::POSITIVE;
        /// Seed of everything random.
        pub seed: u64 = 0;
    }
}
