//! `mingle site … --json`: what was published together with a partner, and what comes before it.

use super::ReportFiles;
use crate::manifest::SiteEntry;
use crate::schema::{
    SiteBoardSchema, SiteDemoSchema, SiteFingerprintSchema, SiteInitSchema, SiteInviteSchema,
    SiteJoinSchema, SiteSchema, SiteTrustSchema, SiteVerifySchema,
};
use crate::{PromiseEntry, WarningNotice};
use serde::{Deserialize, Serialize};

/// The document `mingle.site/1`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SiteAnswer {
    /// Which document this is.
    pub schema: SiteSchema,
    /// The folder of the release.
    pub release: String,
    /// Where its reports are, if it has them.
    #[serde(deserialize_with = "crate::required")]
    pub reports: Option<ReportFiles>,
    /// Whether it was published before this session.
    pub already_published: bool,
    /// The people that both sites have.
    pub rows: u64,
    /// Groups of the release.
    pub groups: u64,
    /// How the sites' groups were brought together.
    pub synchronizer: String,
    /// What a site learns beyond the release: `L0`, `L1` or `L2`.
    pub leak_level: String,
    /// How many rounds it took.
    pub rounds: u64,
    /// The session's number, in hexadecimal.
    pub session: String,
    /// The sites' names, in the order of their roles.
    pub sites: Vec<String>,
    /// What is promised.
    pub constraints: Vec<PromiseEntry>,
    /// How many bytes were moved, both ways.
    pub bytes: u64,
    /// How long it took.
    pub seconds: f64,
    /// What deserves attention; answers of 0.1.0 do not have it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<WarningNotice>,
}

/// The document `mingle.site-verify/1`: what n providers found about a table that exists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SiteVerifyAnswer {
    /// Which document this is.
    pub schema: SiteVerifySchema,
    /// Whether k and every distinct l were shown for all groups. If not, they need not fail.
    pub proved: bool,
    /// The coalition that was asked about.
    pub m: u64,
    /// The k that was asked about.
    pub k: u64,
    /// The groups of the table.
    pub groups: u64,
    /// Groups of which k was not shown.
    pub k_not_shown: u64,
    /// Per distinct l that was asked about.
    pub diversity: Vec<SiteVerifyDiversity>,
    /// SHA-256 of the table's labels, values and counts, in hexadecimal.
    pub table: String,
    /// What the providers learnt on the way: `bits` or `sums`.
    pub level: String,
    /// Which caps were tried for k.
    pub caps: String,
    /// The session's number, in hexadecimal.
    pub session: String,
    /// What was revealed, asked and assumed.
    pub statements: Vec<String>,
    /// The providers in the order of their seats.
    pub sites: Vec<SiteEntry>,
    /// Their signatures of everything above, in the same order.
    pub signatures: Vec<SiteVerifySignature>,
}

/// A distinct l that was asked about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SiteVerifyDiversity {
    /// The sensitive column; `None` for all of them together.
    #[serde(deserialize_with = "crate::required")]
    pub column: Option<String>,
    /// How many values.
    pub l: u64,
    /// Groups of which it was not shown.
    pub not_shown: u64,
}

/// A provider's signature of a verification.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SiteVerifySignature {
    /// Its name.
    pub site: String,
    /// Ed25519, 128 lower-case hexadecimal digits.
    pub signature: String,
}

/// The document `mingle.site-init/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SiteInitAnswer {
    /// Which document this is.
    pub schema: SiteInitSchema,
    /// What is read to the partner.
    pub fingerprint: String,
    /// The key, which its owner keeps.
    pub key: String,
    /// The certificate.
    pub certificate: String,
    /// The settings to fill in.
    pub settings: String,
    /// How many days the certificate is valid.
    pub days: u32,
}

/// The document `mingle.site-fingerprint/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SiteFingerprintAnswer {
    /// Which document this is.
    pub schema: SiteFingerprintSchema,
    /// What is read to the partner.
    pub fingerprint: String,
}

/// The document `mingle.site-trust/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SiteTrustAnswer {
    /// Which document this is.
    pub schema: SiteTrustSchema,
    /// The settings that were changed.
    pub settings: String,
    /// The partner's fingerprint, which is trusted now.
    pub fingerprint: String,
    /// The one that was trusted before, where it was another.
    #[serde(deserialize_with = "crate::required")]
    pub instead_of: Option<String>,
}

/// The document `mingle.site-invite/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SiteInviteAnswer {
    /// Which document this is.
    pub schema: SiteInviteSchema,
    /// The text that goes to all providers.
    pub invitation: String,
    /// Who is invited where.
    pub invited: SiteInvited,
}

/// The document `mingle.site-join/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SiteJoinAnswer {
    /// Which document this is.
    pub schema: SiteJoinSchema,
    /// The settings that were changed.
    pub settings: String,
    /// Who is invited where.
    pub invited: SiteInvited,
}

/// What an invitation says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SiteInvited {
    /// Where providers reach the board.
    pub board: String,
    /// The fingerprint of the board's certificate.
    pub board_fingerprint: String,
    /// The providers in the order of their seats.
    pub providers: Vec<SiteInvitedProvider>,
    /// What the providers compare by telephone.
    pub check_words: String,
}

/// One provider of an invitation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SiteInvitedProvider {
    /// The name that the release will show.
    pub name: String,
    /// The fingerprint of its certificate.
    pub fingerprint: String,
}

/// The document `mingle.site-board/1`, printed once the board waits for providers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SiteBoardAnswer {
    /// Which document this is.
    pub schema: SiteBoardSchema,
    /// Where the board is called.
    pub address: String,
    /// The fingerprint of its certificate.
    pub fingerprint: String,
}

/// The document `mingle.site-demo/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SiteDemoAnswer {
    /// Which document this is.
    pub schema: SiteDemoSchema,
    /// One for each synchronizer that was played.
    pub plays: Vec<SiteDemoPlay>,
}

/// What came of one synchronizer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SiteDemoPlay {
    /// How the two partitions became one.
    pub synchronizer: String,
    /// What a site learns beyond the release: `L0`, `L1` or `L2`.
    pub leak_level: String,
    /// How many rounds it took.
    pub rounds: u64,
    /// Groups of the release.
    pub groups: u64,
    /// The two sites, in the order of their roles.
    pub sites: Vec<SiteDemoSite>,
    /// The public tables, which are the same at both.
    pub tables: Vec<String>,
}

/// What one site of the demonstration saw.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SiteDemoSite {
    /// Its name.
    pub name: String,
    /// How many bytes it received.
    pub received: u64,
    /// What the protocol says it learnt.
    pub learned: Vec<String>,
}
