//! Texts that come from files and partners, made fit to be shown.
//!
//! Labels, names of columns and of providers are whatever a file held. Characters that do not show,
//! or that change the direction or the place of those around them, could make one message look like
//! another. Which characters these are is decided here, once, for terminal, report and page.

/// Changes direction or joins what is around it, or is no character at all.
pub fn is_steering(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}' | '\u{e0000}'..='\u{e007f}')
}

/// Must not be shown as it is: it controls a terminal, or steers the text around it.
pub fn is_unshowable(c: char) -> bool {
    c.is_control() || is_steering(c)
}

/// What the system says about a failure, without its error number.
pub fn system_words(error: &std::io::Error) -> String {
    without_error_number(&error.to_string()).to_lowercase()
}

/// A message of the system up to its error number, which means nothing to a reader.
pub fn without_error_number(text: &str) -> &str {
    text.split(" (os error").next().unwrap_or_default()
}
