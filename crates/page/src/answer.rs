//! Answers: JSON for the page's program, a short text for a person who came to the wrong address.

use crate::Error;
use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// Whether an address is for the page's program rather than for a person.
pub(crate) fn is_api(path: &str) -> bool {
    path == "/api" || path.starts_with("/api/")
}

/// A document.
pub(crate) fn json<T: Serialize>(status: StatusCode, value: &T) -> Response {
    let text = serde_json::to_vec(value).expect("an answer is plain data");
    typed(status, "application/json", text)
}

/// Bytes of a type.
pub(crate) fn typed(status: StatusCode, kind: &'static str, body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

/// A refusal, in the way that suits the address.
pub(crate) fn refuse(path: &str, error: &Error) -> Response {
    if is_api(path) {
        json(error.status(), &error.problem())
    } else {
        note(error)
    }
}

/// A refusal for a person. Nothing in it comes from a request.
fn note(error: &Error) -> Response {
    let problem = error.problem();
    let html = format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>mingle</title>\n<p>{}.</p>\n<p>{}</p>\n",
        escape(&problem.text),
        escape(&problem.hint)
    );
    typed(error.status(), "text/html; charset=utf-8", html)
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        json(self.status(), &self.problem())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_for_the_program() {
        assert!(is_api("/api") && is_api("/api/") && is_api("/api/x"));
        assert!(!is_api("/") && !is_api("/apix") && !is_api("/page.js") && !is_api("//api/"));
    }
}
