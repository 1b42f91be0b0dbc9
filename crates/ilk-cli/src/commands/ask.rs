//! `ilk ask`: the next best questions, answered by a person, a program or the truth.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use clap::Args;
use ilk::ask::{
    Answered, NextQuestion, Purpose, QuestionKind, Session, SessionOptions, SimulatedOracle,
    Strategy,
};
use ilk::problem::{Constraints, Problem};
use ilk_io::{
    AnswerFile, AnswerRecord, BatchColumns, ConstraintFiles, Context, GraphOptions, OpenedAnswers,
    Scale, TableOptions, now, read_batch, read_graph, read_table, write_batch, write_file,
};

use crate::args::{ConstraintArgs, TableArgs, named};
use crate::asking::ended::Ended;
use crate::asking::person::Person;
use crate::asking::program::Program;
use crate::asking::rows::{AskedData, AskedPoints};
use crate::asking::simulated::Simulated;
use crate::asking::{Answerer, Reply, status};
use crate::commands::cluster::warn_of_label_columns;
use crate::failure::Usage;
use crate::progress::Progress;
use crate::run::numbered;
use crate::terminal::{self, Terminal};
use crate::text::counted;
use crate::truth::TruthSource;

#[derive(Debug, Args)]
pub(crate) struct AskArgs {
    /// The table: CSV or TSV (also .gz), NPY, NPZ or Parquet; with --graph the edges, as for `ilk graph`
    data: PathBuf,
    /// The data are the edges of a graph, and questions are about its nodes
    #[arg(long, conflicts_with_all = ["scale", "id", "features", "exclude", "numeric_only", "one_hot", "missing", "no_header", "array"])]
    graph: bool,
    /// The nodes, a table with their `id`, for nodes without edges [default: those that edges name]
    #[arg(long, value_name = "FILE", requires = "graph")]
    nodes: Option<PathBuf>,
    /// Where answers are kept, each as soon as it is given; a file that is there is gone on with
    #[arg(long, value_name = "FILE", default_value = "answers.csv")]
    answers: PathBuf,
    /// What is asked: two rows, the odd one of three, which of nine belong with the first, or a label
    #[arg(long, default_value = "pair", value_parser = named::<QuestionKind>(QuestionKind::NAMES))]
    kind: QuestionKind,
    /// How questions are chosen; all but auto and random ask pairs alone
    #[arg(long, default_value = "auto", value_parser = named::<Strategy>(Strategy::NAMES))]
    strategy: Strategy,
    /// End after so many answers, those in the file counted [default: 100 for programs and the truth]
    #[arg(long, value_name = "N")]
    budget: Option<usize>,
    /// Who answers, as the file names it
    #[arg(long, value_name = "NAME")]
    annotator: Option<String>,
    /// The share of random questions that are kept for judging; nothing is learned from them
    #[arg(long, value_name = "SHARE", default_value_t = 0.15)]
    judging: f64,
    /// The share of questions that are asked again, to see how often answers are wrong
    #[arg(long, value_name = "SHARE", default_value_t = 0.05)]
    repeats: f64,
    /// Seed of everything random
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Bring the columns to a common scale: mean 0 and deviation 1, or the range 0 to 1; unit: bring every
    /// row to length 1, so that distances are those of the cosine (embeddings of text)
    #[arg(long, default_value = "standard", value_parser = named::<Scale>(Scale::NAMES))]
    scale: Scale,
    /// A program that answers: it reads a question as a line of JSON and writes the answer as one
    #[arg(long, value_name = "COMMAND", help_heading = "Who answers", conflicts_with_all = ["truth", "batch", "filled"])]
    oracle: Option<String>,
    /// Seconds that the program has for an answer
    #[arg(long, value_name = "SECONDS", default_value_t = 120, help_heading = "Who answers")]
    timeout: u64,
    /// The right answer, for a simulation: a column of the table (or an array of the archive), or a file with
    /// `id,label` (of a graph always a file)
    #[arg(long, value_name = "COLUMN|FILE", help_heading = "Who answers", conflicts_with_all = ["batch", "filled"])]
    truth: Option<String>,
    /// The share of wrong answers of the simulation
    #[arg(
        long,
        value_name = "SHARE",
        default_value_t = 0.0,
        help_heading = "Who answers",
        requires = "truth"
    )]
    noise: f64,
    /// Write so many questions to a file, for people who answer in a spreadsheet
    #[arg(long, value_name = "N", help_heading = "Who answers", requires = "out")]
    batch: Option<usize>,
    /// Where to write the batch
    #[arg(long, value_name = "FILE", help_heading = "Who answers", requires = "batch")]
    out: Option<PathBuf>,
    /// Take the answers of a batch that was filled in
    #[arg(long, value_name = "FILE", help_heading = "Who answers", conflicts_with = "batch")]
    filled: Option<PathBuf>,
    /// Where to write the clusters that the answers name
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    clusters: Option<PathBuf>,
    #[command(flatten)]
    constraints: ConstraintArgs,
    #[command(flatten)]
    table: TableArgs,
}

/// Answers of a program or the truth, where no budget is given.
const BUDGET: usize = 100;

/// Answers of a program or the truth between two lines about how it goes.
const BETWEEN_LINES: usize = 10;

pub(crate) fn run(args: &AskArgs, terminal: &Terminal) -> Result<()> {
    let truth = args.truth.as_deref().map(|name| TruthSource::new(name, &args.data));
    let mut options = args.table.options(true);
    if let Some(truth) = &truth {
        truth.exclude_from(&mut options, &args.data);
    }
    let data = read(args, truth.as_ref(), &options, terminal)?;
    let mut constraints = Constraints::with_ids(data.ids())?;
    args.constraints.files().read(&mut constraints, &Context { data: Some(&args.data) })?;
    let left_out =
        args.table.exclude.iter().chain(args.truth.as_ref()).cloned().collect::<Vec<String>>();
    let rows = AskedPoints::new(&data, &left_out);
    enough(&data, &rows, args)?;
    let names = constraints.clone();
    let problem = match &data {
        AskedData::Table(table) => {
            Problem::new(args.scale.fit(&table.points).apply(&table.points)?, constraints)?
        }
        AskedData::Graph(file) => Problem::new(file.graph.clone(), constraints)?,
    };
    let session_options = SessionOptions {
        strategy: args.strategy,
        kind: args.kind,
        judging: args.judging,
        repeats: args.repeats,
        seed: args.seed,
    };
    let mut session = Session::new(problem, session_options, &Progress::new(terminal))?;
    let OpenedAnswers { file, answers, was_cut_off } =
        AnswerFile::open(&args.answers, args.kind, &names)?;
    if was_cut_off {
        terminal::warn(format!(
            "{}: the last line was cut off and is left out",
            args.answers.display()
        ));
    }
    for record in answers {
        let kept = || format!("{}: an answer cannot be taken", args.answers.display());
        session.push(record.answered).with_context(kept)?;
    }
    let mut asking = Asking { session, file, names, rows, args, terminal };
    let before = asking.done();
    if before > 0 {
        terminal.info(format!(
            "{}: going on after {}",
            args.answers.display(),
            counted(before, "answer")
        ));
    }
    if let Some(filled) = &args.filled {
        asking.take_batch(filled)?;
    } else if let (Some(n), Some(out)) = (args.batch, &args.out) {
        asking.write_batch(n, out)?;
    } else if let Some(command) = &args.oracle {
        let mut program = Program::start(command, Duration::from_secs(args.timeout))?;
        asking.run(&mut program, Some(BUDGET))?;
    } else if let Some(truth) = &truth {
        let id_column = match &data {
            AskedData::Table(table) => table.id_column.as_ref(),
            AskedData::Graph(_) => None,
        };
        let found = truth.read(&options, id_column, data.ids())?.1;
        let groups = numbered(&found).0;
        let known = found.iter().zip(groups);
        let labels = known.map(|(name, group)| name.as_ref().map(|_| group)).collect();
        let oracle = SimulatedOracle::new(labels, data.ids().len(), args.noise, args.seed)?;
        asking.run(&mut Simulated(oracle), Some(BUDGET))?;
    } else {
        asking.run(&mut Person, None)?;
    }
    let Asking { session, .. } = asking;
    let ended = Ended { session: &session, ids: data.ids(), files: constraint_files(args) };
    ended.write_clusters(args.clusters.as_deref())?;
    ended.tell(terminal)
}

/// The files of constraints that were given, and that of the answers, in the order in which they are read.
fn constraint_files(args: &AskArgs) -> Vec<ConstraintFiles> {
    let answers = Some(args.answers.clone());
    let none = ConstraintFiles::default();
    let answers = match args.kind {
        QuestionKind::Pair | QuestionKind::Group => ConstraintFiles { pairs: answers, ..none },
        QuestionKind::Triplet => ConstraintFiles { triplets: answers, ..none },
        QuestionKind::Label => ConstraintFiles { labels: answers, ..none },
    };
    vec![args.constraints.files(), answers]
}

/// Reads what is asked about.
fn read(
    args: &AskArgs,
    truth: Option<&TruthSource>,
    options: &TableOptions,
    terminal: &Terminal,
) -> Result<AskedData> {
    if args.graph {
        if let (Some(name), true) =
            (&args.truth, truth.is_some_and(|truth| truth.own_file().is_none()))
        {
            let message = format!(
                "--truth {name}: there is no such file, and a graph has no columns; give a file with id,label"
            );
            return Err(Usage(message).into());
        }
        let options = GraphOptions { nodes: args.nodes.clone() };
        return Ok(AskedData::Graph(read_graph(&args.data, &options)?));
    }
    let table = read_table(&args.data, options)?;
    terminal::table_notes(&table, terminal);
    warn_of_label_columns(&table.feature_names);
    Ok(AskedData::Table(Box::new(table)))
}

/// Refuses data with fewer points than a question is about.
fn enough(data: &AskedData, rows: &AskedPoints<'_>, args: &AskArgs) -> Result<()> {
    let (n, least, noun) = (data.ids().len(), args.kind.least_points(), rows.noun());
    if n < least {
        let (found, kind, file) = (counted(n, noun), args.kind, args.data.display());
        let what = if args.graph { "graph" } else { "table" };
        bail!("{file} has {found}, and a {kind} is about {least}; give a {what} with more {noun}s");
    }
    Ok(())
}

/// A session with its file.
struct Asking<'a> {
    session: Session,
    file: AnswerFile,
    names: Constraints,
    rows: AskedPoints<'a>,
    args: &'a AskArgs,
    terminal: &'a Terminal,
}

impl Asking<'_> {
    /// Answers so far.
    fn done(&self) -> usize {
        self.session.state().answered().len()
    }

    /// Asks until the budget is spent, nothing is left to ask, or the answerer wants no more.
    fn run(&mut self, answerer: &mut dyn Answerer, default: Option<usize>) -> Result<()> {
        let budget = self.args.budget.or(default).unwrap_or(usize::MAX);
        let is_person = default.is_none();
        while self.done() < budget {
            let next = self.session.questions(1, &Progress::new(self.terminal))?.pop();
            let Some(next) = next else {
                self.terminal.info("nothing is left to ask");
                break;
            };
            let number = self.done();
            let reply = answerer.answer(&next, number, &self.rows).inspect_err(|_| {
                let (kept, file) = (counted(number, "answer"), self.args.answers.display());
                self.terminal.info(format!("{kept} kept in {file}; the same command goes on"));
            })?;
            match reply {
                Reply::Quit => break,
                Reply::Undo => self.undo()?,
                Reply::Answered { answer, confidence, note } => {
                    let answered = Answered {
                        question: next.question,
                        answer,
                        confidence,
                        annotator: self.args.annotator.clone(),
                        purpose: next.purpose,
                    };
                    self.take(AnswerRecord { answered, created_at: now(), note })?;
                    if is_person || self.done().is_multiple_of(BETWEEN_LINES) {
                        self.terminal.info(status::line(&self.session)?);
                    }
                }
            }
        }
        Ok(())
    }

    /// Keeps an answer in the file, then learns from it.
    fn take(&mut self, record: AnswerRecord) -> Result<()> {
        let mut next = self.session.clone();
        next.push(record.answered.clone())?;
        self.file.append(&record, &self.names)?;
        self.session = next;
        Ok(())
    }

    fn undo(&mut self) -> Result<()> {
        if self.session.undo().is_none() {
            self.terminal.info("there is no answer to take back");
            return Ok(());
        }
        self.file.undo()?;
        self.terminal.info(format!("taken back; {} left", counted(self.done(), "answer")));
        Ok(())
    }

    fn write_batch(&self, n: usize, out: &std::path::Path) -> Result<()> {
        if n == 0 {
            return Err(
                Usage("--batch 0 writes no questions; give a number above 0".to_owned()).into()
            );
        }
        let questions = self.session.questions(n, &Progress::new(self.terminal))?;
        if questions.is_empty() {
            bail!(
                "nothing is left to ask: what is not answered in {} follows from the answers; {} is not written",
                self.args.answers.display(),
                out.display()
            );
        }
        let asked = |next: &NextQuestion| (next.question.clone(), next.purpose);
        let questions: Vec<_> = questions.iter().map(asked).collect();
        let row = |point: usize| self.rows.cells(point);
        let shown = BatchColumns { names: self.rows.names(), row: &row };
        write_file(out, |file| write_batch(file, &questions, &self.names, &shown))?;
        let (written, file) = (counted(questions.len(), "question"), out.display());
        self.terminal.info(format!(
            "{written} written to {file}; fill in the empty column and run with --filled {file}"
        ));
        Ok(())
    }

    fn take_batch(&mut self, filled: &std::path::Path) -> Result<()> {
        let mut taken = 0;
        for mut record in read_batch(filled, self.args.kind, &self.names)? {
            record.answered.annotator =
                record.answered.annotator.or_else(|| self.args.annotator.clone());
            let is_known = |other: &Answered| {
                other.question == record.answered.question
                    && other.purpose == record.answered.purpose
                    && other.annotator == record.answered.annotator
                    && !matches!(record.answered.purpose, Purpose::Repeat | Purpose::Confirm)
            };
            if self.session.state().answered().iter().any(is_known) {
                continue;
            }
            if record.created_at.is_empty() {
                record.created_at = now();
            }
            self.take(record)?;
            taken += 1;
        }
        self.terminal.info(format!("{} taken from {}", counted(taken, "answer"), filled.display()));
        Ok(())
    }
}
