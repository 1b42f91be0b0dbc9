//! Multilevel clustering of large graphs: seconds, normalized cut, recovery of what was planted, memory.
//! Prints a Markdown table. Every run is a process of its own, so that its peak memory is its own.
//! `--write FOLDER` leaves the graphs and the labels there, where `graphs.py` measures others on them.

use std::path::{Path, PathBuf};
use std::process::Command;

use ilk::datasets::{Data, PlantedGraph};
use ilk::evaluate::adjusted_rand;
use ilk::group::multilevel::{Coarsening, Multilevel, NodeConstraints};
use ilk::group::{GroupingAlgorithm, GroupingInput, Label};
use ilk::ndarray::{Array1, Array2};
use ilk::numerics::neighbors::{Neighbors, SelfNeighbor};
use ilk::numerics::rng::rng;
use ilk::numerics::sparse::Sparse;
use ilk::observe::Silent;
use ndarray_npy::{NpzReader, NpzWriter};

mod measure;

use measure::{peak_mb, seconds};

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

const SEED: u64 = 1;
const THREADS: usize = 2;

/// Links of a planted graph's node, on average.
const DEGREE: f64 = 20.0;

/// Neighbours of a point in the graph of MNIST's embeddings.
const NEIGHBORS: usize = 10;

/// A graph, and the share of its nodes whose cluster is given.
struct Case {
    name: &'static str,
    n: usize,
    k: usize,
    /// Share of the links that go between clusters.
    between: f64,
    labelled: f64,
    runs: usize,
    slow: bool,
}

const CASES: &[Case] = &[
    case("planted, 30% between", 216, 4, 0.3, 0.0, 50, false),
    case("planted, 30% between", 10_000, 20, 0.3, 0.0, 5, false),
    case("planted, 30% between", 100_000, 100, 0.3, 0.0, 3, false),
    case("planted, 30% between", 1_000_000, 100, 0.3, 0.0, 2, true),
    case("planted, 60% between", 100_000, 100, 0.6, 0.0, 1, false),
    case("planted, 60% between", 100_000, 100, 0.6, 0.01, 1, false),
    case("planted, 60% between", 1_000_000, 100, 0.6, 0.0, 1, true),
    case("planted, 60% between", 1_000_000, 100, 0.6, 0.01, 1, true),
    case(MNIST, 60_000, 10, 0.0, 0.0, 3, false),
    case(MNIST, 60_000, 10, 0.0, 0.01, 3, false),
];

const MNIST: &str = "neighbours of MNIST";

/// A graph without clusters whose nodes are linked with others as likely as those have links.
const HUBS: &str = "hubs";

/// Graphs on which ways of coarsening are compared: region growing and matching.
const COARSENED: &[Case] = &[
    case("planted, 30% between", 100_000, 100, 0.3, 0.0, 1, false),
    case("planted, 60% between", 100_000, 100, 0.6, 0.0, 1, false),
    case("planted, 60% between", 100_000, 100, 0.6, 0.01, 1, false),
    case("planted, 30% between", 1_000_000, 100, 0.3, 0.0, 1, true),
    case(MNIST, 60_000, 10, 0.0, 0.0, 1, false),
    case(HUBS, 100_000, 50, 0.0, 0.0, 1, false),
];

/// Links with which a node of the graph with hubs begins.
const FIRST_LINKS: usize = 5;

/// Seeds over which ways of coarsening are compared.
const SEEDS: u64 = 5;

const fn case(
    name: &'static str,
    n: usize,
    k: usize,
    between: f64,
    labelled: f64,
    runs: usize,
    slow: bool,
) -> Case {
    Case { name, n, k, between, labelled, runs, slow }
}

fn main() -> Outcome<()> {
    rayon::ThreadPoolBuilder::new().num_threads(THREADS).build_global()?;
    let args: Vec<String> = std::env::args().collect();
    let folder = args.iter().position(|arg| arg == "--write");
    let folder = folder.and_then(|at| args.get(at + 1)).map(PathBuf::from);
    if let Some(at) = args.iter().position(|arg| arg == "--run") {
        let number: usize = args.get(at + 1).ok_or("--run takes a number")?.parse()?;
        let case = CASES.get(number).ok_or("there is no such case")?;
        return run_alone(case, folder.map(|folder| folder.join(format!("{number}.npz"))));
    }
    let quick = args.iter().any(|arg| arg == "--quick");
    table(quick, folder.as_deref())?;
    if folder.is_none() {
        coarsenings(quick)?;
    }
    Ok(())
}

/// The table of all cases.
fn table(quick: bool, folder: Option<&Path>) -> Outcome<()> {
    println!("## Clusters of graphs, {THREADS} threads\n");
    println!(
        "Normalized cut by weighted kernel k-means on several levels, default parameters. Planted graphs \
         have {DEGREE} links a node and their nodes in random order; \"{MNIST}\" joins each of 60,000 \
         embeddings with its {NEIGHBORS} nearest, all links of strength 1. Labelled: the share of nodes \
         whose cluster is given; the recovery (ARI) is that of the other nodes. With 60% between and no \
         labels, what is found has a smaller normalized cut than what was planted: one loose cluster takes in \
         the uncertain nodes of all others.\n"
    );
    println!(
        "| graph | nodes | links | k | labelled | seconds | normalized cut | planted cut | ARI | peak memory, MB |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for (number, case) in CASES.iter().enumerate() {
        if quick && case.slow || case.name == MNIST && mnist().is_none() {
            continue;
        }
        let mut child = Command::new(std::env::current_exe()?);
        child.args(["--run", &number.to_string()]);
        if let Some(folder) = folder {
            child.arg("--write").arg(folder);
        }
        let child = child.output()?;
        if !child.status.success() {
            return Err(String::from_utf8_lossy(&child.stderr).into());
        }
        print!("{}", String::from_utf8(child.stdout)?);
    }
    println!();
    Ok(())
}

/// The ways of coarsening side by side.
fn coarsenings(quick: bool) -> Outcome<()> {
    println!(
        "### Region growing and matching\n\nThe same with either `coarsening`: means over {SEEDS} seeds. \
         \"{HUBS}\" has no clusters to be found: nodes come one by one and link to {FIRST_LINKS} others, \
         those with many links being as much more likely (Barabási and Albert 1999).\n"
    );
    println!(
        "| graph | nodes | k | labelled | region growing, s | normalized cut | ARI | matching, s | ratio | normalized cut | ARI |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    for case in COARSENED {
        if quick && case.slow || case.name == MNIST && mnist().is_none() {
            continue;
        }
        let input = Input::new(case)?;
        let mean = |coarsening| -> Outcome<[f64; 3]> {
            let mut sums = [0.0; 3];
            for seed in 0..SEEDS {
                let params =
                    Multilevel { n_clusters: case.k, coarsening, seed, ..Multilevel::default() };
                let (time, found) = input.fit(&params, 1)?;
                let cut = normalized_cut(&input.links, &found, case.k);
                for (sum, value) in sums.iter_mut().zip([time, cut, input.recovery(&found)?]) {
                    *sum += value / SEEDS as f64;
                }
            }
            Ok(sums)
        };
        let [time, cut, recovery] = mean(Coarsening::RegionGrowing)?;
        let matching = mean(Coarsening::HeavyEdgeMatching)?;
        let shown = |recovery: f64| match case.name {
            HUBS => "-".to_owned(),
            _ => format!("{recovery:.4}"),
        };
        println!(
            "| {} | {} | {} | {}% | {time:.3} | {cut:.3} | {} | {:.3} | {:.2} | {:.3} | {} |",
            case.name,
            case.n,
            case.k,
            100.0 * case.labelled,
            shown(recovery),
            matching[0],
            matching[0] / time,
            matching[1],
            shown(matching[2])
        );
    }
    println!();
    Ok(())
}

/// What a case is run on.
struct Input {
    links: Sparse,
    truth: Vec<usize>,
    degrees: Vec<f64>,
    constraints: NodeConstraints,
}

impl Input {
    fn new(case: &Case) -> Outcome<Self> {
        let (links, truth) = match (case.name, mnist()) {
            (MNIST, Some(path)) => neighbor_graph(&path)?,
            (MNIST, None) => return Err("the embeddings of MNIST are not there".into()),
            (HUBS, _) => hubs(case),
            _ => planted(case)?,
        };
        let degrees = links.row_sums().iter().map(|&d| d.max(1.0)).collect();
        let n_labelled = (case.labelled * links.len() as f64) as usize;
        let mut fixed: Vec<Label> = Vec::new();
        if n_labelled > 0 {
            fixed.resize(links.len(), None);
            for node in rng(SEED).sample(links.len(), n_labelled) {
                fixed[node] = Some(truth[node]);
            }
        }
        let constraints = NodeConstraints { fixed, ..NodeConstraints::default() };
        Ok(Self { links, truth, degrees, constraints })
    }

    /// The best time of some runs, and the clusters.
    fn fit(&self, params: &Multilevel, runs: usize) -> Outcome<(f64, Vec<usize>)> {
        let (time, grouping) = seconds(runs, || {
            params.group(
                GroupingInput::new(&self.links)
                    .with_weights(Some(&self.degrees))
                    .with_constraints(&self.constraints),
                &Silent,
            )
        });
        let labels = grouping?.0.labels.into_iter();
        Ok((time, labels.map(|l| l.unwrap_or(usize::MAX)).collect()))
    }

    /// The agreement with the truth on nodes whose cluster was not given.
    fn recovery(&self, found: &[usize]) -> Outcome<f64> {
        let is_open = |node: &usize| self.constraints.fixed.get(*node).copied().flatten().is_none();
        let open = |labels: &[usize]| -> Vec<usize> {
            let nodes = (0..labels.len()).filter(is_open);
            nodes.map(|node| labels[node]).collect()
        };
        Ok(adjusted_rand(&open(&self.truth), &open(found))?)
    }
}

/// One run; prints its row of the table.
fn run_alone(case: &Case, path: Option<PathBuf>) -> Outcome<()> {
    let input = Input::new(case)?;
    let params = Multilevel { n_clusters: case.k, ..Multilevel::default() };
    let (time, found) = input.fit(&params, case.runs)?;
    let Input { links, truth, .. } = &input;
    println!(
        "| {} | {} | {} | {} | {}% | {time:.3} | {:.3} | {:.3} | {:.4} | {:.0} |",
        case.name,
        links.len(),
        links.n_entries() / 2,
        case.k,
        100.0 * case.labelled,
        normalized_cut(links, &found, case.k),
        normalized_cut(links, truth, case.k),
        input.recovery(&found)?,
        peak_mb()
    );
    if let Some(path) = path {
        write(&path, case, links, [truth, &found], time)?;
    }
    Ok(())
}

/// Writes a graph and what was found, for others to be measured on.
fn write(
    path: &Path,
    case: &Case,
    links: &Sparse,
    [truth, found]: [&[usize]; 2],
    time: f64,
) -> Outcome<()> {
    let labels = |labels: &[usize]| labels.iter().map(|&l| l as u32).collect::<Array1<u32>>();
    let mut file = NpzWriter::new(std::fs::File::create(path)?);
    let offsets = links.offsets().iter().map(|&offset| offset as u64);
    file.add_array("offsets", &offsets.collect::<Array1<u64>>())?;
    file.add_array("columns", &Array1::from_vec(links.columns().to_vec()))?;
    file.add_array("truth", &labels(truth))?;
    file.add_array("found", &labels(found))?;
    file.add_array("seconds", &Array1::from_elem(1, time))?;
    file.add_array("labelled", &Array1::from_elem(1, case.labelled))?;
    file.finish()?;
    Ok(())
}

/// A planted graph with its nodes in random order, and their blocks.
fn planted(case: &Case) -> Outcome<(Sparse, Vec<usize>)> {
    let block = case.n as f64 / case.k as f64;
    let graph = PlantedGraph {
        n: case.n,
        blocks: case.k,
        p_in: DEGREE * (1.0 - case.between) / (block - 1.0),
        p_out: DEGREE * case.between / (case.n as f64 - block),
    };
    let made = graph.generate(SEED)?;
    let Data::Edges(edges) = made.data else {
        return Err("the planted graph has edges".into());
    };
    let place = rng(SEED + 1).sample(case.n, case.n);
    let mut truth = vec![0; case.n];
    for (&place, block) in place.iter().zip(made.labels) {
        truth[place] = block;
    }
    let edges = edges.into_iter().map(|[u, v]| (place[u], place[v], 1.0));
    Ok((Sparse::from_entries(case.n, edges), truth))
}

/// A graph with hubs, and no clusters.
fn hubs(case: &Case) -> (Sparse, Vec<usize>) {
    let mut random = rng(SEED);
    let mut edges = vec![(0, 1, 1.0)];
    // Every node as often as it has links.
    let mut ends = vec![0, 1];
    for node in 2..case.n {
        let drawn = |_| ends[(random.uniform() * ends.len() as f64) as usize];
        let mut others: Vec<usize> = (0..FIRST_LINKS).map(drawn).collect();
        others.sort_unstable();
        others.dedup();
        for other in others {
            edges.push((other, node, 1.0));
            ends.extend([other, node]);
        }
    }
    (Sparse::from_entries(case.n, edges), vec![0; case.n])
}

fn mnist() -> Option<PathBuf> {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let path = shared.join("data/cms_emb_mnist/cms_emb_mnist.npz");
    path.exists().then_some(path)
}

/// The graph in which every point is joined with its nearest ones, and the classes of the points.
fn neighbor_graph(path: &Path) -> Outcome<(Sparse, Vec<usize>)> {
    let mut file = NpzReader::new(std::fs::File::open(path)?)?;
    let points: Array2<f32> = file.by_name("X")?;
    let classes: Array1<i32> = file.by_name("y")?;
    let points = points.mapv(f64::from);
    let nearest = Neighbors::new(points.view()).nearest_all(NEIGHBORS, SelfNeighbor::Excluded);
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for i in 0..points.nrows() {
        let row = nearest.row(i).iter();
        pairs.extend(row.map(|near| (i.min(near.index), i.max(near.index))));
    }
    pairs.sort_unstable();
    pairs.dedup();
    let entries = pairs.into_iter().map(|(u, v)| (u, v, 1.0));
    let links = Sparse::from_entries(points.nrows(), entries);
    Ok((links, classes.iter().map(|&class| class as usize).collect()))
}

/// Σ over clusters of the links that leave it over all that its nodes have.
fn normalized_cut(links: &Sparse, labels: &[usize], k: usize) -> f64 {
    let (mut cut, mut all) = (vec![0.0; k], vec![0.0; k]);
    for (node, &label) in labels.iter().enumerate() {
        for (other, link) in links.entries(node) {
            all[label] += link;
            if labels[other] != label {
                cut[label] += link;
            }
        }
    }
    cut.iter().zip(&all).map(|(cut, all)| cut / all).sum()
}
