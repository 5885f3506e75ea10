//! The tables of a release with groups, read once: what is seen in them, and what their audit says.
//!
//! Groups of fragments are told apart by their number, as they are verified: to a reader who sees
//! two with the same labels, they are larger. Cost: one reading of the tables, and one of the audit
//! where that is asked for.

use super::{columns, finding_of};
use crate::error::Error;
use mingle_assess::balance;
use mingle_assess::group_sizes::group_sizes;
use mingle_assess::risk::risk;
use mingle_model::{Fragments, Published};
use mingle_privacy::{Attribute, Insiders, Promise, Reach, verify, verify_fragments};
use mingle_record::answer::{ShownColumn, ShownFinding, ShownGroups};
use mingle_record::manifest::PublicManifest;
use mingle_release::Release;
use mingle_release::manifest::ManifestMeaning;

/// The published rows.
pub(super) enum Tables {
    /// Of one table.
    One {
        columns: Vec<ShownColumn>,
        published: Box<Published>,
    },
    /// Of several that only the group's number joins.
    Several(Fragments),
}

/// What was seen in them.
pub(super) struct Seen {
    pub(super) columns: Vec<ShownColumn>,
    pub(super) groups: ShownGroups,
    /// What was found of each promise.
    pub(super) verdicts: Vec<ShownFinding>,
}

impl Tables {
    pub(super) fn read(release: &Release) -> Result<Tables, Error> {
        if let Some(fragments) = release.fragments()? {
            return Ok(Tables::Several(fragments));
        }
        let table = release.table()?;
        let columns = columns::of_table(release.manifest()?, &table);
        Ok(Tables::One {
            columns,
            published: Box::new(Published::from_table(&table)),
        })
    }

    /// The groups with who contributed what, where an audit says that and belongs to these rows.
    pub(super) fn audited(&self, release: &Release) -> Result<Option<Published>, Error> {
        Ok(match self {
            Tables::One { published, .. } => release.audited_groups(published)?,
            Tables::Several(fragments) => release.audited_fragments(fragments)?,
        })
    }

    pub(super) fn seen(self, manifest: &PublicManifest) -> Result<Seen, Error> {
        // a release whose promises are not understood does not open
        let promises = manifest.promises().unwrap_or_default();
        match self {
            Tables::One { columns, published } => {
                let mut seen = Seen::one(columns, *published, &promises)?;
                if manifest.people.is_some() {
                    seen.of_unknown_people();
                }
                Ok(seen)
            }
            Tables::Several(fragments) => Seen::several(manifest, fragments, &promises),
        }
    }
}

impl Seen {
    /// People may have several rows, and nothing public says who has which. What fails for rows fails
    /// for people; all else is only stated, and so is how easily somebody is named.
    fn of_unknown_people(&mut self) {
        self.groups.risk = None;
        for verdict in &mut self.verdicts {
            if *verdict == ShownFinding::Holds {
                *verdict = ShownFinding::Stated;
            }
        }
    }

    fn one(
        columns: Vec<ShownColumn>,
        published: Published,
        promises: &[Promise],
    ) -> Result<Seen, Error> {
        let groups = ShownGroups {
            sizes: group_sizes(&published),
            risk: Some(risk(&published)),
            balance: balance::balance(&published, promises),
        };
        let verification = verify(published, promises, Insiders::NONE, Reach::Stated)?;
        let verdicts = verification.verdicts().iter().map(finding_of).collect();
        Ok(Seen {
            columns,
            groups,
            verdicts,
        })
    }

    fn several(
        manifest: &PublicManifest,
        fragments: Fragments,
        promises: &[Promise],
    ) -> Result<Seen, Error> {
        let published = fragments.published(None);
        let columns = columns::of_fragments(manifest, &fragments);
        let balance =
            |a: usize| balance::of_attribute(&fragments.published(Some(a)), 0, promises, a);
        let groups = ShownGroups {
            sizes: group_sizes(&published),
            risk: Some(risk(&published)),
            balance: (0..fragments.sensitive().len()).map(balance).collect(),
        };
        let linked = |p: &&Promise| p.attribute == Some(Attribute::Joint);
        let single: Vec<Promise> = promises.iter().filter(|p| !linked(p)).copied().collect();
        let mut found: Vec<ShownFinding> = Vec::new();
        if !single.is_empty() {
            found = verify_fragments(fragments, &single)?
                .verdicts()
                .iter()
                .map(finding_of)
                .collect();
        }
        let mut found = found.into_iter();
        let verdicts = promises
            .iter()
            // what is promised of attributes together, only the linked table could show
            .map(|p| if linked(&p) { None } else { found.next() }.unwrap_or(ShownFinding::Stated))
            .collect();
        Ok(Seen {
            columns,
            groups,
            verdicts,
        })
    }
}
