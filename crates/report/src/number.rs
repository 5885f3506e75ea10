//! Numbers as people read them: thousands apart, shares in percent, never more precise than helps.

/// A whole number with a comma between thousands.
pub fn whole(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A share in percent. What is neither nothing nor everything never looks like it.
pub fn percent(share: f64) -> String {
    let percent = share * 100.0;
    match percent {
        p if !p.is_finite() => "–".to_owned(),
        p if p <= 0.0 => "0 %".to_owned(),
        p if p < 0.01 => "< 0.01 %".to_owned(),
        p if (100.0..100.0 + 1e-9).contains(&p) => "100 %".to_owned(),
        p if p > 99.99 && p < 100.0 => "> 99.99 %".to_owned(),
        p if !(1.0..=99.0).contains(&p) => format!("{} %", trimmed(p, 2)),
        p => format!("{} %", trimmed(p, 1)),
    }
}

/// A share that bounds something, in percent: to a tenth, upwards, so that it stays a bound.
pub fn at_most(share: f64) -> String {
    let up = |digits: f64| (share * digits - 1e-9).ceil() / digits;
    if up(1e3) >= 1.0 && share < 1.0 {
        percent(up(1e4))
    } else {
        percent(up(1e3))
    }
}

/// A share that somebody wrote down, in percent, with all digits that a limit has.
pub fn written_percent(share: f64) -> String {
    format!("{} %", trimmed(share * 100.0, 6))
}

/// A figure with about four significant digits.
pub fn figure(value: f64) -> String {
    let size = value.abs();
    match size {
        s if !s.is_finite() => "–".to_owned(),
        0.0 => "0".to_owned(),
        s if s >= 1e15 => format!("{value:.2e}"),
        s if s >= 1000.0 && value > 0.0 => whole(value.round() as u64),
        s if s >= 100.0 => trimmed(value, 1),
        s if s >= 1.0 => trimmed(value, 2),
        s if s >= 0.001 => trimmed(value, 4),
        _ => format!("{value:.1e}"),
    }
}

/// At most `digits` decimals, none that say nothing.
fn trimmed(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// `1 row`, `2 rows`.
pub fn counted(number: u64, what: &str) -> String {
    mingle_model::counted(whole(number), what)
}

/// A size in bytes, as files are spoken of.
pub fn bytes(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} bytes"),
        1_000..1_000_000 => format!("{} kB", trimmed(bytes as f64 / 1e3, 1)),
        1_000_000..1_000_000_000 => format!("{} MB", trimmed(bytes as f64 / 1e6, 1)),
        _ => format!("{} GB", trimmed(bytes as f64 / 1e9, 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_apart() {
        let numbers = [0, 999, 1_000, 1_234_567, u64::MAX].map(whole);
        assert_eq!(
            numbers,
            [
                "0",
                "999",
                "1,000",
                "1,234,567",
                "18,446,744,073,709,551,615"
            ]
        );
    }

    #[test]
    fn nearly_nothing_is_not_nothing_and_nearly_all_is_not_all() {
        let shares = [
            0.0,
            1e-9,
            0.00012,
            0.005,
            0.25,
            1.0 / 3.0,
            0.99,
            0.999_999,
            1.0,
            f64::NAN,
        ]
        .map(percent);
        assert_eq!(
            shares,
            [
                "0 %",
                "< 0.01 %",
                "0.01 %",
                "0.5 %",
                "25 %",
                "33.3 %",
                "99 %",
                "> 99.99 %",
                "100 %",
                "–"
            ]
        );
    }

    #[test]
    fn bounds_are_rounded_upwards() {
        let shares = [
            0.0,
            0.1,
            0.29,
            0.5,
            1.0 / 3.0,
            2.0 / 3.0,
            0.0001,
            0.9995,
            1.0,
        ]
        .map(at_most);
        assert_eq!(
            shares,
            [
                "0 %", "10 %", "29 %", "50 %", "33.4 %", "66.7 %", "0.1 %", "99.95 %", "100 %"
            ]
        );
    }

    #[test]
    fn figures_have_few_digits() {
        let figures = [
            0.0,
            0.742_105,
            11.1464,
            1234.5,
            0.000_04,
            1e20,
            f64::INFINITY,
        ]
        .map(figure);
        assert_eq!(
            figures,
            ["0", "0.7421", "11.15", "1,235", "4.0e-5", "1.00e20", "–"]
        );
        assert_eq!(
            [bytes(199), bytes(12_345), bytes(5_000_000_000)],
            ["199 bytes", "12.3 kB", "5 GB"]
        );
        assert_eq!(
            [counted(1, "row"), counted(1_200, "row")],
            ["1 row", "1,200 rows"]
        );
    }
}
