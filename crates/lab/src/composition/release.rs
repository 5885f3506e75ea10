//! One organisation's release: its people anonymized, verified, and who is in which group with
//! which values.

use super::people::CensusPeople;
use super::plan::{AnonymizationScheme, ReleasePromises};
use super::trees::Trees;
use crate::error::Error;
use mingle::sequence::Sequence;
use mingle_anonymize::{
    Against, Error as NoPartition, GroupRepresentative, Method, MethodOptions, Microaggregation,
    Mondrian, withstand,
};
use mingle_assess::utility::{Comparison, ncp};
use mingle_model::{Cube, Missing, Partition, Published, Table};
use mingle_privacy::composition::{self, CompositionLimits, Overlay};
use mingle_privacy::{Attribute, Distance, K, Promise, Ratio, Requirement, Rule, Verified};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// An organisation and the table it has: a subset of the people.
pub struct Publisher {
    people: usize,
    missing: Missing,
    plain: Table,
    along_hierarchies: Option<Table>,
}

/// A release and what is behind it.
pub struct AttackedRelease {
    /// Per person of the table the group, in the table's order.
    pub group_of: Vec<u32>,
    /// Normalized certainty penalty; centroids cover nothing, so there it would mean nothing.
    pub ncp: Option<f64>,
    verified: Verified,
    /// Per group how many people.
    sizes: Vec<u64>,
}

impl AttackedRelease {
    /// What everybody sees.
    pub fn published(&self) -> &Published {
        self.verified.published()
    }

    /// How many people are in a group.
    pub fn size(&self, group: u32) -> u64 {
        self.sizes[group as usize]
    }
}

impl Publisher {
    /// Somebody who has these people's rows and one sensitive column.
    pub fn new(people: &CensusPeople, rows: &[u32], sensitive: usize) -> Result<Publisher, Error> {
        let plain = people.table(rows, sensitive, false)?;
        let along_hierarchies = people
            .have_hierarchies()
            .then(|| people.table(rows, sensitive, true))
            .transpose()?;
        Ok(Publisher {
            people: rows.len(),
            missing: Missing::default(),
            plain,
            along_hierarchies,
        })
    }

    /// Anonymizes and verifies; `None` where no release can keep the promises. `first` is a release
    /// that is out already, for a scheme that looks at it.
    pub fn publish(
        &self,
        scheme: AnonymizationScheme,
        promised: ReleasePromises,
        first: Option<&AttackedRelease>,
        cancel: Option<&AtomicBool>,
    ) -> Result<Option<AttackedRelease>, Error> {
        let along = || {
            self.along_hierarchies
                .as_ref()
                .expect("the plan asks only where there are hierarchies")
        };
        let table = if scheme.needs_hierarchies() {
            along()
        } else {
            &self.plain
        };
        let cube = Cube::new(table.clone());
        let promises = promises(promised);
        let requirement = Requirement::bind(&promises, cube.sensitive(), &cube.combinations())?;
        let method = method(scheme);
        let sequence = Sequence::new(method.as_ref(), requirement, Arc::new(cube), &self.missing)
            .expect("the rows of a table that was made here can be numbered");
        let (cube, requirement) = (sequence.cube(), sequence.requirement());
        let options = MethodOptions {
            cancel,
            ..MethodOptions::default()
        };
        let mut partition = sequence.partition(&options);
        if let (AnonymizationScheme::Withstanding(fewest), Some(first), Ok(plan)) =
            (scheme, first, &partition)
        {
            partition = withstanding(cube, requirement, plan, first, fewest, &options)?;
        }
        let partition = match partition {
            Ok(partition) => partition,
            Err(NoPartition::Unsatisfiable | NoPartition::Exposed { .. }) => return Ok(None),
            Err(NoPartition::Cancelled) => return Err(Error::Cancelled),
            Err(_) => return Err(refused(scheme, promised)),
        };
        let mut release = self.verified(&sequence, &partition, || refused(scheme, promised))?;
        if scheme != AnonymizationScheme::Centroids {
            let comparison = Comparison::new(cube, &self.missing, release.verified.published())?;
            release.ncp = Some(ncp::loss(&comparison).overall);
        }
        Ok(Some(release))
    }

    fn verified(
        &self,
        sequence: &Sequence<'_>,
        partition: &Partition,
        refused: impl Fn() -> Error,
    ) -> Result<AttackedRelease, Error> {
        let published = sequence.render(partition).map_err(|_| refused())?;
        let verified = sequence.verify(published)?.into_verified();
        let verified = verified.map_err(|_| refused())?;
        let published = verified.published();
        let records = sequence
            .cube()
            .record_of_row()
            .expect("the table has a column to keep rows for");
        let group_of: Vec<u32> = records
            .iter()
            .map(|&record| published.group_of()[record as usize])
            .collect();
        if group_of.len() != self.people || group_of.contains(&Partition::SUPPRESSED) {
            return Err(refused());
        }
        let sizes = (0..published.groups())
            .map(|group| published.size(group))
            .collect();
        Ok(AttackedRelease {
            group_of,
            ncp: None,
            verified,
            sizes,
        })
    }
}

/// Changes a plan until its intersection with the first release leaves enough of everybody whom
/// that one leaves enough.
#[allow(clippy::too_many_arguments, reason = "older than the limit of five")]
fn withstanding(
    cube: &Arc<Cube>,
    requirement: &Requirement,
    plan: &Partition,
    first: &AttackedRelease,
    fewest: u64,
    options: &MethodOptions,
) -> Result<Result<Partition, NoPartition>, Error> {
    let missing = Missing::default();
    let people = composition::People {
        cube,
        missing: &missing,
        hierarchies: Vec::new(),
    };
    let mut overlay = Overlay::new(people, &cube.sensitive()[0].name);
    overlay.add(
        &composition::Reader::new("the first release"),
        first.published(),
    )?;
    let limits = CompositionLimits {
        min_posterior: Some(fewest),
        except_already_exposed: true,
        ..CompositionLimits::default()
    };
    let mut against = Against {
        overlays: &mut [overlay],
        limits,
        missing: &missing,
        also: &mut |_| Vec::new(),
    };
    Ok(withstand(cube, requirement, plan, &mut against, options))
}

fn method(scheme: AnonymizationScheme) -> Box<dyn Method> {
    match scheme {
        AnonymizationScheme::Mondrian
        | AnonymizationScheme::Hierarchies
        | AnonymizationScheme::Withstanding(_) => Box::new(Mondrian),
        AnonymizationScheme::Trees => Box::new(Trees),
        AnonymizationScheme::Microaggregation => Box::new(Microaggregation::default()),
        AnonymizationScheme::Centroids => Box::new(Microaggregation {
            output: GroupRepresentative::Centroid,
            ..Microaggregation::default()
        }),
    }
}

fn promises(promised: ReleasePromises) -> Vec<Promise> {
    let about = |rule: Rule| Promise {
        rule,
        attribute: Some(Attribute::Column(0)),
    };
    let ratio = |numerator, denominator| {
        Ratio::new(numerator, denominator).expect("the denominator is not zero")
    };
    let mut promises = vec![Promise {
        rule: Rule::k_anonymity(K(promised.k)),
        attribute: None,
    }];
    promises.extend(
        promised
            .l
            .map(|l| about(Rule::entropy_diversity(ratio(l, 1)))),
    );
    let close = |t| about(Rule::t_closeness(ratio(t, 100), Distance::Equal));
    promises.extend(promised.t.map(close));
    promises
}

fn refused(scheme: AnonymizationScheme, promised: ReleasePromises) -> Error {
    Error::Refused {
        cell: promised.to_string(),
        method: scheme.name(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeSet, HashMap};

    fn release(
        scheme: AnonymizationScheme,
        promised: ReleasePromises,
    ) -> (CensusPeople, Vec<u32>, Option<AttackedRelease>) {
        let people = CensusPeople::ipums_like(900, 2).unwrap();
        let rows: Vec<u32> = (0..900).step_by(2).collect();
        let publisher = Publisher::new(&people, &rows, 0).unwrap();
        let release = publisher.publish(scheme, promised, None, None).unwrap();
        (people, rows, release)
    }

    #[test]
    fn a_release_says_who_is_where() {
        for scheme in [
            AnonymizationScheme::Mondrian,
            AnonymizationScheme::Hierarchies,
            AnonymizationScheme::Trees,
            AnonymizationScheme::Microaggregation,
        ] {
            let (people, rows, release) = release(scheme, ReleasePromises::k(7));
            let release = release.unwrap();
            let mut members: HashMap<u32, Vec<u32>> = HashMap::new();
            release
                .group_of
                .iter()
                .zip(&rows)
                .for_each(|(&group, &row)| members.entry(group).or_default().push(row));
            assert_eq!(members.len(), release.published().groups());
            let column = &people.sensitive()[0];
            for (group, rows) in members {
                let text = |&row: &u32| column.domain.text(column.codes.get(row as usize));
                let values: BTreeSet<&str> = rows.iter().map(text).collect();
                let here = &release.published().sensitive()[0];
                let held = release.published().entries(group as usize).iter();
                let held: BTreeSet<&str> = held
                    .map(|entry| here.domain.text(here.codes.get(entry.sensitive as usize)))
                    .collect();
                assert!(rows.len() >= 7 && rows.len() as u64 == release.size(group));
                assert_eq!(held, values, "{}", scheme.name());
            }
            assert!(release.ncp.is_some_and(|ncp| (0.001..0.999).contains(&ncp)));
        }
    }

    #[test]
    fn stricter_promises_make_larger_groups_and_the_impossible_is_none() {
        let groups = |promised| {
            release(AnonymizationScheme::Mondrian, promised)
                .2
                .map(|release| release.published().groups())
        };
        let plain = groups(ReleasePromises::k(5)).unwrap();
        let diverse = groups(ReleasePromises {
            l: Some(4),
            ..ReleasePromises::k(5)
        })
        .unwrap();
        let close = groups(ReleasePromises {
            t: Some(30),
            ..ReleasePromises::k(5)
        })
        .unwrap();
        assert!(
            diverse < plain && close < plain,
            "{plain} {diverse} {close}"
        );
        assert_eq!(groups(ReleasePromises::k(451)), None);
        assert_eq!(
            groups(ReleasePromises {
                l: Some(200),
                ..ReleasePromises::k(5)
            }),
            None
        );
    }

    #[test]
    fn somebody_may_stop_it() {
        let people = CensusPeople::ipums_like(300, 2).unwrap();
        let publisher = Publisher::new(&people, &(0..300).collect::<Vec<_>>(), 0).unwrap();
        let stop = AtomicBool::new(true);
        for scheme in [AnonymizationScheme::Mondrian, AnonymizationScheme::Trees] {
            assert!(matches!(
                publisher.publish(scheme, ReleasePromises::k(2), None, Some(&stop)),
                Err(Error::Cancelled)
            ));
        }
    }
}
