//! The facts as one document for programs: `report.json`.
//!
//! What a page says in words and pictures stands here in the types of `mingle show --json`; both
//! are made from the same facts, and neither reads the other. No time, no folder and no machine gets
//! into it, so the same release gives the same bytes.

use crate::facts::{PublicFacts, StewardFacts};
use mingle_record::WarningsRecorded;
use mingle_record::release_report::{PrivateReleaseReport, ReleaseReport};
use mingle_record::schema::{ReleaseReportPrivateSchema, ReleaseReportSchema};
use mingle_release::manifest::checksum;
use serde::Serialize;

/// What is handed out.
pub fn public(facts: &PublicFacts) -> String {
    sealed(&ReleaseReport {
        schema: ReleaseReportSchema,
        manifest: facts.manifest_sha256.clone(),
        headline: facts.headline(true),
        warnings: facts.warnings.clone(),
        warnings_recorded: WarningsRecorded::of(None, facts.records_warnings),
        public: facts.shown(),
        checksum: checksum::UNSEALED.to_owned(),
    })
}

/// What the steward keeps.
pub fn private(facts: &StewardFacts) -> String {
    sealed(&PrivateReleaseReport {
        schema: ReleaseReportPrivateSchema,
        manifest: facts.public.manifest_sha256.clone(),
        headline: facts.public.headline(!facts.of_one_provider()),
        warnings: facts.all_warnings(),
        warnings_recorded: WarningsRecorded::All,
        public: facts.public.shown(),
        private: facts.shown(),
        checksum: checksum::UNSEALED.to_owned(),
    })
}

/// Pretty-printed, one line feed at the end, with the checksum in its place.
fn sealed(document: &impl Serialize) -> String {
    let mut bytes = serde_json::to_vec_pretty(document).expect("documents have string keys only");
    bytes.push(b'\n');
    checksum::seal(&mut bytes);
    String::from_utf8(bytes).expect("JSON is UTF-8")
}
