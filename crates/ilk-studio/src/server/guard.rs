//! Who is let in: requests to this machine by name, from this page, with the token of the start URL.
//!
//! Any page in a browser can send requests to this machine, and a name of a stranger's can be made to point to it. So the
//! `Host` must be this machine, an `Origin` must be this page, and every request but the first has the token as a cookie
//! that only this page sends, or as a header.

use anyhow::{Result, anyhow};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};

use crate::project::hex;

/// The header that programs give the token in.
const TOKEN: &str = "x-ilk-token";

/// Headers of every response.
const HEADERS: [(HeaderName, &str); 6] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-store"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Who is let in.
pub(super) struct Guard {
    port: u16,
    token: String,
}

impl Guard {
    /// A guard with a new token.
    pub(super) fn new(port: u16) -> Result<Self> {
        let mut bytes = [0; 24];
        getrandom::fill(&mut bytes)
            .map_err(|error| anyhow!("the system gives no random numbers: {error}"))?;
        Ok(Self { port, token: hex(&bytes) })
    }

    /// The URL that opens the page.
    pub(super) fn start_url(&self) -> String {
        format!("http://127.0.0.1:{}/?token={}", self.port, self.token)
    }

    /// Refuses requests that are not meant for this server or come from another page.
    pub(super) fn check_source(&self, headers: &HeaderMap) -> std::result::Result<(), StatusCode> {
        let here = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{}", self.port));
        let mut hosts = headers.get_all(header::HOST).iter();
        let host = hosts.next().and_then(|host| host.to_str().ok()).unwrap_or_default();
        if hosts.next().is_some() || !here.iter().any(|name| name.eq_ignore_ascii_case(host)) {
            return Err(StatusCode::MISDIRECTED_REQUEST);
        }
        for origin in headers.get_all(header::ORIGIN) {
            let origin = origin.to_str().unwrap_or_default();
            if !here.iter().any(|name| origin == format!("http://{name}")) {
                return Err(StatusCode::FORBIDDEN);
            }
        }
        Ok(())
    }

    /// Whether a text is the token; the time that this takes does not tell how much of it is right.
    pub(super) fn is_token(&self, text: &str) -> bool {
        let (given, own) = (text.as_bytes(), self.token.as_bytes());
        let differs = given.iter().zip(own).fold(0, |differs, (a, b)| differs | (a ^ b));
        given.len() == own.len() && differs == 0
    }

    /// Whether a request has the token.
    pub(super) fn has_token(&self, headers: &HeaderMap) -> bool {
        let text = |value: &HeaderValue| value.to_str().unwrap_or_default().to_owned();
        if headers.get(TOKEN).is_some_and(|given| self.is_token(&text(given))) {
            return true;
        }
        let cookies: Vec<String> = headers.get_all(header::COOKIE).iter().map(text).collect();
        let name = self.cookie_name();
        cookies.iter().flat_map(|cookies| cookies.split(';')).any(|cookie| {
            let cookie = cookie.trim().split_once('=');
            cookie.is_some_and(|(key, value)| key == name && self.is_token(value))
        })
    }

    /// Cookies are those of a machine, not of a port: every server has a name of its own.
    fn cookie_name(&self) -> String {
        format!("ilk-studio-{}", self.port)
    }

    /// The cookie that the page gets.
    pub(super) fn cookie(&self) -> String {
        format!("{}={}; Path=/; HttpOnly; SameSite=Strict", self.cookie_name(), self.token)
    }

    /// Adds what browsers are told about every response.
    pub(super) fn add_headers(headers: &mut HeaderMap) {
        for (name, value) in HEADERS {
            headers.insert(name, HeaderValue::from_static(value));
        }
    }
}
