//! What there is to say about the segments of an image.

use std::path::Path;

use ilk::image::{Segment, Segmentation};
use ilk::method::Method as _;
use ilk::outcome::Warning;
use ilk::problem::Constraints;
use ilk_io::{ImageFile, Scribbles};
use serde_json::{Value, json};

use crate::run::ended;
use crate::summary::duration;
use crate::terminal::{self, Terminal};
use crate::text::{self, count, counted, short};

/// A finished run on an image.
pub(crate) struct Segmented<'a> {
    pub(crate) segment: &'a Segment,
    pub(crate) path: &'a Path,
    pub(crate) file: &'a ImageFile,
    pub(crate) scribbles: Option<&'a Scribbles>,
    pub(crate) found: Segmentation,
    /// The mean colour of every segment.
    pub(crate) colours: Vec<Vec<f64>>,
    pub(crate) seconds: f64,
}

/// Pairs of scribbles that are warned of one by one.
const MAX_WARNED: usize = 3;
/// Characters of a list of scribbles.
const NAMES: usize = 60;

/// Tells what was read.
pub(crate) fn print_input(
    path: &Path,
    file: &ImageFile,
    scribbles_path: Option<&Path>,
    scribbles: Option<&Scribbles>,
    terminal: &Terminal,
) {
    let image = &file.image;
    let kind = match image.channels() {
        1 => "grey",
        _ => "colour",
    };
    let turned = if file.turned { ", turned as it says" } else { "" };
    terminal.info(format!(
        "image        {} x {} pixels, {kind}, from {}{turned}",
        image.width(),
        image.height(),
        path.display()
    ));
    if file.transparent > 0 {
        terminal.info(format!(
            "transparent  {}, taken as they look on white",
            counted(file.transparent, "pixel")
        ));
    }
    if let (Some(path), Some(scribbles)) = (scribbles_path, scribbles) {
        terminal.info(format!(
            "scribbles    {} ({}), {} from {}",
            counted(scribbles.names.len(), "scribble"),
            short(&scribbles.names.join(", "), NAMES),
            counted(scribbles.labels.sizes().iter().sum(), "pixel"),
            path.display()
        ));
    }
}

impl Segmented<'_> {
    /// Tells people what came out.
    pub(crate) fn print(&self, terminal: &Terminal) {
        let found = &self.found;
        let name = self.segment.method.info().name;
        if let Some(pooled) = &found.pooled {
            let counts =
                if pooled.is_weighted { "counts each as its pixels" } else { "counts each as one" };
            let side = pooled.side;
            terminal.info(format!(
                "pooled       {} pixels into {} pools of about {side} x {side}, since there are more than {}; \
                 {name} {counts}, and every pixel has the segment of its pool",
                count(self.file.image.len()),
                count(pooled.pools),
                count(self.segment.pixel_limit(self.scribbles.is_some()))
            ));
        }
        terminal.info(format!(
            "{name:<12} {}; {} ({})",
            counted(found.n_segments, "segment"),
            ended(&found.clustering),
            duration(self.seconds)
        ));
        let nothing = Constraints::new(found.clustering.labels.len());
        for warning in found.clustering.warnings(&nothing) {
            if let Warning::FewerClusters { found, requested } = warning {
                terminal::warn(format!(
                    "{} found, fewer than the {} asked for: the image has too few different colours and places for \
                     more, or scribbles hold them together",
                    counted(found, "segment"),
                    count(requested)
                ));
            }
        }
        let (Some(report), Some(scribbles)) = (&found.scribbles, self.scribbles) else {
            return;
        };
        terminal.info(format!(
            "held         {} of {} pixels are in the segment that holds most of their scribble; {name} was given {} \
             of them",
            count(report.held.iter().sum()),
            count(report.pixels.iter().sum()),
            count(report.labelled)
        ));
        let not_separated = report.not_separated();
        for &(a, b) in not_separated.iter().take(MAX_WARNED) {
            terminal::warn(format!(
                "scribbles {} and {} are mostly in the same segment; draw more of them, raise \
                 --scribble-points, or ask for more segments with --clusters K",
                scribbles.names[a - 1],
                scribbles.names[b - 1]
            ));
        }
        if not_separated.len() > MAX_WARNED {
            let more = counted(not_separated.len() - MAX_WARNED, "more pair");
            terminal::warn(format!(
                "{more} of scribbles are in one segment; --json has all of them"
            ));
        }
    }

    /// The segments for people.
    pub(crate) fn table(&self) -> String {
        let heads = ["segment", "pixels", "share", "mean colour"];
        let mut rows = vec![heads.map(str::to_owned).to_vec()];
        for (segment, (size, colour)) in self.segments().enumerate() {
            rows.push(vec![
                (segment + 1).to_string(),
                count(size),
                format!("{:.2}%", 100.0 * self.share(size)),
                hex(colour),
            ]);
        }
        let without = self.without();
        if without > 0 {
            let share = format!("{:.2}%", 100.0 * self.share(without));
            rows.push(vec!["none (0)".to_owned(), count(without), share]);
        }
        text::table(&rows)
    }

    /// The segments for programs.
    pub(crate) fn as_json(&self) -> Value {
        let found = &self.found;
        let segments: Vec<Value> = self
            .segments()
            .enumerate()
            .map(|(segment, (size, colour))| {
                json!({
                    "segment": segment + 1,
                    "pixels": size,
                    "share": self.share(size),
                    "mean_colour": colour,
                })
            })
            .collect();
        let report: Option<Vec<Value>> = match (&found.scribbles, self.scribbles) {
            (Some(report), Some(scribbles)) => {
                let each = scribbles.names.iter().enumerate();
                let each = each.map(|(scribble, name)| {
                    json!({
                        "scribble": name,
                        "pixels": report.pixels[scribble],
                        "segment": report.segments[scribble],
                        "held": report.held[scribble],
                    })
                });
                Some(each.collect())
            }
            _ => None,
        };
        let pooled = found.pooled.map(|pooled| {
            json!({
                "pools": pooled.pools,
                "side": pooled.side,
                "weighted": pooled.is_weighted,
            })
        });
        json!({
            "image": self.path.display().to_string(),
            "width": self.file.image.width(),
            "height": self.file.image.height(),
            "method": self.segment.method.info().name,
            "n_segments": found.n_segments,
            "iterations": found.clustering.iterations,
            "stop": found.clustering.stop,
            "seconds": self.seconds,
            "pooled": pooled,
            "without_segment": self.without(),
            "segments": segments,
            "scribbles": report,
        })
    }

    /// The number of pixels and the mean colour of every segment.
    fn segments(&self) -> impl Iterator<Item = (usize, &[f64])> {
        let sizes = self.found.labels.sizes();
        sizes.into_iter().zip(self.colours.iter().map(Vec::as_slice))
    }

    fn share(&self, pixels: usize) -> f64 {
        pixels as f64 / self.file.image.len() as f64
    }

    /// Pixels of no segment.
    fn without(&self) -> usize {
        let labels = self.found.labels.values();
        labels.iter().filter(|label| **label == 0).count()
    }
}

/// A colour as CSS writes it; grey where there is one channel.
fn hex(colour: &[f64]) -> String {
    let byte = |value: &f64| format!("{:02X}", (255.0 * value).round() as u8);
    match colour {
        [grey] => format!("#{}", byte(grey).repeat(3)),
        channels => format!("#{}", channels.iter().map(byte).collect::<String>()),
    }
}
