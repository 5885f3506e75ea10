//! Proposing roles: from the words of a column's name first, from its counts otherwise.
//!
//! In doubt the safer role is proposed: what may be known to others is generalized, what may name a
//! person dropped.

use super::hierarchy::FoundHierarchy;
use super::profile::Profile;
use mingle_model::{Kind, Role};

/// What is proposed for a column, and why.
pub struct ColumnProposal {
    /// The role.
    pub role: Role,
    /// Why this role.
    pub reason: String,
    /// The kind, where the inferred one would be wrong.
    pub kind: Option<Kind>,
    /// How its values generalize.
    pub hierarchy: Option<HierarchyProposal>,
}

/// How values generalize.
pub enum HierarchyProposal {
    /// The file that was found.
    File,
    /// The last characters hidden one by one.
    Mask(usize),
    /// Months, quarters, years, decades.
    Dates,
}

/// A whole policy.
pub struct Proposal {
    /// The column that names the provider, by its place; it gets no section.
    pub provider_column: Option<usize>,
    /// How many providers there are.
    pub providers: usize,
    /// One for each column.
    pub columns: Vec<ColumnProposal>,
    /// The group size.
    pub k: usize,
    /// Whether every sensitive column has two different values.
    pub diverse: bool,
}

const PROVIDER: &[&str] = &[
    "provider",
    "hospital",
    "site",
    "clinic",
    "center",
    "centre",
    "institution",
    "organisation",
    "organization",
];
const IDENTIFIER: &[&str] = &[
    "id",
    "uuid",
    "guid",
    "ssn",
    "mrn",
    "email",
    "mail",
    "phone",
    "telephone",
    "mobile",
    "fax",
    "passport",
    "iban",
    "account",
    "address",
    "street",
    "surname",
    "firstname",
    "lastname",
    "fullname",
    "username",
    "url",
    "ip",
    "licence",
    "license",
    "identifier",
    "comment",
    "comments",
    "note",
    "notes",
];
const SENSITIVE: &[&str] = &[
    "disease",
    "diagnosis",
    "diagnoses",
    "icd",
    "condition",
    "illness",
    "symptom",
    "symptoms",
    "income",
    "salary",
    "wage",
    "occupation",
    "job",
    "religion",
    "hiv",
    "treatment",
    "medication",
    "drug",
    "procedure",
    "outcome",
    "debt",
    "credit",
    "party",
    "vote",
    "crime",
    "offence",
    "offense",
    "disability",
    "insurance",
];
const QUASI: &[&str] = &[
    "age",
    "sex",
    "gender",
    "zip",
    "zipcode",
    "postcode",
    "postal",
    "plz",
    "birth",
    "birthday",
    "birthdate",
    "dob",
    "born",
    "race",
    "ethnicity",
    "ethnic",
    "education",
    "degree",
    "school",
    "country",
    "nationality",
    "citizenship",
    "native",
    "marital",
    "city",
    "town",
    "region",
    "state",
    "county",
    "district",
    "height",
    "weight",
    "language",
    "admission",
    "admitted",
    "discharge",
    "discharged",
    "year",
    "date",
    "workclass",
];
const ZIP: &[&str] = &["zip", "zipcode", "postcode", "postal", "plz"];

/// A category with at most this many values is few-valued, whatever the number of rows.
const FEW: usize = 50;

impl Proposal {
    /// Proposes a role for every column.
    pub fn new(profiles: &[Profile], files: usize) -> Proposal {
        let provider_column = profiles.iter().position(|p| files == 1 && is_provider(p));
        let mut columns: Vec<ColumnProposal> = profiles.iter().map(column).collect();
        let is_sensitive = |c: &ColumnProposal| c.role == Role::Sensitive;
        if !columns
            .iter()
            .enumerate()
            .any(|(i, c)| Some(i) != provider_column && is_sensitive(c))
        {
            propose_sensitive(profiles, &mut columns, provider_column);
        }
        let rows = profiles.first().map_or(0, |p| p.rows);
        let diverse =
            |(i, c): (usize, &ColumnProposal)| !is_sensitive(c) || profiles[i].distinct >= 2;
        Proposal {
            providers: provider_column.map_or(files, |column| profiles[column].distinct),
            provider_column,
            diverse: columns.iter().any(is_sensitive) && columns.iter().enumerate().all(diverse),
            columns,
            k: rows.clamp(1, 5),
        }
    }
}

fn is_provider(profile: &Profile) -> bool {
    let named = has_word(profile, PROVIDER).is_some() && profile.kind == Kind::Category;
    named && profile.missing == 0 && profile.distinct >= 2 && profile.distinct * 2 <= profile.rows
}

fn column(profile: &Profile) -> ColumnProposal {
    let (role, reason) = role(profile);
    let generalizes = matches!(role, Role::QuasiIdentifier | Role::Sensitive);
    let file = matches!(profile.hierarchy, Some(FoundHierarchy::Fits(_)));
    let zip = profile
        .code_length
        .filter(|&n| (2..=10).contains(&n) && has_word(profile, ZIP).is_some());
    let (kind, hierarchy) = match role {
        _ if !generalizes => (None, None),
        _ if file => (None, Some(HierarchyProposal::File)),
        Role::QuasiIdentifier if zip.is_some() => {
            (Some(Kind::Category), zip.map(HierarchyProposal::Mask))
        }
        Role::QuasiIdentifier if profile.kind == Kind::Date => {
            (None, Some(HierarchyProposal::Dates))
        }
        _ => (None, None),
    };
    ColumnProposal {
        role,
        reason,
        kind,
        hierarchy,
    }
}

fn role(profile: &Profile) -> (Role, String) {
    let named = |role, word: &str, why: &str| (role, format!("{why} (\"{word}\" in its name)"));
    if let Some(word) = has_word(profile, PROVIDER) {
        return named(
            Role::Identifier,
            word,
            "may name the provider, who is never published",
        );
    }
    if let Some(word) = identifier_word(profile) {
        return named(
            Role::Identifier,
            word,
            "may name a person, so it is dropped",
        );
    }
    if let Some(word) = has_word(profile, SENSITIVE) {
        return named(Role::Sensitive, word, "nobody may learn it about a person");
    }
    if let Some(word) = has_word(profile, QUASI) {
        return named(Role::QuasiIdentifier, word, "others may know it");
    }
    by_counts(profile)
}

fn by_counts(profile: &Profile) -> (Role, String) {
    let say = |role, why: &str| (role, why.to_owned());
    match profile.kind {
        Kind::Decimal if profile.is_unique() => say(
            Role::Identifier,
            "a fingerprint: nearly every row has its own value",
        ),
        Kind::Category | Kind::Integer if profile.is_unique() => say(
            Role::Identifier,
            "nearly every row has its own value, like a key",
        ),
        Kind::Category if is_few_valued(profile) => {
            say(Role::QuasiIdentifier, "a category that others may know")
        }
        Kind::Category if profile.distinct * 2 > profile.rows => say(
            Role::Identifier,
            "looks like free text, which may hold anything",
        ),
        Kind::Category => say(
            Role::QuasiIdentifier,
            "a category with many values; a hierarchy would help",
        ),
        Kind::Date => say(Role::QuasiIdentifier, "a date that others may know"),
        Kind::Integer | Kind::Decimal => say(
            Role::QuasiIdentifier,
            "a number that others may know; published as ranges",
        ),
    }
}

fn is_few_valued(profile: &Profile) -> bool {
    profile.distinct <= FEW || profile.distinct * 100 <= profile.rows
}

/// Without a name that says so, the last few-valued category is the best guess: tables often end
/// with the outcome.
fn propose_sensitive(
    profiles: &[Profile],
    columns: &mut [ColumnProposal],
    provider: Option<usize>,
) {
    let fits = |i: usize| {
        let guessed =
            columns[i].role == Role::QuasiIdentifier && has_word(&profiles[i], QUASI).is_none();
        guessed
            && Some(i) != provider
            && profiles[i].kind == Kind::Category
            && profiles[i].distinct >= 2
            && is_few_valued(&profiles[i])
    };
    if let Some(last) = (0..columns.len()).rev().find(|&i| fits(i)) {
        columns[last].role = Role::Sensitive;
        columns[last].reason =
            "a guess: no name says what is sensitive, this is the last category; CHECK".to_owned();
    }
}

fn identifier_word(profile: &Profile) -> Option<&'static str> {
    let words = profile.words();
    // `drug_name` has few values and names nobody
    let name = words.iter().any(|w| w == "name")
        && (words.len() == 1 || profile.distinct * 2 > profile.rows);
    if name {
        Some("name")
    } else {
        has_word(profile, IDENTIFIER)
    }
}

fn has_word(profile: &Profile, list: &[&'static str]) -> Option<&'static str> {
    let words = profile.words();
    list.iter()
        .copied()
        .find(|word| words.iter().any(|w| w == word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile(name: &str, kind: Kind, rows: usize, distinct: usize) -> Profile {
        Profile {
            name: name.into(),
            rows,
            distinct,
            missing: 0,
            kind,
            code_length: None,
            hierarchy: None,
            seen: None,
        }
    }

    fn role_of(name: &str, kind: Kind, distinct: usize) -> Role {
        column(&profile(name, kind, 1000, distinct)).role
    }

    #[test]
    fn names_decide_first() {
        for (name, kind, distinct, role) in [
            ("name", Kind::Category, 3, Role::Identifier),
            ("drug_name", Kind::Category, 30, Role::Sensitive),
            ("patientId", Kind::Integer, 10, Role::Identifier),
            ("E-Mail", Kind::Category, 900, Role::Identifier),
            ("age", Kind::Integer, 74, Role::QuasiIdentifier),
            ("zip", Kind::Integer, 1000, Role::QuasiIdentifier),
            ("native_country", Kind::Category, 41, Role::QuasiIdentifier),
            ("dateOfBirth", Kind::Date, 990, Role::QuasiIdentifier),
            ("Diagnosis", Kind::Category, 999, Role::Sensitive),
            ("income", Kind::Decimal, 999, Role::Sensitive),
        ] {
            assert_eq!(role_of(name, kind, distinct), role, "{name}");
        }
    }

    #[test]
    fn counts_decide_otherwise() {
        for (kind, distinct, role) in [
            (Kind::Category, 1000, Role::Identifier),
            (Kind::Category, 960, Role::Identifier),
            (Kind::Integer, 1000, Role::Identifier),
            (Kind::Decimal, 1000, Role::Identifier),
            (Kind::Category, 600, Role::Identifier),
            (Kind::Category, 300, Role::QuasiIdentifier),
            (Kind::Category, 4, Role::QuasiIdentifier),
            (Kind::Integer, 80, Role::QuasiIdentifier),
            (Kind::Date, 500, Role::QuasiIdentifier),
        ] {
            assert_eq!(role_of("x", kind, distinct), role, "{kind:?} {distinct}");
        }
    }

    #[test]
    fn something_sensitive_is_guessed_last() {
        let profiles = [
            profile("a", Kind::Category, 1000, 4),
            profile("b", Kind::Category, 1000, 5),
            profile("race", Kind::Category, 1000, 5),
        ];
        let proposal = Proposal::new(&profiles, 1);
        let roles: Vec<Role> = proposal.columns.iter().map(|c| c.role).collect();
        assert_eq!(
            roles,
            [
                Role::QuasiIdentifier,
                Role::Sensitive,
                Role::QuasiIdentifier
            ]
        );
        assert!(proposal.diverse);
    }

    #[test]
    fn a_provider_column_is_found_in_one_file_only() {
        let profiles = [
            profile("hospital", Kind::Category, 1000, 4),
            profile("age", Kind::Integer, 1000, 5),
        ];
        assert_eq!(Proposal::new(&profiles, 1).provider_column, Some(0));
        let several = Proposal::new(&profiles, 2);
        assert_eq!(
            (several.provider_column, several.columns[0].role),
            (None, Role::Identifier)
        );
    }

    #[test]
    fn promises_fit_small_tables() {
        let tiny = [
            profile("age", Kind::Integer, 3, 3),
            profile("disease", Kind::Category, 3, 1),
        ];
        let proposal = Proposal::new(&tiny, 1);
        assert_eq!((proposal.k, proposal.diverse), (3, false));
    }
}
