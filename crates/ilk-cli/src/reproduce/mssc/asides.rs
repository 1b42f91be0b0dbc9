//! What is no score: which axes were taken, and images.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};
use ilk::embed::{AxisChoice, KernelAxes};
use ilk::image::palette::color_of;
use ilk::image::{Image, LabelMap, Segment};
use ilk::method::{E2cp, Method, Mssc, SpectralEmbedding};
use ilk::observe::Silent;
use ilk::problem::{Input, Points};
use ilk::similarity::{Bandwidth, Gram, Kernel};
use ilk_io::{encode_png, read_image};

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
            let axes = KernelAxes::new(kernel.view(), None, AxisChoice::Entropy, 3, 0.0)?;
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
            head: ["h", "axes in the thesis", "axes here", "draws"].map(str::to_owned).to_vec(),
            rows,
        },
    ])
}

/// The partitions and the clusters of a draw of the half circles.
pub(super) fn half_circles(folder: &Folder) -> Result<Vec<Block>> {
    let data = toy();
    let drawn = data.task().draw(folder, 0)?;
    let places = points(drawn.problem.input())?;
    let places: Vec<[f64; 2]> =
        (0..places.len()).map(|i| [places.row(i)[0], places.row(i)[1]]).collect();
    let found = two_stages(&data, SpectralEmbedding::Keca).fit(&drawn.problem, &Silent)?.clustering;
    let partitions = found.partitions.context("MSSC tells its partitions")?;
    let of_point: Vec<_> = partitions.of_point.iter().map(|&p| Some(p)).collect();
    let scatter = |title: String, labels| Scatter {
        title,
        subtitle: String::new(),
        axes: None,
        points: &places,
        labels,
        names: None,
        confidence: None,
        mode_noun: "mode",
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
    Ok(vec![Block::Plot {
        file: "mssc-figure6-14.svg".to_owned(),
        svg,
        caption: format!(
            "Figure 6.14 on a draw of ours: {n} partitions (the thesis has 22 on its own), and their clusters by KECA"
        ),
    }])
}

/// Photographs, and into how many segments each is divided.
const PHOTOS: [(&str, usize); 3] = [("coffee.png", 6), ("chelsea.png", 5), ("rocket.jpg", 4)];

/// Scribbles over coffee.png, which has 600 x 400 pixels: lines from a column and row to another, and what each
/// is on: the cup, the saucer, the table, what is behind it.
const SCRIBBLES: [([usize; 4], u32); 8] = [
    ([250, 120, 330, 150], 1),
    ([220, 60, 330, 60], 1),
    ([420, 200, 440, 280], 2),
    ([110, 250, 180, 310], 2),
    ([60, 60, 30, 120], 3),
    ([520, 120, 580, 300], 3),
    ([20, 330, 60, 380], 3),
    ([10, 15, 60, 30], 4),
];

/// Half the width of a scribble.
const THICK: usize = 4;

/// Photographs with the boundaries of their segments, and in the segments' mean colours: found by themselves,
/// and by scribbles.
pub(super) fn images(folder: &Folder) -> Result<Vec<Block>> {
    let root = folder.root.as_ref();
    let root = root.context("the images are read from a folder, and none was given (--data)")?;
    let read = |file: &str| read_image(root.join("pd_images").join(file));
    let mut blocks = Vec::new();
    for (number, (file, n_clusters)) in PHOTOS.into_iter().enumerate() {
        let image = read(file)?.image;
        let method = Mssc { n_clusters: n_clusters.into(), ..Mssc::for_images() };
        let found = Segment::new(method.into()).fit(&image, None, &Silent)?;
        let partitions = found.clustering.partitions.as_ref();
        let partitions = partitions.map_or(0, |it| it.affinity.nrows());
        let panels = [found.labels.boundaries(&image)?, found.labels.means(&image)?];
        blocks.push(Block::Photo {
            file: format!("mssc-images-{}.png", number + 1),
            png: png(&panels)?,
            caption: format!(
                "{file}, {} x {} pixels: {} partitions, {n_clusters} segments, shown at half its size",
                image.width(),
                image.height(),
                count(partitions)
            ),
        });
    }
    let image = read(PHOTOS[0].0)?.image;
    let scribbles = scribbles(&image)?;
    let method = E2cp { n_clusters: 4.into(), ..E2cp::default() };
    let found = Segment::new(method.into()).fit(&image, Some(&scribbles), &Silent)?;
    let panels = [
        drawn_over(&image, &scribbles)?,
        found.labels.boundaries(&image)?,
        found.labels.means(&image)?,
    ];
    blocks.push(Block::Photo {
        file: "mssc-scribbles.png".to_owned(),
        png: png(&panels)?,
        caption: "Scribbles on the cup, the saucer, the table and what is behind it, and what E2CP, which `ilk segment` \
                  takes for scribbles, makes of them"
            .to_owned(),
    });
    Ok(blocks)
}

/// The scribbles as an image of labels.
fn scribbles(image: &Image) -> Result<LabelMap> {
    let (width, height) = (image.width(), image.height());
    let mut values = vec![0; width * height];
    for ([left, top, right, bottom], scribble) in SCRIBBLES {
        let n = left.abs_diff(right).max(top.abs_diff(bottom)).max(1);
        for step in 0..=n {
            let along = |from: usize, to: usize| (from * (n - step) + to * step) / n;
            let (x, y) = (along(left, right), along(top, bottom));
            for row in y.saturating_sub(THICK)..(y + THICK + 1).min(height) {
                for column in x.saturating_sub(THICK)..(x + THICK + 1).min(width) {
                    values[row * width + column] = scribble;
                }
            }
        }
    }
    Ok(LabelMap::new(width, height, values)?)
}

/// An image with scribbles over it, each in a colour of its own.
fn drawn_over(image: &Image, scribbles: &LabelMap) -> Result<Image> {
    let mut values = image.values().to_vec();
    let pixels = values.chunks_exact_mut(image.channels());
    for (pixel, &scribble) in pixels.zip(scribbles.values()) {
        if let Some(segment) = (scribble as usize).checked_sub(1) {
            for (value, of_255) in pixel.iter_mut().zip(color_of(segment)) {
                *value = f32::from(of_255) / 255.0;
            }
        }
    }
    Ok(Image::new(image.width(), image.height(), image.channels(), values)?)
}

/// Images of one size, side by side at half their size, as the bytes of a PNG file.
fn png(panels: &[Image]) -> Result<Vec<u8>> {
    let halves = panels.iter().map(halved).collect::<Result<Vec<_>>>()?;
    let mut png = Vec::new();
    encode_png(&mut png, &beside(&halves)?)?;
    Ok(png)
}

/// At half its width and height: every pixel is the mean of four.
fn halved(image: &Image) -> Result<Image> {
    let (width, height, channels) = (image.width() / 2, image.height() / 2, image.channels());
    let mut values = Vec::with_capacity(width * height * channels);
    for y in 0..height {
        for x in 0..width {
            for c in 0..channels {
                let four = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(right, down)| {
                    image.pixel((2 * y + down) * image.width() + 2 * x + right)[c]
                });
                values.push(four.iter().sum::<f32>() / 4.0);
            }
        }
    }
    Ok(Image::new(width, height, channels, values)?)
}

/// Images of one size, side by side with white gaps.
fn beside(panels: &[Image]) -> Result<Image> {
    const GAP: usize = 8;
    let size = |it: &Image| (it.width(), it.height(), it.channels());
    let first = panels.first().context("there is no image")?;
    let (width, height, channels) = size(first);
    if panels.iter().any(|it| size(it) != size(first)) {
        bail!("the images differ in size");
    }
    let mut values = Vec::new();
    for y in 0..height {
        for (number, panel) in panels.iter().enumerate() {
            if number > 0 {
                values.extend(std::iter::repeat_n(1.0, GAP * channels));
            }
            let row = y * width * channels..(y + 1) * width * channels;
            values.extend_from_slice(&panel.values()[row]);
        }
    }
    let width = panels.len() * (width + GAP) - GAP;
    Ok(Image::new(width, height, channels, values)?)
}

fn points(input: &Input) -> Result<&Points> {
    match input {
        Input::Points(points) => Ok(points),
        Input::Graph(_) | Input::Kernel(_) => bail!("this set is not of points"),
    }
}
