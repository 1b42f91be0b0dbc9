//! Writing pairs.

use std::io::{self, Write};

use ilk::problem::Constraints;

/// Writes must-links, then cannot-links, as CSV with `id_a,id_b,relation`. The pairs may be those of
/// `constraints` or others on the same points, such as all that follow from them; `constraints` names
/// the points.
///
/// ```
/// let mut constraints = ilk::problem::Constraints::with_ids(["fly", "bee, honey", "owl"])?;
/// constraints.must_link(0, 1)?.cannot_link(1, 2)?;
/// let pairs = |links: &[ilk::problem::Constraint<2>]| -> Vec<[usize; 2]> {
///     links.iter().map(|link| link.points).collect()
/// };
/// let links = [constraints.must_links(), constraints.cannot_links()].map(pairs);
/// let mut out = Vec::new();
/// ilk_io::write_pairs(&constraints, links, &mut out)?;
/// assert_eq!(
///     String::from_utf8(out)?,
///     "id_a,id_b,relation\nfly,\"bee, honey\",must-link\n\"bee, honey\",owl,cannot-link\n"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Those of `out`.
pub fn write_pairs<P: IntoIterator<Item = [usize; 2]>>(
    constraints: &Constraints,
    [must_links, cannot_links]: [P; 2],
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(["id_a", "id_b", "relation"])?;
    for (pairs, relation) in [(must_links, "must-link"), (cannot_links, "cannot-link")] {
        for [a, b] in pairs {
            let [a, b] = [constraints.name_of(a), constraints.name_of(b)];
            csv.write_record([a.as_str(), &b, relation])?;
        }
    }
    csv.flush()
}
