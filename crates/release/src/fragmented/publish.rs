//! A fragmented release of a table that one house holds.

use super::{tables, write};
use crate::audit::Key;
use crate::data::stop_if;
use crate::error::Error;
use crate::facts::Facts;
use crate::manifest::PublicManifest;
use crate::provider_in_data;
use crate::publish::{Announce, Receipt, Source, Target, finish, public_manifest};
use crate::staging::Staging;
use mingle_model::{FragmentGroup, Fragments, Role};
use mingle_privacy::{Attribute, Promise, Verified, VerifiedFragments};

/// Writes a fragmented release of what was verified, linked and in fragments.
///
/// `verified` says what holds against the stated insiders, and of attributes together; `fragments`,
/// taken from the same publication, what holds for the reader of the tables. The private audit
/// keeps what was linked, by gid. Errors are as in [`publish`](crate::publish).
pub fn publish_fragmented(
    verified: &Verified,
    fragments: &VerifiedFragments,
    facts: &Facts,
    target: Target<'_>,
) -> Result<Receipt, Error> {
    publish_fragmented_announced(verified, fragments, facts, target, &mut |_| Ok(()))
}

/// [`publish_fragmented`] for a caller who must have written down that the release is there before
/// it is.
pub fn publish_fragmented_announced(
    verified: &Verified,
    fragments: &VerifiedFragments,
    facts: &Facts,
    target: Target<'_>,
    announce: Announce<'_>,
) -> Result<Receipt, Error> {
    let source = Source::new(verified, facts)?;
    let published = verified.published();
    if let Some(column) = source.table().with_role(Role::Insensitive).next() {
        return Err(Error::Insensitive {
            column: column.spec.name.clone(),
        });
    }
    check_same(
        &Fragments::from_published(published)?,
        fragments.fragments(),
        verified,
    )?;
    check_promises(verified.promises(), fragments.promises())?;
    provider_in_data::refuse(published, source.rendered)?;
    let staging = Staging::new(target.folder, target.force)?;
    stop_if(target.cancelled)?;

    let manifest = public_manifest(&source);
    let tables = tables(&manifest.columns, &manifest.format);
    let layout = write::Layout {
        columns: &manifest.columns,
        missing: manifest.missing.as_deref(),
        format: facts.format,
    };
    let files = write::write(
        &staging,
        fragments.fragments(),
        &layout,
        &tables,
        target.cancelled,
    )?;
    let public = PublicManifest {
        fragmented: true,
        tables,
        files,
        ..manifest
    };
    finish(staging, public, Key::Gid, &source, target, announce)
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
