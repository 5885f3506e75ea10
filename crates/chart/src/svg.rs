//! Writing SVG: elements, numbers and escaped text.

use std::fmt::Write;

/// Where a text is anchored.
#[derive(Clone, Copy, Debug)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

/// A document being written.
#[derive(Debug, Default)]
pub struct Svg(String);

impl Svg {
    /// Opens a document of this size, with a name and a description.
    pub fn open(width: f64, height: f64, title: &str, description: &str) -> Svg {
        let (width, height) = (n(width), n(height));
        Svg(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" role=\"img\" font-family=\"Helvetica,Arial,sans-serif\" font-size=\"12\" \
             fill=\"#1a1a1a\">\n<title>{}</title>\n<desc>{}</desc>\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n",
            escape(title),
            escape(description)
        ))
    }

    /// The whole document.
    pub fn close(self) -> String {
        self.0 + "</svg>\n"
    }

    /// Text at a place; `attributes` as they are.
    #[allow(clippy::too_many_arguments, reason = "older than the limit of five")]
    pub fn text(&mut self, x: f64, y: f64, anchor: Anchor, attributes: &str, words: &str) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let space = if attributes.is_empty() { "" } else { " " };
        self.line(&format!(
            "<text x=\"{}\" y=\"{}\"{anchor}{space}{attributes}>{}</text>",
            n(x),
            n(y),
            escape(words)
        ));
    }

    /// A path; `note` is shown when one points at it.
    pub fn path(&mut self, data: &str, attributes: &str, note: &str) {
        if note.is_empty() {
            self.line(&format!("<path d=\"{data}\" {attributes}/>"))
        } else {
            self.line(&format!(
                "<path d=\"{data}\" {attributes}><title>{}</title></path>",
                escape(note)
            ))
        }
    }

    /// Opens a window: nothing that is drawn until [`Svg::end_window`] shows outside of it.
    pub fn window(&mut self, x: f64, y: f64, width: f64, height: f64) {
        // a nested document clips without an id, so several figures can stand in one page
        let (x, y, width, height) = (n(x), n(y), n(width), n(height));
        self.line(&format!(
            "<svg x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" viewBox=\"{x} {y} {width} {height}\">"
        ));
    }

    /// Closes the window.
    pub fn end_window(&mut self) {
        self.line("</svg>");
    }

    fn line(&mut self, element: &str) {
        writeln!(self.0, "{element}").expect("a string can be written to");
    }
}

/// A coordinate: at most two decimals, none that say nothing.
pub fn n(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" {
        "0".into()
    } else {
        text.into()
    }
}

/// `words` as XML text or attribute value; characters that XML does not know become a replacement
/// mark.
pub fn escape(words: &str) -> String {
    let mut text = String::with_capacity(words.len());
    for c in words.chars() {
        match c {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '"' => text.push_str("&quot;"),
            '\t' | '\n' | '\r' => text.push(' '),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => text.push('\u{fffd}'),
            _ => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        assert_eq!(
            escape("a<b>&\"c\"\u{1}\n"),
            "a&lt;b&gt;&amp;&quot;c&quot;\u{fffd} "
        );
    }

    #[test]
    fn coordinates_are_short() {
        assert_eq!(
            ["1.5", "0", "2", "-3.46", "100"],
            [n(1.5), n(-0.001), n(2.0), n(-3.456), n(100.0)]
                .each_ref()
                .map(String::as_str)
        );
    }
}
