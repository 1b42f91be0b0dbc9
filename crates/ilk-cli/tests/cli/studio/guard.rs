//! Who is let in, and what the others can do: nothing.

use std::io::{Read as _, Write as _};
use std::time::{Duration, Instant};

use serde_json::json;

use super::client::{Served, read, same_letter, three_groups};
use crate::common::Sandbox;

fn served(arguments: &str) -> (Sandbox, Served) {
    let sandbox = Sandbox::new();
    sandbox.write("data.csv", three_groups(30));
    let served = Served::start(&sandbox, &format!("data.csv {arguments}"));
    (sandbox, served)
}

#[test]
fn other_hosts_other_pages_and_whoever_has_no_token_are_refused() {
    let (sandbox, served) = served("");
    let client = &served.client;
    let (port, token) = (client.port, &client.token);
    let question = client.json("/api/state")["question"]["id"].clone();
    let body = json!({ "question": question, "answer": "same" }).to_string();
    let length = body.len();
    let own_host = format!("Host: 127.0.0.1:{port}");
    let own_token = format!("X-Ilk-Token: {token}");
    let wrong_token = format!("X-Ilk-Token: {}0", &token[1..]);
    let cookie = |port: u16| format!("Cookie: a=b; ilk-studio-{port}={token}");
    let cases = [
        (format!("Host: example.org:{port}\r\n{own_token}"), 421),
        (format!("Host: 127.0.0.1:{}\r\n{own_token}", port ^ 1), 421),
        (format!("Host: 127.0.0.1.example.org:{port}\r\n{own_token}"), 421),
        (format!("{own_host}\r\nHost: example.org\r\n{own_token}"), 421),
        (format!("{own_host}\r\n{own_token}\r\nOrigin: http://example.org"), 403),
        (format!("{own_host}\r\n{own_token}\r\nOrigin: null"), 403),
        (format!("{own_host}\r\n{own_token}\r\nOrigin: https://127.0.0.1:{port}"), 403),
        (format!("{own_host}\r\n{own_token}\r\nOrigin: http://127.0.0.1:{}", port ^ 1), 403),
        (own_host.clone(), 401),
        (format!("{own_host}\r\n{wrong_token}"), 401),
        (format!("{own_host}\r\nX-Ilk-Token: "), 401),
        (format!("{own_host}\r\n{}", cookie(port ^ 1)), 401),
    ];
    for (headers, status) in &cases {
        let head = format!("{headers}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n");
        for path in ["/api/answer", "/api/undo", "/api/statement", "/api/export"] {
            let response = client.send(&format!("POST {path} HTTP/1.1\r\n{head}{body}"));
            assert_eq!(response.status, *status, "{path} with {headers}");
        }
        for path in ["/", "/studio.js", "/api/state", "/api/events", "/images/0"] {
            let response = client.send(&format!("GET {path} HTTP/1.1\r\n{head}{body}"));
            assert_eq!(response.status, *status, "{path} with {headers}");
        }
    }
    assert_eq!(client.json("/api/answers"), json!([]));
    assert_eq!(sandbox.read("data.studio/events.jsonl"), "");
    // The same request is taken with what this page sends.
    let origin = format!("Origin: http://localhost:{port}");
    let head = format!("Host: localhost:{port}\r\n{}\r\n{origin}", cookie(port));
    let head = format!("{head}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n");
    assert_eq!(client.send(&format!("POST /api/answer HTTP/1.1\r\n{head}{body}")).status, 200);
    assert_eq!(client.json("/api/answers").as_array().map(Vec::len), Some(1));
}

#[test]
fn the_start_url_becomes_a_cookie_that_other_pages_cannot_send_and_scripts_cannot_read() {
    let (_sandbox, served) = served("");
    let client = &served.client;
    let (port, token) = (client.port, &client.token);
    let get = |path: &str| {
        client.send(&format!(
            "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n"
        ))
    };
    let response = get(&format!("/?token={token}"));
    assert_eq!((response.status, response.header("location")), (303, Some("/")));
    let cookie = response.header("set-cookie").expect("a cookie");
    assert_eq!(cookie, format!("ilk-studio-{port}={token}; Path=/; HttpOnly; SameSite=Strict"));
    assert_eq!(get("/?token=0123").status, 401);
    // The token opens the page alone: no other address takes it, where it could be left in a log.
    assert_eq!(get(&format!("/api/state?token={token}")).status, 401);
    for path in ["/", "/studio.js", "/studio.css", "/api/state", "/nothing"] {
        let response = client.get(path);
        let policy = response.header("content-security-policy").expect("a policy");
        assert!(policy.contains("default-src 'none'") && policy.contains("script-src 'self';"));
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(response.header("x-content-type-options"), Some("nosniff"), "{path}");
        assert_eq!(response.header("cache-control"), Some("no-store"), "{path}");
    }
}

#[test]
fn scripts_in_ids_columns_and_notes_are_only_ever_text() {
    let script = "<script>alert(1)</script>";
    let sandbox = Sandbox::new();
    let mut text = format!("id,x,{script}\n");
    for row in 0..12 {
        text.extend([format!("{script}{row},{},{}\n", row % 2 * 5, row)]);
    }
    sandbox.write("data.csv", text);
    let served = Served::start(&sandbox, "data.csv");
    let client = &served.client;
    let question = client.json("/api/state")["question"].clone();
    let answer = json!({ "question": question["id"], "answer": "same", "note": script, "annotator": script });
    client.done("/api/answer", &answer);
    let named = json!({ "row": format!("{script}3"), "name": script });
    client.done("/api/name", &named);
    for path in ["/api/state", "/api/answers", "/api/map", "/api/rows?search=%3Cscript%3E"] {
        let response = client.get(path);
        assert_eq!(response.header("content-type"), Some("application/json"), "{path}");
        assert!(String::from_utf8_lossy(&response.body).contains("<script>"), "{path}");
    }
    // The page is the same whatever the data are.
    let page = String::from_utf8(client.get("/").body).expect("text");
    assert!(!page.contains("alert"), "{page}");
}

#[test]
fn a_body_that_is_too_large_is_refused_before_it_is_read() {
    let (_sandbox, served) = served("");
    let client = &served.client;
    let mut stream = client.connect();
    stream.write_all(client.head("POST", "/api/statement", 1 << 30).as_bytes()).expect("sent");
    let block = vec![b'x'; 1 << 16];
    // It is over long before a gigabyte has been sent.
    let mut sent = 0;
    while sent < 1 << 30 && stream.write_all(&block).is_ok() {
        sent += block.len();
    }
    assert!(sent < 1 << 26, "{sent} bytes were taken");
    let mut all = Vec::new();
    let _ = stream.read_to_end(&mut all);
    assert!(
        all.is_empty() || all.starts_with(b"HTTP/1.1 413"),
        "{}",
        String::from_utf8_lossy(&all)
    );
    // One that is a little too large is told so.
    let body = format!("{{\"relation\":\"{}\"}}", "x".repeat(1 << 20));
    let mut stream = client.connect();
    let _ =
        stream.write_all((client.head("POST", "/api/statement", body.len()) + &body).as_bytes());
    if let Some(response) = read(&mut stream) {
        assert_eq!(response.status, 413);
    }
    assert_eq!(client.json("/api/answers"), json!([]));
}

/// Requests on one connection, sent at once.
const PIPELINED: usize = 60;

#[test]
fn who_sends_or_reads_too_slowly_is_cut_off_and_others_are_served_meanwhile() {
    let sandbox = Sandbox::new();
    sandbox.write("data.csv", three_groups(20_000));
    let served = Served::start(&sandbox, "data.csv --timeout 1");
    let client = &served.client;
    let mut head = client.connect();
    head.write_all(b"GET /api/state HTTP/1.1\r\nHost: ").expect("sent");
    // Each asks for more than the buffers of the system hold, and reads none of it.
    let request = client.head("GET", "/api/map", 0).replace("Connection: close\r\n", "");
    let mut readers: Vec<_> = (0..4).map(|_| client.connect()).collect();
    for reader in &mut readers {
        reader.write_all(request.repeat(PIPELINED).as_bytes()).expect("sent");
    }
    let whole = PIPELINED * client.get("/api/map").body.len();
    assert!(whole > 20_000_000, "{whole} bytes may fit into buffers");
    let start = Instant::now();
    let mut nothing = Vec::new();
    head.read_to_end(&mut nothing).expect("the server closed it");
    assert!(start.elapsed() < Duration::from_secs(30));
    std::thread::sleep(Duration::from_secs(4));
    for reader in &mut readers {
        let mut taken = Vec::new();
        let _ = reader.read_to_end(&mut taken);
        assert!(
            taken.len() < whole,
            "{} of {whole} bytes were kept for a slow reader",
            taken.len()
        );
    }
    assert_eq!(client.get("/api/answers").status, 200);
}

#[test]
fn images_come_from_below_their_folder_alone() {
    let sandbox = Sandbox::new();
    let folder = sandbox.file("pictures");
    std::fs::create_dir(&folder).expect("a folder");
    sandbox.write("pictures/a.png", b"\x89PNG one");
    sandbox.write("pictures/page.svg", "<svg onload='alert(1)'/>");
    sandbox.write("secret.png", "secret");
    let secret = sandbox.file("secret.png");
    #[cfg(unix)]
    std::os::unix::fs::symlink(&secret, folder.join("link.png")).expect("a link");
    let cells = [
        "a.png",
        "../secret.png",
        &secret.to_string_lossy(),
        "link.png",
        "page.svg",
        "absent.png",
        "",
    ];
    let mut text = "x,file\n".to_owned();
    for (row, cell) in cells.iter().enumerate() {
        text.extend([format!("{row},{cell}\n")]);
    }
    sandbox.write("data.csv", text);
    let served = Served::start(&sandbox, "data.csv --images pictures --image-column file");
    let client = &served.client;
    let image = client.get("/images/0");
    assert_eq!((image.status, image.header("content-type")), (200, Some("image/png")));
    assert_eq!(image.body, b"\x89PNG one");
    for row in 1..=cells.len() {
        let response = client.get(&format!("/images/{row}"));
        assert_eq!(response.status, 404, "{row}");
        assert!(!String::from_utf8_lossy(&response.body).contains("secret"));
    }
    for path in
        ["/images/../secret.png", "/images/..%2Fsecret.png", "/../Cargo.toml", "//etc/passwd"]
    {
        assert!((400..500).contains(&client.get(path).status), "{path}");
    }
    assert!(client.answer(same_letter)["entry"].is_u64());
}
