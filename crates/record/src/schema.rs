//! Which document this is, and in which version: the `schema` key that every document opens with.
//!
//! Each is a type of its own that is written as its text and refuses any other when read, so that a
//! document cannot be taken for another one, nor for another version of itself.

/// Defines one type per schema: `VerifySchema = "mingle.verify/1";`.
macro_rules! schemas {
    ($($(#[$about:meta])* $name:ident = $text:literal;)*) => {
        $(
            $(#[$about])*
            #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
            pub struct $name;

            impl $name {
                /// The text that stands in the document.
                pub const TEXT: &'static str = $text;
            }

            impl serde::Serialize for $name {
                fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    serializer.serialize_str($name::TEXT)
                }
            }

            impl<'de> serde::Deserialize<'de> for $name {
                fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
                    if text == $name::TEXT {
                        return Ok($name);
                    }
                    // what stands there instead is not repeated: it may be anything
                    Err(serde::de::Error::custom(concat!("expected schema ", $text)))
                }
            }
        )*
    };
}

schemas! {
    /// What `mingle init --json` says.
    InitSchema = "mingle.init/1";
    /// What `mingle publish --json` says.
    PublishSchema = "mingle.publish/1";
    /// What `mingle apply --json` says.
    ApplySchema = "mingle.apply/1";
    /// What `mingle verify --json` says.
    VerifySchema = "mingle.verify/1";
    /// What `mingle attack insider --json` says.
    AttackInsiderSchema = "mingle.attack-insider/1";
    /// What `mingle attack intersection --json` says.
    AttackIntersectionSchema = "mingle.attack-intersection/1";
    /// What `mingle attack background-join --json` says.
    AttackBackgroundJoinSchema = "mingle.attack-background-join/1";
    /// What `mingle attack minimality --json` says.
    AttackMinimalitySchema = "mingle.attack-minimality/1";
    /// What `mingle dp synthetic|marginals|histogram --json` says.
    DpSchema = "mingle.dp/1";
    /// What `mingle dp budget --json` says.
    DpBudgetSchema = "mingle.dp-budget/1";
    /// What `mingle dp compose --json` says.
    DpComposeSchema = "mingle.dp-compose/1";
    /// What `mingle history list --json` says.
    HistoryListSchema = "mingle.history-list/1";
    /// What `mingle history check --json` says.
    HistoryCheckSchema = "mingle.history-check/1";
    /// What `mingle hierarchy propose --json` says.
    HierarchyProposeSchema = "mingle.hierarchy-propose/1";
    /// What `mingle hierarchy check --json` says.
    HierarchyCheckSchema = "mingle.hierarchy-check/1";
    /// What `mingle show --json` says.
    ShowSchema = "mingle.show/1";
    /// What `mingle site run --json` says.
    SiteSchema = "mingle.site/1";
    /// What `mingle lab --json` says.
    LabSchema = "mingle.lab/1";
    /// What `mingle measure --json` says.
    MeasureSchema = "mingle.measure/1";
    /// What any command says with `--json` where it fails and has no result.
    ErrorSchema = "mingle.error/1";
    /// What `mingle report --json` says.
    ReportSchema = "mingle.report/1";
    /// What `mingle history init --json` says.
    HistoryInitSchema = "mingle.history-init/1";
    /// What `mingle history add --json` says.
    HistoryAddSchema = "mingle.history-add/1";
    /// What `mingle history forget --json` says.
    HistoryForgetSchema = "mingle.history-forget/1";
    /// What `mingle site init --json` says.
    SiteInitSchema = "mingle.site-init/1";
    /// What `mingle site fingerprint --json` says.
    SiteFingerprintSchema = "mingle.site-fingerprint/1";
    /// What `mingle site trust --json` says.
    SiteTrustSchema = "mingle.site-trust/1";
    /// What `mingle site invite --json` says.
    SiteInviteSchema = "mingle.site-invite/1";
    /// What `mingle site join --json` says.
    SiteJoinSchema = "mingle.site-join/1";
    /// What `mingle site board --json` says.
    SiteBoardSchema = "mingle.site-board/1";
    /// What `mingle site verify --json` says, and the file that it leaves.
    SiteVerifySchema = "mingle.site-verify/1";
    /// What `mingle site demo --json` says.
    SiteDemoSchema = "mingle.site-demo/1";
    /// What `mingle serve --json` says.
    ServeSchema = "mingle.serve/1";
    /// What `mingle synth --json` says.
    SynthSchema = "mingle.synth/1";
    /// What `mingle explain --json` says.
    ExplainSchema = "mingle.explain/1";
    /// `public/manifest.json` of a release of groups.
    ReleaseSchema = "mingle.release/1";
    /// `private/manifest.json` of a release of groups.
    ReleasePrivateSchema = "mingle.release-private/1";
    /// `public/manifest.json` of a release of noisy counts.
    NoisySchema = "mingle.noisy/1";
    /// `private/manifest.json` of a release of noisy counts.
    NoisyPrivateSchema = "mingle.noisy-private/1";
    /// `signatures.json` of a joint release.
    SignaturesSchema = "mingle.signatures/1";
    /// `history.json`.
    HistorySchema = "mingle.history/1";
    /// A version's people, in a history.
    HistoryPeopleSchema = "mingle.history-people/1";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_is_its_text_and_no_other() {
        let text = serde_json::to_string(&VerifySchema).unwrap();
        assert_eq!(text, "\"mingle.verify/1\"");
        assert_eq!(
            serde_json::from_str::<VerifySchema>(&text).unwrap(),
            VerifySchema
        );
        for other in [
            "\"mingle.verify/2\"",
            "\"mingle.publish/1\"",
            "\"\"",
            "1",
            "null",
        ] {
            assert!(
                serde_json::from_str::<VerifySchema>(other).is_err(),
                "{other}"
            );
        }
    }
}
