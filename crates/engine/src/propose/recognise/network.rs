//! Addresses of machines and of pages.

use super::{Meaning, Recognition, SeenFacts};
use std::net::IpAddr;

const MACHINE: &[&str] = &["ip", "ipaddress", "mac", "imei", "hostname", "device"];
const PAGE: &[&str] = &["url", "uri", "link", "website", "homepage", "webseite"];

/// By values first: an address is one whatever it is called.
pub fn recognise(facts: &SeenFacts<'_>) -> Option<Recognition> {
    if facts.mostly(|text| text.parse::<IpAddr>().is_ok()) {
        let why = "addresses on the net";
        return Some(Recognition::new(Meaning::NetworkAddress, why));
    }
    if facts.mostly(is_page) {
        let why = "addresses of pages";
        return Some(Recognition::new(Meaning::WebAddress, why));
    }
    for (words, meaning) in [
        (MACHINE, Meaning::NetworkAddress),
        (PAGE, Meaning::WebAddress),
    ] {
        if let Some((_, word)) = facts.word(words)
            && !facts.is_few_valued()
        {
            let why = format!("leads to a person (\"{word}\" in its name)");
            return Some(Recognition::new(meaning, why));
        }
    }
    None
}

fn is_page(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    ["http://", "https://", "www.", "ftp://"]
        .iter()
        .any(|start| lower.starts_with(start))
}
