//! How texts for people are laid out: lines of at most 78 characters, and values beside their
//! names.

use mingle_model::plural;

/// Breaks text into lines of at most 78 characters at spaces; lines that start with a space stay as
/// they are.
pub fn wrap(text: &str) -> String {
    wrap_to(text, 78)
}

/// The same for lines of another width.
pub fn wrap_to(text: &str, most: usize) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let mut width = 0;
        let words: Vec<&str> = if line.starts_with(' ') {
            vec![line]
        } else {
            line.split(' ').collect()
        };
        for word in words {
            let length = word.chars().count();
            if width > 0 && width + 1 + length > most {
                out.push('\n');
                width = 0;
            }
            if width > 0 {
                out.push(' ');
                width += 1;
            }
            out.push_str(word);
            width += length;
        }
        out.push('\n');
    }
    out
}

/// A name, and its value broken into lines beside it, `indent` characters in.
pub fn beside(name: &str, value: &str, indent: usize) -> String {
    let broken = wrap_to(value, 79 - indent);
    let next = format!("\n{}", " ".repeat(indent));
    format!("{name:<indent$}{}", broken.trim_end().replace('\n', &next))
}

/// A number of people.
pub fn counted_people(count: u64) -> String {
    format!("{count} {}", plural(count, "person", "people"))
}
