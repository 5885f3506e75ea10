//! A release in groups: made, and verified from what it publishes.

use super::plan::{Grouped, PublicationScheme};
use crate::error::Error;
use mingle::sequence::{NotMade, Sequence};
use mingle_anonymize::{Error as NoPartition, MethodOptions};
use mingle_model::{Cube, Missing, Published, Table};
use mingle_privacy::{Attribute, Distance, K, Promise, Ratio, Requirement, Rule, Verified};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A release and what it was made from.
pub struct GroupedRelease {
    /// The table.
    pub original: Arc<Cube>,
    verified: Verified,
}

impl GroupedRelease {
    /// What everybody sees.
    pub fn published(&self) -> &Published {
        self.verified.published()
    }
}

/// Makes and verifies a release; `None` where none can keep the promise.
pub fn publish(
    table: &Table,
    how: &Grouped,
    cancel: Option<&AtomicBool>,
) -> Result<Option<GroupedRelease>, Error> {
    let original = Cube::new(table.clone());
    let promises = promises(how);
    let requirement = Requirement::bind(&promises, original.sensitive(), &original.combinations())?;
    let requirement = requirement.against(how.insiders);
    let method = mingle_anonymize::method(how.method).expect("the plan names methods that exist");
    let missing = Missing::default();
    let sequence = Sequence::new(method.as_ref(), requirement, Arc::new(original), &missing)
        .expect("the rows of a table that was made here can be numbered");
    let options = MethodOptions {
        cancel,
        ..MethodOptions::default()
    };
    match sequence.make(&options) {
        Ok(verified) => Ok(Some(GroupedRelease {
            original: sequence.into_cube(),
            verified,
        })),
        Err(NotMade::NoPartition(NoPartition::Unsatisfiable)) => Ok(None),
        Err(NotMade::NoPartition(NoPartition::Cancelled)) => Err(Error::Cancelled),
        Err(NotMade::Unverifiable(error)) => Err(error.into()),
        Err(_) => Err(refused(how)),
    }
}

fn promises(how: &Grouped) -> Vec<Promise> {
    let mut promises = vec![Promise {
        rule: Rule::k_anonymity(K(how.k)),
        attribute: None,
    }];
    promises.extend(how.t.map(|t| {
        let max = Ratio::new(t, 100).expect("the denominator is not zero");
        let rule = Rule::t_closeness(max, Distance::Equal);
        Promise {
            rule,
            attribute: Some(Attribute::Column(0)),
        }
    }));
    promises
}

fn refused(how: &Grouped) -> Error {
    Error::Refused {
        cell: PublicationScheme::Grouped(*how).setting(),
        method: how.method,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::PeopleRows;
    use mingle_privacy::{Insiders, M};
    use mingle_synth::Distribution;

    fn table() -> Table {
        PeopleRows::load(None, 600, 1)
            .unwrap()
            .dealt(600, 5, Distribution::Uniform, 0, 0)
            .unwrap()
    }

    #[test]
    fn stricter_promises_make_fewer_groups_and_the_impossible_is_none() {
        let table = table();
        let groups = |k, t, m| {
            let how = Grouped {
                method: "mondrian",
                k,
                t,
                insiders: Insiders::victim(M(m)),
            };
            publish(&table, &how, None)
                .unwrap()
                .map(|release| release.published().groups())
        };
        let plain = groups(5, None, 0).unwrap();
        assert!(groups(50, None, 0).unwrap() < plain);
        assert!(groups(5, Some(30), 0).unwrap() < plain);
        assert!(groups(5, None, 1).unwrap() < plain);
        assert_eq!(groups(601, None, 0), None);
    }

    #[test]
    fn somebody_may_stop_it() {
        let stop = AtomicBool::new(true);
        let how = Grouped {
            method: "mondrian",
            k: 2,
            t: None,
            insiders: Insiders::victim(M(0)),
        };
        assert!(matches!(
            publish(&table(), &how, Some(&stop)),
            Err(Error::Cancelled)
        ));
    }
}
