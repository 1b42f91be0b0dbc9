//! What is no score: which axes were taken, and pictures.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};
use ilk::group::spectral::{AxisChoice, KernelAxes};
use ilk::image::{Picture, Segment};
use ilk::method::{Method, Mssc, SpectralEmbedding};
use ilk::observe::Silent;
use ilk::problem::{Input, Points};
use ilk::similarity::{Bandwidth, Gram, Kernel};
use ilk_io::{encode_picture, read_picture};

use super::{half_circles as toy, rings, two_stages};
use crate::plot::{Scatter, svg_of_two};
use crate::reproduce::{Block, Folder};
use crate::text::{count, counted};

/// Draws of the rings.
const DRAWS: u64 = 20;

/// Which axes KECA takes on draws of the rings, for both bandwidths of the thesis.
pub(super) fn axes_of_rings(folder: &Folder) -> Result<Vec<Block>> {
    let mut rows = Vec::new();
    for (h, printed) in [(3.7, "1, 2, 5"), (4.5, "1, 2, 3")] {
        let mut seen: BTreeMap<Vec<usize>, usize> = BTreeMap::new();
        for seed in 0..DRAWS {
            let drawn = rings().task().draw(folder, seed)?;
            let kernel = Kernel::gaussian(Bandwidth::Fixed(h));
            let kernel = Gram::new(&kernel, points(drawn.problem.input())?, seed)?.full()?;
            let axes = KernelAxes::of_kernel(kernel.view(), AxisChoice::Entropy, 3, 0.0)?;
            let mut kept: Vec<usize> = axes.kept().iter().map(|axis| axis + 1).collect();
            kept.sort_unstable();
            *seen.entry(kept).or_default() += 1;
        }
        for (axes, draws) in seen {
            let axes: Vec<String> = axes.iter().map(usize::to_string).collect();
            rows.push(vec![
                h.to_string().into(),
                printed.to_owned().into(),
                axes.join(", ").into(),
                format!("{draws} of {DRAWS}").into(),
            ]);
        }
    }
    Ok(vec![
        Block::Text(
            "Which eigenvectors hold most entropy, counted from 1 in the order of eigenvalues:"
                .to_owned(),
        ),
        Block::Table {
            head: ["h", "axes in the thesis", "axes here", "draws"]
                .map(str::to_owned)
                .to_vec(),
            rows,
        },
    ])
}

/// The partitions and the clusters of a draw of the half circles.
pub(super) fn half_circles(folder: &Folder) -> Result<Vec<Block>> {
    let data = toy();
    let drawn = data.task().draw(folder, 0)?;
    let places = points(drawn.problem.input())?;
    let places: Vec<[f64; 2]> = (0..places.len())
        .map(|i| [places.row(i)[0], places.row(i)[1]])
        .collect();
    let found = two_stages(&data, SpectralEmbedding::Keca)
        .fit(&drawn.problem, &Silent)?
        .clustering;
    let partitions = found.partitions.context("MSSC tells its partitions")?;
    let of_point: Vec<_> = partitions.of_point.iter().map(|&p| Some(p)).collect();
    let scatter = |title: String, labels| Scatter {
        title,
        subtitle: String::new(),
        axes: None,
        points: &places,
        labels,
        modes: &[],
        links: &[],
        edges: &[],
        n_edges: 0,
    };
    let n = partitions.affinity.nrows();
    let svg = svg_of_two(
        &scatter(counted(n, "partition"), &of_point),
        &scatter(counted(found.n_clusters, "cluster"), &found.labels),
    );
    Ok(vec![Block::Picture {
        file: "mssc-figure6-14.svg".to_owned(),
        svg,
        caption: format!(
            "Figure 6.14 on a draw of ours: {n} partitions (the thesis has 22 on its own), and their clusters by KECA"
        ),
    }])
}

/// Photographs, and into how many segments each is divided.
const PHOTOS: [(&str, usize); 3] = [("coffee.png", 6), ("chelsea.png", 5), ("rocket.jpg", 4)];

/// Photographs with the boundaries of their segments, and in the segments' mean colours.
pub(super) fn pictures(folder: &Folder) -> Result<Vec<Block>> {
    let root = folder.root.as_ref();
    let root = root.context("the pictures are read from a folder, and none was given (--data)")?;
    let mut blocks = Vec::new();
    for (number, (file, n_clusters)) in PHOTOS.into_iter().enumerate() {
        let picture = read_picture(root.join("pd_images").join(file))?.picture;
        let method = Mssc {
            n_clusters,
            ..Mssc::for_pictures()
        };
        let found = Segment::new(Method::Mssc(method)).fit(&picture, None, &Silent)?;
        let partitions = found.clustering.partitions.as_ref();
        let partitions = partitions.map_or(0, |it| it.affinity.nrows());
        let [drawn, flat] = [
            found.labels.boundaries(&picture)?,
            found.labels.means(&picture)?,
        ];
        let mut png = Vec::new();
        encode_picture(&mut png, &beside(&halved(&drawn)?, &halved(&flat)?)?)?;
        blocks.push(Block::Photo {
            file: format!("mssc-pictures-{}.png", number + 1),
            png,
            caption: format!(
                "{file}, {} x {} pixels: {} partitions, {n_clusters} segments, shown at half its size",
                picture.width(),
                picture.height(),
                count(partitions)
            ),
        });
    }
    Ok(blocks)
}

/// At half its width and height: every pixel is the mean of four.
fn halved(picture: &Picture) -> Result<Picture> {
    let (width, height, channels) = (
        picture.width() / 2,
        picture.height() / 2,
        picture.channels(),
    );
    let mut values = Vec::with_capacity(width * height * channels);
    for y in 0..height {
        for x in 0..width {
            for c in 0..channels {
                let four = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(right, down)| {
                    picture.pixel((2 * y + down) * picture.width() + 2 * x + right)[c]
                });
                values.push(four.iter().sum::<f32>() / 4.0);
            }
        }
    }
    Ok(Picture::new(width, height, channels, values)?)
}

/// Two pictures of one size, side by side with a white gap.
fn beside(left: &Picture, right: &Picture) -> Result<Picture> {
    const GAP: usize = 8;
    let size = |it: &Picture| (it.width(), it.height(), it.channels());
    if size(left) != size(right) {
        bail!("the two pictures differ in size");
    }
    let (width, height, channels) = size(left);
    let mut values = Vec::new();
    for y in 0..height {
        let row = y * width * channels..(y + 1) * width * channels;
        values.extend_from_slice(&left.values()[row.clone()]);
        values.extend(std::iter::repeat_n(1.0, GAP * channels));
        values.extend_from_slice(&right.values()[row]);
    }
    Ok(Picture::new(2 * width + GAP, height, channels, values)?)
}

fn points(input: &Input) -> Result<&Points> {
    match input {
        Input::Points(points) => Ok(points),
        Input::Graph(_) | Input::Kernel(_) => bail!("this set is not of points"),
    }
}
