//! `ilk studio` as a process, and requests over its socket, byte by byte.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::common::Sandbox;

/// A server that is killed with the test, and what it takes to talk to it.
pub(super) struct Served {
    child: Child,
    // Kept, so that the server may go on writing.
    _stdout: BufReader<ChildStdout>,
    pub(super) client: Client,
}

/// Where the server is and what it wants to see.
#[derive(Debug, Clone)]
pub(super) struct Client {
    pub(super) port: u16,
    pub(super) token: String,
}

/// What came back.
#[derive(Debug)]
pub(super) struct Response {
    pub(super) status: u16,
    pub(super) head: String,
    pub(super) body: Vec<u8>,
}

impl Response {
    pub(super) fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|_| panic!("no JSON: {}", String::from_utf8_lossy(&self.body)))
    }

    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }
}

impl Served {
    /// Starts `ilk studio` with these arguments.
    pub(super) fn start(sandbox: &Sandbox, arguments: &str) -> Self {
        let mut command = sandbox.command(&format!("studio {arguments} --no-open --quiet"));
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the server starts");
        let mut stdout = BufReader::new(child.stdout.take().expect("its stdout"));
        let mut line = String::new();
        stdout.read_line(&mut line).expect("the address");
        let rest =
            line.trim().strip_prefix("http://127.0.0.1:").expect("an address on this machine");
        let (port, token) = rest.split_once("/?token=").expect("a token");
        let client = Client { port: port.parse().expect("a port"), token: token.to_owned() };
        Self { child, _stdout: stdout, client }
    }

    /// Ends it without any notice.
    pub(super) fn kill(&mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Client {
    /// A connection that gives up rather than hang.
    pub(super) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a limit");
        stream
    }

    /// The head of a request as this page sends it.
    pub(super) fn head(&self, method: &str, path: &str, length: usize) -> String {
        let Self { port, token } = self;
        format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nX-Ilk-Token: {token}\r\n\
             Content-Length: {length}\r\nConnection: close\r\n\r\n"
        )
    }

    /// Sends bytes and reads all that comes back; none where the connection broke off before.
    pub(super) fn try_send(&self, request: &[u8]) -> Option<Response> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).ok()?;
        stream.set_read_timeout(Some(Duration::from_secs(60))).ok()?;
        stream.write_all(request).ok()?;
        read(&mut stream)
    }

    pub(super) fn send(&self, request: &str) -> Response {
        self.try_send(request.as_bytes()).expect("a response")
    }

    pub(super) fn get(&self, path: &str) -> Response {
        self.send(&self.head("GET", path, 0))
    }

    /// What must be there, as JSON.
    pub(super) fn json(&self, path: &str) -> Value {
        let response = self.get(path);
        let text = String::from_utf8_lossy(&response.body);
        assert_eq!(response.status, 200, "{path}: {text}");
        response.json()
    }

    pub(super) fn post(&self, path: &str, body: &Value) -> Response {
        self.try_post(path, body).expect("a response")
    }

    pub(super) fn try_post(&self, path: &str, body: &Value) -> Option<Response> {
        let body = body.to_string();
        self.try_send((self.head("POST", path, body.len()) + &body).as_bytes())
    }

    /// What must be taken.
    pub(super) fn done(&self, path: &str, body: &Value) -> Value {
        let response = self.post(path, body);
        let text = String::from_utf8_lossy(&response.body);
        assert_eq!(response.status, 200, "{path} {body}: {text}");
        response.json()
    }

    /// Answers the present question with what `answer` makes of it, and returns the next.
    pub(super) fn answer(&self, answer: impl Fn(&Value) -> Value) -> Value {
        let question = self.json("/api/state")["question"].clone();
        let given = json!({ "question": question["id"], "answer": answer(&question) });
        self.done("/api/answer", &given)
    }

    /// Clusters that are not older than the answers, waited for.
    pub(super) fn clusters(&self, by: &str) -> Value {
        for _ in 0..600 {
            let response = self.get(&format!("/api/clusters?by={by}"));
            if response.status == 200 && response.json()["stale"] == false {
                return response.json();
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        panic!("no clusters by {by} within a minute");
    }
}

/// A whole response; none where the connection broke off before its end.
pub(super) fn read(stream: &mut TcpStream) -> Option<Response> {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).ok()?;
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = String::from_utf8(bytes[..end].to_vec()).ok()?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    let response = Response { status, head, body: bytes.split_off(end + 4) };
    let length = response.header("content-length").and_then(|length| length.parse().ok());
    (length.unwrap_or(0) == response.body.len()).then_some(response)
}

/// Whether two ids begin with the same letter: the truth of these tests.
pub(super) fn same_letter(question: &Value) -> Value {
    let ids = ids(question);
    match question["kind"].as_str() {
        Some("pair") => {
            json!(if letter(&ids[0]) == letter(&ids[1]) { "same" } else { "different" })
        }
        Some("triplet") => {
            let odd = (0..3).find(|&odd| {
                let [a, b] = [(odd + 1) % 3, (odd + 2) % 3].map(|at| letter(&ids[at]));
                a == b && a != letter(&ids[odd])
            });
            odd.map_or(json!("equal"), |odd| json!({ "odd": ids[odd] }))
        }
        _ => {
            let with: Vec<&String> =
                ids[1..].iter().filter(|id| letter(id) == letter(&ids[0])).collect();
            json!({ "together": with })
        }
    }
}

pub(super) fn ids(question: &Value) -> Vec<String> {
    let rows = question["rows"].as_array().expect("rows");
    rows.iter().map(|row| row["id"].as_str().expect("an id").to_owned()).collect()
}

fn letter(id: &str) -> Option<char> {
    id.chars().next()
}

/// A table of `n` rows in three groups that overlap a little; ids begin with the letter of the group.
pub(super) fn three_groups(n: usize) -> String {
    let mut text = "id,x,y\n".to_owned();
    for row in 0..n {
        let (group, turn) = (row % 3, row as f64);
        let (x, y) = [(0.0, 0.0), (5.0, 0.0), (2.5, 4.0)][group];
        let radius = 1.6 * (turn * 0.618).fract();
        let name = ["a", "b", "c"][group];
        let (x, y) = (x + radius * turn.cos(), y + radius * turn.sin());
        text.extend([format!("{name}{row},{x:.4},{y:.4}\n")]);
    }
    text
}
