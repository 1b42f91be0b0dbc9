//! Generated sets and answers as files.

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
pub(crate) fn write_pairs(said: &Constraints, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "id_a,id_b,relation")?;
    for (pairs, relation) in [
        (said.must_links(), "must-link"),
        (said.cannot_links(), "cannot-link"),
    ] {
        for pair in pairs {
            let [a, b] = pair.points;
            writeln!(out, "{a},{b},{relation}")?;
        }
    }
    Ok(())
}

/// Comparisons by row number.
pub(crate) fn write_triplets(said: &Constraints, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "id_a,id_b,id_c,answer")?;
    for (triplets, answer) in [(said.odd_one_outs(), "c"), (said.about_equals(), "equal")] {
        for triplet in triplets {
            let [a, b, c] = triplet.points;
            writeln!(out, "{a},{b},{c},{answer}")?;
        }
    }
    Ok(())
}
