//! `ilk segment`: find the segments of an image.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Args;
use ilk::image::{
    Colour, DEFAULT_METHOD, DEFAULT_METHOD_WITH_SCRIBBLES, Segment, SegmentParams, Segmentation,
    method_for_images,
};
use ilk::method::{AnyMethod, Method};
use ilk::parameter::AutoOr;
use ilk_io::{ImageFile, Scribbles, read_image, read_scribbles_on, write_image, write_label_image};

use crate::args::named;
use crate::failure::Usage;
use crate::outputs;
use crate::progress::{Guard, Progress};
use crate::segments::{self, Segmented};
use crate::terminal::{self, Terminal};
use crate::text::{count, counted};
use crate::tuning::{TuningArgs, has_parameter};

#[derive(Debug, Args)]
#[command(
    after_help = "In label images and scribbles 0 is nothing, and 1, 2, ... are segments or scribbles; the table on stdout \
                  has the same numbers."
)]
pub(crate) struct SegmentArgs {
    /// The image: PNG or JPEG, grey or colour
    image: PathBuf,
    /// Scribbles that must be in different segments: a copy of the image, as PNG, with strokes drawn over it in plain
    /// colours; or a PNG as large as the image, in which black or transparent is nothing and every other colour a
    /// scribble, or, in grey or with a palette, 0 is nothing and every other value one
    #[arg(long, value_name = "FILE.png", help_heading = "Constraints")]
    scribbles: Option<PathBuf>,
    /// Points of a scribble that are given to the method at most
    #[arg(
        long,
        value_name = "N",
        requires = "scribbles",
        default_value_t = 400,
        help_heading = "Constraints"
    )]
    scribble_points: usize,
    #[arg(long, value_name = "NAME", help_heading = "Method", help = method_help())]
    method: Option<String>,
    #[command(flatten)]
    tuning: TuningArgs,
    /// In which colours pixels are compared: red, green and blue; L*a*b*, closer to what eyes see; or
    /// brightness alone
    #[arg(long, default_value = "rgb", help_heading = "Method", value_parser = named::<Colour>(Colour::NAMES))]
    colour: Colour,
    /// How far apart the ends of the image are, where black and white are 1 apart in each channel: larger
    /// makes segments more compact, 0 leaves places out of it
    #[arg(long, value_name = "S", default_value_t = 0.33, help_heading = "Method")]
    coordinate_scale: f64,
    /// Pixels that the method is given at most; more are pooled first [default: 200000, with scribbles 10000]
    #[arg(long, value_name = "N", help_heading = "Method")]
    max_pixels: Option<usize>,
    /// Pixels that a connected region has at least; smaller ones go to the segment around them, unless a scribble
    /// touches them; 0 leaves all [default: one in 2,000 of the image's]
    #[arg(long, value_name = "N", help_heading = "Method")]
    min_region: Option<usize>,
    /// Where to write the number of every pixel's segment, as a grey PNG (16 bits above 255 segments)
    #[arg(long, short, value_name = "FILE.png", help_heading = "Output")]
    out: Option<PathBuf>,
    /// Where to write the image in the mean colours of its segments
    #[arg(long, value_name = "FILE.png", help_heading = "Output")]
    means: Option<PathBuf>,
    /// Where to write the image with the boundaries of segments drawn over it
    #[arg(long, value_name = "FILE.png", help_heading = "Output")]
    boundaries: Option<PathBuf>,
    /// Where to write the segments in colours of their own
    #[arg(long, value_name = "FILE.png", help_heading = "Output")]
    palette: Option<PathBuf>,
}

fn method_help() -> String {
    format!(
        "How to cluster the pixels; `ilk methods` lists what there is [default: {DEFAULT_METHOD}, with scribbles \
         {DEFAULT_METHOD_WITH_SCRIBBLES}]"
    )
}

pub(crate) fn run(args: &SegmentArgs, terminal: &Terminal) -> Result<()> {
    let inputs: Vec<&Path> = [Some(&args.image), args.scribbles.as_ref()]
        .into_iter()
        .flatten()
        .map(PathBuf::as_path)
        .collect();
    let files = [
        ("--out", &args.out),
        ("--means", &args.means),
        ("--boundaries", &args.boundaries),
        ("--palette", &args.palette),
    ];
    outputs::check(&inputs, &files)?;
    let file = read_image(&args.image)?;
    let (width, height) = (file.image.width(), file.image.height());
    let scribbles = match &args.scribbles {
        Some(path) => Some(read_scribbles_on(path, &file.image)?),
        None => None,
    };
    let method = method(args, scribbles.as_ref())?;
    args.tuning.check_clusters(&method, width * height, "--scribbles")?;
    let segment = Segment {
        method,
        params: SegmentParams {
            colour: args.colour,
            coordinate_scale: args.coordinate_scale,
            max_pixels: args.max_pixels.map_or(AutoOr::Auto, AutoOr::Fixed),
            scribble_points: args.scribble_points,
            min_region: args.min_region.map_or(AutoOr::Auto, AutoOr::Fixed),
        },
    };
    segments::print_input(
        &args.image,
        &file,
        args.scribbles.as_deref(),
        scribbles.as_ref(),
        terminal,
    );
    let start = Instant::now();
    let found = fit(&segment, &file, scribbles.as_ref(), terminal)?;
    let segmented = Segmented {
        segment: &segment,
        file: &file,
        path: &args.image,
        scribbles: scribbles.as_ref(),
        colours: found.labels.mean_colours(&file.image)?,
        seconds: start.elapsed().as_secs_f64(),
        found,
    };
    segmented.print(terminal);
    write(args, &segmented)?;
    for path in files.into_iter().filter_map(|(_, path)| path.as_ref()) {
        terminal.info(format!("wrote        {}", path.display()));
    }
    if terminal.json() {
        return terminal::result_json(&segmented.as_json());
    }
    terminal::result(|out| out.write_all(segmented.table().as_bytes()))
}

/// The method, set as the arguments say. Where only the scribbles give the number of segments, there is
/// one for each.
fn method(args: &SegmentArgs, scribbles: Option<&Scribbles>) -> Result<AnyMethod> {
    let default = if scribbles.is_some() { DEFAULT_METHOD_WITH_SCRIBBLES } else { DEFAULT_METHOD };
    let method = method_for_images(args.method.as_deref().unwrap_or(default))?;
    let mut tuning = args.tuning.clone();
    if let Some(scribbles) = scribbles
        && has_parameter(method.info(), "n_clusters")
        && tuning.clusters.is_none()
        && !tuning.sets("n_clusters")
    {
        let n_scribbles = scribbles.names.len();
        if n_scribbles == 1 {
            let message = "one scribble separates nothing; draw another in another value or colour, or add \
                           --clusters K";
            return Err(Usage(message.to_owned()).into());
        }
        tuning.clusters = Some(n_scribbles);
    }
    tuning.apply(method)
}

fn fit(
    segment: &Segment,
    file: &ImageFile,
    scribbles: Option<&Scribbles>,
    terminal: &Terminal,
) -> Result<Segmentation> {
    let progress = Progress::new(terminal);
    let scribbles = scribbles.map(|scribbles| &scribbles.labels);
    match segment.fit(&file.image, scribbles, &progress) {
        Err(error @ ilk::Error::TooLarge { .. }) => {
            let points = file.image.len().min(segment.pixel_limit(scribbles.is_some()));
            let context = format!(
                "{} cannot take {}; pool more of them with a smaller --max-pixels, such as {}",
                segment.method.info().name,
                counted(points, "pixel"),
                count(FEW_PIXELS)
            );
            Err(error).context(context)
        }
        done => Ok(done?),
    }
}

/// As many points as methods take whose memory grows with the square of their number.
const FEW_PIXELS: usize = 5000;

/// Writes the files that were asked for, one after the other: images are large.
fn write(args: &SegmentArgs, segmented: &Segmented<'_>) -> Result<()> {
    let _guard = Guard::new();
    let (labels, image) = (&segmented.found.labels, &segmented.file.image);
    if let Some(path) = &args.out {
        write_label_image(path, labels)?;
    }
    if let Some(path) = &args.means {
        write_image(path, &labels.means(image)?)?;
    }
    if let Some(path) = &args.boundaries {
        write_image(path, &labels.boundaries(image)?)?;
    }
    if let Some(path) = &args.palette {
        write_image(path, &labels.palette_view())?;
    }
    Ok(())
}
