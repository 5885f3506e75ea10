//! Passwords do not belong in a policy: it is passed around, kept and written into manifests.
//!
//! Whatever might be one is refused, and a line that might hold one is shown in no message.

use super::tree::Node;
use mingle_record::{Problem, ProblemCode};

/// Keys that say where a server is or who asks; those belong into the user's own files.
const KEYS: [&str; 14] = [
    "password",
    "passwd",
    "pwd",
    "pass",
    "secret",
    "token",
    "user",
    "username",
    "host",
    "port",
    "url",
    "uri",
    "dsn",
    "connection",
];

const HINT: &str = "name a service of ~/.pg_service.conf (service = \"…\"), and keep the password in ~/.pgpass or \
                    PGPASSWORD: a policy is passed around";

/// Whether a text may hold a password: a key of that name, or an address with one in it.
pub(crate) fn may_hold_one(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    for key in ["password", "passwd", "pwd", "secret", "token", "passphrase"] {
        if let Some(at) = lower.find(key) {
            let behind = lower[at + key.len()..].trim_start_matches(['"', '\'', ' ', '\t']);
            if behind.starts_with(['=', ':']) {
                return true;
            }
        }
    }
    lower
        .find("://")
        .is_some_and(|at| lower[at..].contains('@'))
}

/// Refuses keys of a table that are about logging in, and does not show their values.
pub(crate) fn refuse_keys(node: &Node) -> Result<(), Problem> {
    for entry in node.entries()? {
        let key = entry.key.to_ascii_lowercase();
        if KEYS.contains(&key.as_str()) {
            let text = format!("`{}` has the key `{}`", node.path, entry.key);
            return Err(refused(node, &text));
        }
    }
    Ok(())
}

/// Refuses a text that may hold a password, and does not show it.
pub(crate) fn refuse_text(node: &Node) -> Result<(), Problem> {
    if may_hold_one(node.text()?) {
        let text = format!("`{}` may hold a password", node.path);
        return Err(refused(node, &text));
    }
    Ok(())
}

pub(crate) fn refused(node: &Node, text: &str) -> Problem {
    node.place
        .problem_unseen(ProblemCode::CredentialsInPolicy, text, HINT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_hold_a_password() {
        for text in [
            "source = { password = \"x\" }",
            "\"PassWord\": 1",
            "postgresql://me:x@host/db",
            "select dblink('host=a password=x')",
            "pwd=1",
        ] {
            assert!(may_hold_one(text), "{text}");
        }
        for text in [
            "[columns.password]",
            "select password_age from people",
            "see https://example.org/page",
            "token",
        ] {
            assert!(!may_hold_one(text), "{text}");
        }
    }
}
