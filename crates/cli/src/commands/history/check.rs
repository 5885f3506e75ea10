//! `mingle history check`: plays a reader who compares all versions.

use crate::args::HistoryCheck;
use crate::message::{Exit, Problem, print, print_json, visible};
use mingle::history::{check, replay_lines};
use mingle_model::counted;
use mingle_privacy::Ratio;
use mingle_privacy::composition::CompositionLimits;
use mingle_record::answer::HistoryCheckAnswer;
use mingle_record::{Judgement, ProblemCode};

pub fn run(args: &HistoryCheck) -> Result<Exit, Problem> {
    let answer = check(&args.folder, &limits(args)?)?;
    if args.json {
        print_json(&answer)?;
    } else {
        print(&text(&answer))?;
    }
    if answer.verdict == Judgement::Holds {
        Ok(Exit::Fine)
    } else {
        Ok(Exit::Finding)
    }
}

fn limits(args: &HistoryCheck) -> Result<CompositionLimits, Problem> {
    let share = match args.max_perfect_breach.as_deref() {
        Some(text) => Some(share(text)?),
        None => None,
    };
    // where no limit is given, nobody may be left with a single value
    let strict = share.is_none() && args.min_posterior.is_none();
    Ok(CompositionLimits {
        max_perfect_breach: share.or_else(|| strict.then(|| Ratio::from(0))),
        min_posterior: args.min_posterior,
        except_already_exposed: false,
    })
}

fn share(text: &str) -> Result<Ratio, Problem> {
    let share = Ratio::parse(text).filter(|&share| share <= Ratio::from(1));
    share.ok_or_else(|| {
        let text = "--max-perfect-breach is a share from 0 to 1";
        Problem::new(ProblemCode::Usage, text, "write 0.01 for one in a hundred")
    })
}

fn text(answer: &HistoryCheckAnswer) -> String {
    let mut out = format!(
        "{}, read side by side by somebody who knows who is in which\n",
        counted(answer.versions, "version")
    );
    for found in &answer.columns {
        for line in replay_lines(&visible(&found.column), found) {
            out += &format!("{line}\n");
        }
    }
    out + &format!("verdict: {}\n", answer.verdict.name())
}
