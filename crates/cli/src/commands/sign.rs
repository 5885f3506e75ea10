//! `mingle sign`: signs a release, or makes a key for it.

use crate::args::Sign;
use crate::message::{Exit, Problem, Screen, print, print_json, visible};
use crate::progress::terminal_run;
use mingle::sign::{self, Signing};
use mingle_record::answer::SignAnswer;
use mingle_record::signature::ShownSignature;
use mingle_release::UnfitSignatures;

pub fn run(args: &Sign, screen: Screen) -> Result<Exit, Problem> {
    let answer = match (&args.new_key, &args.release, &args.key) {
        (Some(file), _, _) => sign::new_key(file)?.answer(),
        (None, Some(release), Some(key)) => {
            let run = terminal_run(screen);
            let signing = Signing {
                key,
                name: args.name.as_deref(),
                unfit: if args.drop_stale {
                    UnfitSignatures::Drop
                } else {
                    UnfitSignatures::Refuse
                },
            };
            let signed = sign::sign(release, &signing, &run);
            run.end();
            let signed = signed?;
            for note in &signed.notes {
                screen.note(note);
            }
            signed.answer
        }
        (None, _, _) => {
            let hint = "give a release and --key, or --new-key FILE";
            return Err(Problem::new(
                mingle_record::ProblemCode::Usage,
                "nothing to sign, or no key to sign it with",
                hint,
            ));
        }
    };
    screen.note(&format!("written: {}", answer.written.join(", ")));
    if args.json {
        print_json(&answer)?;
    } else {
        print(&visible(&text(&answer)))?;
    }
    Ok(Exit::Fine)
}

fn text(answer: &SignAnswer) -> String {
    let mut text = format!("key {}\n", answer.key);
    text.push_str(&of_signatures(&answer.signatures));
    text
}

/// One line a signature.
pub fn of_signatures(signatures: &[ShownSignature]) -> String {
    let mut text = String::new();
    for signature in signatures {
        let name = match &signature.name {
            Some(name) => format!(" ({name})"),
            None => String::new(),
        };
        text.push_str(&format!(
            "signed by {}{name}: {}\n",
            signature.key,
            signature.state.words()
        ));
    }
    text
}
