//! A candidate: what a policy would publish, measured and attacked before anybody sees it.

use super::plan::{Board, Loaded, milliseconds, stop_if};
use super::problem_view;
use mingle::failure;
use mingle::insiders;
use mingle::measure::Figures;
use mingle::promises;
use mingle::publish::{Beside, Planned, fragment, little_left, warnings};
use mingle_assess::attack::insider::{self, GroupAttack, Insider};
use mingle_assess::{balance, group_sizes, risk, utility};
use mingle_model::{Cube, ProviderId, Published};
use mingle_page::protocol::{Candidate, ColumnCost, LabelledCount, Stage};
use mingle_policy::Policy;
use mingle_privacy::{Insiders, Knows, Verified};
use mingle_record::answer::{ShownCoalition, ShownExposureOfSize};
use mingle_record::{Problem, ProblemCode, StatedPromise};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// How many of the worst coalitions of a size are named.
const NAMED: usize = 3;

/// Up to this many rows a final candidate names pairs: searching them costs more than anything else
/// here.
const FEW_ENOUGH: u64 = 200_000;

/// A candidate with what questions about it need.
pub struct Made {
    /// As the page shows it.
    pub view: Candidate,
    /// The tables.
    pub loaded: Arc<Loaded>,
    /// What it is made from.
    pub cube: Arc<Cube>,
    /// What would be published.
    pub verified: Verified,
    /// What it takes to attack each group.
    pub groups: Vec<GroupAttack>,
    /// What insiders know of people who have several rows.
    pub knows: Knows,
}

/// Plans, measures and attacks.
pub fn make(
    policy: &Policy,
    loaded: &Arc<Loaded>,
    (id, stage): (&str, Stage),
    board: &Board,
    cancel: &Arc<AtomicBool>,
) -> Result<Made, Problem> {
    let started = Instant::now();
    let insiders = policy.insiders(loaded.contributors)?;
    insiders::check_sites(insiders, loaded.contributors)?;
    let mut warnings = warnings::of(policy, &loaded.original, &loaded.cube, insiders);
    warnings.extend(without_history(policy));
    board.step("anonymizing", policy.method.name);
    let beside = Beside::open_others(policy)?;
    let planned = mingle::publish::make(
        policy,
        insiders,
        loaded.cube.clone(),
        beside.as_ref(),
        &board.run(cancel),
    )?;
    stop_if(cancel)?;
    let Planned { cube, verified, .. } = planned;
    if policy.release.fragmented {
        fragment(policy, &verified)?;
    }
    board.step("measuring", policy.method.name);
    let published = verified.published();
    let figures = Figures::take(policy, &cube, published, policy.method.output)?;
    warnings.extend(little_left::warning(&figures, published));
    let pairs = stage == Stage::Final && published.rows() <= FEW_ENOUGH;
    let options = insider::InsiderOptions {
        up_to: u64::MAX,
        name_up_to: if pairs { 2 } else { 1 },
        named: NAMED,
        knows: insiders.knows,
    };
    let played =
        insider::play(published, verified.promises(), options).map_err(|e| failure::privacy(&e))?;
    stop_if(cancel)?;
    let sizes = group_sizes::group_sizes(published);
    let (loss_name, loss) = figures.loss();
    let view = Candidate {
        id: id.to_owned(),
        stage,
        method: policy.method.name.to_owned(),
        milliseconds: milliseconds(started),
        m: insiders.m.0 as f64,
        k: policy.k() as f64,
        against: insiders::in_words(insiders, loaded.contributors),
        promises: stated(&verified, insiders),
        providers: providers(&loaded.original.table),
        warnings: warnings.iter().map(problem_view).collect(),
        rows: (published.rows() + published.suppressed()) as f64,
        suppressed: published.suppressed() as f64,
        people: people(published) as f64,
        groups: sizes.groups as f64,
        smallest: sizes.smallest as f64,
        sizes: sizes.bins,
        loss: loss.overall,
        loss_name,
        columns: columns(published, loss),
        discernibility: figures.discernibility() as f64,
        query_error: *figures.query_error(),
        risk: risk::risk(published),
        balance: balance::balance(published, verified.promises()),
        exposure: exposure(&played),
        worst: worst(published, &played),
    };
    Ok(Made {
        view,
        loaded: loaded.clone(),
        cube,
        verified,
        groups: played.groups,
        knows: insiders.knows,
    })
}

/// The people of all groups; whoever is in several counts in each.
fn people(published: &Published) -> u64 {
    (0..published.groups())
        .map(|group| published.people_of(group))
        .sum()
}

fn stated(verified: &Verified, insiders: Insiders) -> Vec<StatedPromise> {
    let mut stated = Vec::new();
    for promise in verified.promises() {
        stated.push(promises::stated_promise(promise, verified.published()));
    }
    stated.extend(promises::stated_site_diversity(insiders));
    stated
}

fn columns(published: &Published, loss: &utility::Loss) -> Vec<ColumnCost> {
    let column = |c: &mingle_model::PublishedColumn| ColumnCost {
        column: c.name.clone(),
        loss: loss
            .columns
            .iter()
            .find(|l| l.column == c.name)
            .map_or(0.0, |l| l.loss),
        labels: c.labels.len() as f64,
    };
    published.columns().iter().map(column).collect()
}

fn exposure(played: &Insider) -> Vec<ShownExposureOfSize> {
    let mut sizes = Vec::with_capacity(played.exposure.len());
    for exposure in &played.exposure {
        sizes.push(ShownExposureOfSize {
            size: exposure.size,
            groups: exposure.groups,
            undecided: exposure.undecided,
            people: exposure.records,
            identity: exposure.identity,
            attribute: exposure.attribute.clone(),
            exposed: exposure.exposed,
        });
    }
    sizes
}

fn worst(published: &Published, played: &Insider) -> Vec<ShownCoalition> {
    let mut coalitions = Vec::new();
    for worst in &played.worst {
        for coalition in &worst.coalitions {
            let name = |&id: &ProviderId| published.providers().name(id).to_owned();
            coalitions.push(ShownCoalition {
                members: coalition.members.iter().map(name).collect(),
                groups: coalition.groups,
                exposed: coalition.exposed,
                exact: worst.exact,
            });
        }
    }
    coalitions
}

fn providers(table: &mingle_model::Table) -> Vec<LabelledCount> {
    let rows = table.rows_by_provider();
    let bar = |(id, rows): (u32, u64)| LabelledCount {
        label: table.providers.name(ProviderId(id)).to_owned(),
        count: rows as f64,
    };
    (0..).zip(rows).map(bar).collect()
}

fn without_history(policy: &Policy) -> Option<Problem> {
    policy.composition.as_ref()?.history.as_ref()?;
    let text = "earlier versions in the history are not looked at here";
    Some(Problem::new(
        ProblemCode::HistoryLater,
        text,
        "publishing lays the candidate beside them, and may refuse it",
    ))
}
