//! How long it takes to decide whether a group withstands insiders: ours beside the searches of the
//! m-privacy paper.
//!
//! The cells of its Figures 6 to 8 (15 providers, groups of 150 and 750 rows, k = 50, l = 4, 14
//! sensitive values) on made-up groups, all in one run and on the same groups; then `exact` alone
//! where searches have no chance. Prints Markdown. Times include all preparation, from the counts
//! of a group to the decision.

use mingle_model::{
    Codes, Column, ColumnSpec, Entry, Kind, Missing, ProviderId, Role, SensitiveColumn,
};
use mingle_privacy::{
    Attribute, Decision, Distance, Effort, Insiders, K, L, M, Promise, Ratio, Requirement, Rule,
    Strategy, Tally,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::time::{Duration, Instant};

/// How often each value occurs, about as occupations do.
const FREQUENCIES: [u64; 14] = [
    1330, 1320, 1320, 1220, 1190, 1060, 650, 510, 450, 320, 300, 210, 50, 3,
];
/// Ours, then the searches.
const ALL: [Strategy; 6] = [
    Strategy::Exact,
    Strategy::Direct,
    Strategy::BottomUp,
    Strategy::TopDown,
    Strategy::Binary,
    Strategy::Adaptive,
];
/// Groups of a cell.
const GROUPS: usize = 20;
/// How often they are decided at most.
const ROUNDS: usize = 100;
/// A strategy that took longer in a cell is measured no further, if need be on fewer groups.
const PATIENCE: Duration = Duration::from_millis(200);

/// How rows are distributed over providers.
#[derive(Clone, Copy)]
enum Spread {
    Uniform,
    Exponential,
}

/// What a group is drawn from.
#[derive(Clone, Copy)]
struct Shape {
    spread: Spread,
    providers: usize,
    rows: usize,
}

/// What a strategy took in a cell, per group.
struct Cost {
    micros: f64,
    checks: f64,
}

/// Prints everything.
pub fn run() {
    let promises = k_and_l(50, 4);
    let spreads = [Spread::Uniform, Spread::Exponential];
    let mut worst = Worst::default();
    println!(
        "## Deciding a group: k = 50, 4 distinct of 14 values\n\nMicroseconds a group (checks a group)."
    );
    heading("Figure 6: coalitions, 15 providers", "m");
    for (spread, rows) in spreads
        .into_iter()
        .flat_map(|spread| [150, 750].map(|rows| (spread, rows)))
    {
        for m in 1..=14 {
            cell(
                &promises,
                Shape {
                    spread,
                    providers: 15,
                    rows,
                },
                m,
                m.to_string(),
                &mut worst,
            );
        }
    }
    heading("Figure 7: providers, m = 5", "providers");
    for (spread, rows) in spreads
        .into_iter()
        .flat_map(|spread| [150, 750].map(|rows| (spread, rows)))
    {
        for providers in [2, 4, 6, 8, 10, 12, 15, 20, 25] {
            cell(
                &promises,
                Shape {
                    spread,
                    providers,
                    rows,
                },
                5,
                providers.to_string(),
                &mut worst,
            );
        }
    }
    heading(
        "Figure 8: rows per provider, 15 providers, m = 5",
        "rows per provider",
    );
    for spread in spreads {
        for each in [2, 4, 6, 8, 10, 12, 15, 20, 30, 40, 50] {
            cell(
                &promises,
                Shape {
                    spread,
                    providers: 15,
                    rows: 15 * each,
                },
                5,
                each.to_string(),
                &mut worst,
            );
        }
    }
    println!("\n| the best search over exact | |\n|---|---|");
    println!(
        "| least of all cells | {:.2} ({}) |",
        worst.ratio, worst.place
    );
    println!(
        "| 15 providers, m = 5, 150 rows, uniform and exponential | {:.0}, {:.0} |",
        worst.named[0], worst.named[1]
    );
    alone();
}

/// The least ratio, where it was, and those of the cells that have a name.
struct Worst {
    ratio: f64,
    place: String,
    named: [f64; 2],
}

impl Default for Worst {
    fn default() -> Worst {
        Worst {
            ratio: f64::INFINITY,
            place: String::new(),
            named: [0.0; 2],
        }
    }
}

fn heading(title: &str, varied: &str) {
    let names: Vec<&str> = ALL[1..].iter().map(|s| s.name()).collect();
    println!(
        "\n### {title}\n\n| shares | rows | {varied} | breached | exact | {} | best over exact |",
        names.join(" | ")
    );
    println!("|---|---|---|---|---|{}---|", "---|".repeat(names.len()));
}

fn cell(promises: &[Promise], shape: Shape, m: u64, varied: String, worst: &mut Worst) {
    let requirement = requirement(promises, m);
    let groups = groups(&requirement, shape, GROUPS);
    let breached = groups
        .iter()
        .filter(|group| breaches(Strategy::Exact, &requirement, group, m))
        .count();
    let [exact, costs @ ..] = costs(ALL, &requirement, &groups, m);
    let best = costs
        .iter()
        .map(|cost| cost.micros)
        .fold(f64::INFINITY, f64::min);
    let ratio = best / exact.micros;
    let place = format!(
        "{} shares, {} rows, {} providers, m = {m}",
        shape.spread.name(),
        shape.rows,
        shape.providers
    );
    if shape.providers == 15 && shape.rows == 150 && m == 5 {
        worst.named[shape.spread as usize] = ratio;
    }
    if ratio < worst.ratio {
        (worst.ratio, worst.place) = (ratio, place);
    }
    let shown: Vec<String> = costs
        .iter()
        .map(|c| format!("{:.1} ({:.0})", c.micros, c.checks))
        .collect();
    println!(
        "| {} | {} | {varied} | {:.0} % | {:.2} | {} | {ratio:.1} |",
        shape.spread.name(),
        shape.rows,
        100.0 * breached as f64 / groups.len() as f64,
        exact.micros,
        shown.join(" | ")
    );
}

/// Where coalitions are too many to look at.
fn alone() {
    let column = Some(Attribute::Column(0));
    let half = Ratio::new(1, 2).expect("two is not zero");
    let tenth = Ratio::new(3, 10).expect("ten is not zero");
    let single = |rule: Rule| {
        vec![Promise {
            rule,
            attribute: column,
        }]
    };
    let kinds = [
        ("k = 50, 4 distinct", k_and_l(50, 4)),
        ("12 distinct", single(Rule::distinct_diversity(L(12)))),
        ("max frequency 0.5", single(Rule::max_frequency(half))),
        (
            "recursive c = 3, l = 3",
            single(Rule::recursive_diversity(Ratio::from(3), L(3))),
        ),
        (
            "entropy l = 3",
            single(Rule::entropy_diversity(Ratio::from(3))),
        ),
        (
            "t = 0.3, equal",
            single(Rule::t_closeness(tenth, Distance::Equal)),
        ),
        (
            "t = 0.3, ordered",
            single(Rule::t_closeness(tenth, Distance::Ordered)),
        ),
    ];
    println!(
        "\n### exact alone, 10 rows per provider or 2, milliseconds a group (breached, undecided)\n"
    );
    println!(
        "| promise | shares | 15, m = 5 | 100, m = 10 | 1,000, m = 50 | 1,000, m = 50, 2 rows each |\n|---|---|---|---|---|---|"
    );
    for (name, promises) in kinds {
        for spread in [Spread::Uniform, Spread::Exponential] {
            let at = |(providers, m, each): (usize, u64, usize)| {
                crowd(
                    &promises,
                    Shape {
                        spread,
                        providers,
                        rows: each * providers,
                    },
                    m,
                )
            };
            let shown = [(15, 5, 10), (100, 10, 10), (1_000, 50, 10), (1_000, 50, 2)].map(at);
            println!("| {name} | {} | {} |", spread.name(), shown.join(" | "));
        }
    }
}

fn crowd(promises: &[Promise], shape: Shape, m: u64) -> String {
    let requirement = requirement(promises, m);
    let groups = groups(&requirement, shape, 5);
    let [cost] = costs([Strategy::Exact], &requirement, &groups, m);
    let decide = |group| Strategy::Exact.decide(&requirement, group, M(m), &mut Effort::default());
    let decisions: Vec<Decision> = groups.iter().map(decide).collect();
    let millis = cost.micros / 1e3;
    let of = |wanted: fn(&Decision) -> bool| decisions.iter().filter(|d| wanted(d)).count();
    let breached = of(|d| matches!(d, Decision::Breach(..)));
    let undecided = of(|d| matches!(d, Decision::Undecided(_)));
    format!("{millis:.3} ({breached}, {undecided})")
}

fn breaches(strategy: Strategy, requirement: &Requirement, group: &Tally, m: u64) -> bool {
    matches!(
        strategy.decide(requirement, group, M(m), &mut Effort::default()),
        Decision::Breach(..)
    )
}

/// The quickest of some rounds over the groups, or over as many as patience allows. Strategies take
/// turns, so that whatever else the machine does hits all of them.
fn costs<const N: usize>(
    strategies: [Strategy; N],
    requirement: &Requirement,
    groups: &[Tally],
    m: u64,
) -> [Cost; N] {
    let mut costs = strategies.map(|_| Cost {
        micros: f64::INFINITY,
        checks: 0.0,
    });
    let mut spent = [Duration::ZERO; N];
    let mut done = [groups.len(); N];
    for _ in 0..ROUNDS {
        for (at, strategy) in strategies.into_iter().enumerate() {
            if spent[at] > PATIENCE {
                continue;
            }
            let mut effort = Effort::default();
            let start = Instant::now();
            let enough = |&group: &usize| {
                std::hint::black_box(strategy.decide(
                    requirement,
                    &groups[group],
                    M(m),
                    &mut effort,
                ));
                start.elapsed() > PATIENCE
            };
            done[at] = (0..done[at]).find(enough).map_or(done[at], |last| last + 1);
            let took = start.elapsed();
            spent[at] += took;
            costs[at].micros = costs[at]
                .micros
                .min(took.as_secs_f64() * 1e6 / done[at] as f64);
            costs[at].checks = effort.checks as f64 / done[at] as f64;
        }
    }
    costs
}

fn k_and_l(k: u64, l: u64) -> Vec<Promise> {
    let diverse = Promise {
        rule: Rule::distinct_diversity(L(l)),
        attribute: Some(Attribute::Column(0)),
    };
    vec![
        Promise {
            rule: Rule::k_anonymity(K(k)),
            attribute: None,
        },
        diverse,
    ]
}

fn requirement(promises: &[Promise], m: u64) -> Requirement {
    let texts: Vec<String> = (10..10 + FREQUENCIES.len())
        .map(|v| v.to_string())
        .collect();
    let spec = ColumnSpec {
        kind: Some(Kind::Integer),
        ..ColumnSpec::new("value", Role::Sensitive)
    };
    let column = Column::from_texts(spec, texts.iter().map(String::as_str), &Missing::default());
    let domain = column
        .unwrap_or_else(|_| panic!("whole numbers make a column"))
        .domain;
    let codes: Codes = (0..FREQUENCIES.len() as u32).collect();
    let sensitive = [SensitiveColumn {
        name: "value".into(),
        domain,
        codes,
    }];
    Requirement::bind(promises, &sensitive, &FREQUENCIES)
        .map(|requirement| requirement.against(Insiders::victim(M(m))))
        .expect("parameters are in range")
}

fn groups(requirement: &Requirement, shape: Shape, n: usize) -> Vec<Tally> {
    let mut rng = ChaCha8Rng::seed_from_u64(shape.rows as u64 * 1_000 + shape.providers as u64);
    (0..n)
        .map(|_| group(requirement, shape, &mut rng))
        .collect()
}

/// Every provider has a row; the others fall to providers by their weights.
fn group(requirement: &Requirement, shape: Shape, rng: &mut ChaCha8Rng) -> Tally {
    let weights: Vec<f64> = (0..shape.providers)
        .map(|_| match shape.spread {
            Spread::Uniform => 1.0,
            Spread::Exponential => -rng.random_range(f64::EPSILON..1.0f64).ln(),
        })
        .collect();
    let rows: Vec<Entry> = (0..shape.rows)
        .map(|row| {
            let provider = if row < shape.providers {
                row
            } else {
                pick(&weights, rng)
            };
            let sensitive = pick(&FREQUENCIES.map(|f| f as f64), rng) as u32;
            Entry {
                provider: ProviderId(provider as u32),
                sensitive,
                count: 1,
            }
        })
        .collect();
    requirement.tally(rows.iter().copied())
}

fn pick(weights: &[f64], rng: &mut ChaCha8Rng) -> usize {
    let mut at = rng.random_range(0.0..1.0) * weights.iter().sum::<f64>();
    let below = |weight: &f64| {
        at -= weight;
        at < 0.0
    };
    weights.iter().position(below).unwrap_or(weights.len() - 1)
}

impl Spread {
    fn name(self) -> &'static str {
        match self {
            Spread::Uniform => "uniform",
            Spread::Exponential => "exponential",
        }
    }
}
