//! `mingle explain`: what a code means and what to do.

use crate::args::Explain;
use crate::message::{Exit, Problem, print, print_json, wrap};
use mingle_record::ProblemCode;
use mingle_record::answer::{ExplainAnswer, ExplainedCode};
use mingle_record::schema::ExplainSchema;

pub fn run(args: &Explain) -> Result<Exit, Problem> {
    let Some(typed) = &args.code else {
        if args.json {
            return answer(ProblemCode::ALL);
        }
        let line = |code: &ProblemCode| format!("{code}  {}\n", code.title());
        print(&ProblemCode::ALL.iter().map(line).collect::<String>())?;
        return Ok(Exit::Fine);
    };
    let code = ProblemCode::parse(typed).ok_or_else(|| {
        Problem::new(
            ProblemCode::UnknownCode,
            "no such code",
            "`mingle explain` lists all codes, such as MG0103",
        )
    })?;
    if args.json {
        return answer(&[code]);
    }
    print(&wrap(&format!(
        "{code}: {}\n\n{}\n\nExit code {}.",
        code.title(),
        code.text(),
        code.exit() as u8
    )))?;
    Ok(Exit::Fine)
}

fn answer(codes: &[ProblemCode]) -> Result<Exit, Problem> {
    print_json(&ExplainAnswer {
        schema: ExplainSchema,
        codes: codes.iter().copied().map(ExplainedCode::from).collect(),
    })?;
    Ok(Exit::Fine)
}
