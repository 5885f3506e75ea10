//! Measuring one setting: the same groups for every strategy, and the same verdict from each.

use super::plan::VerificationCell;
use super::{ALPHA, K, L, STRATEGIES};
use crate::data::PeopleRows;
use crate::error::Error;
use crate::stopwatch::{Patience, median_seconds};
use crate::{Extent, Setting};
use mingle_model::{Cube, Record};
use mingle_privacy::{
    Attribute, Decision, Effort, Insiders, M, Promise, Requirement, Rule, Strategy, Tally,
};
use std::time::Duration;

/// What a setting cost.
pub struct MeasuredVerification {
    /// The setting.
    pub cell: VerificationCell,
    /// Fitness of a provider's records, on average over providers and groups.
    pub fitness: f64,
    /// How many groups withstand m insiders.
    pub private: usize,
    /// Per strategy, unless it was given up.
    pub costs: Vec<Option<Cost>>,
}

/// What a strategy needed for a group: medians over the groups.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// Time.
    pub microseconds: f64,
    /// Checks of constraints.
    pub checks: f64,
}

/// How long to measure.
#[derive(Clone, Copy)]
pub struct Rules {
    /// Groups per setting.
    pub draws: u64,
    /// How often a decision is repeated.
    pub patience: Patience,
    /// A strategy that took so many seconds for a decision, or gave none, is not asked again for
    /// more providers.
    pub cap: f64,
}

impl Rules {
    fn of(extent: Extent) -> Rules {
        let (draws, samples, budget, cap) = match extent {
            Extent::Full => (7, 51, 100, 2.0),
            Extent::Quick => (3, 11, 10, 0.05),
            Extent::Smoke => (1, 1, 1, 0.05),
        };
        Rules {
            draws,
            patience: Patience {
                samples,
                budget: Duration::from_millis(budget),
            },
            cap,
        }
    }
}

pub struct VerificationRunner<'a> {
    data: &'a PeopleRows,
    seed: u64,
    rules: Rules,
    /// A setting and a strategy that took too long or stopped at a limit in it.
    given_up: Vec<(VerificationCell, Strategy)>,
}

impl<'a> VerificationRunner<'a> {
    pub fn new(data: &'a PeopleRows, setting: &Setting) -> VerificationRunner<'a> {
        VerificationRunner {
            data,
            seed: setting.seed,
            rules: Rules::of(setting.extent),
            given_up: Vec::new(),
        }
    }

    pub fn rules(&self) -> Rules {
        self.rules
    }

    pub fn measure(&mut self, cell: VerificationCell) -> Result<MeasuredVerification, Error> {
        let groups: Vec<Group> = (0..self.rules.draws)
            .map(|draw| self.draw(cell, draw))
            .collect::<Result<_, _>>()?;
        let mut verdicts: Vec<Option<(bool, Strategy)>> = vec![None; groups.len()];
        let mut costs = Vec::new();
        for strategy in STRATEGIES {
            costs.push(if self.is_hopeless(cell, strategy) {
                None
            } else {
                self.ask(cell, strategy, &groups, &mut verdicts)?
            });
        }
        Ok(MeasuredVerification {
            cell,
            fitness: groups.iter().map(|g| g.fitness).sum::<f64>() / groups.len() as f64,
            private: verdicts
                .iter()
                .flatten()
                .filter(|verdict| verdict.0)
                .count(),
            costs,
        })
    }

    /// A random group of this kind.
    fn draw(&self, cell: VerificationCell, draw: u64) -> Result<Group, Error> {
        let table = self.data.dealt(
            cell.records,
            cell.providers,
            cell.distribution,
            self.seed,
            draw,
        )?;
        let cube = Cube::new(table);
        let diversity = Promise {
            rule: Rule::distinct_diversity(mingle_privacy::L(L)),
            attribute: Some(Attribute::Column(0)),
        };
        let promises = [
            Promise {
                rule: Rule::k_anonymity(mingle_privacy::K(K)),
                attribute: None,
            },
            diversity,
        ];
        let requirement = Requirement::bind(&promises, cube.sensitive(), &cube.combinations())?;
        let requirement = requirement.against(Insiders::victim(cell.m));
        let tally = requirement.tally(cube.records().iter().map(Record::entry));
        let of = |provider: u32| {
            let own = cube.records().iter().filter(|r| r.provider.0 == provider);
            requirement.fitness(&requirement.tally(own.map(Record::entry)), ALPHA)
        };
        let fitness = (0..cell.providers).map(of).sum::<f64>() / f64::from(cell.providers);
        Ok(Group {
            requirement,
            tally,
            fitness,
        })
    }

    /// Lets a strategy decide the groups; its verdicts must be those of the others. `None` where a
    /// search stopped at a limit of its own, which exact must never do.
    fn ask(
        &mut self,
        cell: VerificationCell,
        strategy: Strategy,
        groups: &[Group],
        verdicts: &mut [Option<(bool, Strategy)>],
    ) -> Result<Option<Cost>, Error> {
        let (mut seconds, mut checks) = (Vec::new(), Vec::new());
        for (group, verdict) in groups.iter().zip(verdicts) {
            let ((decision, effort), median) = median_seconds(self.rules.patience, || {
                let mut effort = Effort::default();
                (
                    strategy.decide(&group.requirement, &group.tally, cell.m, &mut effort),
                    effort,
                )
            });
            let holds = match decision {
                Decision::Holds => true,
                Decision::Breach(..) => false,
                Decision::Undecided(_) if strategy == Strategy::Exact => {
                    return Err(undecided(cell, strategy));
                }
                Decision::Undecided(_) => {
                    self.given_up.push((cell, strategy));
                    return Ok(None);
                }
            };
            let (expected, other) = *verdict.get_or_insert((holds, strategy));
            if holds != expected {
                return Err(disagreement(cell, strategy, other));
            }
            seconds.push(median);
            checks.push(effort.checks as f64);
            if median > self.rules.cap {
                self.given_up.push((cell, strategy));
                break;
            }
        }
        Ok(Some(Cost {
            microseconds: middle(seconds) * 1e6,
            checks: middle(checks),
        }))
    }

    /// Whether the strategy took too long for fewer providers of the same curve.
    fn is_hopeless(&self, cell: VerificationCell, strategy: Strategy) -> bool {
        let same_curve = |other: &VerificationCell| {
            VerificationCell {
                providers: cell.providers,
                ..*other
            } == cell
        };
        let harder =
            |other: &VerificationCell| other.providers < cell.providers && same_curve(other);
        self.given_up
            .iter()
            .any(|(other, who)| *who == strategy && harder(other))
    }
}

/// Records of several providers, counted.
struct Group {
    requirement: Requirement,
    tally: Tally,
    fitness: f64,
}

fn middle(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[(values.len() - 1) / 2]
}

fn disagreement(cell: VerificationCell, one: Strategy, other: Strategy) -> Error {
    Error::Disagreement {
        cell: described(cell),
        one: one.name().into(),
        other: other.name().into(),
    }
}

fn undecided(cell: VerificationCell, strategy: Strategy) -> Error {
    Error::Undecided {
        cell: described(cell),
        strategy: strategy.name(),
    }
}

fn described(cell: VerificationCell) -> String {
    let VerificationCell {
        figure,
        distribution,
        records,
        providers,
        m: M(m),
    } = cell;
    format!(
        "figure {figure}, {records} records of {providers} providers, {} shares, m = {m}",
        distribution.name()
    )
}
