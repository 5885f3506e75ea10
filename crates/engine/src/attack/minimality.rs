//! A reader is played who knows everybody's quasi-identifiers and the method, against a release or
//! the table of any tool.
//!
//! Needs the original tables: what the reader knows, and whether what it infers is true. For a
//! release the reader's own run with the promised sizes alone is played as well, with the method
//! that the release says it was made by. A sensitive value is shown only when asked for, and never
//! in a message.

mod document;
mod files;
mod sentence;

use super::AttackSubject;
use super::background_join::{not_played, table_of_people};
use crate::failure;
use crate::inputs::Inputs;
use crate::insiders;
use crate::run::Run;
use crate::sequence::Sequence;
use crate::tables::ForeignTable;
use crate::whole::{PUBLISH_AGAIN, whole_release};
use mingle_anonymize::MethodOptions;
use mingle_assess::attack::background_join::Joined;
use mingle_assess::attack::minimality::{self, Minimality, MinimalityOptions};
use mingle_model::{Cube, PersonRows, Published};
use mingle_policy::Policy;
use mingle_privacy::{Attribute, Insiders, Promise, Ratio, Requirement, Verification, Verified};
use mingle_record::answer::{MinimalityAnswer, SizesAloneNotPlayed};
use mingle_record::{Judgement, Problem, ProblemCode};
use mingle_release::manifest::ManifestMeaning;
use mingle_release::manifest::PublicManifest;
use std::path::Path;
use std::sync::Arc;

/// What is to be played.
#[derive(Clone, Copy)]
pub struct MinimalityRequest<'a> {
    /// What is attacked.
    pub subject: AttackSubject<'a>,
    /// What it was made by.
    pub policy: &'a Policy,
    /// The original tables.
    pub original: &'a Inputs,
    /// How sure the reader must be of a value to have inferred it.
    pub confidence: f64,
    /// Whether sensitive values may be shown.
    pub show_values: bool,
}

/// What came of it.
pub struct MinimalityOutcome {
    /// The document `mingle.attack-minimality/1`.
    pub answer: MinimalityAnswer,
    /// What every reader infers, in full.
    pub found: Minimality,
    subject: String,
    /// The sensitive columns by name.
    sensitive: Vec<String>,
}

/// Plays the reader.
pub fn minimality(
    request: &MinimalityRequest<'_>,
    run: &Run,
) -> Result<MinimalityOutcome, Problem> {
    let policy = request.policy;
    let target = match request.subject {
        AttackSubject::Table(file) => of_table(policy, file)?,
        AttackSubject::Release(folder) => of_release(folder)?,
    };
    let original = request.original.read(policy, run)?;
    run.step("reading groups");
    let contributors = insiders::contributors(&original.table);
    let cube = Arc::new(Cube::new(original.table.clone()));
    let missing = &policy.data.missing;
    let join =
        |cube| Joined::linked(cube, missing, target.published.groups()).map_err(|e| not_played(&e));
    let folded = join(&cube)?;
    let promised = target.promised(policy, contributors, &cube)?;
    run.step("running the method with sizes alone");
    let by_sizes = target.sizes_alone(policy, &promised, cube.clone(), run);
    // the reader's groups are groups of the records that the method was given: where these were
    // single rows, people are looked up among single rows, too
    let by_rows = match &by_sizes {
        Ok((_, made_from)) if !Arc::ptr_eq(made_from, &cube) => Some(join(made_from)?),
        _ => None,
    };
    let joined = by_rows.as_ref().unwrap_or(&folded);
    let sizes_alone = by_sizes.as_ref().ok();
    let not_run = by_sizes.as_ref().err().copied();
    run.step("playing the reader");
    let options = MinimalityOptions {
        promises: &promised.promises,
        insiders: promised.insiders,
        sizes_alone: sizes_alone.map(|(verified, _)| verified.published()),
        confidence: request.confidence,
    };
    let found = minimality::play(joined, options).map_err(|e| failure::privacy(&e))?;
    run.check()?;
    let played = Played {
        joined,
        insiders: promised.insiders,
        not_run,
        found: &found,
        show_values: request.show_values,
    };
    let answer = played.answer();
    let sensitive = joined.sensitive().iter().map(|column| column.name.clone());
    Ok(MinimalityOutcome {
        answer,
        subject: request.subject.name(),
        sensitive: sensitive.collect(),
        found,
    })
}

/// Refuses what is not a probability.
pub fn check_confidence(confidence: f64) -> Result<(), Problem> {
    if confidence > 0.0 && confidence <= 1.0 {
        return Ok(());
    }
    let text = format!("--confidence {confidence} is not a probability");
    let hint = "use a number above 0 and at most 1, such as 0.9";
    Err(Problem::new(ProblemCode::Usage, text, hint))
}

/// What is attacked.
struct Target {
    published: PlayedGroups,
    /// What a release says about itself.
    manifest: Option<PublicManifest>,
}

/// What is known about its groups.
enum PlayedGroups {
    /// What is handed out.
    Open(Box<Published>),
    /// What the private part says, of which values and which rows belong together.
    Audited(Box<Verification>),
}

impl PlayedGroups {
    fn groups(&self) -> &Published {
        match self {
            PlayedGroups::Open(published) => published,
            PlayedGroups::Audited(audited) => audited.published(),
        }
    }
}

/// What is promised, and against whom.
struct StatedPromises {
    promises: Vec<Promise>,
    insiders: Insiders,
}

/// What came of it, while the original is at hand.
struct Played<'a> {
    joined: &'a Joined<'a>,
    insiders: Insiders,
    /// Why the run with sizes alone was not played, if it was not.
    not_run: Option<SizesAloneNotPlayed>,
    found: &'a Minimality,
    show_values: bool,
}

fn of_table(policy: &Policy, foreign: ForeignTable<'_>) -> Result<Target, Problem> {
    Ok(Target {
        published: PlayedGroups::Open(Box::new(table_of_people(policy, foreign)?)),
        manifest: None,
    })
}

/// Where sensitive columns are published apart, or people may have several rows, the private part
/// says what belongs together: no reader knows more.
fn of_release(folder: &Path) -> Result<Target, Problem> {
    let (release, findings) = whole_release(folder, PUBLISH_AGAIN)?;
    let manifest = release.manifest().map_err(|e| failure::release(&e))?;
    let published = match findings.verification {
        Some(audited) if audited.published().people().is_some() => {
            PlayedGroups::Audited(Box::new(audited))
        }
        _ if manifest.tables.is_empty() => PlayedGroups::Open(Box::new(
            release.published().map_err(|e| failure::release(&e))?,
        )),
        _ => {
            let audited = release.audited().map_err(|e| failure::release(&e))?;
            let audited = audited.ok_or_else(|| {
                let text = format!(
                    "{}: a fragmented release without its private part",
                    folder.display()
                );
                let hint = "run the attack where the private part of the release is";
                Problem::new(ProblemCode::GroupsUnknown, text, hint)
            })?;
            PlayedGroups::Open(Box::new(audited))
        }
    };
    Ok(Target {
        published,
        manifest: Some(manifest.clone()),
    })
}

impl Target {
    /// A release is attacked by its own promises, the table of any tool by the policy's.
    fn promised(
        &self,
        policy: &Policy,
        contributors: u64,
        cube: &Cube,
    ) -> Result<StatedPromises, Problem> {
        let Some(manifest) = &self.manifest else {
            return Ok(StatedPromises {
                promises: policy.privacy()?.promises.clone(),
                insiders: policy.insiders(contributors)?,
            });
        };
        let (Some(promises), Some(insiders)) = (manifest.promises(), manifest.insiders()) else {
            return Err(failure::defect("a release that was checked cannot be read"));
        };
        let names = manifest.sensitive();
        let own = |promise: &Promise| {
            let attribute = match promise.attribute {
                Some(Attribute::Column(at)) => {
                    let place = cube
                        .sensitive()
                        .iter()
                        .position(|column| Some(&column.name.as_str()) == names.get(at));
                    Some(Attribute::Column(place.ok_or_else(|| {
                        failure::defect("a sensitive column is gone")
                    })?))
                }
                other => other,
            };
            Ok(Promise {
                attribute,
                ..*promise
            })
        };
        Ok(StatedPromises {
            promises: promises.iter().map(own).collect::<Result<_, Problem>>()?,
            insiders,
        })
    }

    /// What the reader gets who runs the method with the promised sizes alone, and the cube that it
    /// was made from; or why it cannot.
    fn sizes_alone(
        &self,
        policy: &Policy,
        promised: &StatedPromises,
        cube: Arc<Cube>,
        run: &Run,
    ) -> Result<(Verified, Arc<Cube>), SizesAloneNotPlayed> {
        let manifest = self
            .manifest
            .as_ref()
            .ok_or(SizesAloneNotPlayed::TableWithoutMethod)?;
        let method =
            mingle_anonymize::method(&manifest.method).ok_or(SizesAloneNotPlayed::UnknownMethod)?;
        if promised.insiders.need_providers() {
            return Err(SizesAloneNotPlayed::ContributorsUnknown);
        }
        if policy.method.max_suppressed > Ratio::from(0) {
            return Err(SizesAloneNotPlayed::RowsMayBeLeftOut);
        }
        let mut sizes = promised.promises.clone();
        sizes.retain(|promise| promise.attribute.is_none());
        if sizes.is_empty() {
            return Err(SizesAloneNotPlayed::NoSizePromised);
        }
        let requirement = match cube.people() {
            None => Requirement::bind(&sizes, cube.sensitive(), &cube.combinations()),
            Some(people) => Requirement::bind_people(
                &sizes,
                cube.sensitive(),
                people.kinds(),
                PersonRows::Together,
            ),
        };
        let requirement = requirement.map_err(|_| SizesAloneNotPlayed::NothingFound)?;
        let options = MethodOptions {
            cancel: Some(run.cancel().flag()),
            ..policy.method.options()
        };
        let sequence = Sequence::new(method.as_ref(), requirement, cube, &policy.data.missing)
            .map_err(|_| SizesAloneNotPlayed::NothingFound)?;
        let verified = sequence
            .make(&options)
            .map_err(|_| SizesAloneNotPlayed::NothingFound)?;
        Ok((verified, sequence.into_cube()))
    }
}

impl Played<'_> {
    /// Whether the calibrated reader infers nobody's value beyond the group's frequency.
    fn verdict(&self) -> Judgement {
        Judgement::holds_if(self.found.worst().is_none())
    }

    fn name(&self, column: usize) -> &str {
        &self.joined.sensitive()[column].name
    }
}

impl MinimalityOutcome {
    /// A sensitive column's name.
    pub fn name(&self, column: usize) -> &str {
        &self.sensitive[column]
    }

    /// What every reader infers at each confidence as CSV.
    pub fn table(&self) -> Result<Vec<u8>, Problem> {
        files::table(self)
    }

    /// Why the release should not be handed out; `None` where nobody's value is inferred.
    pub fn problem(&self) -> Option<Problem> {
        let (_, target) = self.found.worst()?;
        let text = format!(
            "{}: a reader who knows the method is {:.0} % sure of the {} of {} people, although the frequencies in their groups hide it",
            self.subject,
            100.0 * self.found.confidence,
            self.name(target.column),
            target.inferred.people
        );
        let hint = "ask for more different values or larger groups, or use the agglomerative method, which hides what failed \
                    among others";
        Some(Problem::new(ProblemCode::AttackSucceeds, text, hint))
    }
}
