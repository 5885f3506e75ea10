//! Suggestions for mistyped names.

/// The name that is most like a mistyped one, if any is close enough.
pub fn closest<'a>(typed: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const CLOSE_ENOUGH: f64 = 0.75;
    let typed = typed.to_lowercase();
    let mut best: Option<(f64, &str)> = None;
    for name in names {
        let likeness = strsim::jaro_winkler(&typed, &name.to_lowercase());
        if likeness > CLOSE_ENOUGH && best.is_none_or(|(most, _)| likeness >= most) {
            best = Some((likeness, name));
        }
    }
    best.map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggestions_are_close_or_absent() {
        let names = ["role", "kind", "hierarchy", "order"];
        assert_eq!(closest("rol", names), Some("role"));
        assert_eq!(closest("heirarchy", names), Some("hierarchy"));
        assert_eq!(closest("zzz", names), None);
    }
}
