//! Proposing roles: what was recognised says what is to be done with a column, and a short list of
//! quasi-identifiers is filled from what most people know to what few do.
//!
//! In doubt the safer role is proposed. What may name a person is dropped, what may be known to
//! others is generalized, and what finds no place is left out and marked *decide*: the policy can
//! be published as it stands, and whoever reads it can let more in.
//!
//! **Why a short list.** With every further quasi-identifier fewer rows are alike, and k of them
//! have to be made so: from about ten columns on nothing is left to tell groups apart (Aggarwal, *On
//! k-anonymity and the curse of dimensionality*, VLDB 2005). Eight leave room for what registers
//! hold about everybody (age, sex, place, origin, education, family, work) and one more. For the
//! same reason few columns stay sensitive: each is a promise to every group, and all of them are
//! published as they are.

use super::hierarchy::FoundHierarchy;
use super::profile::Profile;
use super::recognise::{Meaning, Treatment, is_work};
use super::sample::Sample;
use super::single_out;
use crate::publish::little_left::MANY_QUASI_IDENTIFIERS;
use mingle_model::{Kind, Number, Role};

/// The most quasi-identifiers that are proposed.
pub const MOST_QUASI_IDENTIFIERS: usize = MANY_QUASI_IDENTIFIERS;
/// The most sensitive columns that are proposed.
pub const MOST_SENSITIVE: usize = 4;
/// Where more of a hundred rows have the same value, two different ones in each group cost too
/// much, and the few others tell about few people.
const MOST_ALIKE: usize = 90;

/// What is proposed for a column, and why.
pub struct ColumnProposal {
    /// The role.
    pub role: Role,
    /// Whether it is left out only until somebody decides.
    pub decide: bool,
    /// Why this role.
    pub reason: String,
    /// The kind as which it is read.
    pub kind: Kind,
    /// Whether its categories are bands, in their order.
    pub bands: bool,
    /// How its values generalize.
    pub hierarchy: Option<HierarchyProposal>,
}

impl ColumnProposal {
    /// The word for the kind in a policy.
    pub fn kind_name(&self) -> &'static str {
        if self.bands { "band" } else { self.kind.name() }
    }

    /// Whether it is part of the release.
    pub fn is_published(&self) -> bool {
        self.role.is_published()
    }
}

/// How values generalize.
#[derive(Clone, Copy)]
pub enum HierarchyProposal {
    /// The file that was found.
    File,
    /// The last characters hidden one by one.
    Mask(usize),
    /// The first characters, as many as each level keeps.
    Prefix(&'static [usize]),
    /// Months, quarters, years, decades.
    Dates,
    /// Intervals of this width, and of twice, four and eight times as much.
    Intervals(Number),
}

impl HierarchyProposal {
    /// The widths of intervals, from the narrowest.
    pub fn widths(width: Number) -> [Number; 4] {
        [1, 2, 4, 8].map(|times| Number {
            mantissa: width.mantissa * times,
            scale: width.scale,
        })
    }
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

impl Proposal {
    /// Proposes a role for every column; some rows say which columns repeat each other.
    pub fn new(profiles: &[Profile], files: usize, sample: Option<&Sample>) -> Proposal {
        let provider_column = provider_column(profiles, files);
        let mut choice = RoleChoice {
            profiles,
            provider_column,
            columns: profiles.iter().map(first_look).collect(),
        };
        if let Some(sample) = sample {
            choice.leave_out_repetitions(sample);
        }
        choice.choose_sensitive();
        choice.choose_quasi_identifiers();
        choice.publish_something();
        let columns = choice.columns;
        let rows = profiles.first().map_or(0, |p| p.rows);
        let mut sensitive = 0;
        let mut diverse = 0;
        for (column, profile) in columns.iter().zip(profiles) {
            if column.role == Role::Sensitive {
                sensitive += 1;
                diverse += usize::from(profile.distinct >= 2);
            }
        }
        Proposal {
            providers: provider_column.map_or(files, |column| profiles[column].distinct),
            provider_column,
            diverse: sensitive > 0 && sensitive == diverse,
            columns,
            k: rows.clamp(1, 5),
        }
    }

    /// The columns of a role, by their places.
    pub fn with_role(&self, role: Role) -> Vec<usize> {
        let mut places = Vec::new();
        for (place, column) in self.columns.iter().enumerate() {
            if column.role == role && self.provider_column != Some(place) {
                places.push(place);
            }
        }
        places
    }
}

/// The column of the only table that says who contributed a row.
pub fn provider_column(profiles: &[Profile], files: usize) -> Option<usize> {
    profiles.iter().position(|p| files == 1 && is_provider(p))
}

fn is_provider(profile: &Profile) -> bool {
    profile.recognition.meaning == Meaning::Provider
        && profile.kind == Kind::Category
        && profile.missing == 0
        && profile.distinct >= 2
        && profile.distinct * 2 <= profile.rows
}

/// What a column is without the others: left out, for a reason that may still change.
fn first_look(profile: &Profile) -> ColumnProposal {
    ColumnProposal {
        role: match profile.recognition.meaning.treatment() {
            Treatment::NamesSomebody => Role::Identifier,
            _ => Role::Drop,
        },
        decide: profile.recognition.meaning.treatment() == Treatment::Decide,
        reason: profile.recognition.why.clone(),
        kind: kind(profile),
        bands: profile.bands && !has_file(profile),
        hierarchy: None,
    }
}

/// Codes are no numbers to compute with, although they look like it.
fn kind(profile: &Profile) -> Kind {
    // a hierarchy file was tried on the kind that the values have
    if has_file(profile) {
        return profile.kind;
    }
    let called_code = profile
        .words()
        .iter()
        .any(|word| ["id", "code", "nr", "no"].contains(&word.as_str()));
    let is_code = profile.recognition.meaning == Meaning::Postcode
        || profile.recognition.prefixes.is_some()
        || (called_code && profile.kind == Kind::Integer);
    if is_code {
        Kind::Category
    } else {
        profile.kind
    }
}

/// Roles on the way to a proposal.
struct RoleChoice<'a> {
    profiles: &'a [Profile],
    provider_column: Option<usize>,
    columns: Vec<ColumnProposal>,
}

impl RoleChoice<'_> {
    /// The columns from one treatment to another that are not decided about yet, best first.
    fn candidates(&self, from: Treatment, to: Treatment) -> Vec<usize> {
        let mut places = Vec::new();
        for (place, profile) in self.profiles.iter().enumerate() {
            let treatment = profile.recognition.meaning.treatment();
            let undecided = !self.columns[place].decide && !self.columns[place].is_published();
            if self.provider_column != Some(place) && undecided && (from..=to).contains(&treatment)
            {
                places.push(place);
            }
        }
        places.sort_by_key(|&place| {
            let profile = &self.profiles[place];
            let recognition = &profile.recognition;
            // of two that are known alike, the one that singles out fewer costs less
            let singled_out = (profile.rare, profile.distinct);
            (
                recognition.meaning.treatment(),
                recognition.rank,
                singled_out,
                place,
            )
        });
        places
    }

    fn publish(&mut self, place: usize, role: Role) {
        let column = &mut self.columns[place];
        column.role = role;
        column.hierarchy = hierarchy(&self.profiles[place], role);
    }

    fn leave_to_decide(&mut self, place: usize, why: &str) {
        let column = &mut self.columns[place];
        column.role = Role::Drop;
        column.decide = true;
        column.reason = format!("{}; {why}", column.reason);
    }

    /// A column that says the same as another in other words costs as much and adds nothing.
    fn leave_out_repetitions(&mut self, sample: &Sample) {
        let candidates = self.candidates(Treatment::NobodyMayLearn, Treatment::FewKnow);
        let mut kept: Vec<usize> = Vec::new();
        for place in candidates {
            let original = kept
                .iter()
                .find(|&&known| single_out::say_the_same(sample, known, place));
            match original {
                Some(&known) => {
                    let why = format!("says the same as `{}`", self.profiles[known].name);
                    self.leave_to_decide(place, &why);
                }
                None => kept.push(place),
            }
        }
    }

    fn choose_sensitive(&mut self) {
        let mut chosen = 0;
        for place in self.candidates(Treatment::NobodyMayLearn, Treatment::NobodyMayLearn) {
            let profile = &self.profiles[place];
            let alike = profile.commonest * 100 / profile.rows.max(1);
            if profile.is_unique() && profile.rows > 20 {
                let why = "but so fine that nearly every row has its own value";
                self.leave_to_decide(place, why);
            } else if alike >= MOST_ALIKE {
                let why = format!("but {alike} % of the rows are alike");
                self.leave_to_decide(place, &why);
            } else if chosen == MOST_SENSITIVE {
                let why = format!("{MOST_SENSITIVE} other columns are sensitive already");
                self.leave_to_decide(place, &why);
            } else {
                self.publish(place, Role::Sensitive);
                chosen += 1;
            }
        }
        if chosen == 0 {
            self.take_work_for_sensitive();
        }
    }

    /// Where no name says what is sensitive, somebody's work is the nearest to it.
    fn take_work_for_sensitive(&mut self) {
        let candidates = self.candidates(Treatment::MostPeopleKnow, Treatment::MostPeopleKnow);
        for place in candidates {
            let profile = &self.profiles[place];
            if is_work(&profile.words()) && profile.distinct >= 2 {
                self.columns[place].reason =
                    "a guess: no name says what is sensitive, and this is the nearest; CHECK"
                        .to_owned();
                self.publish(place, Role::Sensitive);
                return;
            }
        }
    }

    fn choose_quasi_identifiers(&mut self) {
        let candidates = self.candidates(Treatment::MostPeopleKnow, Treatment::FewKnow);
        for (taken, place) in candidates.into_iter().enumerate() {
            if taken < MOST_QUASI_IDENTIFIERS {
                self.publish(place, Role::QuasiIdentifier);
            } else {
                let why = format!("{MOST_QUASI_IDENTIFIERS} others are better known");
                self.leave_to_decide(place, &why);
            }
        }
    }

    /// A table of constants is publishable all the same.
    fn publish_something(&mut self) {
        if self.columns.iter().any(ColumnProposal::is_published) {
            return;
        }
        for place in 0..self.columns.len() {
            let meaning = self.profiles[place].recognition.meaning;
            if meaning == Meaning::Constant && self.provider_column != Some(place) {
                self.publish(place, Role::QuasiIdentifier);
            }
        }
    }
}

fn has_file(profile: &Profile) -> bool {
    matches!(profile.hierarchy, Some(FoundHierarchy::Fits(_)))
}

fn hierarchy(profile: &Profile, role: Role) -> Option<HierarchyProposal> {
    if has_file(profile) {
        return Some(HierarchyProposal::File);
    }
    if role != Role::QuasiIdentifier {
        return None;
    }
    if profile.recognition.meaning == Meaning::Postcode {
        // a mask would show how long codes of different lengths are
        return match profile.code_length.filter(|n| (2..=10).contains(n)) {
            Some(length) => Some(HierarchyProposal::Mask(length)),
            None => profile.recognition.prefixes.map(HierarchyProposal::Prefix),
        };
    }
    match kind(profile) {
        Kind::Date => Some(HierarchyProposal::Dates),
        Kind::Integer | Kind::Decimal => profile.interval.map(HierarchyProposal::Intervals),
        Kind::Category => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mingle_model::Missing;

    /// A column of so many values, each in as many rows.
    fn column(name: &str, kind: Kind, rows: usize, text: impl Fn(usize) -> String) -> Profile {
        let mut counted: Vec<(String, u64)> = Vec::new();
        for row in 0..rows {
            let text = text(row);
            match counted.iter_mut().find(|(known, _)| *known == text) {
                Some((_, rows)) => *rows += 1,
                None => counted.push((text, 1)),
            }
        }
        let values = counted.iter().map(|(text, rows)| (text.as_str(), *rows));
        Profile::counted(name.to_owned(), kind, values, &Missing::default())
    }

    fn words(name: &str, rows: usize, distinct: usize) -> Profile {
        column(name, Kind::Category, rows, |row| {
            format!("v{}", row % distinct)
        })
    }

    fn numbers(name: &str, rows: usize, distinct: usize) -> Profile {
        column(name, Kind::Integer, rows, |row| {
            (row % distinct).to_string()
        })
    }

    fn roles(profiles: &[Profile]) -> Vec<(Role, bool)> {
        let proposal = Proposal::new(profiles, 2, None);
        proposal
            .columns
            .iter()
            .map(|c| (c.role, c.decide))
            .collect()
    }

    #[test]
    fn a_list_of_codes_is_no_key_and_a_key_that_repeats_is_one() {
        let profiles = [
            numbers("admission_type_id", 1000, 8),
            numbers("patient_nbr", 1000, 700),
            column("pn", Kind::Integer, 1000, |row| {
                (55_000_000 + row % 600 * 131).to_string()
            }),
            numbers("number_diagnoses", 1000, 16),
            words("diagnosis", 1000, 40),
        ];
        let proposed = roles(&profiles);
        let (quasi, key) = (Role::QuasiIdentifier, Role::Identifier);
        let expected = [quasi, key, key, quasi, Role::Sensitive].map(|role| (role, false));
        assert_eq!(proposed, expected);
        let proposal = Proposal::new(&profiles, 1, None);
        assert_eq!(
            proposal.columns[0].kind,
            Kind::Category,
            "codes are no numbers"
        );
    }

    #[test]
    fn the_list_is_short_and_the_rest_is_left_to_decide() {
        let mut profiles = vec![numbers("age", 1000, 80), words("sex", 1000, 2)];
        for place in 0..20 {
            profiles.push(words(&format!("thing {place}"), 1000, 3 + place));
        }
        profiles.push(words("race", 1000, 5));
        let proposed = roles(&profiles);
        let count = |wanted: (Role, bool)| proposed.iter().filter(|&&role| role == wanted).count();
        assert_eq!(
            count((Role::QuasiIdentifier, false)),
            MOST_QUASI_IDENTIFIERS
        );
        assert_eq!(
            count((Role::Drop, true)),
            profiles.len() - MOST_QUASI_IDENTIFIERS
        );
        for known in [0, 1, profiles.len() - 1] {
            assert_eq!(
                proposed[known].0,
                Role::QuasiIdentifier,
                "{}",
                profiles[known].name
            );
        }
    }

    #[test]
    fn what_is_nearly_the_same_everywhere_is_left_to_decide() {
        let rare = |name| {
            column(name, Kind::Category, 1000, |row| {
                ["No", "Up"][row / 999].into()
            })
        };
        let profiles = [rare("metformin"), words("insulin", 1000, 4)];
        let expected = [(Role::Drop, true), (Role::Sensitive, false)];
        assert_eq!(roles(&profiles), expected);
    }

    #[test]
    fn a_provider_column_is_found_in_one_file_only() {
        let profiles = [words("hospital", 1000, 4), numbers("age", 1000, 5)];
        assert_eq!(Proposal::new(&profiles, 1, None).provider_column, Some(0));
        let several = Proposal::new(&profiles, 2, None);
        assert_eq!(several.provider_column, None);
        assert_eq!(several.columns[0].role, Role::Identifier);
    }

    #[test]
    fn promises_fit_small_tables() {
        let tiny = [numbers("age", 3, 3), words("disease", 3, 2)];
        let proposal = Proposal::new(&tiny, 1, None);
        assert_eq!((proposal.k, proposal.diverse), (3, true));
        let alike = [numbers("age", 3, 3), words("disease", 3, 1)];
        assert!(!Proposal::new(&alike, 1, None).diverse);
    }
}
