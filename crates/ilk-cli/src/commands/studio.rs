//! `ilk studio`: a page that asks, shows and never loses an answer.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result};
use clap::Args;
use ilk::datasets::Moons;
use ilk::problem::{Constraints, Problem};
use ilk_io::{Loaded, LoadedData, Scale, Scaling, Table, write_file};
use ilk_studio::{Drawing, FittedRun, Images, Listening, Options, Plane, Serving, Settings};

use crate::args::{TableArgs, named};
use crate::failure::Usage;
use crate::progress::{self, Guard, Progress};
use crate::report::{self, Report};
use crate::run::Run;
use crate::sets::write_data;
use crate::terminal::{self, Terminal};
use crate::{plane, plot, run_plot};

#[derive(Debug, Args)]
pub(crate) struct StudioArgs {
    /// The table: CSV or TSV (also .gz), NPY, NPZ or Parquet; not needed for a project that is there
    #[arg(required_unless_present_any = ["project", "demo"])]
    data: Option<PathBuf>,
    /// Folder of the project, with every answer [default: beside the table, with `.studio` at its end]
    #[arg(long, value_name = "FOLDER")]
    project: Option<PathBuf>,
    /// Open generated data, two moons: no files needed
    #[arg(long, conflicts_with = "data")]
    demo: bool,
    /// Do not open a browser
    #[arg(long)]
    no_open: bool,
    /// Port of the page on this machine; 0 takes a free one
    #[arg(long, value_name = "N", default_value_t = 0)]
    port: u16,
    /// Seconds that a client may take to send a request or to read a part of the answer
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=3600))]
    timeout: u64,
    /// Seed of everything random
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Bring the columns to a common scale: mean 0 and deviation 1, or the range 0 to 1; unit: bring every
    /// row to length 1, so that distances are those of the cosine (embeddings of text)
    #[arg(long, default_value = "standard", value_parser = named::<Scale>(Scale::NAMES))]
    scale: Scale,
    /// Folder below which the images of rows are
    #[arg(long, value_name = "FOLDER", help_heading = "Images", requires = "image_column")]
    images: Option<PathBuf>,
    /// Column with the file of each row's image
    #[arg(long, value_name = "COLUMN", help_heading = "Images", requires = "images")]
    image_column: Option<String>,
    #[command(flatten)]
    table: TableArgs,
}

/// The folder of the demo.
const DEMO: &str = "ilk-demo.studio";

pub(crate) fn run(args: &StudioArgs, terminal: &Terminal) -> Result<()> {
    let project = project(args)?;
    let data = match &args.data {
        Some(data) => Some(data.clone()),
        None if args.demo => Some(demo(&project, args.seed)?),
        None => None,
    };
    let mut table = args.table.options(false);
    // The answer is not to be among the questions.
    if args.demo {
        table.exclude.push("label".to_owned());
    }
    // The file of an image is no number.
    table.exclude.extend(args.image_column.clone().filter(|_| table.features.is_none()));
    let settings = data.map(|data| Settings {
        data,
        sha256: String::new(),
        scale: args.scale,
        seed: args.seed,
        table,
    });
    let images = match (&args.images, &args.image_column) {
        (Some(root), Some(column)) => Some(Images::new(root, column.clone())?),
        _ => None,
    };
    let drawing = Drawing { plane, report };
    let options = Options { project: project.clone(), settings, images, drawing };
    let serving = Serving {
        port: args.port,
        patience: Duration::from_secs(args.timeout),
        listening: if args.no_open { listening } else { opening },
        stops: progress::is_cancelled,
    };
    // Ctrl-C ends the server in order; every answer is on the disk before.
    let _guard = Guard::new();
    ilk_studio::run(options, serving, &Progress::new(terminal))?;
    terminal.info(format!(
        "ended; every answer is kept: go on with  ilk studio --project {}",
        crate::text::quoted(&project.to_string_lossy())
    ));
    Ok(())
}

/// The folder of the project.
fn project(args: &StudioArgs) -> Result<PathBuf> {
    if let Some(project) = &args.project {
        return Ok(project.clone());
    }
    let Some(data) = &args.data else { return Ok(PathBuf::from(DEMO)) };
    let name = data.file_name().ok_or_else(|| {
        Usage(format!("{} is no file; give the table, or a folder with --project", data.display()))
    })?;
    let name = name.to_string_lossy();
    let stem = name.split('.').next().unwrap_or(&name);
    Ok(data.with_file_name(format!("{stem}.studio")))
}

/// The data of the demo, made where they are not there.
fn demo(project: &Path, seed: u64) -> Result<PathBuf> {
    let path = project.join("moons.csv");
    if !path.exists() {
        std::fs::create_dir_all(project)
            .with_context(|| format!("{} cannot be made", project.display()))?;
        let moons = Moons::default().generate(seed)?;
        write_file(&path, |out| write_data(&moons, out))?;
    }
    Ok(path)
}

/// The address alone on stdout, for programs too.
fn listening(ready: &Listening) {
    // Nobody may read it.
    let _ = terminal::result(|out| writeln!(out, "{}", ready.url));
}

fn opening(ready: &Listening) {
    listening(ready);
    let (program, first): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("cmd", &["/C", "start", ""])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command.args(first).arg(&ready.url);
    // Where there is no browser, the address is on the terminal.
    let _ = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
}

/// The plane that plots show too.
fn plane(settings: &Settings, table: &Table, scaling: &Scaling) -> Result<Plane> {
    let points = scaling.apply(&table.points)?;
    let n = points.len();
    let problem = Problem::new(points, Constraints::new(n))?;
    let table = Table { path: settings.data.clone(), columns: None, ..table.clone() };
    let data = LoadedData::Table { table, scaling: scaling.clone() };
    let loaded = Loaded { data, problem, summaries: Vec::new() };
    let plane = plane::Plane::of(&loaded, &[])?;
    Ok(Plane { axes: plane.axes.clone(), points: plane.points()? })
}

fn report(fitted: FittedRun) -> Result<String> {
    let FittedRun { recipe, loaded, fit, seconds, command } = fitted;
    let run = Run::of_fit(recipe, loaded, fit, seconds)?;
    let plot = plot::svg(&run_plot::of(&run, &run_plot::title(&run))?.scatter());
    report::html(&Report { command: &command, run: &run, plot: &plot, before: None })
}
