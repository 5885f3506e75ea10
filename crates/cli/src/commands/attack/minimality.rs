//! `mingle attack minimality`: plays a reader who knows everybody's quasi-identifiers and the
//! method, against a release or the table of any tool.
//!
//! Needs the original tables: what the reader knows, and whether what it infers is true. For a
//! release the reader's own run with the promised sizes alone is played as well, with the method
//! that the release says it was made by. A sensitive value is shown only when asked for, and never
//! in a message.

mod document;
mod files;
mod text;

use crate::args::AttackMinimality;
use crate::commands::attack::background_join::not_played;
use crate::interrupt;
use crate::message::{Exit, Problem, Screen, print, print_json, visible};
use crate::progress::terminal_run;
use files::Outputs;
use mingle::failure;
use mingle::insiders;
use mingle::tables::{read_anonymized, read_original};
use mingle_anonymize::Options as MethodOptions;
use mingle_assess::attack::background_join::Joined;
use mingle_assess::attack::minimality::{self, Minimality, Options};
use mingle_model::{Cube, Missing, Published, Role};
use mingle_policy::Policy;
use mingle_privacy::{Attribute, Insiders, Promise, Ratio, Requirement};
use mingle_record::Code;
use mingle_release::Release;
use mingle_release::manifest::PublicManifest;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What is attacked.
struct Target {
    published: Published,
    /// What a release says about itself.
    manifest: Option<PublicManifest>,
}

/// What came of it.
struct Played<'a> {
    subject: String,
    joined: &'a Joined<'a>,
    insiders: Insiders,
    /// Why the run with sizes alone was not played, if it was not.
    not_run: Option<&'static str>,
    found: Minimality,
    show_values: bool,
}

pub fn run(args: &AttackMinimality, screen: Screen) -> Result<Exit, Problem> {
    let outputs = Outputs::new(args)?;
    check_confidence(args.confidence)?;
    let policy = Policy::load(&args.policy, &args.overrides.set)?;
    let run = terminal_run(screen);
    let (subject, target) = match (&args.subject.table, &args.subject.release) {
        (Some(table), _) => (table, of_table(&policy, table)?),
        (None, Some(folder)) => (folder, of_release(folder)?),
        (None, None) => {
            return Err(Problem::new(
                Code::Usage,
                "nothing to attack",
                "give a release, or --table",
            ));
        }
    };
    let original = read_original(&policy, &run)?;
    run.step("reading groups");
    let contributors = insiders::contributors(&original.table);
    let cube = Arc::new(Cube::new(original.table.clone()));
    let missing = &policy.data.missing;
    let joined = Joined::linked(&cube, missing, &target.published).map_err(|e| not_played(&e))?;
    let (promises, insiders) = target.promised(&policy, contributors, &cube)?;
    run.step("running the method with sizes alone");
    let by_sizes = target.sizes_alone(
        &policy,
        &promises,
        insiders,
        &cube,
        missing,
        run.cancel().flag(),
    );
    run.step("playing the reader");
    let confidence = args.confidence;
    let options = Options {
        promises: &promises,
        insiders,
        sizes_alone: by_sizes.as_ref().ok(),
        confidence,
    };
    let found = minimality::play(&joined, options).map_err(|e| failure::privacy(&e))?;
    drop(run);
    interrupt::check()?;
    let (subject, not_run) = (
        subject.display().to_string(),
        by_sizes.as_ref().err().copied(),
    );
    let played = Played {
        subject,
        joined: &joined,
        insiders,
        not_run,
        found,
        show_values: args.show_values,
    };
    outputs.write(&played, screen)?;
    match args.json {
        true => print_json(&played.to_json())?,
        false => print(&visible(&played.to_text()))?,
    }
    Ok(played.conclude(screen))
}

fn check_confidence(confidence: f64) -> Result<(), Problem> {
    match confidence > 0.0 && confidence <= 1.0 {
        true => Ok(()),
        false => {
            let text = format!("--confidence {confidence} is no probability");
            Err(Problem::new(
                Code::Usage,
                text,
                "give a number above 0 and at most 1, such as 0.9",
            ))
        }
    }
}

fn of_table(policy: &Policy, file: &Path) -> Result<Target, Problem> {
    let table = read_anonymized(policy, file, &[Role::Sensitive])?.table;
    Ok(Target {
        published: Published::from_table(&table),
        manifest: None,
    })
}

/// Where sensitive columns are published apart, the private part says what belongs together: no
/// reader knows more.
fn of_release(folder: &Path) -> Result<Target, Problem> {
    let release = Release::open(folder).map_err(|e| failure::release(&e))?;
    if let Some(first) = release.check().problems.first() {
        let text = format!("{}: {first}", folder.display());
        return Err(Problem::new(
            Code::ReleaseDamaged,
            text,
            "publish again; this is not what was published",
        ));
    }
    let manifest = release
        .manifest()
        .map_err(|e| failure::release(&e))?
        .clone();
    let published = match manifest.tables.is_empty() {
        true => release.published().map_err(|e| failure::release(&e))?,
        false => release
            .audited()
            .map_err(|e| failure::release(&e))?
            .ok_or_else(|| {
                let text = format!(
                    "{}: a fragmented release without its private part",
                    folder.display()
                );
                Problem::new(
                    Code::GroupsUnknown,
                    text,
                    "play the attack where the private part of the release is",
                )
            })?,
    };
    Ok(Target {
        published,
        manifest: Some(manifest),
    })
}

impl Target {
    /// A release is attacked by its own promises, the table of any tool by the policy's.
    fn promised(
        &self,
        policy: &Policy,
        contributors: u64,
        cube: &Cube,
    ) -> Result<(Vec<Promise>, Insiders), Problem> {
        let Some(manifest) = &self.manifest else {
            return Ok((
                policy.privacy()?.promises.clone(),
                policy.insiders(contributors)?,
            ));
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
        Ok((
            promises.iter().map(own).collect::<Result<_, Problem>>()?,
            insiders,
        ))
    }

    /// What the reader gets who runs the method with the promised sizes alone, or why it cannot.
    fn sizes_alone(
        &self,
        policy: &Policy,
        promises: &[Promise],
        insiders: Insiders,
        cube: &Arc<Cube>,
        missing: &Missing,
        cancel: &AtomicBool,
    ) -> Result<Published, &'static str> {
        let manifest = self
            .manifest
            .as_ref()
            .ok_or("the method of a table is not known")?;
        let method = mingle_anonymize::method(&manifest.method)
            .ok_or("the method of the release is not known")?;
        if insiders.need_providers() {
            return Err("a reader does not know who contributed which row");
        }
        if policy.method.max_suppressed > Ratio::from(0) {
            return Err("rows may be left out");
        }
        let sizes: Vec<Promise> = promises
            .iter()
            .copied()
            .filter(|promise| promise.attribute.is_none())
            .collect();
        if sizes.is_empty() {
            return Err("no group size is promised");
        }
        let failed = "the method finds nothing with sizes alone";
        let requirement = Requirement::bind(&sizes, cube.sensitive(), &cube.combinations())
            .map_err(|_| failed)?;
        let options = MethodOptions {
            ranges: policy.method.ranges,
            max_suppressed: 0,
            cancel: Some(cancel),
        };
        let partition = method
            .partition(cube, &requirement, &options)
            .map_err(|_| failed)?;
        Published::from_partition(cube, &partition, missing).map_err(|_| failed)
    }
}

impl Played<'_> {
    /// Whether the calibrated reader infers nobody's value beyond the group's frequency.
    fn verdict(&self) -> &'static str {
        if self.found.worst().is_some() {
            "fails"
        } else {
            "holds"
        }
    }

    fn name(&self, column: usize) -> &str {
        &self.joined.sensitive()[column].name
    }

    fn conclude(&self, screen: Screen) -> Exit {
        let Some((_, target)) = self.found.worst() else {
            return Exit::Fine;
        };
        let text = format!(
            "{}: a reader who knows the method is {:.0} % sure of the {} of {} people, whom their group's frequency hides",
            self.subject,
            100.0 * self.found.confidence,
            self.name(target.column),
            target.inferred.people
        );
        let hint = "ask for more different values or larger groups, or use the agglomerative method, which hides what failed \
                    among others";
        let problem = Problem::new(Code::AttackSucceeds, text, hint);
        screen.problem(&problem);
        problem.code().exit()
    }
}
