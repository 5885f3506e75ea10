//! `mingle measure`: what a release has lost, against the original that the policy names.

use crate::args::Measure;
use crate::explain::Code;
use crate::failure;
use crate::interrupt;
use crate::message::{Exit, Problem, Screen, print, print_json};
use crate::policy::Policy;
use crate::progress::Progress;
use crate::tables::{read_anonymized, read_original};
use mingle_assess::utility::{self, Loss, Utility};
use mingle_model::{Cube, Published};
use mingle_release::Release;
use serde_json::{Value, json};

pub fn run(args: &Measure, screen: Screen) -> Result<Exit, Problem> {
    let policy = Policy::load(&args.policy, &args.overrides.set)?;
    let progress = Progress::new(screen);
    let cancel = interrupt::listen();
    let published = published(args, &policy)?;
    let original = read_original(&policy, 0, &progress, cancel)?;
    progress.step("measuring");
    let cube = Cube::new(&original.table);
    let options = utility::Options { seed: policy.method.seed, ..utility::Options::default() };
    let utility = utility::measure(&cube, &policy.data.missing, &published, policy.privacy.k(), options);
    let utility = utility.map_err(|e| not_comparable(&e))?;
    drop(progress);
    interrupt::check()?;
    match args.json {
        true => print_json(&document(&utility))?,
        false => print(&text(&utility))?,
    }
    Ok(Exit::Fine)
}

fn published(args: &Measure, policy: &Policy) -> Result<Published, Problem> {
    match (&args.subject.table, &args.subject.release) {
        (Some(table), _) => Ok(Published::from_table(&read_anonymized(policy, table, &[])?.table)),
        (None, Some(folder)) => {
            Release::open(folder).and_then(|release| release.published()).map_err(|e| failure::release(&e))
        }
        (None, None) => Err(Problem::new(Code::Usage, "nothing to measure", "give a release, or --table")),
    }
}

/// The release is of other data, or its labels mean nothing here.
pub fn not_comparable(error: &utility::Error) -> Problem {
    let hint = "give the policy and the tables that the release was made from";
    Problem::new(Code::NotComparable, error.to_string(), hint)
}

fn document(utility: &Utility) -> Value {
    let mut document = json!({ "schema": "mingle.measure/1" });
    if let (Some(all), Value::Object(figures)) = (document.as_object_mut(), json!(utility)) {
        all.extend(figures);
    }
    document
}

fn text(utility: &Utility) -> String {
    let mut text = format!(
        "rows                 {} of {}, {} left out\ngroups               {}\n",
        utility.published_rows, utility.rows, utility.suppressed_rows, utility.groups
    );
    text.push_str(&loss("NCP", &utility.ncp));
    text.push_str(&loss("non-uniform entropy", &utility.non_uniform_entropy));
    text.push_str(&format!("discernibility       {}\n", utility.discernibility));
    text.push_str(&format!("group size over k    {:.3}\n", utility.average_group_size));
    text.push_str(&format!(
        "query error          mean {:.4}, median {:.4} ({} queries)\n",
        utility.query_error.mean, utility.query_error.median, utility.query_error.queries
    ));
    text
}

fn loss(name: &str, loss: &Loss) -> String {
    let column = |c: &utility::ColumnLoss| format!("  {:<18} {:.4}\n", c.column, c.loss);
    format!("{name:<20} {:.4}\n{}", loss.overall, loss.columns.iter().map(column).collect::<String>())
}
