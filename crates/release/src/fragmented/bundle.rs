//! A fragmented release of a table that one house holds: from what was verified to a bundle.

use super::{tables, write};
use crate::audit::Key;
use crate::bundle::{Bundle, GroupedBundle, GroupedManifests};
use crate::error::Error;
use crate::facts::Facts;
use crate::grouped::{audit_part, manifests, rows_behind};
use crate::provider_in_data;
use mingle_model::{FragmentGroup, Fragments, Role};
use mingle_privacy::{Attribute, Promise, Verified, VerifiedFragments};

impl<'a> Bundle<'a, GroupedManifests> {
    /// A release of what was verified, linked and in fragments.
    ///
    /// `verified` says what holds against the stated insiders, and of attributes together;
    /// `fragments`, taken from the same publication, what holds for the reader of the tables. The
    /// private audit keeps what was linked, by gid.
    pub fn fragmented(
        verified: &'a Verified,
        fragments: &'a VerifiedFragments,
        facts: &Facts,
    ) -> Result<GroupedBundle<'a>, Error> {
        let published = verified.published();
        let rendered = rows_behind(published)?;
        if let Some(column) = rendered.table().with_role(Role::Insensitive).next() {
            return Err(Error::Insensitive {
                column: column.spec.name.clone(),
            });
        }
        if published.people().is_some() {
            return Err(Error::PeopleInFragments);
        }
        let expected = Fragments::from_published(published)?;
        check_same(&expected, fragments.fragments(), verified)?;
        check_promises(verified.promises(), fragments.promises())?;
        provider_in_data::refuse(published, rendered)?;
        let mut manifests = manifests(verified, rendered, facts, Key::Gid)?;
        let public = &mut manifests.public;
        public.tables = tables(&public.columns, public.format.name());
        let layout = write::Layout {
            columns: public.columns.clone(),
            missing: public.missing.clone(),
            format: facts.format,
        };
        Ok(Bundle {
            tables: write::parts(fragments.fragments(), &layout, &public.tables)?,
            audit: Some(audit_part(published, Key::Gid)),
            manifests,
            reports: facts.reports,
            needs_reports: true,
        })
    }
}

/// The fragments are those of the linked publication, and their numbers the places of its groups:
/// the audit relies on it.
fn check_same(expected: &Fragments, found: &Fragments, verified: &Verified) -> Result<(), Error> {
    let published = verified.published();
    let same = |(a, b): (&FragmentGroup, &FragmentGroup)| {
        (&a.labels, a.size, &a.values) == (&b.labels, b.size, &b.values)
    };
    let domains = expected.sensitive().iter().zip(found.sensitive());
    let in_place = |(g, group): (usize, &FragmentGroup)| {
        published
            .describe(g)
            .map(|(_, label)| label)
            .eq(group.labels.iter().map(String::as_str))
    };
    let belongs = expected.quasi_identifiers() == found.quasi_identifiers()
        && expected.sensitive().len() == found.sensitive().len()
        && domains
            .into_iter()
            .all(|(a, b)| a.name == b.name && a.domain == b.domain)
        && expected.groups().len() == found.groups().len()
        && expected.groups().iter().zip(found.groups()).all(same)
        && found.groups().iter().enumerate().all(in_place);
    if belongs {
        Ok(())
    } else {
        Err(Error::OtherTable)
    }
}

/// Of fragments holds what was promised, but for attributes together, which only the linked table
/// can show.
fn check_promises(linked: &[Promise], fragments: &[Promise]) -> Result<(), Error> {
    let single = linked
        .iter()
        .filter(|p| p.attribute != Some(Attribute::Joint));
    if single.eq(fragments) {
        Ok(())
    } else {
        Err(Error::OtherTable)
    }
}
