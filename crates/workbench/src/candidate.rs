//! A candidate: what a policy would publish, measured and attacked before anybody sees it.

use super::plan::{Board, Loaded, milliseconds, stop_if};
use super::problem_view;
use mingle::failure;
use mingle::insiders;
use mingle::measure::Figures;
use mingle::promises;
use mingle::publish::{Beside, Planned, fragment, warnings};
use mingle_assess::attack::insider::{self, GroupAttack, Insider};
use mingle_assess::{balance, group_sizes, risk, utility};
use mingle_model::{Cube, ProviderId, Published};
use mingle_page::protocol::{
    BalanceView, Candidate, CoalitionView, ColumnCost, ExposureView, LabelledCount, QueryErrorView,
    RiskView, SizeBin, Stage,
};
use mingle_policy::Policy;
use mingle_privacy::Verified;
use mingle_record::Problem;
use mingle_record::ProblemCode;
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
    let pairs = stage == Stage::Final && published.rows() <= FEW_ENOUGH;
    let options = insider::InsiderOptions {
        up_to: u64::MAX,
        name_up_to: if pairs { 2 } else { 1 },
        named: NAMED,
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
        promises: verified
            .promises()
            .iter()
            .map(|p| promises::promise_text(p, published))
            .collect(),
        providers: providers(&loaded.original.table),
        warnings: warnings.iter().map(problem_view).collect(),
        rows: (published.rows() + published.suppressed()) as f64,
        suppressed: published.suppressed() as f64,
        groups: sizes.groups as f64,
        smallest: sizes.smallest as f64,
        sizes: sizes.bins.iter().map(size_bin).collect(),
        loss: loss.overall,
        loss_name: loss_name.to_owned(),
        columns: columns(published, loss),
        discernibility: figures.discernibility() as f64,
        query_error: query_error(figures.query_error()),
        risk: risk_view(&risk::risk(published)),
        balance: balance::balance(published, verified.promises())
            .iter()
            .map(balance_view)
            .collect(),
        exposure: played.exposure.iter().map(exposure_view).collect(),
        worst: worst(published, &played),
    };
    Ok(Made {
        view,
        loaded: loaded.clone(),
        cube,
        verified,
        groups: played.groups,
    })
}

fn query_error(error: &utility::QueryError) -> QueryErrorView {
    QueryErrorView {
        mean: error.mean,
        median: error.median,
        queries: error.queries as f64,
    }
}

fn size_bin(bin: &group_sizes::Bin) -> SizeBin {
    let (from, to, groups, rows) = (
        bin.from as f64,
        bin.to as f64,
        bin.groups as f64,
        bin.rows as f64,
    );
    SizeBin {
        from,
        to,
        groups,
        rows,
    }
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

fn risk_view(risk: &risk::Risk) -> RiskView {
    RiskView {
        prosecutor_highest: risk.prosecutor.highest,
        prosecutor_average: risk.prosecutor.average,
        journalist_highest: risk.journalist.highest,
        marketer: risk.marketer,
    }
}

fn balance_view(balance: &balance::Balance) -> BalanceView {
    BalanceView {
        column: balance.column.clone(),
        fewest_distinct: balance.fewest_distinct as f64,
        smallest_entropy_l: balance.smallest_entropy_l,
        largest_distance: balance.largest_distance,
        largest_share: balance.largest_share,
    }
}

fn exposure_view(exposure: &insider::ExposureToCoalitions) -> ExposureView {
    ExposureView {
        size: exposure.size as f64,
        groups: exposure.groups as f64,
        people: exposure.records as f64,
        undecided: exposure.undecided as f64,
        identity: exposure.identity as f64,
        exposed: exposure.exposed as f64,
    }
}

fn worst(published: &Published, played: &Insider) -> Vec<CoalitionView> {
    let name = |&id: &ProviderId| published.providers().name(id).to_owned();
    let all = played.worst.iter().flat_map(|worst| &worst.coalitions);
    let one = |c: &insider::worst::CoalitionGain| CoalitionView {
        providers: c.members.iter().map(name).collect(),
        groups: c.groups as f64,
        exposed: c.exposed as f64,
    };
    all.map(one).collect()
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
