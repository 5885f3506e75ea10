//! Whether a policy and new rows go with a release: whoever goes on with an agreement may not change
//! it.

use crate::failure;
use crate::insiders::names;
use crate::released::location;
use mingle_io::FileHash;
use mingle_model::{Kind, Published, Role, Table};
use mingle_policy::{DeclaredPeople, Policy};
use mingle_privacy::composition::Location;
use mingle_privacy::{Insiders, M};
use mingle_record::manifest::{ManifestColumn, PrivateManifest, PublicManifest};
use mingle_record::{Problem, ProblemCode};
use mingle_release::manifest::{ManifestMeaning, column_role, kind_of};
use mingle_release::promise_entry::entry_of;
use mingle_release::{InputFile, Release};
use std::path::Path;

const ANEW: &str = "publish all rows again; see MG0418";

/// The release that is gone on with. No `Debug`: it has cells.
pub(super) struct Earlier<'a> {
    /// What messages call it.
    pub name: String,
    /// The release.
    pub release: &'a Release,
    /// What is public about it.
    pub manifest: &'a PublicManifest,
    /// What is not.
    pub private: &'a PrivateManifest,
    /// Its rows as they are published.
    pub table: Table,
    /// Its groups, from its rows.
    pub published: Published,
    /// Its groups with who contributed what, from the audit, which adds up to the rows.
    pub audited: Published,
}

impl<'a> Earlier<'a> {
    /// Reads a release that was found whole, and refuses one that the policy is not that of.
    pub fn read(
        release: &'a Release,
        folder: &Path,
        policy: &Policy,
    ) -> Result<Earlier<'a>, Problem> {
        let name = folder.display().to_string();
        let unreadable = |e| failure::release(&e);
        let manifest = release.manifest().map_err(unreadable)?;
        refuse_form(&name, manifest)?;
        let private = release
            .private_manifest()
            .filter(|private| private.audit.is_some())
            .ok_or_else(|| no_private_part(&name))?;
        if let Some(document) = &private.policy
            && location(document) == Location::Nearest
        {
            return Err(cannot(&format!("{name} has centroids, which cover nobody")));
        }
        check_policy(&name, manifest, policy)?;
        let table = release.table().map_err(unreadable)?;
        let published = Published::from_table(&table);
        let audited = release.audited_groups(&published).map_err(unreadable)?;
        let audited = audited.ok_or_else(|| no_private_part(&name))?;
        Ok(Earlier {
            name,
            release,
            manifest,
            private,
            table,
            published,
            audited,
        })
    }

    /// The files that it was made from.
    pub fn inputs(&self) -> Vec<InputFile> {
        let mut files = Vec::new();
        for entry in &self.private.inputs {
            files.push(InputFile {
                name: entry.name.clone(),
                hash: FileHash {
                    sha256: entry.sha256.clone(),
                    bytes: entry.bytes,
                },
            });
        }
        files
    }
}

/// What can never be gone on with, seen from the policy alone.
pub(super) fn refuse_policy(policy: &Policy) -> Result<(), Problem> {
    policy.privacy()?;
    if policy.people_entry().is_some() || policy.separated().is_some() {
        let text = "the release does not say whose its rows are, so nobody can tell which of them belong to the \
                    people of the new rows";
        let hint = "publish all rows again, or bring one row for each person and write person = \"row\" in [data]";
        return Err(Problem::new(ProblemCode::PersonRefused, text, hint));
    }
    if policy.release.fragmented {
        return Err(cannot("the policy publishes fragments"));
    }
    if location(&policy.document) == Location::Nearest {
        return Err(cannot("the policy publishes centroids, which cover nobody"));
    }
    let history = match &policy.composition {
        None => None,
        Some(composition) if !composition.against.is_empty() => {
            let text = "the policy lays the release beside others (`against`), which takes the original of all rows";
            return Err(cannot(text));
        }
        Some(composition) => composition.history.as_ref(),
    };
    let unsaid = matches!(policy.data.people, DeclaredPeople::Unsaid);
    if unsaid && history.is_none() && policy.with_role(Role::Identifier).next().is_some() {
        let text = "nothing says whether people of the new rows are in the release already";
        let hint = "write person = \"row\" in [data] if each row is another person, or keep a history; see MG0419";
        return Err(Problem::new(ProblemCode::MayBeInBoth, text, hint));
    }
    Ok(())
}

fn refuse_form(name: &str, manifest: &PublicManifest) -> Result<(), Problem> {
    if manifest.fragmented {
        return Err(cannot(&format!("{name} is in fragments")));
    }
    if manifest.protocol.is_some() {
        return Err(cannot(&format!(
            "{name} was made by two sites, and neither has all rows"
        )));
    }
    if manifest.people.is_some() {
        let text = format!("{name} counts people, and does not say whose its rows are");
        let hint = "publish all rows again";
        return Err(Problem::new(ProblemCode::PersonRefused, text, hint));
    }
    Ok(())
}

/// Columns, promises and missing values must be those of the release; m is looked at once all
/// providers are known.
fn check_policy(name: &str, manifest: &PublicManifest, policy: &Policy) -> Result<(), Problem> {
    let mut declared = Vec::new();
    for column in &policy.columns {
        if column.spec.role.is_published() {
            declared.push((column.spec.name.as_str(), column_role(column.spec.role)));
        }
    }
    let mut published = Vec::new();
    for column in &manifest.columns {
        published.push((column.name.as_str(), column.role));
    }
    if declared != published {
        let of = |columns: &[(&str, _)]| names(columns.iter().map(|(name, _)| *name));
        let text = format!(
            "the policy publishes different columns than {name}, or in different roles or order: {} against {}",
            of(&declared),
            of(&published)
        );
        return Err(other_policy(&failure::printable(&text)));
    }
    let sensitive = manifest.sensitive();
    let mut promises = Vec::new();
    for promise in &policy.privacy()?.promises {
        promises.push(entry_of(promise, &sensitive));
    }
    if promises != manifest.promises {
        return Err(other_policy(&format!(
            "the policy and {name} promise different things"
        )));
    }
    if policy.data.missing.texts().first() != manifest.missing.as_ref() {
        return Err(other_policy(&format!(
            "the policy and {name} write missing values differently"
        )));
    }
    Ok(())
}

/// Whether the new rows are of the same kinds, and say whose they are if the release does.
pub(super) fn check_new_rows(earlier: &Earlier<'_>, table: &Table) -> Result<(), Problem> {
    for (declared, column) in earlier.manifest.columns.iter().zip(&table.columns) {
        if column.spec.role != Role::QuasiIdentifier {
            continue;
        }
        check_kind(earlier, declared, column.domain.kind())?;
        let hierarchy = column
            .spec
            .hierarchy
            .as_ref()
            .map(|source| source.describe());
        if hierarchy != declared.hierarchy {
            let text = format!(
                "column {:?} has a different hierarchy in the policy than in {}",
                declared.name, earlier.name
            );
            return Err(other_policy(&failure::printable(&text)));
        }
    }
    let sole = mingle_io::SOLE_PROVIDER;
    let before = earlier.audited.providers();
    if table.providers.id(sole).is_some() && before.id(sole).is_none() {
        let text = format!(
            "nothing says which provider of {} the new rows are of",
            earlier.name
        );
        let hint = "give each table with its provider's name, as in NAME=TABLE";
        return Err(Problem::new(ProblemCode::ProviderUnnamed, text, hint));
    }
    if before.id(sole).is_some() && table.providers.id(sole).is_none() {
        let text = format!(
            "the rows of {} have no provider, and the new rows have",
            earlier.name
        );
        return Err(cannot(&text));
    }
    Ok(())
}

fn check_kind(earlier: &Earlier<'_>, declared: &ManifestColumn, kind: Kind) -> Result<(), Problem> {
    let before = kind_of(declared.kind);
    let is_number = |kind| matches!(kind, Kind::Integer | Kind::Decimal);
    if before == kind || (is_number(before) && is_number(kind)) {
        return Ok(());
    }
    let text = format!(
        "column {:?} is of kind {} in {} and reads as {} in the new rows",
        declared.name,
        before.name(),
        earlier.name,
        kind.name()
    );
    let hint =
        "write kind = … for the column in the policy, and correct cells that are not of that kind";
    Err(Problem::new(
        ProblemCode::CannotApply,
        failure::printable(&text),
        hint,
    ))
}

/// Against whom the union is verified: exactly those whom the release withstands.
pub(super) fn insiders(
    policy: &Policy,
    earlier: &Earlier<'_>,
    contributors: u64,
) -> Result<Insiders, Problem> {
    let wanted = policy.insiders(contributors)?;
    let stated = earlier.manifest.insiders();
    if stated == Some(wanted) {
        return Ok(wanted);
    }
    let (M(m), before) = (wanted.m, earlier.manifest.m);
    if m > before {
        // ends of ranges were chosen for fewer insiders, and who attains them is not known here
        let text = format!(
            "with all providers the policy asks for m = {m}, and {} was made for m = {before}",
            earlier.name
        );
        let hint = format!(
            "publish all rows again, or write m = {before} in [privacy] if that is what was agreed"
        );
        return Err(Problem::new(ProblemCode::CannotApply, text, hint));
    }
    Err(other_policy(&format!(
        "the policy and {} differ in m, semantics or site_diversity",
        earlier.name
    )))
}

fn cannot(text: &str) -> Problem {
    Problem::new(ProblemCode::CannotApply, text, ANEW)
}

fn other_policy(text: &str) -> Problem {
    let hint = "name the policy that the release was made by; to promise something else, publish all rows again";
    Problem::new(ProblemCode::CannotApply, text, hint)
}

fn no_private_part(name: &str) -> Problem {
    let text = format!("{name}: there is no audit here, which says who contributed what");
    let hint =
        "name the release folder with its private part, not only the part that was handed out";
    Problem::new(ProblemCode::NoPrivatePart, text, hint)
}
