//! `[composition]`: a release is laid beside those that are out already, before anything is
//! written.

use super::history::Past;
use crate::failure;
use crate::history::{replay_lines, replay_record};
use crate::released::{Released, location, not_aligned};
use crate::sequence::Sequence;
use mingle_anonymize::{Against, Error, MethodOptions, withstand};
use mingle_model::counted;
use mingle_model::{Column, Cube, ForeignReader, Partition, Published, Table};
use mingle_policy::{Composition, OwnHistory, Policy};
use mingle_privacy::Verified;
use mingle_privacy::composition::versions::Replay;
use mingle_privacy::composition::{
    Audit, Exposure, Location, Overlay, People, Reader, Scratch, audit,
};
use mingle_record::Problem;
use mingle_record::ProblemCode;
use mingle_record::composition::{
    CompositionAudit, CompositionReaders, CompositionRecord, EarlierVersions, ReaderExposure,
};
use mingle_release::history::{History, VersionEntry};

/// What was found about each sensitive column that other releases have.
pub struct CompositionFindings {
    /// What a reader of all versions of the table finds, by column.
    pub versions: Vec<(String, Replay)>,
    /// The history, and how many earlier versions it has.
    pub history: Option<(String, usize)>,
    /// What the history calls this version, once it has it.
    pub recorded: Option<String>,
    /// Column, names of the releases that have it, and what their intersection with ours leaves.
    pub audits: Vec<(String, Vec<String>, Audit)>,
    /// Whether groups were changed for it.
    pub mitigated: bool,
}

/// What stays the same for all plans.
pub struct Beside<'a> {
    policy: &'a Policy,
    composition: &'a Composition,
    others: Vec<Released>,
    past: Option<Past<'a>>,
}

/// A plan of so many groups says something that one group of everybody does not.
const MANY_GROUPS: usize = 20;

impl<'a> Beside<'a> {
    /// Reads the other releases, where the policy names any. A history is locked if something is to
    /// be written.
    pub fn open(policy: &'a Policy, writes: bool) -> Result<Option<Beside<'a>>, Problem> {
        let Some(composition) = &policy.composition else {
            return Ok(None);
        };
        let mut others = Beside::others(policy, composition)?;
        if let Some(own) = composition.history.as_ref().filter(|_| !others.is_empty()) {
            // a reader has them all: what versions and other releases leave apart from each other
            // is not the end
            others.extend(earlier(policy, own)?);
        }
        let past = |own: &'a OwnHistory| Past::open(policy, own, composition.limits, writes);
        let past = composition.history.as_ref().map(past).transpose()?;
        Ok(Some(Beside {
            policy,
            composition,
            others,
            past,
        }))
    }

    /// The same without a history, whose people only publishing reads.
    pub fn open_others(policy: &'a Policy) -> Result<Option<Beside<'a>>, Problem> {
        let Some(composition) = policy
            .composition
            .as_ref()
            .filter(|c| !c.against.is_empty())
        else {
            return Ok(None);
        };
        let others = Beside::others(policy, composition)?;
        Ok(Some(Beside {
            policy,
            composition,
            others,
            past: None,
        }))
    }

    fn others(policy: &Policy, composition: &Composition) -> Result<Vec<Released>, Problem> {
        let others = composition.against.iter().map(|other| {
            if let Err(error) = other.path.metadata() {
                let text = format!("cannot read {}: {}", other.name, failure::reason(&error));
                let hint = "check the path; it is relative to the policy";
                return Err(other
                    .place
                    .problem(ProblemCode::InputUnreadable, text, hint));
            }
            let own = other
                .policy
                .as_ref()
                .map(|own| Policy::load(own, &[]))
                .transpose()?;
            let released = Released::open(&other.name, &other.path, policy, own.as_ref())?;
            match released.noise() {
                None => Ok(released),
                Some(_) => {
                    let text = format!(
                        "{} is differentially private: nobody is behind its rows",
                        other.name
                    );
                    let hint = "remove it: its promise holds whatever else is published";
                    Err(other.place.problem(ProblemCode::NoisyRelease, text, hint))
                }
            }
        });
        others.collect()
    }

    /// The history of the table, where the policy names one.
    pub fn past(&mut self) -> Option<&mut Past<'a>> {
        self.past.as_mut()
    }

    /// Audits a plan, and changes it where the policy says so. `verify` decides what may be
    /// published.
    pub fn stand(
        &self,
        sequence: &Sequence<'_>,
        (verified, partition): (Verified, &Partition),
        options: &MethodOptions<'_>,
        verify: impl Fn(&Partition) -> Result<Verified, Problem>,
    ) -> Result<(Verified, CompositionFindings), Problem> {
        let (cube, requirement) = (sequence.cube(), sequence.requirement());
        let mut overlays = self.overlays(cube)?;
        let composed = self.audit(&mut overlays, verified.published(), false)?;
        if composed.holds() {
            return Ok((verified, composed));
        }
        if !self.composition.mitigate {
            return Err(self.refusal(&composed, false));
        }
        let mut against = Against {
            overlays: &mut overlays,
            limits: self.composition.limits,
            missing: &self.policy.data.missing,
            also: &mut |published: &Published| {
                let past = self.past.as_ref().map(|past| past.exposed(published));
                past.map_or(Vec::new(), |groups| groups.unwrap_or_default())
            },
        };
        let changed = withstand(cube, requirement, partition, &mut against, options);
        let changed = changed.map_err(|error| match error {
            Error::Cancelled => failure::interrupted(),
            Error::WithstandPeople => self.not_mitigated(&composed),
            _ => self.refusal(&composed, true),
        })?;
        let planned_groups = verified.published().groups();
        let verified = verify(&changed)?;
        if verified.published().groups() == 1 && planned_groups >= MANY_GROUPS {
            return Err(self.says_nothing(&composed, planned_groups));
        }
        let composed = self.audit(&mut overlays, verified.published(), true)?;
        if composed.holds() {
            Ok((verified, composed))
        } else {
            Err(self.refusal(&composed, true))
        }
    }

    /// One overlay for each of our sensitive columns that another release has.
    fn overlays<'c>(&self, cube: &'c Cube) -> Result<Vec<Overlay<'c>>, Problem>
    where
        'a: 'c,
    {
        let table = cube.table();
        let mine: Vec<&str> = cube.sensitive().iter().map(|s| s.name.as_str()).collect();
        if let Some(other) = self
            .others
            .iter()
            .find(|o| !o.sensitive().iter().any(|s| mine.contains(s)))
        {
            let text = format!(
                "{}: it has none of our sensitive columns: {}",
                other.name,
                mine.join(", ")
            );
            let hint = "take it out of `against`, or name the column alike";
            return Err(Problem::new(ProblemCode::NotAligned, text, hint));
        }
        let mut overlays = Vec::new();
        for attribute in mine {
            let hierarchy = |c: &'c Column| {
                c.spec
                    .hierarchy
                    .as_ref()
                    .map(|source| (c.spec.name.as_str(), source))
            };
            let hierarchies = table.columns.iter().filter_map(hierarchy).collect();
            let people = People {
                cube,
                missing: &self.policy.data.missing,
                hierarchies,
            };
            let mut overlay = Overlay::new(people, attribute);
            for other in self
                .others
                .iter()
                .filter(|o| o.sensitive().contains(&attribute))
            {
                let without = other.group_numbers();
                let hierarchies = other.hierarchies();
                let (name, location) = (other.name.as_str(), other.location);
                let reader = Reader {
                    name,
                    location,
                    without: &without,
                    hierarchies: &hierarchies,
                };
                let added = other.with(attribute, |published| overlay.add(&reader, published));
                added.map_err(|error| {
                    other.does_not_fit(&error, |column| self.reader(table, other, column))
                })?;
            }
            if !overlay.is_empty() {
                self.check_found(&overlay)?;
                overlays.push(overlay);
            }
        }
        Ok(overlays)
    }

    /// Reads labels of another release's column.
    fn reader<'c>(
        &'c self,
        table: &'c Table,
        other: &'c Released,
        column: &str,
    ) -> Option<ForeignReader<'c>> {
        let ours = table.columns.iter().find(|c| c.spec.name == column)?;
        let (own, theirs) = (ours.spec.hierarchy.as_ref(), other.hierarchy(column));
        Some(ForeignReader::new(
            &ours.domain,
            own,
            theirs,
            &self.policy.data.missing,
        ))
    }

    /// Where most of our people fit no group of a release, its labels were more likely misread than
    /// theirs.
    fn check_found(&self, overlay: &Overlay<'_>) -> Result<(), Problem> {
        let crowd = overlay.crowd();
        let mut scratch = Scratch::default();
        for release in 0..overlay.len() {
            let mut alone = 0;
            for unit in 0..crowd.units() {
                if overlay.fitting(release, unit, &mut scratch).is_empty() {
                    alone += crowd.people_of_unit(unit);
                }
            }
            let most = self.composition.max_alone;
            if u128::from(alone) * u128::from(most.denominator())
                > u128::from(crowd.count()) * u128::from(most.numerator())
            {
                let (name, people) = (overlay.name(release), crowd.count());
                let text =
                    format!("{name}: none of its groups fits {alone} of our {people} people");
                let hint = "check that columns are written alike (spelling, kind, hierarchy; an entry of `against` may \
                            bring its own policy); if they are other people, set max_alone in [composition]";
                return Err(Problem::new(ProblemCode::NotAligned, text, hint));
            }
        }
        Ok(())
    }

    fn audit(
        &self,
        overlays: &mut [Overlay<'_>],
        published: &Published,
        mitigated: bool,
    ) -> Result<CompositionFindings, Problem> {
        let limits = &self.composition.limits;
        let one = |overlay: &mut Overlay<'_>| {
            let names = (0..overlay.len())
                .map(|j| overlay.name(j).to_owned())
                .collect();
            let found =
                audit(overlay, published, self.location(), limits).map_err(|e| not_aligned(&e))?;
            Ok((overlay.attribute().to_owned(), names, found))
        };
        let past = self.past.as_ref();
        Ok(CompositionFindings {
            audits: overlays
                .iter_mut()
                .map(one)
                .collect::<Result<_, Problem>>()?,
            versions: past.map_or(Ok(Vec::new()), |past| past.replay(published))?,
            history: past.map(|past| (past.name().0.to_owned(), past.name().1)),
            recorded: None,
            mitigated,
        })
    }

    /// How people are found in our own release.
    fn location(&self) -> Location {
        location(&self.policy.document)
    }

    /// One group of everybody withstands whatever others have published, and nobody can use it.
    fn says_nothing(&self, composed: &CompositionFindings, planned_groups: usize) -> Problem {
        let refusal = self.refusal(composed, true);
        let text = format!(
            "{}; all that was found to withstand is one group of everybody, in place of {planned_groups} groups",
            refusal.text()
        );
        let hint = "let a few people be left out, such as max_suppressed = 0.01 in [method], loosen the limits in \
                    [composition], such as max_perfect_breach = 0.01, or publish fewer columns";
        Problem::new(ProblemCode::Exposed, text, hint)
    }

    /// Groups are changed row by row, and a person's rows stay together.
    fn not_mitigated(&self, composed: &CompositionFindings) -> Problem {
        let (besides, found) = self.exposure(composed);
        let text = format!(
            "together with {besides}, {found}; mitigate = true does not change groups of people with several rows"
        );
        Problem::new(ProblemCode::Exposed, text, PEOPLE_STAY)
    }

    /// Beside what, and who is exposed.
    fn exposure(&self, composed: &CompositionFindings) -> (String, String) {
        let (column, besides, worst) = match composed.worst() {
            Some((column, names, found)) => (column, names.join(", "), found.worst().1),
            None => composed.worst_version(),
        };
        (besides, sentence(column, worst))
    }

    fn refusal(&self, composed: &CompositionFindings, tried: bool) -> Problem {
        let worst = match composed.worst() {
            Some((.., found)) => found.worst().1,
            None => composed.worst_version().2,
        };
        let (besides, found) = self.exposure(composed);
        let mut text = format!("together with {besides}, {found}");
        let already = worst.perfect_already.max(worst.below_already);
        if already > 0 {
            text += &format!(" (for {already} of them the other releases alone leave no more)");
        }
        let own = composed.worst().is_none();
        if !tried && self.policy.people_entry().is_some() {
            // groups of people with several rows are not changed
            return Problem::new(ProblemCode::Exposed, text, PEOPLE_STAY);
        }
        let hint = match (
            tried,
            self.composition.limits.except_already_exposed || already == 0,
        ) {
            (false, _) if own => {
                "set mitigate = true, or let those who came or went alone wait for others"
            }
            (true, true) if own => {
                "no grouping hides them: let those who came or went alone wait for others, or loosen the limits in \
                 [composition]"
            }
            (false, _) => "set mitigate = true, or loosen the limits in [composition]",
            (true, true) => {
                "no grouping that withstands was found: loosen the limits in [composition], or publish less"
            }
            (true, false) => {
                "no grouping can fix what others have published: except_already_exposed = true ignores these \
                 people"
            }
        };
        Problem::new(ProblemCode::Exposed, text, hint)
    }
}

/// What a reader of all versions finds out once this one is published; refused where a limit fails.
/// Groups are not changed for it.
pub(crate) fn earlier_versions(
    past: &Past<'_>,
    published: &Published,
) -> Result<CompositionFindings, Problem> {
    let (name, earlier) = past.name();
    let composed = CompositionFindings {
        versions: past.replay(published)?,
        history: Some((name.to_owned(), earlier)),
        recorded: None,
        audits: Vec::new(),
        mitigated: false,
    };
    if composed.holds() {
        return Ok(composed);
    }
    let (column, besides, worst) = composed.worst_version();
    let text = format!("together with {besides}, {}", sentence(column, worst));
    let hint = "let those who came alone wait for others, or loosen the limits in [composition]; groups are as they \
                were, so mitigate does not help";
    Err(Problem::new(ProblemCode::Exposed, text, hint))
}

/// What helps where groups are not changed.
const PEOPLE_STAY: &str =
    "loosen the limits in [composition], publish larger groups, or let people wait for others";

/// The earlier versions of our own table, as releases.
fn earlier(policy: &Policy, own: &OwnHistory) -> Result<Vec<Released>, Problem> {
    let history = History::open(&own.path).map_err(|e| failure::release(&e))?;
    let open = |version: &VersionEntry| {
        let path = history.release_of(version)?;
        Some(Released::open(
            &format!("{}, {}", own.name, version.label),
            &path,
            policy,
            None,
        ))
    };
    history.versions().iter().filter_map(open).collect()
}

fn sentence(column: &str, worst: &Exposure) -> String {
    if worst.below > worst.perfect {
        format!(
            "too few values of {column} are left for {} of {} people, and a single one for {}",
            worst.below, worst.targets, worst.perfect
        )
    } else {
        format!(
            "a single value of {column} is left for {} of {} people",
            worst.perfect, worst.targets
        )
    }
}

impl CompositionFindings {
    fn holds(&self) -> bool {
        self.audits.iter().all(|(.., audit)| audit.holds)
            && self.versions.iter().all(|(_, found)| found.holds)
    }

    /// The column of which others' releases expose most beyond the limits.
    fn worst(&self) -> Option<(&str, &[String], &Audit)> {
        let badness = |audit: &Audit| (audit.worst().1.perfect, audit.worst().1.below);
        let worst = self
            .audits
            .iter()
            .filter(|(.., audit)| !audit.holds)
            .max_by_key(|(.., audit)| badness(audit));
        worst.map(|(column, names, audit)| (column.as_str(), names.as_slice(), audit))
    }

    /// The same for the earlier versions of our own.
    fn worst_version(&self) -> (&str, String, &Exposure) {
        let badness = |found: &Replay| (found.together.perfect, found.together.below);
        let worst = self
            .versions
            .iter()
            .filter(|(_, found)| !found.holds)
            .max_by_key(|(_, found)| badness(found));
        let (column, found) = worst.expect("a limit fails for others' releases or for a history");
        let (name, versions) = self
            .history
            .as_ref()
            .expect("versions are those of a history");
        (
            column,
            format!("the {} in {name}", counted(versions, "earlier version")),
            &found.together,
        )
    }

    /// For people.
    pub fn to_text(&self) -> String {
        let line = |(column, names, audit): &(String, Vec<String>, Audit)| {
            let (_, worst) = audit.worst();
            let least = worst.least.map_or(String::new(), |least| {
                format!(", at least {least} of anybody")
            });
            let met = worst.targets - worst.alone - worst.apart;
            let mean = if met == 0 {
                0.0
            } else {
                worst.posteriors as f64 / met as f64
            };
            let mut text = format!(
                "{column}, with {}: a single value left for {} of\n                   \
                 {} people, {mean:.1} values on average{least}",
                counted(names.len(), "other release"),
                worst.perfect,
                worst.targets
            );
            if worst.alone + worst.apart > 0 {
                text += &format!(
                    "\n                   {} fit no group of the others",
                    worst.alone
                );
                text += &format!(", {} fit them with no value in common", worst.apart);
            }
            text
        };
        let mut lines: Vec<String> = self.audits.iter().map(line).collect();
        lines.extend(self.version_lines());
        if self.mitigated {
            lines.push("groups were changed so that the limits hold".to_owned());
        }
        lines.join("\n                   ")
    }

    fn version_lines(&self) -> Vec<String> {
        let Some((name, earlier)) = &self.history else {
            return Vec::new();
        };
        let mut lines = vec![format!("{} in {name}", counted(earlier, "earlier version"))];
        if let Some(label) = &self.recorded {
            lines[0] += &format!(", this one is {label}");
        }
        if *earlier > 0 {
            lines.extend(
                self.versions.iter().flat_map(|(column, found)| {
                    replay_lines(column, &replay_record(column, found))
                }),
            );
        }
        lines
    }

    /// For programs, and for the private manifest.
    pub fn to_record(&self) -> CompositionRecord {
        let mut audits = Vec::with_capacity(self.audits.len());
        for (column, names, audit) in &self.audits {
            audits.push(CompositionAudit {
                column: column.clone(),
                against: names.clone(),
                holds: audit.holds,
                readers: CompositionReaders {
                    union: exposure_record(&audit.union),
                    most_specific: exposure_record(&audit.most_specific),
                    told: exposure_record(&audit.told),
                },
            });
        }
        let history = self.history.as_ref().map(|(name, earlier)| {
            let versions = self.versions.iter();
            EarlierVersions {
                folder: name.clone(),
                earlier: *earlier as u64,
                columns: versions
                    .map(|(column, found)| replay_record(column, found))
                    .collect(),
                version: self.recorded.clone(),
            }
        });
        CompositionRecord {
            mitigated: self.mitigated,
            audits,
            history,
        }
    }
}

fn exposure_record(exposure: &Exposure) -> ReaderExposure {
    ReaderExposure {
        targets: exposure.targets,
        alone: exposure.alone,
        apart: exposure.apart,
        perfect: exposure.perfect,
        perfect_already: exposure.perfect_already,
        below: exposure.below,
        below_already: exposure.below_already,
        vulnerable: exposure.vulnerable,
        least: exposure.least.map(u64::from),
        mean_prior: mean(exposure.priors, exposure),
        mean_posterior: mean(exposure.posteriors, exposure),
    }
}

fn mean(sum: u64, e: &Exposure) -> Option<f64> {
    let met = e.targets - e.alone - e.apart;
    (met > 0).then(|| (sum as f64 / met as f64 * 1e4).round() / 1e4)
}
