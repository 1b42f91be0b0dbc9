//! `--animate`: the page in which the centres move.

use crate::common::Sandbox;
use serde_json::Value;

/// The animation inside a page.
fn animation(page: &str) -> Value {
    let start = "<script id=\"animation\" type=\"application/json\">";
    let (_, rest) = page.split_once(start).expect("the page holds an animation");
    let (animation, _) = rest.split_once("</script>").expect("the animation ends");
    serde_json::from_str(animation).expect("the animation is JSON")
}

fn frames(animation: &Value) -> &Vec<Value> {
    animation["frames"].as_array().unwrap()
}

/// The places of a frame, as shares of the stage.
fn places(frame: &Value) -> Vec<[f64; 2]> {
    let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let worth = |c: u8| digits.find(char::from(c)).unwrap() as f64;
    let code = frame["places"].as_str().unwrap().as_bytes();
    let share = |digits: &[u8]| (64.0 * worth(digits[0]) + worth(digits[1])) / 4095.0;
    let each = code.chunks_exact(4);
    each.map(|four| [share(&four[..2]), share(&four[2..])]).collect()
}

/// Two groups of three with a cannot-link between them.
fn separated_groups() -> Sandbox {
    let sandbox = Sandbox::with_data();
    sandbox.write(
        "pairs.csv",
        "id_a,id_b,relation\na,d,cannot-link\nb,c,must-link\nf,c,cannot-link\n",
    );
    sandbox
}

#[test]
fn a_page_is_whole_and_fetches_nothing() {
    let sandbox = separated_groups();
    std::fs::copy(sandbox.file("data.csv"), sandbox.file("<b>&.csv")).unwrap();
    let ended = sandbox.ok("cluster <b>&.csv --method cms --pairs pairs.csv --animate a.html");
    assert!(ended.err.contains("wrote        a.html"), "{}", ended.err);
    let page = sandbox.read("a.html");
    for needle in [
        "http:", "https:", "src=", "href=", "url(", "@import", "import(", "fetch(", "XMLHttp",
        "<b>&",
    ] {
        assert!(!page.contains(needle), "{needle} is in the page");
    }
    for needle in [
        "default-src 'none'",
        "prefers-reduced-motion",
        "prefers-color-scheme: dark",
        "ArrowRight",
        "&lt;b&gt;&amp;.csv: 2 clusters",
        "To the right: x. Upwards: y.",
        "<noscript>",
    ] {
        assert!(page.contains(needle), "{needle} is not in the page");
    }
    let body = &page[page.find("<main>").unwrap()..page.find("<script").unwrap()];
    let closed = |tag: &str| {
        body.matches(&format!("<{tag}")).count() == body.matches(&format!("</{tag}>")).count()
    };
    for tag in ["figure", "figcaption", "section", "ul", "li", "div", "canvas", "button"] {
        assert!(closed(tag), "every {tag} is closed");
    }
}

#[test]
fn an_animation_goes_from_the_points_to_where_the_centres_ended() {
    let sandbox = separated_groups();
    let run = "cluster data.csv --method cms --pairs pairs.csv --set max_iter=40 --set refine=off \
               --animate a.html";
    let clusters = sandbox.json(run);
    let animation = animation(&sandbox.read("a.html"));
    let frames = frames(&animation);
    assert_eq!(frames[0]["caption"], "iteration 0: 6 distinct centres");
    assert_eq!(frames[0]["bandwidth"], Value::Null);
    let iterations = clusters["iterations"].as_u64().unwrap();
    assert_eq!(frames.len() as u64, iterations + 1);
    let last = frames.last().unwrap();
    let caption = last["caption"].as_str().unwrap();
    assert!(caption.starts_with(&format!("iteration {iterations}: bandwidth ")), "{caption}");
    assert!(caption.ends_with("2 distinct centres"), "{caption}");
    assert_eq!(last["bandwidth"], clusters["bandwidth"]);

    // At the start each point is its own centre: a is left of and below e, by 5.2 to 5.
    let start = places(&frames[0]);
    let (a, e) = (start[0], start[4]);
    let aspect = animation["aspect"].as_f64().unwrap();
    let ratio = (e[0] - a[0]) * aspect / (e[1] - a[1]);
    assert!((ratio - 5.2 / 5.0).abs() < 0.01, "{ratio}");
    // A bandwidth of 1 is as long as a distance of 1 between points.
    let unit = animation["axis_scale"][0].as_f64().unwrap();
    assert!(((e[0] - a[0]) / unit - 5.2).abs() < 0.02, "{unit}");
    // At the end the centres of a group are in one place, in one colour.
    let end = places(last);
    assert_eq!([end[0], end[1]], [end[2], end[0]]);
    assert_eq!([end[3], end[4]], [end[5], end[3]]);
    assert_ne!(end[0], end[3]);
    assert_eq!(animation["colors"][0], animation["colors"][2]);
    assert_ne!(animation["colors"][0], animation["colors"][5]);
    // Only cannot-links are drawn.
    assert_eq!(animation["links"], serde_json::json!([[0, 3], [2, 5]]));
}

#[test]
fn an_animation_is_bounded_and_says_what_it_leaves_out() {
    let sandbox = Sandbox::new();
    sandbox.ok("generate blobs --n 1100 --out data.csv --pairs-out pairs.csv --n-pairs 400");
    sandbox.ok(
        "cluster data.csv --truth label --method cms --pairs pairs.csv --set bandwidth=2 \
         --set max_iter=130 --set history=130 --set early_stop=false --set closure=false --animate a.html --out c.csv",
    );
    let page = sandbox.read("a.html");
    assert!(page.len() < 500_000, "{} bytes", page.len());
    let animation = animation(&page);
    assert_eq!(frames(&animation).len(), 100);
    assert_eq!(animation["colors"].as_array().unwrap().len(), 1000);
    let last = frames(&animation)[99]["caption"].as_str().unwrap();
    assert!(last.starts_with("iteration 130: "), "{last}");
    for note in [
        "1,000 of 1,100 points are shown, some of every cluster.",
        "99 of 130 iterations are shown",
        "200 of ",
    ] {
        assert!(page.contains(note), "{note} is not in the page");
    }
    let n = 1000;
    for link in animation["links"].as_array().unwrap() {
        assert!(link[0].as_u64() < Some(n) && link[1].as_u64() < Some(n));
    }
}

#[test]
fn a_run_that_kept_few_snapshots_still_ends_where_it_ended() {
    let sandbox = separated_groups();
    sandbox
        .ok("cluster data.csv --method cms --pairs pairs.csv --set history=2 --set bandwidth=1 \
         --set max_iter=50 --animate a.html");
    let animation = animation(&sandbox.read("a.html"));
    // It stops long before the first of two snapshots would be due.
    assert_eq!(frames(&animation).len(), 2);
    assert_eq!(places(&frames(&animation)[1])[0], places(&frames(&animation)[1])[1]);
}

#[test]
fn one_dimension_and_many_are_shown_too() {
    let sandbox = Sandbox::new();
    sandbox.write("line.csv", "x\n1\n2\n9\n");
    sandbox.ok("cluster line.csv --method cms --animate line.html --out c.csv");
    assert!(sandbox.read("line.html").contains("To the right: x. Upwards: row."));
    sandbox.ok("generate blobs --n 60 --set dims=5 --out many.csv");
    sandbox.ok("cluster many.csv --truth label --method cms --animate many.html --out c.csv");
    let page = sandbox.read("many.html");
    assert!(page.contains("The data have 5 columns. This is their shadow on the two directions"));
}

#[test]
fn scaled_columns_are_shown_in_their_own_units_with_the_scale_of_each() {
    let sandbox = Sandbox::new();
    sandbox.write("data.csv", "id,m,mm\na,0,0\nb,1,1000\nc,5,6000\nd,6,5000\n");
    sandbox.ok("cluster data.csv --scale minmax --method cms --animate a.html --out c.csv");
    let animation = animation(&sandbox.read("a.html"));
    // Of the scaled data, which span 1 along both axes, a bandwidth of 1 is all.
    let start = places(&frames(&animation)[0]);
    let spread = |axis: usize| {
        let along = || start.iter().map(|place| place[axis]);
        along().fold(0.0, f64::max) - along().fold(1.0, f64::min)
    };
    for axis in 0..2 {
        let axis_scale = animation["axis_scale"][axis].as_f64().unwrap();
        assert!((axis_scale - spread(axis)).abs() < 1e-3, "{axis_scale} {}", spread(axis));
    }
}

#[test]
fn a_method_without_a_history_is_refused_before_any_work() {
    let sandbox = separated_groups();
    sandbox.refused(
        "cluster nowhere.csv --method mean-shift --animate a.html",
        2,
        "mean-shift keeps no history of its centres, so --animate cannot be used; methods that do: \
         cms",
    );
    sandbox.refused(
        "cluster data.csv --method cms --set history=0 --animate a.html --quiet",
        2,
        "--set history=0 keeps nothing that --animate could show; leave it out",
    );
    sandbox.refused(
        "cluster data.csv --method cms --report a.html --animate ./a.html",
        2,
        "--report and --animate both write ./a.html; choose another name for one",
    );
    assert!(!sandbox.file("a.html").exists());
}
