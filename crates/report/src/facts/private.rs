//! What only the steward may see: who contributed, what coalitions could do, what the release
//! costs.

use super::composition::composition_shown;
use super::tables::Tables;
use super::utility::utility_shown;
use super::words::{BROKEN, listed, statement, statement_on};
use super::{
    PublicFacts, Statement, Topic, checklist, choices, exposure, finding_of, noise, people, policy,
    statements_shown,
};
use crate::error::Error;
use crate::number::whole;
use mingle_assess::risk::{judge_limits, limits_of};
use mingle_privacy::{Reach, verify};
use mingle_record::about::AboutRelease;
use mingle_record::answer::{
    ShownBudget, ShownChoice, ShownComposition, ShownExposure, ShownFinding, ShownPeople,
    ShownPrivate, ShownQuestion, ShownUtility,
};
use mingle_record::distributions::Distributions;
use mingle_record::manifest::{
    FileEntry, NoisyPrivateManifest, PrivateManifest, ProviderRows, PublicManifest,
};
use mingle_record::policy_document::PolicyDocument;
use mingle_record::{RecordedWarning, WarningNotice, found_and_recorded};
use mingle_release::manifest::ManifestMeaning;
use mingle_release::{NoisyRelease, Opened, Release, open_any, signatures_of};
use std::path::Path;

/// Everything that the steward can know.
#[derive(Clone, PartialEq, Debug)]
pub struct StewardFacts {
    /// What everybody may see. Its verdict is that of the audit, where there is one. Documents have
    /// it beside the rest.
    pub public: PublicFacts,
    /// What else is needed to repeat the release.
    pub repeat: String,
    /// What readers cannot do, with what only the steward knows.
    pub protected: Vec<Statement>,
    /// What the promises do not cover, with what only the steward knows.
    pub unprotected: Vec<Statement>,
    /// Who contributed how many rows.
    pub providers: Vec<ProviderRows>,
    /// Of a joint release: the site that keeps this copy.
    pub site: Option<String>,
    /// Rows that were left out; a noisy release has none of these.
    pub suppressed_rows: Option<u64>,
    /// Where the policy says whose rows belong together: how many people there are.
    pub people: Option<ShownPeople>,
    /// What coalitions could do; `None` where no audit says who contributed what, and where people
    /// have several rows.
    pub exposure: Option<ShownExposure>,
    /// What the release costs.
    pub utility: Option<ShownUtility>,
    /// Original and release side by side; older releases do not record it.
    pub distributions: Option<Distributions>,
    /// What it says together with others.
    pub composition: Option<ShownComposition>,
    /// What was paid for noise.
    pub budget: Option<ShownBudget>,
    /// What the steward was warned of when the release was made.
    pub warnings: Vec<RecordedWarning>,
    /// The files that were read.
    pub inputs: Vec<FileEntry>,
    /// Where tie-breaks and sampling started.
    pub seed: Option<u64>,
    /// The whole policy, as TOML.
    pub policy: String,
    /// All that the steward says about it.
    pub about: AboutRelease,
    /// What was chosen, and why.
    pub choices: Vec<ShownChoice>,
    /// What authorities ask, and what this says to it.
    pub checklist: Vec<ShownQuestion>,
}

impl StewardFacts {
    /// Reads a release folder with its private part.
    pub fn open(release_folder: &Path) -> Result<StewardFacts, Error> {
        Ok(StewardFacts::open_both(release_folder)?.1)
    }

    /// What everybody may see and what only the steward may, from one reading of the tables. The
    /// former come from the public part alone, as those of [`PublicFacts::open`] do, and are the
    /// same.
    pub fn open_both(release_folder: &Path) -> Result<(PublicFacts, StewardFacts), Error> {
        let (mut handed_out, mut kept) = match open_any(release_folder)? {
            Opened::Grouped(release) => StewardFacts::of_groups(&release),
            Opened::Noisy(release) => StewardFacts::of_noise(&release),
        }?;
        handed_out.signers = signatures_of(release_folder).public;
        kept.public.signers.clone_from(&handed_out.signers);
        Ok((handed_out, kept))
    }

    /// The report that stays with the steward.
    pub fn to_html(&self) -> String {
        crate::html::private(self)
    }

    /// The document that stays beside it.
    pub fn to_json(&self) -> String {
        crate::document::private(self)
    }

    /// What documents say of it, beside what everybody may see.
    pub fn shown(&self) -> ShownPrivate {
        ShownPrivate {
            repeat: self.repeat.clone(),
            protected: statements_shown(&self.protected),
            unprotected: statements_shown(&self.unprotected),
            providers: self.providers.clone(),
            site: self.site.clone(),
            suppressed_rows: self.suppressed_rows,
            people: self.people.clone(),
            exposure: self.exposure.clone(),
            utility: self.utility.clone(),
            distributions: self.distributions.clone(),
            composition: self.composition.clone(),
            budget: self.budget.clone(),
            warnings: self.warnings.clone(),
            inputs: self.inputs.clone(),
            seed: self.seed,
            policy: self.policy.clone(),
            about: self.about.clone(),
            choices: self.choices.clone(),
            checklist: self.checklist.clone(),
        }
    }

    /// What deserves attention: found in what is public, and recorded when it was made.
    pub fn all_warnings(&self) -> Vec<WarningNotice> {
        found_and_recorded(&self.public.warnings, &self.warnings)
    }

    /// Whether all published rows come from one provider, so that there is nobody to collude.
    pub fn of_one_provider(&self) -> bool {
        ProviderRows::contributors(&self.providers) == 1 && self.public.joint.is_none()
    }

    fn of_groups(release: &Release) -> Result<(PublicFacts, StewardFacts), Error> {
        let private = release.private_manifest().ok_or(Error::NoPrivatePart)?;
        let manifest = release.manifest()?;
        let tables = Tables::read(release)?;
        let Audited {
            exposure,
            people,
            verdict,
        } = audited(release, manifest, &tables)?;
        let handed_out = PublicFacts::of_groups(release, tables)?;
        let mut public = handed_out.clone();
        if let Some(verdict) = verdict {
            decided(&mut public, verdict);
        }
        if let Some(risk) = people.as_ref().and_then(|people| people.risk.as_ref()) {
            // the audit has the people whom the public rows do not show
            public.risk_limits = judge_limits(&limits_of(&manifest.policy), Some(risk));
        }
        let composition = private.composition.as_ref().map(composition_shown);
        let (protected, unprotected) =
            said(&public, private, composition.as_ref(), exposure.as_ref());
        let mut kept = StewardFacts {
            public,
            protected,
            unprotected,
            providers: private.providers.clone(),
            site: private.site.clone(),
            suppressed_rows: Some(private.suppressed_rows),
            people,
            exposure,
            utility: private.utility.as_ref().map(utility_shown),
            distributions: private.distributions.clone(),
            composition,
            budget: None,
            warnings: private.warnings.clone(),
            inputs: private.inputs.clone(),
            seed: Some(private.seed),
            policy: private
                .policy
                .as_ref()
                .map(policy::toml)
                .unwrap_or_default(),
            repeat: policy::WHOLE.to_owned(),
            about: AboutRelease::default(),
            choices: Vec::new(),
            checklist: Vec::new(),
        };
        kept.explain(private.policy.as_ref().unwrap_or(&manifest.policy));
        Ok((handed_out, kept))
    }

    fn of_noise(release: &NoisyRelease) -> Result<(PublicFacts, StewardFacts), Error> {
        let private = release.private_manifest().ok_or(Error::NoPrivatePart)?;
        let public = noise::public(release)?;
        let mut kept = StewardFacts {
            protected: public.protected.clone(),
            unprotected: public.unprotected.clone(),
            providers: Vec::new(),
            site: None,
            suppressed_rows: None,
            people: None,
            exposure: None,
            utility: private.utility.as_ref().map(utility_shown),
            distributions: private.distributions.clone(),
            composition: None,
            budget: Some(budget(private, &public)),
            warnings: private.warnings.clone(),
            inputs: private.inputs.clone(),
            seed: None,
            policy: policy::toml(&private.policy),
            repeat: policy::WHOLE.to_owned(),
            public: public.clone(),
            about: AboutRelease::default(),
            choices: Vec::new(),
            checklist: Vec::new(),
        };
        kept.explain(&private.policy);
        Ok((public, kept))
    }

    /// Adds what follows from the policy's own words and from everything else that is known.
    fn explain(&mut self, policy: &PolicyDocument) {
        self.about = AboutRelease::of(policy);
        self.choices = choices::of(&self.public, policy, &self.about);
        self.checklist = checklist::of(&self.public, &self.shown());
    }
}

/// What an audit shows.
#[derive(Default)]
struct Audited {
    /// What coalitions could do, where that is counted.
    exposure: Option<ShownExposure>,
    people: Option<ShownPeople>,
    /// Whether every promise holds for the stated m.
    verdict: Option<ShownFinding>,
}

/// Plays coalitions where the audit says who contributed what. Where people have several rows, the
/// promises are verified, and what coalitions of other sizes could do is not counted.
fn audited(
    release: &Release,
    manifest: &PublicManifest,
    tables: &Tables,
) -> Result<Audited, Error> {
    let (Some(published), Some(insiders)) = (tables.audited(release)?, manifest.insiders()) else {
        let people = people::shown(release, manifest, None);
        return Ok(Audited {
            people,
            ..Audited::default()
        });
    };
    let people = people::shown(release, manifest, Some(&published));
    let promises = manifest.promises().unwrap_or_default();
    if published.people().is_some() {
        let verification = verify(published, &promises, insiders, Reach::Stated)?;
        return Ok(Audited {
            exposure: None,
            people,
            verdict: Some(finding_of(verification.verdict())),
        });
    }
    let exposure = exposure::of(&published, &promises, insiders)?;
    Ok(Audited {
        verdict: Some(exposure.verdict),
        exposure: Some(exposure),
        people,
    })
}

/// The audit decides what the public rows leave open.
fn decided(public: &mut PublicFacts, verdict: ShownFinding) {
    public.verdict.insiders = verdict;
    if public.counts_people && verdict == ShownFinding::Holds {
        // the audit has the people whom the public rows do not show
        for promise in &mut public.promises {
            promise.verdict = verdict;
        }
    }
    if public.verdict.outsider == ShownFinding::Stated {
        public.verdict.outsider = verdict;
    }
    let words = match (public.verdict.holds(), public.verdict.fails()) {
        (true, _) => {
            "Every promise was checked on the published rows and on the audit of who contributed what when this report was \
             made, and holds."
        }
        (false, false) => {
            "Some promise could not be decided within the program's limits. Take it for broken."
        }
        (false, true) => "Some promise does not hold. Do not hand out this release.",
    };
    words.clone_into(&mut public.verdict.words);
}

fn budget(private: &NoisyPrivateManifest, public: &PublicFacts) -> ShownBudget {
    let name = |path: &str| {
        path.rsplit(['/', '\\'])
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    let encoded = &private.encoded;
    ShownBudget {
        paid: public
            .noise
            .as_ref()
            .map_or(String::new(), |noise| noise.promise.clone()),
        ledger: name(&private.ledger),
        entry: private.entry,
        entry_hash: private.entry_hash.clone(),
        time: private.time.clone(),
        rows: encoded.rows,
        left_out: encoded.left_out,
        beyond_bound: encoded.beyond_bound,
        of_unknown: encoded.of_unknown,
        columns: encoded.columns.clone(),
    }
}

/// The public statements, where the steward knows more in other words.
fn said(
    public: &PublicFacts,
    private: &PrivateManifest,
    composition: Option<&ShownComposition>,
    exposure: Option<&ShownExposure>,
) -> (Vec<Statement>, Vec<Statement>) {
    let (mut protected, mut unprotected) = (public.protected.clone(), public.unprotected.clone());
    let is_of_providers = |s: &Statement| matches!(s.topic, Topic::Insiders | Topic::Origin);
    if ProviderRows::contributors(&private.providers) == 1 && public.joint.is_none() {
        protected.retain(|s| !is_of_providers(s));
        unprotected.retain(|s| !is_of_providers(s));
    } else if exposure.is_some_and(|e| e.verdict != ShownFinding::Holds) {
        protected.retain(|s| !is_of_providers(s));
        unprotected.retain(|s| s.topic != Topic::Insiders);
        unprotected.insert(0, statement_on(Topic::Insiders, "Insiders", BROKEN));
    }
    unprotected.retain(|s| s.topic != Topic::OtherReleases);
    unprotected.extend(smallest(exposure));
    match composition {
        None => unprotected.push(statement_on(
            Topic::OtherReleases,
            "Other releases",
            "Whoever lays this release beside another one about the same people can combine the two. The policy names no \
             other release, so that was not looked at.",
        )),
        Some(composition) => {
            let target = if composition.holds() { &mut protected } else { &mut unprotected };
            target.push(statement("Known releases", beside(composition)));
            let others = "Releases about the same people that the policy does not name were not looked at.";
            unprotected.push(statement_on(Topic::OtherReleases, "Other releases", others));
        }
    }
    (protected, unprotected)
}

/// How many would have to collude.
fn smallest(exposure: Option<&ShownExposure>) -> Option<Statement> {
    let exposure = exposure.filter(|e| e.providers > 1)?;
    let size = exposure.smallest.filter(|size| *size > 0)?;
    let found = exposure.sizes.iter().find(|e| e.size == size)?;
    let who = match size {
        1 => "some provider alone can".to_owned(),
        2 => "some two providers together can".to_owned(),
        size => format!("some {} providers together can", whole(size)),
    };
    let text = format!(
        "In {} of {} groups {who} break a promise; see the exposure by size of the coalition below.",
        whole(found.groups),
        whole(exposure.groups)
    );
    Some(statement("Who would have to collude", text))
}

fn beside(composition: &ShownComposition) -> String {
    let mut text = String::new();
    let against = composition.against();
    if !against.is_empty() {
        let names = listed(against.into_iter(), "and");
        let holds = if composition.audits.iter().all(|a| a.holds) {
            "hold"
        } else {
            "do not hold"
        };
        text +=
            &format!("Laid beside {names}, the policy's limits on what both say together {holds}.");
    }
    if let Some(history) = &composition.history {
        let holds = if history.columns.iter().all(|a| a.holds) {
            "hold"
        } else {
            "do not hold"
        };
        let space = if text.is_empty() { "" } else { " " };
        let earlier = crate::number::counted(history.earlier, "own earlier version");
        text += &format!(
            "{space}Laid beside {earlier}, the policy's limits on what all say together {holds}."
        );
    }
    text
}
