//! `mingle measure`: what a release has lost, against the original that the policy names.

use crate::args::Measure;
use crate::message::{Exit, Problem, Screen, print, print_json};
use crate::progress::terminal_run;
use mingle::Inputs;
use mingle::measure::{MeasureWishes, Subject, measure_in};
use mingle::tables::TableArgument;
use mingle_policy::Policy;
use mingle_record::ProblemCode;
use mingle_record::answer::{
    ComparedModels, MeasureAnswer, MeasuredCentroids, MeasuredNoise, MeasuredRanges,
    PopulationEstimate, SubsetSinglingOut,
};
use mingle_record::distributions::Distances;
use mingle_record::utility::{Loss, QueryError};

pub fn run(args: &Measure, screen: Screen) -> Result<Exit, Problem> {
    let policy = Policy::load(&args.policy, &args.overrides.set)?;
    let run = terminal_run(screen);
    let table = args.subject.table.as_deref();
    let table = table
        .map(|table| TableArgument::new(table, &run))
        .transpose()?;
    let subject = match (&table, &args.subject.release) {
        (Some(table), _) => Subject::Table(table.foreign()),
        (None, Some(folder)) => Subject::Release(folder),
        (None, None) => {
            let hint = "name a release folder, or use --table";
            return Err(Problem::new(ProblemCode::Usage, "nothing to measure", hint));
        }
    };
    let wishes = MeasureWishes {
        population: args.population,
        target: args.target.clone(),
    };
    let answer = measure_in(&policy, &subject, &Inputs::of(&policy), (&wishes, &run))?;
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
    text += &query_error(&measured.query_error);
    text += &marginals(&measured.marginals);
    text += &singling_out(&measured.singling_out);
    text += &population(measured.population.as_ref());
    text + &models(measured.models.as_ref())
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
    text += &query_error(&measured.query_error);
    text += &marginals(&measured.marginals);
    text += &singling_out(&measured.singling_out);
    text + &population(measured.population.as_ref())
}

/// What models get right.
fn models(compared: Option<&ComparedModels>) -> String {
    let Some(found) = compared else {
        return String::new();
    };
    format!(
        "foretelling          {}: right for {:.1} % of {} rows from the original, {:.1} % from the release, {:.1} % by always \
         saying the commonest\n",
        found.target,
        100.0 * found.original,
        found.asked,
        100.0 * found.released,
        100.0 * found.baseline
    )
}

/// The most subsets of columns that are told on a screen.
const SUBSETS: usize = 3;

/// Which columns single out most, and how few look alike in them.
fn singling_out(subsets: &[SubsetSinglingOut]) -> String {
    let mut text = String::new();
    for subset in subsets.iter().take(SUBSETS) {
        text += &format!(
            "singled out by       {}: {} rows alone in the original; the smallest class has {} rows, {} in the release\n",
            subset.columns.join(" + "),
            subset.original_alone,
            subset.original_smallest,
            subset.released_smallest
        );
    }
    text
}

/// Who is alone in a population, by every model.
fn population(estimate: Option<&PopulationEstimate>) -> String {
    let Some(estimate) = estimate else {
        return String::new();
    };
    let by_model = |found: Option<f64>| match found {
        Some(found) => format!("{found:.0}"),
        None => "no estimate".to_owned(),
    };
    let mut text = format!(
        "alone in population  {:.0} of {} by the rule of Dankar et al., as the original stands\n",
        estimate.decided, estimate.population
    );
    text += &format!(
        "  by model           Pitman {}, SNB {}, Zayatz {:.0}\n",
        by_model(estimate.pitman),
        by_model(estimate.snb),
        estimate.zayatz
    );
    text += &format!(
        "  in the tables      {} rows alone in the original, {} in the release\n",
        estimate.sample_uniques, estimate.released_uniques
    );
    text
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
