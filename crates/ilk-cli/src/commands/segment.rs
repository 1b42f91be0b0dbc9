//! `ilk segment`: find the segments of a picture.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use ilk::image::{
    Colour, METHOD, METHOD_WITH_SCRIBBLES, Segment, Segmentation, method_for_pictures,
};
use ilk::method::Method;
use ilk_io::{
    PictureFile, Scribbles, read_picture, read_scribbles, write_label_image, write_picture,
};

use crate::failure::Usage;
use crate::outputs;
use crate::progress::{Guard, Progress};
use crate::segments::{self, Segmented};
use crate::terminal::{self, Terminal};
use crate::text::{count, counted};
use crate::tuning::{TuningArgs, has_parameter};

#[derive(Debug, Args)]
#[command(
    after_help = "In label images and strokes 0 is nothing, and 1, 2, ... are segments or strokes; the table on stdout \
                  has the same numbers."
)]
pub(crate) struct SegmentArgs {
    /// The picture: PNG or JPEG, grey or colour
    image: PathBuf,
    /// Strokes that must be told apart: a PNG as large as the picture. In grey or with a palette, 0 is
    /// nothing and every other value a stroke; in colour, black or transparent is nothing and every other
    /// colour a stroke
    #[arg(long, value_name = "FILE.png", help_heading = "What was said")]
    scribbles: Option<PathBuf>,
    /// Points of a stroke that are told to the method at most
    #[arg(
        long,
        value_name = "N",
        requires = "scribbles",
        default_value_t = 400,
        help_heading = "What was said"
    )]
    stroke_points: usize,
    #[arg(long, value_name = "NAME", help_heading = "Method", help = method_help())]
    method: Option<String>,
    #[command(flatten)]
    tuning: TuningArgs,
    /// In which colours pixels are compared
    #[arg(long, value_enum, default_value_t, help_heading = "Method")]
    colour: ColourArg,
    /// How far apart the ends of the picture are, where black and white are 1 apart in each channel: larger
    /// makes segments more compact, 0 leaves places out of it
    #[arg(
        long,
        value_name = "S",
        default_value_t = 0.33,
        help_heading = "Method"
    )]
    coordinate_scale: f64,
    /// Pixels that the method is given at most; more are pooled first [default: 200000, with strokes 10000]
    #[arg(long, value_name = "N", help_heading = "Method")]
    max_pixels: Option<usize>,
    /// Where to write the number of every pixel's segment, as a grey PNG (16 bits above 255 segments)
    #[arg(long, short, value_name = "FILE.png", help_heading = "Output")]
    out: Option<PathBuf>,
    /// Where to write the picture in the mean colours of its segments
    #[arg(long, value_name = "FILE.png", help_heading = "Output")]
    means: Option<PathBuf>,
    /// Where to write the picture with the boundaries of segments drawn over it
    #[arg(long, value_name = "FILE.png", help_heading = "Output")]
    boundaries: Option<PathBuf>,
    /// Where to write the segments in colours of their own
    #[arg(long, value_name = "FILE.png", help_heading = "Output")]
    palette: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum ColourArg {
    /// Red, green and blue
    #[default]
    Rgb,
    /// L*a*b*, closer to what eyes see
    Lab,
    /// Brightness alone
    Grey,
}

impl From<ColourArg> for Colour {
    fn from(arg: ColourArg) -> Self {
        match arg {
            ColourArg::Rgb => Self::Rgb,
            ColourArg::Lab => Self::Lab,
            ColourArg::Grey => Self::Grey,
        }
    }
}

fn method_help() -> String {
    format!(
        "How to cluster the pixels; `ilk methods` lists what there is [default: {METHOD}, with strokes \
         {METHOD_WITH_SCRIBBLES}]"
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
    let file = read_picture(&args.image)?;
    let (width, height) = (file.picture.width(), file.picture.height());
    let scribbles = match &args.scribbles {
        Some(path) => Some(read_scribbles(path, width, height)?),
        None => None,
    };
    let method = method(args, scribbles.as_ref())?;
    args.tuning
        .check_clusters(&method, width * height, "--scribbles")?;
    let segment = Segment {
        colour: args.colour.into(),
        coordinate_scale: args.coordinate_scale,
        max_pixels: args.max_pixels,
        stroke_points: args.stroke_points,
        ..Segment::new(method)
    };
    segments::tell_input(
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
        colours: found.labels.mean_colours(&file.picture)?,
        seconds: start.elapsed().as_secs_f64(),
        found,
    };
    segmented.tell(terminal);
    write(args, &segmented)?;
    for path in files.into_iter().filter_map(|(_, path)| path.as_ref()) {
        terminal.say(format!("wrote        {}", path.display()));
    }
    if terminal.json() {
        return terminal::result_json(&segmented.as_json());
    }
    terminal::result(|out| out.write_all(segmented.table().as_bytes()))
}

/// The method, set as the arguments say. Where strokes are all that tells the number of segments, there is
/// one for each.
fn method(args: &SegmentArgs, scribbles: Option<&Scribbles>) -> Result<Method> {
    let default = if scribbles.is_some() {
        METHOD_WITH_SCRIBBLES
    } else {
        METHOD
    };
    let method = method_for_pictures(args.method.as_deref().unwrap_or(default))?;
    let mut tuning = args.tuning.clone();
    if let Some(scribbles) = scribbles
        && has_parameter(&method, "n_clusters")
        && tuning.clusters.is_none()
        && !tuning.sets("n_clusters")
    {
        let strokes = scribbles.names.len();
        if strokes == 1 {
            let message = "one stroke tells nothing apart; draw another in another value or colour, or add \
                           --clusters K";
            return Err(Usage(message.to_owned()).into());
        }
        tuning.clusters = Some(strokes);
    }
    tuning.apply(method)
}

fn fit(
    segment: &Segment,
    file: &PictureFile,
    scribbles: Option<&Scribbles>,
    terminal: &Terminal,
) -> Result<Segmentation> {
    let progress = Progress::new(terminal);
    let strokes = scribbles.map(|scribbles| &scribbles.strokes);
    match segment.fit(&file.picture, strokes, &progress) {
        Err(error @ ilk::Error::TooLarge { .. }) => {
            let points = file
                .picture
                .len()
                .min(segment.most_pixels(strokes.is_some()));
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

/// Writes the files that were asked for, one after the other: pictures are large.
fn write(args: &SegmentArgs, segmented: &Segmented<'_>) -> Result<()> {
    let _guard = Guard::new();
    let (labels, picture) = (&segmented.found.labels, &segmented.file.picture);
    if let Some(path) = &args.out {
        write_label_image(path, labels)?;
    }
    if let Some(path) = &args.means {
        write_picture(path, &labels.means(picture)?)?;
    }
    if let Some(path) = &args.boundaries {
        write_picture(path, &labels.boundaries(picture)?)?;
    }
    if let Some(path) = &args.palette {
        write_picture(path, &labels.palette_view())?;
    }
    Ok(())
}
