//! `mingle measure`: what a release has lost, against the original that the policy names.

use crate::args::Measure;
use crate::message::{Exit, Problem, Screen, print, print_json};
use crate::progress::terminal_run;
use mingle::Inputs;
use mingle::measure::{Subject, measure};
use mingle::tables::ForeignTable;
use mingle_policy::Policy;
use mingle_record::ProblemCode;
use mingle_record::answer::{MeasureAnswer, MeasuredCentroids, MeasuredNoise, MeasuredRanges};
use mingle_record::distributions::Distances;
use mingle_record::utility::{Loss, QueryError};

pub fn run(args: &Measure, screen: Screen) -> Result<Exit, Problem> {
    let policy = Policy::load(&args.policy, &args.overrides.set)?;
    let subject = match (&args.subject.table, &args.subject.release) {
        (Some(file), _) => Subject::Table(ForeignTable::File(file)),
        (None, Some(folder)) => Subject::Release(folder),
        (None, None) => {
            let hint = "name a release folder, or use --table";
            return Err(Problem::new(ProblemCode::Usage, "nothing to measure", hint));
        }
    };
    let answer = measure(
        &policy,
        &subject,
        &Inputs::of(&policy),
        &terminal_run(screen),
    )?;
    if args.json {
        print_json(&answer)?;
    } else {
        print(&text(&answer))?;
    }
    Ok(Exit::Fine)
}

fn text(answer: &MeasureAnswer) -> String {
    match answer {
        MeasureAnswer::Noise(measured) => of_noise(measured),
        MeasureAnswer::Ranges(measured) => of_ranges(measured),
        MeasureAnswer::Centroids(measured) => of_centroids(measured),
    }
}

fn of_noise(measured: &MeasuredNoise) -> String {
    let mut text = format!(
        "release              {} (differentially private)\n",
        measured.release.name()
    );
    text += &format!(
        "rows                 {:.0} with noise, {} in the original\n",
        measured.published_rows, measured.rows
    );
    text + &query_error(&measured.query_error) + &marginals(&measured.marginals)
}

fn of_ranges(measured: &MeasuredRanges) -> String {
    let mut text = rows([
        measured.published_rows,
        measured.rows,
        measured.suppressed_rows,
    ]);
    text += &format!("groups               {}\n", measured.groups);
    text += &loss("NCP", &measured.ncp);
    if let Some(of_people) = measured.ncp_of_people {
        text += &format!("NCP over people      {of_people:.4}\n");
    }
    text += &loss("non-uniform entropy", &measured.non_uniform_entropy);
    text += &group_sizes(measured.discernibility, measured.average_group_size);
    text + &query_error(&measured.query_error) + &marginals(&measured.marginals)
}

fn of_centroids(measured: &MeasuredCentroids) -> String {
    let mut text = rows([
        measured.published_rows,
        measured.rows,
        measured.suppressed_rows,
    ]);
    text += &format!("groups               {}\n", measured.groups);
    text += &loss("information loss", &measured.information_loss);
    text += &group_sizes(measured.discernibility, measured.average_group_size);
    text + &query_error(&measured.query_error) + &marginals(&measured.marginals)
}

fn rows([published, original, left_out]: [u64; 3]) -> String {
    format!("rows                 {published} of {original}, {left_out} left out\n")
}

fn loss(name: &str, loss: &Loss) -> String {
    let mut text = format!("{name:<20} {:.4}\n", loss.overall);
    for column in &loss.columns {
        text += &format!("  {:<18} {:.4}\n", column.column, column.loss);
    }
    text
}

fn group_sizes(discernibility: u128, over_k: f64) -> String {
    format!(
        "discernibility       {discernibility}\n\
         group size over k    {over_k:.3}\n"
    )
}

fn query_error(error: &QueryError) -> String {
    format!(
        "query error          mean {:.4}, median {:.4} ({} queries)\n",
        error.mean, error.median, error.queries
    )
}

/// Two lines, and one more where pairs are not counted together.
fn marginals(distances: &Distances) -> String {
    let (one, two) = (distances.one_way, distances.two_way);
    let mut text = format!(
        "1-way tables         mean {:.4}, max {:.4} total variation ({} columns)\n",
        one.mean,
        one.max,
        distances.columns.len()
    );
    text += &format!(
        "2-way tables         mean {:.4}, max {:.4} total variation ({} pairs)\n",
        two.mean,
        two.max,
        distances.pairs.len()
    );
    if distances.pairs_left_out > 0 {
        let pairs = distances.pairs_left_out;
        text +=
            &format!("  not compared       {pairs} further pairs: there are too many columns\n");
    }
    if distances.not_covered > 0 {
        let pairs = distances.not_covered;
        text += &format!("  not counted        {pairs} of these pairs: taken for independent\n");
    }
    text
}
