//! Generated sets and their constraints as files.

use std::io::{self, Write};

use ilk::datasets::{Data, Dataset};
use ilk::problem::Constraints;

/// `id`, features, `label`; or the edges of a graph.
pub(crate) fn write_data(set: &Dataset, out: &mut dyn Write) -> io::Result<()> {
    match &set.data {
        Data::Points(points) => {
            let names: Vec<String> = match points.ncols() {
                2 => vec!["x".to_owned(), "y".to_owned()],
                dims => (0..dims).map(|column| format!("x{column}")).collect(),
            };
            writeln!(out, "id,{},label", names.join(","))?;
            for (id, (row, label)) in points.rows().into_iter().zip(&set.labels).enumerate() {
                write!(out, "{id}")?;
                for value in row {
                    write!(out, ",{value}")?;
                }
                writeln!(out, ",{label}")?;
            }
        }
        Data::Edges(edges) => {
            writeln!(out, "u,v")?;
            for [u, v] in edges {
                writeln!(out, "{u},{v}")?;
            }
        }
    }
    Ok(())
}

/// `id,label`.
pub(crate) fn write_truth(set: &Dataset, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "id,label")?;
    for (id, label) in set.labels.iter().enumerate() {
        writeln!(out, "{id},{label}")?;
    }
    Ok(())
}

/// Must-links and cannot-links by row number.
pub(crate) fn write_pairs(constraints: &Constraints, out: &mut dyn Write) -> io::Result<()> {
    let links = [constraints.must_links(), constraints.cannot_links()];
    let links = links.map(|links| links.iter().map(|link| link.points));
    ilk_io::write_pairs(constraints, links, out)
}

/// Comparisons by row number.
pub(crate) fn write_triplets(constraints: &Constraints, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "id_a,id_b,id_c,answer")?;
    for (triplets, answer) in
        [(constraints.odd_one_outs(), "c"), (constraints.about_equals(), "equal")]
    {
        for triplet in triplets {
            let [a, b, c] = triplet.points;
            writeln!(out, "{a},{b},{c},{answer}")?;
        }
    }
    Ok(())
}
