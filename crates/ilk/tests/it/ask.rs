//! Questions: pure, never twice, never entailed; what strategies and sessions promise.

use std::collections::HashSet;

use ilk::ask::{
    Answer, Answered, AskState, Purpose, Question, QuestionKind, Session, SessionOptions,
    SimulatedOracle, Strategy,
};
use ilk::evaluate::adjusted_rand;
use ilk::group::Label;
use ilk::ndarray::Array2;
use ilk::numerics::rng::rng_stream;
use ilk::observe::Silent;
use ilk::problem::{ConstraintKind, Constraints, Graph, KernelMatrix, Points, Problem};
use proptest::prelude::*;

/// Points of `classes` groups in the plane that overlap a little.
fn groups(classes: usize, of_each: usize, seed: u64) -> (Points, Vec<Label>) {
    let mut rng = rng_stream(seed, 9);
    let mut rows = Vec::new();
    let mut truth = Vec::new();
    for class in 0..classes {
        let angle = class as f64 * std::f64::consts::TAU / classes as f64;
        for _ in 0..of_each {
            rows.push(vec![4.0 * angle.cos() + rng.normal(), 4.0 * angle.sin() + rng.normal()]);
            truth.push(Some(class));
        }
    }
    (Points::from_rows(&rows).unwrap(), truth)
}

fn oracle(truth: &[Label], noise: f64) -> SimulatedOracle {
    SimulatedOracle::new(truth.to_vec(), truth.len(), noise, 3).unwrap()
}

/// The state after so many answers, and every question on the way.
fn answered(
    strategy: Strategy,
    kind: QuestionKind,
    (points, truth): (&Points, &[Label]),
    n: usize,
) -> (AskState, Vec<Question>) {
    let questioner = strategy.questioner(kind).unwrap();
    let oracle = oracle(truth, 0.0);
    let mut state = AskState::new(Problem::unsupervised(points.clone()), 5, &Silent).unwrap();
    let mut asked = Vec::new();
    for number in 0..n {
        let Some(next) = questioner.questions(&state, 1, &Silent).unwrap().pop() else { break };
        let answer = oracle.answer(&next.question, number);
        asked.push(next.question.clone());
        state = state.with(Answered::new(next.question, answer)).unwrap();
    }
    (state, asked)
}

/// Whether the must-links and cannot-links of pairs decide a pair, by brute force over the graph of must-links.
fn is_decided(constraints: &Constraints, a: usize, b: usize) -> bool {
    let reach = |from: usize| {
        let mut reached = HashSet::from([from]);
        loop {
            let before = reached.len();
            for link in constraints.must_links() {
                let [x, y] = link.points;
                if reached.contains(&x) || reached.contains(&y) {
                    reached.extend([x, y]);
                }
            }
            if reached.len() == before {
                return reached;
            }
        }
    };
    let (of_a, of_b) = (reach(a), reach(b));
    of_a.contains(&b)
        || constraints.cannot_links().iter().any(|link| {
            let [x, y] = link.points;
            of_a.contains(&x) && of_b.contains(&y) || of_a.contains(&y) && of_b.contains(&x)
        })
}

#[test]
fn no_strategy_asks_a_question_twice_or_one_whose_answer_follows() {
    let (points, truth) = groups(3, 12, 0);
    for strategy in Strategy::ALL {
        let questioner = strategy.questioner(QuestionKind::Pair).unwrap();
        let oracle = oracle(&truth, 0.0);
        let mut state = AskState::new(Problem::unsupervised(points.clone()), 1, &Silent).unwrap();
        let mut seen = HashSet::new();
        for number in 0..60 {
            let questions = questioner.questions(&state, 3, &Silent).unwrap();
            for ranked in &questions {
                let Question::Pair { points: [a, b] } = ranked.question else { panic!("no pair") };
                assert!(!seen.contains(&ranked.question), "{strategy} asks {a}, {b} again");
                assert!(!is_decided(&state.constraints(), a, b), "{strategy} asks what follows");
            }
            let distinct: HashSet<&Question> = questions.iter().map(|r| &r.question).collect();
            assert_eq!(distinct.len(), questions.len(), "{strategy} repeats within a batch");
            let Some(next) = questions.into_iter().next() else { break };
            seen.insert(next.question.clone());
            // Some questions are left out: they do not come back either.
            let answer = match number % 7 {
                3 => Answer::Skip,
                5 => Answer::CannotTell,
                _ => oracle.answer(&next.question, number),
            };
            state = state.with(Answered::new(next.question, answer)).unwrap();
        }
    }
}

#[test]
fn every_strategy_names_the_groups_in_the_end() {
    let (points, truth) = groups(4, 12, 1);
    for strategy in Strategy::ALL {
        let (state, _) = answered(strategy, QuestionKind::Pair, (&points, &truth), 700);
        let ari = adjusted_rand(&state.clusters().unwrap(), &truth).unwrap();
        let least = if strategy == Strategy::Random { 0.9 } else { 1.0 };
        assert!(ari >= least, "{strategy}: {ari}");
    }
}

#[test]
fn few_questions_name_separate_groups_whatever_the_kind() {
    let (points, truth) = groups(3, 30, 2);
    for (kind, n) in [
        (QuestionKind::Pair, 40),
        (QuestionKind::Triplet, 40),
        (QuestionKind::Group, 15),
        (QuestionKind::Label, 20),
    ] {
        let (state, asked) = answered(Strategy::Auto, kind, (&points, &truth), n);
        assert!(asked.iter().all(|question| question.kind() == kind));
        let ari = adjusted_rand(&state.clusters().unwrap(), &truth).unwrap();
        assert!(ari > 0.95, "{kind}: {ari}");
    }
}

#[test]
fn the_expected_change_needs_fewer_answers_than_random_pairs() {
    let (points, truth) = groups(5, 20, 3);
    let mean = |strategy| {
        let score = |n: usize| {
            let (state, _) = answered(strategy, QuestionKind::Pair, (&points, &truth), n);
            adjusted_rand(&state.clusters().unwrap(), &truth).unwrap()
        };
        [10, 20, 30].map(score).iter().sum::<f64>() / 3.0
    };
    let (auto, random) = (mean(Strategy::Auto), mean(Strategy::Random));
    assert!(auto > random + 0.1, "{auto} with chosen pairs, {random} with random ones");
}

#[test]
fn graphs_and_kernels_are_asked_about_too() {
    // Three cliques of ten nodes in a chain.
    let mut edges: Vec<(usize, usize, f64)> = vec![(9, 10, 0.1), (19, 20, 0.1)];
    for a in 0..30 {
        edges.extend((0..a).filter(|b| a / 10 == b / 10).map(|b| (b, a, 1.0)));
    }
    let truth: Vec<Label> = (0..30).map(|node| Some(node / 10)).collect();
    let graph = Graph::from_edges(30, edges.iter().copied()).unwrap();
    let mut kernel = Array2::eye(30);
    for (a, b, weight) in edges {
        kernel[[a, b]] = weight;
        kernel[[b, a]] = weight;
    }
    let kernel = KernelMatrix::new(kernel).unwrap();
    for problem in [Problem::unsupervised(graph), Problem::unsupervised(kernel)] {
        let mut session = Session::new(problem, SessionOptions::default(), &Silent).unwrap();
        let oracle = oracle(&truth, 0.0);
        for number in 0..15 {
            let Some(next) = session.questions(1, &Silent).unwrap().pop() else { break };
            let answer = oracle.answer(&next.question, number);
            session.answer(&next, answer, 1.0, None).unwrap();
        }
        assert_eq!(adjusted_rand(&session.clusters().unwrap(), &truth).unwrap(), 1.0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn the_same_state_has_the_same_questions_and_undo_gives_the_earlier_state(
        seed in 0..50u64, n in 1..25usize, strategy in 0..6usize, threads in 1..4usize
    ) {
        let (points, truth) = groups(3, 10, seed);
        let strategy = Strategy::ALL[strategy];
        let questioner = strategy.questioner(QuestionKind::Pair).unwrap();
        let (state, asked) = answered(strategy, QuestionKind::Pair, (&points, &truth), n);
        let next = questioner.questions(&state, 4, &Silent).unwrap();
        // Replayed from nothing, on another number of threads.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let (again, asked_again) =
            pool.install(|| answered(strategy, QuestionKind::Pair, (&points, &truth), n));
        prop_assert_eq!(&asked, &asked_again);
        prop_assert_eq!(&questioner.questions(&again, 4, &Silent).unwrap(), &next);
        // One answer more and taken back.
        if let Some(first) = next.first() {
            let later = again.with(Answered::new(first.question.clone(), Answer::Same)).unwrap();
            prop_assert!(later != state);
            prop_assert_eq!(&later.undone(), &state);
            prop_assert_eq!(&questioner.questions(&later.undone(), 4, &Silent).unwrap(), &next);
        }
    }
}

#[test]
fn a_session_keeps_its_shares_and_goes_on_as_it_would_have() {
    let (points, truth) = groups(4, 25, 4);
    let oracle = oracle(&truth, 0.0);
    let problem = Problem::unsupervised(points);
    let start = || Session::new(problem.clone(), SessionOptions::default(), &Silent).unwrap();
    let mut session = start();
    for number in 0..200 {
        let Some(next) = session.questions(1, &Silent).unwrap().pop() else { break };
        let answer = oracle.answer(&next.question, number);
        session.answer(&next, answer, 1.0, Some("ann")).unwrap();
        if number == 80 {
            // Cut off and continued.
            let mut continued = start();
            for answered in session.state().answered() {
                continued.push(answered.clone()).unwrap();
            }
            assert_eq!(
                continued.questions(5, &Silent).unwrap(),
                session.questions(5, &Silent).unwrap()
            );
        }
    }
    let of = |purpose| {
        session.state().answered().iter().filter(|one| one.purpose == purpose).count() as f64
    };
    let total = session.state().answered().len() as f64;
    // Two thirds of a hundred draws or more: within three standard deviations.
    assert!((of(Purpose::Judge) / total - 0.15).abs() < 0.08, "{}", of(Purpose::Judge) / total);
    assert!((of(Purpose::Repeat) / total - 0.05).abs() < 0.05, "{}", of(Purpose::Repeat) / total);
    let judged = session.agreement().unwrap().unwrap();
    assert_eq!(judged.total as f64, of(Purpose::Judge));
    // Nothing is learned from the judging questions.
    let links = session.state().constraints();
    for one in session.state().answered().iter().filter(|one| one.purpose == Purpose::Judge) {
        let Question::Pair { points } = one.question else { panic!("no pair") };
        let named = |list: &[ilk::problem::Pair]| list.iter().any(|pair| pair.points == points);
        assert!(!named(links.must_links()) && !named(links.cannot_links()));
    }
}

#[test]
fn an_answer_against_all_expectation_is_asked_again_and_does_no_harm() {
    let (points, truth) = groups(2, 20, 6);
    let oracle = oracle(&truth, 0.0);
    let options = SessionOptions { judging: 0.0, ..SessionOptions::default() };
    let mut session = Session::new(Problem::unsupervised(points), options, &Silent).unwrap();
    let mut confirmed = 0;
    for number in 0..30 {
        let next = session.questions(1, &Silent).unwrap().remove(0);
        let right = oracle.answer(&next.question, number);
        let wrong = if right == Answer::Same { Answer::Different } else { Answer::Same };
        let mut misled = session.clone();
        misled.answer(&next, wrong, 1.0, None).unwrap();
        let after = misled.questions(1, &Silent).unwrap().remove(0);
        if after.purpose == Purpose::Confirm {
            assert_eq!(after.question, next.question);
            misled.answer(&after, right.clone(), 1.0, None).unwrap();
            let (found, expected) = (misled.clusters().unwrap(), session.clusters().unwrap());
            let ari = adjusted_rand(&found, &expected).unwrap();
            assert!(ari > 0.9, "a wrong answer that was taken back changes little: {ari}");
            confirmed += 1;
        }
        session.answer(&next, right, 1.0, None).unwrap();
    }
    assert!(confirmed > 5, "{confirmed} of 30 wrong answers were asked again");
}

#[test]
fn the_error_rate_is_that_of_answers_that_contradict_themselves() {
    let points = Points::from_rows(&[[0.0], [1.0], [2.0], [3.0]].map(Vec::from)).unwrap();
    let options = SessionOptions::default();
    let mut session = Session::new(Problem::unsupervised(points), options, &Silent).unwrap();
    let mut push = |a: usize, b: usize, answer: Answer| {
        let mut answered = Answered::new(Question::pair(a, b), answer);
        answered.annotator = Some("ann".to_owned());
        session.push(answered).unwrap();
    };
    push(0, 1, Answer::Same);
    push(2, 3, Answer::Same);
    push(0, 1, Answer::Different);
    push(2, 3, Answer::Same);
    let errors = session.annotator_errors();
    assert_eq!((errors[0].repeated, errors[0].contradicted), (2, 1));
    // 2 e (1 - e) = 1/2 has the solution e = 1/2.
    assert!((errors[0].error_rate - 0.5).abs() < 1e-12, "{errors:?}");
    // Contradicting answers of one weight say nothing.
    assert_eq!(session.undo().unwrap().question, Question::pair(2, 3));
}

#[test]
fn annotators_who_answer_differently_disagree_and_an_annotator_may_change_an_answer() {
    let (points, _) = groups(2, 5, 0);
    let problem = Problem::unsupervised(points);
    let mut session = Session::new(problem, SessionOptions::default(), &Silent).unwrap();
    let mut push = |a: usize, answer: Answer, annotator: &str| {
        let mut answered = Answered::new(Question::pair(a, 9), answer);
        answered.annotator = Some(annotator.to_owned());
        session.push(answered).unwrap();
    };
    push(0, Answer::Same, "ann");
    push(1, Answer::Same, "ann");
    push(2, Answer::Different, "ann");
    push(0, Answer::Different, "bob");
    push(1, Answer::Skip, "bob");
    push(2, Answer::Same, "bob");
    push(2, Answer::Different, "bob");
    let disagreements = session.disagreements();
    assert_eq!(disagreements.len(), 1, "{disagreements:?}");
    assert_eq!(disagreements[0].question, Question::pair(0, 9));
    let named = |name: &str| Some(name.to_owned());
    let expected = [(named("ann"), Answer::Same), (named("bob"), Answer::Different)];
    assert_eq!(disagreements[0].answers, expected);
}

#[test]
fn of_contradicting_pairs_the_wrong_one_is_found_unless_it_was_confirmed() {
    let (points, truth) = groups(3, 12, 0);
    // Points 0 to 11 are the first group, 12 to 23 the second.
    let right = (0..36).map(|point| (Question::pair(point, (point + 5) % 36), point));
    let mut state = AskState::new(Problem::unsupervised(points), 0, &Silent).unwrap();
    for (question, number) in right {
        let answer = oracle(&truth, 0.0).answer(&question, number);
        state = state.with(Answered::new(question, answer)).unwrap();
    }
    let chain = [([0, 2], true), ([2, 14], true), ([0, 14], false)];
    for ([a, b], is_same) in chain {
        let answer = if is_same { Answer::Same } else { Answer::Different };
        state = state.with(Answered::new(Question::pair(a, b), answer)).unwrap();
    }
    let chain = chain.map(|(points, is_same)| {
        let kind = if is_same { ConstraintKind::MustLink } else { ConstraintKind::CannotLink };
        (kind, points.to_vec())
    });
    assert_eq!(state.likeliest_wrong(&chain).unwrap(), Some(1));
    assert_eq!(state.likeliest_wrong(&[]).unwrap(), None);
}

#[test]
fn of_triplets_in_a_circle_the_wrong_one_is_found_unless_it_was_confirmed() {
    let (points, truth) = groups(3, 12, 0);
    let mut state = AskState::new(Problem::unsupervised(points), 0, &Silent).unwrap();
    for point in 0..36 {
        let question = Question::triplet(point, (point + 5) % 36, (point + 14) % 36);
        let answer = oracle(&truth, 0.0).answer(&question, point);
        state = state.with(Answered::new(question, answer)).unwrap();
    }
    // Points 0 and 2 are of the first group, 14 of the second, 26 of the third.
    let answer = |state: &AskState, points: [usize; 3], odd: usize| {
        let [a, b, c] = points;
        let answered = Answered::new(Question::triplet(a, b, c), Answer::Odd(odd));
        state.with(answered).unwrap()
    };
    // d(0, 2) < d(0, 14) = d(0, 26), which is right, and d(0, 26) < d(0, 2), which is not.
    let circle = [
        (ConstraintKind::OddOneOut, vec![0, 2, 14]),
        (ConstraintKind::AboutEqual, vec![0, 14, 26]),
        (ConstraintKind::OddOneOut, vec![0, 26, 2]),
    ];
    let right = answer(&state, [0, 2, 14], 2);
    let wrong = answer(&right, [0, 2, 26], 1);
    let [x, y, z] = [0, 14, 26];
    let equal = Answered::new(Question::triplet(x, y, z), Answer::Equal);
    let circled = wrong.with(equal).unwrap();
    let check = circled.constraints();
    assert_eq!(check.check().cycles().len(), 1, "{}", check.check());
    assert_eq!(circled.likeliest_wrong(&circle).unwrap(), Some(2));
    // What was answered again and again is not the likeliest to be wrong.
    let mut confirmed = circled;
    for _ in 0..3 {
        confirmed = answer(&confirmed, [0, 2, 26], 1);
    }
    assert_ne!(confirmed.likeliest_wrong(&circle).unwrap(), Some(2));
}

#[test]
fn a_point_with_two_labels_has_the_one_that_weighs_more() {
    let points = Points::from_rows(&[[0.0], [1.0], [2.0]].map(Vec::from)).unwrap();
    let options = SessionOptions { kind: QuestionKind::Label, ..SessionOptions::default() };
    let mut session = Session::new(Problem::unsupervised(points), options, &Silent).unwrap();
    let mut label = |point: usize, name: &str| {
        let answer = Answer::Label(name.to_owned());
        session.push(Answered::new(Question::Label { point }, answer)).unwrap();
        let known = session.state().constraints();
        let name = known.label_of(0).map(|label| known.label_names()[label].clone());
        (name, session.questions(1, &Silent).unwrap())
    };
    assert_eq!(label(0, "cat").0.as_deref(), Some("cat"));
    let (name, next) = label(0, "dog");
    assert_eq!(name, None, "two answers of one weight say nothing");
    assert_eq!(next[0].purpose, Purpose::Confirm, "the third answer decides");
    assert_eq!(next[0].question, Question::Label { point: 0 });
    assert_eq!(label(0, "dog").0.as_deref(), Some("dog"));
    assert!(session.state().has_two_labels());
    // A label that was given before any question holds.
    let mut given = Constraints::new(3);
    given.add_label(0, "cat", 1.0, None).unwrap();
    let points = Points::from_rows(&[[0.0], [1.0], [2.0]].map(Vec::from)).unwrap();
    let state = AskState::new(Problem::new(points, given).unwrap(), 0, &Silent).unwrap();
    let dog = Answered::new(Question::Label { point: 0 }, Answer::Label("dog".to_owned()));
    let refused = state.with(dog).unwrap_err().to_string();
    assert!(refused.contains("cat") && refused.contains("dog"), "{refused}");
}

/// A session in which annotators with these error rates have answered the same questions about pairs.
fn with_annotators(rates: &[f64], n_questions: usize, seed: u64) -> Session {
    let (points, truth) = groups(3, 40, seed);
    let problem = Problem::unsupervised(points);
    let mut session = Session::new(problem, SessionOptions::default(), &Silent).unwrap();
    let mut rng = rng_stream(seed, 77);
    let mut questions: Vec<Question> = Vec::new();
    while questions.len() < n_questions {
        let drawn = rng.sample(truth.len(), 2);
        let question = Question::pair(drawn[0], drawn[1]);
        if !questions.contains(&question) {
            questions.push(question);
        }
    }
    for (number, question) in questions.iter().enumerate() {
        for (annotator, rate) in rates.iter().enumerate() {
            let noise_seed = 100 * seed + annotator as u64;
            let oracle =
                SimulatedOracle::new(truth.clone(), truth.len(), *rate, noise_seed).unwrap();
            let mut answered = Answered::new(question.clone(), oracle.answer(question, number));
            answered.annotator = Some(format!("annotator {annotator}"));
            session.push(answered).unwrap();
        }
    }
    session
}

#[test]
fn the_error_rates_of_annotators_of_whom_two_of_three_err_are_found() {
    const DRAWS: u64 = 8;
    for rates in [[0.3, 0.04, 0.3], [0.04, 0.3, 0.3], [0.25, 0.35, 0.05]] {
        let mut means = [0.0; 3];
        for seed in 0..DRAWS {
            let errors = with_annotators(&rates, 150, seed).annotator_errors();
            assert_eq!(errors.len(), 3);
            for (mean, found) in means.iter_mut().zip(&errors) {
                assert_eq!(found.repeated, 150);
                *mean += found.error_rate / DRAWS as f64;
            }
        }
        // The means of eight draws have a standard deviation of about .02, and a bias of as much.
        for (mean, rate) in means.iter().zip(rates) {
            assert!((mean - rate).abs() < 0.08, "{rates:?} were found as {means:?}");
        }
    }
}

#[test]
fn an_unsure_answer_moves_its_neighbours_less_than_a_sure_one() {
    let rows: Vec<Vec<f64>> = (0..21).map(|at| vec![f64::from(at)]).collect();
    let problem = Problem::unsupervised(Points::from_rows(&rows).unwrap());
    let clusters = |confidence: f64| {
        let state = AskState::new(problem.clone(), 0, &Silent).unwrap();
        let state = state.with(Answered::new(Question::pair(0, 20), Answer::Different)).unwrap();
        let unsure = Answered { confidence, ..Answered::new(Question::pair(0, 15), Answer::Same) };
        state.with(unsure).unwrap().clusters().unwrap()
    };
    let with_first = |labels: &[Label]| labels.iter().filter(|label| **label == labels[0]).count();
    let (sure, unsure) = (with_first(&clusters(1.0)), with_first(&clusters(0.05)));
    assert!(sure > unsure + 1, "{sure} points with a sure answer, {unsure} with an unsure one");
}

#[test]
fn labels_that_are_kept_for_judging_are_judged() {
    let (points, truth) = groups(3, 20, 2);
    let problem = Problem::unsupervised(points);
    let options = SessionOptions { kind: QuestionKind::Label, ..SessionOptions::default() };
    let mut session = Session::new(problem, options, &Silent).unwrap();
    let oracle = oracle(&truth, 0.0);
    for number in 0..30 {
        let Some(next) = session.questions(1, &Silent).unwrap().pop() else { break };
        session.answer(&next, oracle.answer(&next.question, number), 1.0, None).unwrap();
    }
    let agreement = session.agreement().unwrap().unwrap();
    let judged = session.state().answered().iter().filter(|one| one.purpose == Purpose::Judge);
    assert_eq!(agreement.total, judged.count());
    assert!(agreement.agreeing as f64 > 0.8 * agreement.total as f64, "{agreement:?}");
}

#[test]
fn wrong_answers_are_asked_again_until_clusters_are_nearly_those_of_right_ones() {
    let (points, truth) = groups(4, 25, 1);
    let mean = |repeats: f64| {
        let score = |seed: u64| {
            let oracle = SimulatedOracle::new(truth.clone(), truth.len(), 0.15, seed).unwrap();
            let options =
                SessionOptions { judging: 0.0, repeats, seed, ..SessionOptions::default() };
            let problem = Problem::unsupervised(points.clone());
            let mut session = Session::new(problem, options, &Silent).unwrap();
            for number in 0..80 {
                let Some(next) = session.questions(1, &Silent).unwrap().pop() else { break };
                session.answer(&next, oracle.answer(&next.question, number), 1.0, None).unwrap();
            }
            adjusted_rand(&session.clusters().unwrap(), &truth).unwrap()
        };
        (0..6).map(score).sum::<f64>() / 6.0
    };
    let (with, without) = (mean(0.05), mean(0.0));
    assert!(with > without + 0.05, "{with} with repeats, {without} without");
}

#[test]
fn a_metric_is_learned_where_one_column_tells_the_groups_and_the_others_nothing() {
    let mut rng = rng_stream(3, 9);
    let mut rows = Vec::new();
    let mut truth = Vec::new();
    for point in 0..150 {
        let class = point % 2;
        let mut row: Vec<f64> = (0..8).map(|_| rng.normal()).collect();
        row[0] = 2.0 * class as f64 + 0.4 * rng.normal();
        rows.push(row);
        truth.push(Some(class));
    }
    let points = Points::from_rows(&rows).unwrap();
    let (state, _) = answered(Strategy::Auto, QuestionKind::Pair, (&points, &truth), 60);
    let ari = adjusted_rand(&state.clusters().unwrap(), &truth).unwrap();
    assert!(ari > 0.8, "{ari}");
}

#[test]
fn a_graph_too_large_for_its_covariance_is_refused_before_anything_is_allocated() {
    let n = 100_000;
    let path = (1..n).map(|node| (node - 1, node, 1.0));
    let graph = Graph::from_edges(n, path).unwrap();
    let refused = AskState::new(Problem::unsupervised(graph), 0, &Silent).unwrap_err().to_string();
    assert!(refused.contains("the covariance of what is asked about"), "{refused}");
    assert!(refused.contains("about a part of the nodes"), "{refused}");
}

#[test]
fn wrong_answers_and_questions_are_refused_with_what_to_do() {
    let points = Points::from_rows(&[[0.0], [1.0], [2.0]].map(Vec::from)).unwrap();
    let state = AskState::new(Problem::unsupervised(points), 0, &Silent).unwrap();
    let message = |question: Question, answer: Answer| {
        state.with(Answered::new(question, answer)).unwrap_err().to_string()
    };
    assert!(message(Question::pair(0, 3), Answer::Same).contains("from 0 to 2"));
    assert!(message(Question::pair(1, 1), Answer::Same).contains("different points"));
    assert!(
        message(Question::pair(0, 1), Answer::Equal)
            .contains("a pair is same, different, skip or cannot_tell")
    );
    assert!(message(Question::triplet(0, 1, 2), Answer::Odd(3)).contains("0, 1 or 2"));
    let mut unsure = Answered::new(Question::pair(0, 1), Answer::Same);
    unsure.confidence = 0.0;
    assert!(state.with(unsure).unwrap_err().to_string().contains("above 0 and at most 1"));
    let refused = Strategy::Cobras.questioner(QuestionKind::Triplet).err().unwrap().to_string();
    assert!(refused.contains("use auto or random"), "{refused}");
}

#[test]
fn a_simulated_annotator_errs_as_often_as_it_should() {
    let truth: Vec<Label> = (0..40).map(|point| Some(point % 4)).collect();
    let noisy = oracle(&truth, 0.2);
    let exact = oracle(&truth, 0.0);
    let questions = (0..2000).map(|at| Question::pair(at % 39, (at % 39) + 1));
    let wrong = questions
        .enumerate()
        .filter(|(number, question)| {
            noisy.answer(question, *number) != exact.answer(question, *number)
        })
        .count();
    // 400 expected, with a standard deviation of 18.
    assert!((340..460).contains(&wrong), "{wrong}");
    let odd = exact.answer(&Question::triplet(0, 4, 1), 0);
    assert_eq!(odd, Answer::Odd(1), "of points 0, 1 and 4 the classes are 0, 1 and 0");
    assert_eq!(exact.answer(&Question::triplet(0, 1, 2), 0), Answer::Equal);
    let together = exact.answer(&Question::group(0, vec![4, 5, 8]), 0);
    assert_eq!(together, Answer::Together(vec![4, 8]));
}

#[test]
fn points_of_which_the_field_is_sure_are_in_the_right_cluster_more_often() {
    // Six groups that overlap, once asked about one by one and once in super-instances.
    for of_each in [60, 200] {
        let (points, truth) = groups(6, of_each, 11);
        let (state, _) = answered(Strategy::Auto, QuestionKind::Pair, (&points, &truth), 30);
        let (labels, confidence) = state.clusters_with_confidence().unwrap();
        assert_eq!(labels, state.clusters().unwrap());
        assert!(confidence.iter().all(|share| (0.0..=1.0).contains(share)));
        let class_of = |cluster: Label| {
            let count = |class: usize| {
                let both = labels.iter().zip(&truth);
                both.filter(|&(&label, &of)| label == cluster && of == Some(class)).count()
            };
            (0..6).max_by_key(|&class| count(class))
        };
        let wrong = |is_in: &dyn Fn(f64) -> bool| {
            let of: Vec<usize> = (0..points.len()).filter(|&at| is_in(confidence[at])).collect();
            let wrong = of.iter().filter(|&&at| class_of(labels[at]) != truth[at]).count();
            wrong as f64 / of.len().max(1) as f64
        };
        let mut sorted = confidence.clone();
        sorted.sort_by(f64::total_cmp);
        let median = sorted[sorted.len() / 2];
        let (unsure, sure) = (wrong(&|share| share < median), wrong(&|share| share >= median));
        assert!(sure < unsure, "of each {of_each}: {sure} of the sure, {unsure} of the unsure");
    }
}

#[test]
fn a_session_goes_on_with_questions_of_another_kind() {
    let (points, truth) = groups(3, 40, 2);
    let problem = Problem::unsupervised(points);
    let mut session = Session::new(problem.clone(), SessionOptions::default(), &Silent).unwrap();
    let oracle = oracle(&truth, 0.0);
    let kinds = [QuestionKind::Triplet, QuestionKind::Group, QuestionKind::Pair];
    for number in 0..45 {
        session.set_kind(kinds[number % 3]).unwrap();
        let next = session.questions(1, &Silent).unwrap().pop().unwrap();
        if next.purpose == Purpose::Learn {
            assert_eq!(next.question.kind(), kinds[number % 3]);
        }
        session.answer(&next, oracle.answer(&next.question, number), 1.0, None).unwrap();
    }
    let found = adjusted_rand(&session.clusters().unwrap(), &truth).unwrap();
    assert!(found > 0.9, "{found}");
    let pairs_alone = SessionOptions { strategy: Strategy::Npu, ..SessionOptions::default() };
    let mut session = Session::new(problem, pairs_alone, &Silent).unwrap();
    assert!(session.set_kind(QuestionKind::Triplet).is_err());
    assert_eq!(session.options().kind, QuestionKind::Pair);
}
