//! What a project is worth outside of the page: files that other programs read, and how to make them again.

use std::fmt::Write as _;
use std::io::{Cursor, Write as _};
use std::path::Path;

use anyhow::{Context as _, Result};
use ilk::ask::{Purpose, QuestionKind};
use ilk_io::{
    AnswerRecord, Clusters, ConstraintFiles, Loaded, LoadedData, Recipe, SavedModel, Scale,
    TableOptions, save_model, write_answers, write_clusters, write_file,
};
use zip::write::SimpleFileOptions;

use crate::FittedRun;
use crate::fits::{Fitted, RECIPES, method};
use crate::studio::Studio;
use crate::study::Study;

/// The files, in the order in which they are written.
const FILES: [&str; 8] = [
    "clusters.csv",
    "pairs.csv",
    "triplets.csv",
    "labels.csv",
    "judging.csv",
    "model.ilk",
    "report.html",
    "repeat.txt",
];

/// Fits what there is, writes all files to the project's folder and returns them packed.
pub(crate) fn export(studio: &Studio) -> Result<Vec<u8>> {
    let revision = studio.study().revision;
    let fitted = studio.fits.fit_of(revision)?;
    let folder = studio.project.export();
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("{} cannot be made", folder.display()))?;
    write_all(studio, &fitted, &folder)?;
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for name in FILES {
        let path = folder.join(name);
        let bytes =
            std::fs::read(&path).with_context(|| format!("{} cannot be read", path.display()))?;
        zip.start_file(name, SimpleFileOptions::default())?;
        zip.write_all(&bytes)?;
    }
    Ok(zip.finish()?.into_inner())
}

fn write_all(studio: &Studio, fitted: &Fitted, folder: &Path) -> Result<()> {
    let Fitted { study, fit, seconds, .. } = fitted;
    let data = &study.data;
    let constraints = study.constraints(false);
    let found = &fit.clustering;
    let clusters = Clusters {
        ids: &data.table.ids,
        labels: &found.labels,
        confidence: found.confidence.as_ref(),
        constraints: Some((&constraints, &found.report)),
        keep: None,
    };
    write_file(folder.join("clusters.csv"), |out| write_clusters(out, &clusters))?;
    let names = &data.names;
    let (judging, learned): (Vec<AnswerRecord>, Vec<AnswerRecord>) =
        study.records().into_iter().partition(|record| record.answered.purpose == Purpose::Judge);
    let of = |kinds: &[QuestionKind], records: &[AnswerRecord]| -> Vec<AnswerRecord> {
        let is_its = |it: &&AnswerRecord| kinds.contains(&it.answered.question.kind());
        records.iter().filter(is_its).cloned().collect()
    };
    let pairs = [QuestionKind::Pair, QuestionKind::Group];
    let file = |name: &str| folder.join(name);
    write_answers(&file("pairs.csv"), QuestionKind::Pair, &of(&pairs, &learned), names)?;
    let triplets = of(&[QuestionKind::Triplet], &learned);
    write_answers(&file("triplets.csv"), QuestionKind::Triplet, &triplets, names)?;
    let labels = of(&[QuestionKind::Label], &learned);
    write_answers(&file("labels.csv"), QuestionKind::Label, &labels, names)?;
    write_answers(&file("judging.csv"), QuestionKind::Pair, &of(&pairs, &judging), names)?;
    let method = method(study.session.options().seed);
    let features = data.table.is_named.then(|| data.table.feature_names.clone());
    let mut model = SavedModel::new(&method, fit, features, data.scaling.clone());
    model.fill.clone_from(&data.table.fill);
    save_model(folder.join("model.ilk"), &model)?;
    let command = command(studio, study);
    let recipe = Recipe {
        table: studio.project.settings.table.clone(),
        scale: studio.project.settings.scale,
        constraints: ConstraintFiles::default(),
        ..Recipe::new(&data.table.path, method)
    };
    let table = ilk_io::Table { columns: None, ..data.table.clone() };
    let problem = ilk::problem::Problem::new(data.scaled()?.clone(), constraints)?;
    let loaded = Loaded {
        data: LoadedData::Table { table, scaling: data.scaling.clone() },
        problem,
        summaries: Vec::new(),
    };
    let run =
        FittedRun { recipe, loaded, fit: fit.clone(), seconds: *seconds, command: command.clone() };
    let report = (studio.drawing.report)(run)?;
    write_file(folder.join("report.html"), |out| out.write_all(report.as_bytes()))?;
    let text = repeat(&command, study);
    write_file(folder.join("repeat.txt"), |out| out.write_all(text.as_bytes()))?;
    Ok(())
}

/// The command that makes the same clusters again.
fn command(studio: &Studio, study: &Study) -> String {
    let settings = &studio.project.settings;
    let mut command = format!("ilk cluster {}", quoted(&settings.data.to_string_lossy()));
    let used = |kinds: &[QuestionKind]| {
        study
            .session
            .state()
            .answered()
            .iter()
            .any(|one| one.purpose != Purpose::Judge && kinds.contains(&one.question.kind()))
    };
    let pairs = [QuestionKind::Pair, QuestionKind::Group];
    for (kinds, option) in [
        (&pairs[..], " --pairs pairs.csv"),
        (&[QuestionKind::Triplet], " --triplets triplets.csv"),
        (&[QuestionKind::Label], " --labels labels.csv"),
    ] {
        if used(kinds) {
            command += option;
        }
    }
    let scale = serde_json::to_value(settings.scale).unwrap_or_default();
    if let (Some(scale), true) = (scale.as_str(), settings.scale != Scale::None) {
        let _ = write!(command, " --scale {scale}");
    }
    command += &columns(&settings.table);
    let seed = settings.seed;
    let _ = write!(command, " --fits {RECIPES} --seed {seed} --out clusters.csv --model model.ilk");
    command
}

/// The options that say which columns are what.
fn columns(options: &TableOptions) -> String {
    let TableOptions {
        id,
        features,
        exclude,
        array,
        keep: _,
        no_header,
        numeric_only,
        one_hot,
        missing,
    } = options;
    let mut text = String::new();
    let mut option = |name: &str, value: &str| {
        let _ = write!(text, " --{name} {}", quoted(value));
    };
    if let Some(id) = id {
        option("id", id);
    }
    for feature in features.iter().flatten() {
        option("features", feature);
    }
    for column in exclude {
        option("exclude", column);
    }
    for column in one_hot {
        option("one-hot", column);
    }
    if let Some(array) = array {
        option("array", array);
    }
    if *missing != ilk_io::Missing::default()
        && let Some(missing) = serde_json::to_value(missing).unwrap_or_default().as_str()
    {
        option("missing", missing);
    }
    for (is_given, flag) in [(no_header, " --no-header"), (numeric_only, " --numeric-only")] {
        if *is_given {
            text += flag;
        }
    }
    text
}

/// How to make the clusters again, and to place new rows.
fn repeat(command: &str, study: &Study) -> String {
    let path = study.data.table.path.to_string_lossy();
    let read = if study.data.table.is_named {
        "data = pandas.read_csv(path)\nclusters = model.predict(data[model.feature_names_in_])"
    } else {
        "clusters = model.predict(numpy.load(path))"
    };
    format!(
        "In the shell, in this folder: the same clusters again, and the clusters of new rows.\n\n\
         {command}\n\
         ilk predict model.ilk NEW-ROWS.csv\n\n\
         In Python: the clusters of rows by the model.\n\n\
         import ilk, numpy, pandas\n\
         model = ilk.load(\"model.ilk\")\n\
         path = {path:?}\n\
         {read}\n\n\
         judging.csv holds answers that were kept to judge the clusters by; nothing was learned from them.\n",
    )
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=,:@%+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}
