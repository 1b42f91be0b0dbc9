//! One run of a method on one draw, and the file that keeps every finished one.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use ilk_io::write_file;

/// What came of one method on one draw.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Cell {
    pub(crate) paper: String,
    pub(crate) experiment: String,
    pub(crate) data: String,
    pub(crate) method: String,
    /// The seed of the draw.
    pub(crate) seed: u64,
    /// Stands for the data, the draw and the settings of the method.
    pub(crate) settings: String,
    pub(crate) n: usize,
    pub(crate) ari: f64,
    pub(crate) nmi: f64,
    pub(crate) clusters: usize,
    pub(crate) must_links: usize,
    pub(crate) must_broken: usize,
    pub(crate) cannot_links: usize,
    pub(crate) cannot_broken: usize,
    pub(crate) seconds: f64,
    pub(crate) version: String,
    /// ARI on the rows without constraints, where there are two or more.
    pub(crate) ari_free: Option<f64>,
    /// ARI on the whole set, where the model placed it.
    pub(crate) ari_whole: Option<f64>,
    pub(crate) comparisons: usize,
    pub(crate) comparisons_broken: usize,
    /// NMI on the half of the rows that no constraint may name, where there is one.
    pub(crate) nmi_test: Option<f64>,
    /// The share of rows whose cluster is the one matched with their class; none in cells from before it was
    /// measured.
    pub(crate) accuracy: Option<f64>,
    /// Labelled points, and those whose labels are broken.
    pub(crate) labels: usize,
    pub(crate) labels_broken: usize,
    /// Rows without constraints.
    pub(crate) free: usize,
    /// The number of classes among the rows.
    pub(crate) classes: usize,
    /// ARI on the rows without constraints of the same method when it is given none, where that is measured.
    pub(crate) ari_without: Option<f64>,
}

/// The version whose cells count.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

const HEADER: &str = "paper,experiment,data,method,seed,settings,n,ari,nmi,clusters,must_links,\
                      must_broken,cannot_links,cannot_broken,seconds,version,ari_free,ari_whole,\
                      comparisons,comparisons_broken,nmi_test,accuracy,labels,labels_broken,\
                      free,classes,ari_without\n";

/// The columns of a line.
const COLUMNS: usize = 27;

/// What the lines of earlier versions lack at their ends: such cells are read as ones without.
const ADDED: [&str; 11] = ["", "", "0", "0", "", "", "0", "0", "0", "0", ""];

/// The last columns of earlier versions: before there were comparisons, test halves, accuracies, and fits without
/// constraints beside those with them.
const EARLIER_ENDS: [&str; 4] = [",version", ",comparisons_broken", ",nmi_test", ",accuracy"];

impl Cell {
    /// A line of the file. Numbers are written so that they are read back to the bit, and names hold no
    /// comma (a test of the lists sees to that).
    fn line(&self) -> String {
        let Self {
            paper,
            experiment,
            data,
            method,
            seed,
            settings,
            n,
            ari,
            nmi,
            clusters,
            must_links,
            must_broken,
            cannot_links,
            cannot_broken,
            seconds,
            version,
            ari_free,
            ari_whole,
            comparisons,
            comparisons_broken,
            nmi_test,
            accuracy,
            labels,
            labels_broken,
            free,
            classes,
            ari_without,
        } = self;
        let or_nothing = |score: &Option<f64>| score.map_or(String::new(), |s| s.to_string());
        let [ari_free, ari_whole, nmi_test, accuracy, ari_without] =
            [ari_free, ari_whole, nmi_test, accuracy, ari_without].map(or_nothing);
        format!(
            "{paper},{experiment},{data},{method},{seed},{settings},{n},{ari},{nmi},{clusters},\
             {must_links},{must_broken},{cannot_links},{cannot_broken},{seconds:.3},{version},\
             {ari_free},{ari_whole},{comparisons},{comparisons_broken},{nmi_test},{accuracy},\
             {labels},{labels_broken},{free},{classes},{ari_without}\n"
        )
    }

    fn parse(line: &str) -> Option<Self> {
        let mut fields: Vec<&str> = line.split(',').collect();
        let lacking = COLUMNS.saturating_sub(fields.len());
        if lacking <= ADDED.len() {
            fields.extend(&ADDED[ADDED.len() - lacking..]);
        }
        let fields: [&str; COLUMNS] = fields.try_into().ok()?;
        let score = |text: &str| text.parse().ok().filter(|score: &f64| score.is_finite());
        let maybe = |text: &str| match text {
            "" => Some(None),
            text => score(text).map(Some),
        };
        Some(Self {
            paper: fields[0].to_owned(),
            experiment: fields[1].to_owned(),
            data: fields[2].to_owned(),
            method: fields[3].to_owned(),
            seed: fields[4].parse().ok()?,
            settings: fields[5].to_owned(),
            n: fields[6].parse().ok()?,
            ari: score(fields[7])?,
            nmi: score(fields[8])?,
            clusters: fields[9].parse().ok()?,
            must_links: fields[10].parse().ok()?,
            must_broken: fields[11].parse().ok()?,
            cannot_links: fields[12].parse().ok()?,
            cannot_broken: fields[13].parse().ok()?,
            seconds: score(fields[14])?,
            version: fields[15].to_owned(),
            ari_free: maybe(fields[16])?,
            ari_whole: maybe(fields[17])?,
            comparisons: fields[18].parse().ok()?,
            comparisons_broken: fields[19].parse().ok()?,
            nmi_test: maybe(fields[20])?,
            accuracy: maybe(fields[21])?,
            labels: fields[22].parse().ok()?,
            labels_broken: fields[23].parse().ok()?,
            free: fields[24].parse().ok()?,
            classes: fields[25].parse().ok()?,
            ari_without: maybe(fields[26])?,
        })
    }
}

/// All finished cells. A cell is on disk before the next one of its thread begins, so that a run that
/// is cut off loses what it was at and nothing else.
#[derive(Debug)]
pub(crate) struct Ledger {
    path: PathBuf,
    file: File,
    cells: BTreeMap<(String, u64), Cell>,
    /// Lines that were dropped because they hold no cell, counted from 1.
    pub(crate) damaged: Vec<usize>,
}

impl Ledger {
    /// Opens `cells.csv` in a folder, or begins it. Damaged lines, such as the last one of a run that
    /// was cut off, are dropped.
    pub(crate) fn open(folder: &Path) -> Result<Self> {
        let path = folder.join("cells.csv");
        let refused = |source: io::Error| ilk_io::Error::CannotWrite { path: path.clone(), source };
        std::fs::create_dir_all(folder).map_err(refused)?;
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => {
                return Err(error).with_context(|| format!("{} cannot be read", path.display()));
            }
        };
        let text = String::from_utf8_lossy(&bytes);
        let mut lines = text.split_inclusive('\n');
        let mut sound = HEADER.to_owned();
        match lines.next() {
            // Nothing, or a header that was cut off.
            None => {}
            Some(first) if HEADER.starts_with(first) || is_earlier_header(first) => {}
            Some(_) => bail!(
                "{}: its first line is not the header of a file of cells; move it away or choose \
                 another --out",
                path.display()
            ),
        }
        let (mut cells, mut damaged) = (BTreeMap::new(), Vec::new());
        for (number, line) in lines.enumerate() {
            // Without its end a line may have lost digits of its last field.
            match line.strip_suffix('\n').and_then(Cell::parse) {
                Some(cell) => {
                    sound.push_str(&cell.line());
                    if cell.version == VERSION {
                        cells.insert((cell.settings.clone(), cell.seed), cell);
                    }
                }
                None => damaged.push(number + 2),
            }
        }
        if sound.as_bytes() != bytes {
            write_file(&path, |out| out.write_all(sound.as_bytes()))?;
        }
        let file = OpenOptions::new().append(true).open(&path).map_err(refused)?;
        Ok(Self { path, file, cells, damaged })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The finished cell of these settings and this seed.
    pub(crate) fn cell(&self, settings: &str, seed: u64) -> Option<&Cell> {
        self.cells.get(&(settings.to_owned(), seed))
    }

    /// Writes a finished cell, in one piece.
    pub(crate) fn add(&mut self, cell: Cell) -> Result<()> {
        let write = |source| ilk_io::Error::CannotWrite { path: self.path.clone(), source };
        self.file.write_all(cell.line().as_bytes()).map_err(write)?;
        self.cells.insert((cell.settings.clone(), cell.seed), cell);
        Ok(())
    }
}

/// Whether it is the header of a file of an earlier version.
fn is_earlier_header(line: &str) -> bool {
    let is_whole = |line: &str| EARLIER_ENDS.iter().any(|end| line.ends_with(end));
    line.strip_suffix('\n').is_some_and(|line| is_whole(line) && HEADER.starts_with(line))
}
