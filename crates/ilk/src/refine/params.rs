//! The parameters of refinement.

use crate::parameter::Range;
use crate::problem::MustLinkPolicy;

crate::parameters! {
    /// Refinement: labels repaired by those of the neighbours and by the constraints.
    ///
    /// 1. **Majority.** Two clusters with more must-links than cannot-links between them, by weight, are
    ///    merged, the largest difference first. Points with the same label count as must-linked, points
    ///    with different ones as cannot-linked. With `divide`, a cluster that then holds several
    ///    components any two of which are separated
    ///    ([`separated_points`](crate::problem::Closure::separated_points)) is divided among them, each
    ///    of its points going with the nearest. At least as many clusters are needed, and without a label
    ///    of its own none of those components could move away.
    /// 2. **Neighbours.** Must-link components move to the label that lowers the energy
    ///
    ///    ```text
    ///    E = - Σ_i log(v_i(l_i) + floor) + penalty · max(1, n / m) · (weight of violated constraints)
    ///    ```
    ///
    ///    for n points and m constraints, where v_i(l) is the share of label l among the nearest
    ///    `neighbors` of point i, which have the weights w_ij ∝ exp(-(d_ij / d_ik)²) with sum 1. The
    ///    largest gains go first, so that the order of the points does not matter. A component may take
    ///    any label of its neighbours and of the points whose neighbour it is. This is iterated
    ///    conditional modes (Besag 1986) on E.
    /// 3. **Dissolve.** Clusters below half the mean size are tried by rising size while more than two
    ///    remain: their components move to other labels, step 2 follows for everything around them, and
    ///    all of it is undone where E has risen, or where a component found no other label.
    ///
    /// E never rises in 2 and 3, up to 1e-10. It ends in a local minimum unless `max_sweeps` ends it
    /// earlier.
    ///
    /// A violated cannot-link costs its penalty whether or not others connect the same two components, and
    /// two labels are separated as all pairs of their points would be. The weight of a constraint multiplies
    /// its penalty and its share in the majority.
    ///
    /// A point without a cluster has v = 0: it moves to a label of its neighbours, and stays without one
    /// where no neighbour has one or cannot-links forbid all of them. A component of several points that
    /// has no label starts as a cluster of its own.
    ///
    /// What each step adds is measured in docs/refine.md.
    ///
    /// Use it after groupings that follow density, such as mean shift. Do not use it where clusters are
    /// smaller than the number of neighbours: they are dissolved unless constraints prevent it. The space
    /// must be the one in which the grouping worked.
    ///
    /// ```
    /// use ilk::observe::Silent;
    /// use ilk::problem::{Constraints, Points};
    /// use ilk::refine::Refine;
    ///
    /// let points = Points::from_rows(&[vec![0.0], vec![0.1], vec![0.2], vec![5.0], vec![5.1], vec![5.2]])?;
    /// let mut constraints = Constraints::new(6);
    /// constraints.must_link(0, 1)?;
    /// let params = Refine { neighbors: 2, ..Refine::default() };
    /// let labels = [4, 7, 7, 1, 1, 4].map(Some);
    /// let refined = params.refine(&points, &labels, &constraints, &Silent)?;
    /// assert_eq!(refined.labels, [0, 0, 0, 1, 1, 1].map(Some));
    /// # Ok::<(), ilk::Error>(())
    /// ```
    pub struct Refine {
        /// Neighbours of a point that count.
        pub neighbors: usize = 10, in Range::COUNT;
        /// Added to every share of the neighbours: the smaller, the more an isolated label costs.
        pub floor: f64 = 0.2, in Range::above(0.0, 1.0);
        /// What a violated constraint costs.
        pub penalty: f64 = 2.0, in Range::between(0.0, 1e6);
        /// What a must-link is worth: hard, hard unless contradicted, or its penalty.
        pub must_links: MustLinkPolicy = MustLinkPolicy::Uncontradicted;
        /// Whether constraints join clusters first.
        pub majority: bool = true;
        /// Whether clusters that hold separated components are divided.
        pub divide: bool = false;
        /// Whether constrained points alone move, and all others keep their labels.
        pub constrained_only: bool = false;
        /// Whether small clusters are dissolved at the end.
        pub dissolve: bool = true;
        /// At most this many sweeps over the must-link components.
        pub max_sweeps: usize = 20;
    }
}
