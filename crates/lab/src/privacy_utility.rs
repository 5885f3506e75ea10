//! What does a promise cost, and what does it keep? Releases with groups and releases with noise
//! side by side: the trade-off that Ganta, Kasiviswanathan and Smith (KDD 2008) argue about, in one
//! run.
//!
//! Two organisations publish independently, and half of the people of each are in both tables. Each
//! release is compared with its table (random queries, and distances of all tables of one and two
//! columns), and both together are attacked: a reader intersects what they say about a person,
//! concludes where a single value is left, and guesses the likeliest value otherwise. All this is
//! played on the people who are in both tables and, as a control, on as many who are in neither:
//! what the reader gets right about those is knowledge about the population and nobody's breach.
//!
//! Releases with groups promise k-anonymity, m-privacy or t-closeness; those with noise ε, with δ =
//! 10⁻⁹ or without. All have the same eight columns of Adult. Assumptions: a row is a person; noise
//! is drawn anew in each run, so its figures repeat within their spread and not to the digit. Cost:
//! two releases, 2,500 queries and three readings of everybody for each setting and draw.

mod draw;
mod grouped;
mod loss;
mod noisy;
mod pictures;
mod plan;
mod reader;
mod report;
mod results;
mod table_reader;
mod tables;

use crate::data::PeopleRows;
use crate::error::Error;
use crate::outcome::Outcome;
use crate::{Experiment, Extent, Setting};
use draw::{Draw, PeoplePart};
use loss::SchemeLoss;
use plan::{PublicationScheme, SchemeJob};
use reader::PairExposure;
use results::MeasuredScheme;

/// Releases with groups and releases with noise, by what they lose and what they give away.
#[derive(Clone, Copy, Debug, Default)]
pub struct PrivacyUtility;

impl Experiment for PrivacyUtility {
    fn name(&self) -> &'static str {
        "privacy-utility"
    }

    fn about(&self) -> &'static str {
        "groups against noise: what is lost, and what two releases give away"
    }

    fn run(&self, setting: &Setting) -> Result<Outcome, Error> {
        let rows = match setting.extent {
            Extent::Full => 45_222,
            Extent::Quick => 20_000,
            Extent::Smoke => 800,
        };
        let data = PeopleRows::load(setting.data, rows, setting.seed)?.without_hierarchies();
        let plan = plan::plan(setting.extent);
        let mut drawn: Option<Draw> = None;
        let results = setting.each(&plan, |job| {
            if drawn.as_ref().is_none_or(|draw| draw.number != job.draw) {
                drawn = Some(Draw::new(&data, rows, setting.seed, job.draw)?);
            }
            measure(job, drawn.as_ref().expect("it was just drawn"), setting)
        })?;
        Ok(report::outcome(&data, rows.min(data.rows()), &results))
    }
}

/// Publishes both tables, compares the first with its release and attacks both.
fn measure(job: &SchemeJob, draw: &Draw, setting: &Setting) -> Result<MeasuredScheme, Error> {
    let found = match &job.scheme {
        PublicationScheme::Grouped(how) => {
            let table = |part| draw.table(part, how.insiders.m.0 > 0);
            let release = |part| grouped::publish(table(part), how, setting.cancel);
            match (release(PeoplePart::First)?, release(PeoplePart::Second)?) {
                (Some(first), Some(second)) => {
                    let exposure =
                        reader::of_groups(draw, [first.published(), second.published()], true)?;
                    Some((
                        loss::of_groups(&first, table(PeoplePart::First), setting)?,
                        exposure,
                    ))
                }
                _ => None,
            }
        }
        PublicationScheme::Noisy(how) => {
            let release = |part| noisy::publish(draw.table(part, false), how, setting.cancel);
            let (first, second) = (release(PeoplePart::First)?, release(PeoplePart::Second)?);
            let exposure = reader::of_noise(draw, [&first, &second])?;
            Some((
                loss::of_noise(&first, draw.table(PeoplePart::First, false), setting),
                exposure,
            ))
        }
    };
    let (loss, exposure): (Option<SchemeLoss>, Option<PairExposure>) = found.unzip();
    Ok(MeasuredScheme {
        job: job.clone(),
        loss,
        exposure,
    })
}
