//! Every answer is read back as it was written, and nothing else is read as one.

use super::*;
use crate::manifest::StatedKnowledge;
use crate::schema::*;
use crate::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::fmt::Debug;

/// Written, read and written again; a key more, a key less and another schema are refused.
fn reads_back<T: Serialize + DeserializeOwned + PartialEq + Debug>(answer: &T) {
    reads_back_with(answer, &["verdict"]);
}

/// The same of a document that has these keys.
fn reads_back_with<T: Serialize + DeserializeOwned + PartialEq + Debug>(
    answer: &T,
    needed: &[&str],
) {
    let text = serde_json::to_string(answer).unwrap();
    assert_eq!(&serde_json::from_str::<T>(&text).unwrap(), answer);
    let document: Value = serde_json::from_str(&text).unwrap();
    let refused = |changed: Value, what: &str| {
        assert!(serde_json::from_value::<T>(changed).is_err(), "{what}");
    };
    let mut more = document.clone();
    more["surprise"] = 1.into();
    refused(more, "an unknown key");
    for other in ["mingle.verify/2", "mingle.publish/1", ""] {
        let mut changed = document.clone();
        changed["schema"] = other.into();
        refused(changed, "another schema");
    }
    for key in needed {
        let mut less = document.clone();
        assert!(less.as_object_mut().unwrap().remove(*key).is_some());
        refused(less, key);
    }
    let null_keys = document.as_object().unwrap().iter();
    for (key, _) in null_keys.filter(|(_, value)| value.is_null()) {
        let mut less = document.clone();
        less.as_object_mut().unwrap().remove(key);
        refused(less, key);
    }
}

fn warning() -> WarningNotice {
    WarningNotice {
        code: ProblemCode::RevealingColumn,
        text: "column \"a\" is published unchanged".into(),
        hint: "change its role".into(),
    }
}

fn promise() -> PromiseEntry {
    let l = ExactNumber::new(5, 2).unwrap();
    PromiseEntry {
        name: "entropy-l-diversity".into(),
        column: Some("disease".into()),
        joint: false,
        parameters: vec![("l".into(), ParameterEntry::Number(l))],
    }
}

fn labels() -> GroupLabels {
    ByName(vec![
        ("zip".into(), "13***".into()),
        ("age".into(), "*".into()),
    ])
}

#[test]
fn verified_groups() {
    let answer = GroupsVerified {
        schema: VerifySchema,
        verdict: Judgement::Fails,
        groups: Some(3),
        records: Some(10),
        people: None,
        providers: None,
        m: 1,
        attack_number: None,
        attack_number_undecided: true,
        fragmented: false,
        constraints: vec![ConstraintVerdict {
            promise: promise(),
            verdict: Judgement::Undecided,
        }],
        witness: Some(VerifyWitness {
            constraint: "k-anonymity".into(),
            group: labels(),
            coalition: vec!["P1".into()],
            records_left: 1,
            people_left: None,
        }),
        problems: Vec::new(),
        warnings: None,
        warnings_recorded: None,
        signatures: Vec::new(),
    };
    reads_back(&answer);
    reads_back(&VerifyAnswer::Groups(answer.clone()));
    reads_back(&GroupsVerified {
        warnings: Some(vec![warning()]),
        warnings_recorded: Some(WarningsRecorded::Nothing),
        ..answer.clone()
    });
    assert_eq!(
        serde_json::to_string(&answer).unwrap(),
        "{\"schema\":\"mingle.verify/1\",\"verdict\":\"fails\",\"groups\":3,\"records\":10,\"providers\":null,\
         \"m\":1,\"attack_number\":null,\"attack_number_undecided\":true,\"constraints\":[{\"name\":\
         \"entropy-l-diversity\",\"column\":\"disease\",\"l\":2.5,\"verdict\":\"undecided\"}],\"witness\":\
         {\"constraint\":\"k-anonymity\",\"group\":{\"zip\":\"13***\",\"age\":\"*\"},\"coalition\":[\"P1\"],\
         \"records_left\":1}}"
    );
}

#[test]
fn verified_noise() {
    let answer = DpVerified {
        schema: VerifySchema,
        verdict: Judgement::Holds,
        kind: DpKind::Dp,
        groups: (),
        records: (),
        providers: (),
        m: (),
        attack_number: (),
        constraints: [],
        release: Some("histogram".into()),
        guarantee: Some(DpVerifiedGuarantee {
            epsilon: Some("1".into()),
            delta: None,
            rho: None,
            neighbouring: NeighbouringStatement {
                unit: "person".into(),
                records_per_person: 1,
                enforced: true,
                words: "one person".into(),
            },
            semantics: SemanticsStatement {
                statement: "Proposition 14".into(),
                difference: None,
                vacuous: true,
                delta_per_person: None,
                delta_all: None,
            },
            against: vec![DpReader::Outsider, DpReader::AllProvidersButOne],
            proven_by_verify: false,
        }),
        ledger: None,
        problems: vec!["something".into()],
        warnings: Some(vec![warning()]),
        warnings_recorded: Some(WarningsRecorded::All),
        signatures: Vec::new(),
    };
    reads_back(&answer);
    reads_back(&VerifyAnswer::Dp(answer));
}

#[test]
fn insiders() {
    reads_back(&InsiderAnswer {
        schema: AttackInsiderSchema,
        verdict: Judgement::Undecided,
        m: 1,
        semantics: StatedSemantics::Strict,
        groups: 2,
        records: 9,
        people: Some(5),
        knows: Some(StatedKnowledge::Rows),
        providers: 3,
        single_provider_groups: 0,
        constraints: vec![promise()],
        attack_number: None,
        attack_number_undecided: true,
        short_of_providers: Some(1),
        exposure: vec![CoalitionExposure {
            size: 0,
            groups: 1,
            share: 0.5,
            undecided: 0,
            records: 4,
            people: Some(3),
            identity: 0,
            attribute: ByName(vec![("disease".into(), 2)]),
            exposed: 2,
        }],
        beside: Some(ExposureBeside {
            knows: StatedKnowledge::People,
            attack_number: None,
            exposure: Vec::new(),
        }),
        shared: Some(SharedPeopleAnswer {
            people: 1,
            sizes: vec![SharedBySize {
                size: 1,
                exact: true,
                coalitions: vec![SharedByCoalition {
                    members: vec!["P1".into()],
                    people: 1,
                    records: 2,
                    learnt: 1,
                    attribute: ByName(vec![("disease".into(), 1)]),
                    certain: 0,
                }],
            }],
        }),
        worst: vec![WorstCoalitions {
            size: 1,
            exact: true,
            coalitions: vec![NamedCoalition {
                members: vec!["P1".into()],
                exposed: 2,
                groups: 1,
            }],
        }],
        inference: Some(InsiderInference {
            learnt: LearntKind::Identity,
            coalition: Vec::new(),
            group: labels(),
            own_records: 0,
            records_left: 1,
            people_known: Some(2),
            people_left: Some(1),
            constraint: None,
            columns: Some(vec!["disease".into()]),
            values: None,
            text: "words".into(),
        }),
        label_ends: Some(LabelEnds {
            explained_by_at_most: 1,
            checked: 4,
            given_away: 1,
            groups: 1,
            columns: ByName(vec![("age".into(), 1)]),
            example: Some(GivenAwayEnd {
                group: labels(),
                column: "age".into(),
                end: LabelEnd::Lower,
                explained_by: vec!["P2".into()],
                text: "words".into(),
            }),
            told: Some(LabelsTold {
                groups_of_several: 4,
                groups: 3,
                groups_by_elements: 2,
                elements: 5,
                groups_by_ends: 1,
                ends: 1,
                columns: ByName(vec![("age".into(), 1), ("work".into(), 5)]),
            }),
        }),
    });
}

#[test]
fn background_join() {
    let view = BackgroundJoinView {
        certain: 1,
        newly: 1,
        below_k: 0,
        alone: 0,
        mean_posterior: 0.25,
        largest_posterior: 1.0,
    };
    let inferred = ReconstructionInference {
        knows: "job".into(),
        target: "disease".into(),
        people: 9,
        mean_posterior: 0.5,
        mean_without: 0.25,
        determined: 1,
        newly: 1,
        misled: 0,
    };
    reads_back(&BackgroundJoinAnswer {
        schema: AttackBackgroundJoinSchema,
        verdict: Judgement::Fails,
        form: ReleaseForm::Fragmented,
        k: 3,
        groups: 3,
        records: 9,
        people: 9,
        left_out: 0,
        overlapping: 0,
        quasi_identifiers: vec!["zip".into()],
        plays: vec![BackgroundJoinPlay {
            knows: vec!["job".into()],
            target: "disease".into(),
            people: 9,
            outsider: view.clone(),
            linked: view.clone(),
            fragmented: Some(view.clone()),
            by_rows: None,
        }],
        inference: None,
        reconstructions: vec![ReconstructedPair {
            columns: vec!["job".into(), "disease".into()],
            people: 9,
            plain_share: 0.5,
            chance_share: 0.25,
            estimates: vec![ReconstructionEstimate {
                rounds: 1,
                settled: false,
                right: 4,
                right_share: 0.4444,
                blind_share: 0.3333,
                inferred: vec![inferred],
            }],
        }],
        not_reconstructed: vec![vec!["a".into(), "b".into()]],
    });
    // people with several rows
    reads_back(&BackgroundJoinAnswer {
        schema: AttackBackgroundJoinSchema,
        verdict: Judgement::Fails,
        form: ReleaseForm::Linked,
        k: 3,
        groups: 1,
        records: 9,
        people: 4,
        left_out: 0,
        overlapping: 0,
        quasi_identifiers: vec!["zip".into()],
        plays: vec![BackgroundJoinPlay {
            knows: vec!["job".into()],
            target: "disease".into(),
            people: 4,
            outsider: view.clone(),
            linked: view.clone(),
            fragmented: None,
            by_rows: Some(BackgroundJoinByRows {
                outsider: view.clone(),
                linked: view,
            }),
        }],
        inference: Some(BackgroundJoinInference {
            knows: vec!["job".into()],
            target: "disease".into(),
            groups: Vec::new(),
            counts: Some(CandidatesAre::People),
            candidates: 1,
            rows: 4,
            values: None,
            text: "words".into(),
        }),
        reconstructions: Vec::new(),
        not_reconstructed: Vec::new(),
    });
}

#[test]
fn minimality() {
    let tally = UnitTally {
        units: 1,
        people: 6,
    };
    let named = NamedPeople {
        people: 6,
        right: 5,
    };
    reads_back(&MinimalityAnswer {
        schema: AttackMinimalitySchema,
        verdict: Judgement::Fails,
        confidence: 0.9,
        groups: 3,
        records: 19,
        people: 19,
        smallest: 5,
        m: 0,
        plays: vec![MinimalityPlay {
            rule: MinimalityRule::DenseTuple,
            units: tally,
            failing: tally,
            flagged: tally,
            flagged_failing: tally,
            for_insiders: tally,
            unplaced: tally,
            cleared: tally,
            estimated: tally,
            base_rate: Some(0.3333),
            precision: Some(1.0),
            likelihood_ratio: None,
            targets: vec![MinimalityTarget {
                column: "disease".into(),
                people: 6,
                mean: MinimalityMeans {
                    frequency: 0.75,
                    naive: 1.0,
                    calibrated: 1.0,
                },
                levels: vec![MinimalityLevel {
                    confidence: 0.9,
                    frequency: named,
                    naive: named,
                    calibrated: named,
                }],
                inferred: named,
            }],
        }],
        sizes_alone_not_played: Some(SizesAloneNotPlayed::TableWithoutMethod),
        inference: Some(MinimalityInference {
            rule: MinimalityRule::SizesAlone,
            column: "disease".into(),
            groups: vec![labels()],
            people: 6,
            right: 6,
            frequency: 0.75,
            naive: 1.0,
            calibrated: 1.0,
            value: None,
            text: "words".into(),
        }),
    });
    for reason in [
        SizesAloneNotPlayed::TableWithoutMethod,
        SizesAloneNotPlayed::UnknownMethod,
        SizesAloneNotPlayed::ContributorsUnknown,
        SizesAloneNotPlayed::RowsMayBeLeftOut,
        SizesAloneNotPlayed::NoSizePromised,
        SizesAloneNotPlayed::NothingFound,
    ] {
        assert_eq!(serde_json::to_value(reason).unwrap(), reason.text());
    }
}

#[test]
fn intersection() {
    let by_values = vec![PeopleByValues {
        values: 1,
        people: 2,
    }];
    reads_back(&IntersectionAnswer {
        schema: AttackIntersectionSchema,
        verdict: Judgement::Fails,
        limits: IntersectionLimits {
            max_perfect_breach: Some(0.0),
            min_posterior: None,
        },
        people: 2,
        rows: Some(5),
        incomplete: 0,
        without: Vec::new(),
        releases: vec![IntersectedRelease {
            name: "r".into(),
            groups: 1,
            rows: 2,
            fragmented: false,
            location: PersonLocation::NearestCentroid,
            kind: "groups".into(),
            guarantee: None,
        }],
        attributes: vec![IntersectedAttribute {
            column: "disease".into(),
            values: 2,
            verdict: Judgement::Fails,
            base_rate: Some(BaseRates {
                commonest: 0.5,
                any: 0.5,
            }),
            worst: IntersectionChoice::MostSpecific,
            readers: vec![IntersectionReader {
                choice: IntersectionChoice::True,
                verdict: Judgement::Fails,
                people: 2,
                by_releases: vec![0, 0, 2],
                releases: vec![ReaderInRelease {
                    name: "r".into(),
                    fitting: 2,
                    several: 0,
                    mean_prior: Some(2.0),
                }],
                several: 0,
                alone: 0,
                apart: 0,
                intersected: 2,
                mean_prior: Some(2.0),
                mean_posterior: Some(1.0),
                mean_drop: None,
                vulnerable: 2,
                vulnerable_share: 1.0,
                perfect: 2,
                perfect_share: 1.0,
                perfect_already: 0,
                partial: 0,
                prior: by_values.clone(),
                posterior: by_values.clone(),
                drop: by_values,
                confidence: vec![ConfidenceLevel {
                    confidence: 1.0,
                    people: 2,
                    share: 1.0,
                }],
                truth: Some(ReaderTruth {
                    known: 2,
                    among: 2,
                    perfect: 2,
                    perfect_right: 2,
                }),
                likeliest: Some(LikeliestValue {
                    people: 2,
                    mean_confidence: None,
                    known: 2,
                    accuracy: Some(0.5),
                    confident: vec![LikeliestLevel {
                        confidence: 0.95,
                        people: 1,
                    }],
                }),
            }],
            inference: Some(IntersectionInference {
                row: Some(1),
                groups: vec![1, 1],
                priors: vec![2, 2],
                value: None,
                text: "words".into(),
            }),
        }],
        warnings: vec![warning()],
    });
}

#[test]
fn proposals() {
    let answer = InitAnswer {
        schema: InitSchema,
        written_to: None,
        policy: "[data]\npath = \"t.csv\"\n".into(),
        rows: 7,
        tables: 1,
        providers: 1,
        provider_column: None,
        formats: vec![InitFormat {
            table: "t.csv".into(),
            keys: vec!["decimal = \",\"".into()],
            evidence: vec!["3 numbers".into()],
            doubts: Vec::new(),
        }],
        columns: vec![InitColumn {
            name: "zip".into(),
            recognised: "postcode".into(),
            kind: "category".into(),
            role: "quasi-identifier".into(),
            decide: false,
            reason: "many know where somebody lives".into(),
            distinct: 3,
            missing: 1,
            unique: 1,
            rare: 6,
            commonest: 3,
        }],
        to_decide: vec!["weight".into()],
        people: None,
        singling_out: InitSinglingOut {
            sample_rows: 7,
            steps: vec![InitSinglingStep {
                column: "zip".into(),
                alone: 1,
            }],
            quasi_identifiers: 1,
        },
        dry_run: None,
        warnings: Vec::new(),
    };
    let text = serde_json::to_string(&answer).unwrap();
    assert_eq!(serde_json::from_str::<InitAnswer>(&text).unwrap(), answer);
    let more = text.replacen("\"rows\"", "\"surprise\":1,\"rows\"", 1);
    assert!(serde_json::from_str::<InitAnswer>(&more).is_err());
    let tried = InitAnswer {
        people: Some(InitPeople {
            column: "patient".into(),
            people: 3,
            rows: 7,
            most_rows: 4,
            changes: vec![InitChange {
                column: "zip".into(),
                people: 2,
                ncp: 0.125,
            }],
        }),
        dry_run: Some(InitDryRun {
            method: "mondrian".into(),
            sample_rows: 7,
            ncp: Some(0.25),
            says_nothing: Some(0.5),
            useless: true,
            costs_by: "mondrian".into(),
            costliest: vec![InitCost {
                column: "zip".into(),
                others_with: 0.5,
                others_without: 0.25,
            }],
        }),
        ..answer
    };
    let text = serde_json::to_string(&tried).unwrap();
    assert_eq!(serde_json::from_str::<InitAnswer>(&text).unwrap(), tried);
}

#[test]
fn checked_hierarchies() {
    let answer = HierarchyCheckAnswer {
        schema: HierarchyCheckSchema,
        verdict: HierarchyVerdict::Findings,
        columns: vec![CheckedHierarchy {
            column: "diagnosis".into(),
            hierarchy: "template icd-10".into(),
            values: 9,
            levels: vec![HierarchyLevel {
                labels: 9,
                largest: 1,
            }],
            findings: vec![HierarchyFinding {
                kind: HierarchyWeakness::Unlisted,
                text: "2 values are not in it".into(),
                values: Some(2),
                place: None,
            }],
        }],
    };
    reads_back(&answer);
}

#[test]
fn errors() {
    let place = ProblemPlace {
        file: Some("policy.toml".into()),
        line: Some(3),
        column: Some(5),
        column_name: None,
    };
    let problem = Problem::new(
        ProblemCode::UnknownKey,
        "policy.toml:3:5: unknown key",
        "take it out",
    );
    let answer = ErrorAnswer::new(&problem.clone().in_place(place), vec![warning()]);
    let needed = ["schema", "code", "message", "hint", "exit"];
    reads_back_with(&answer, &needed);
    assert_eq!(
        serde_json::to_string(&ErrorAnswer::new(&problem, Vec::new())).unwrap(),
        "{\"schema\":\"mingle.error/1\",\"code\":\"MG0103\",\"message\":\
         \"policy.toml:3:5: unknown key\",\"hint\":\"take it out\",\"exit\":2}"
    );
    let wrong = r#"{"schema":"mingle.error/1","code":"MG0103","message":"","hint":"","exit":2,"place":{"row":1}}"#;
    assert!(serde_json::from_str::<ErrorAnswer>(wrong).is_err());
}

#[test]
fn proposed_hierarchies() {
    let answer = HierarchyProposeAnswer {
        schema: HierarchyProposeSchema,
        column: "diagnosis".into(),
        kind: "category".into(),
        line: None,
        reason: "words".into(),
        levels: Vec::new(),
        file: None,
    };
    reads_back_with(
        &answer,
        &["column", "kind", "reason", "levels", "file", "line"],
    );
}

#[test]
fn what_commands_have_done() {
    reads_back_with(
        &ExplainAnswer {
            schema: ExplainSchema,
            codes: vec![ProblemCode::UnknownKey.into()],
        },
        &["codes"],
    );
    reads_back_with(
        &ReportAnswer {
            schema: ReportSchema,
            release: "r".into(),
            written: vec!["r/public/report.html".into()],
            holds: true,
            warnings: vec![warning()],
        },
        &["release", "written", "holds", "warnings"],
    );
    reads_back_with(
        &ServeAnswer {
            schema: ServeSchema,
            link: "http://127.0.0.1:1/".into(),
            folder: ".".into(),
        },
        &["link", "folder"],
    );
    reads_back_with(
        &SynthAnswer {
            schema: SynthSchema,
            file: "a.csv".into(),
            format: manifest::FileFormat::Csv,
            rows: 1,
            providers: 1,
            seed: 0,
        },
        &["file", "format", "rows", "providers", "seed"],
    );
    reads_back_with(
        &HistoryInitAnswer {
            schema: HistoryInitSchema,
            history: "h".into(),
        },
        &["history"],
    );
    reads_back_with(
        &HistoryAddAnswer {
            schema: HistoryAddSchema,
            release: "r".into(),
            outcome: HistoryAddOutcome::AlreadyThere,
            version: "v1".into(),
            rows: None,
            warnings: Vec::new(),
        },
        &["release", "outcome", "version", "warnings"],
    );
    reads_back_with(
        &HistoryForgetAnswer {
            schema: HistoryForgetSchema,
            version: None,
            pending: None,
        },
        &["schema"],
    );
}

#[test]
fn what_sites_have_done() {
    reads_back_with(
        &SiteInitAnswer {
            schema: SiteInitSchema,
            fingerprint: "sha256:00".into(),
            key: "site.key".into(),
            certificate: "site.crt".into(),
            settings: "site.toml".into(),
            days: 730,
        },
        &["fingerprint", "key", "certificate", "settings", "days"],
    );
    reads_back_with(
        &SiteFingerprintAnswer {
            schema: SiteFingerprintSchema,
            fingerprint: "sha256:00".into(),
        },
        &["fingerprint"],
    );
    reads_back_with(
        &SiteTrustAnswer {
            schema: SiteTrustSchema,
            settings: "site.toml".into(),
            fingerprint: "sha256:00".into(),
            instead_of: None,
        },
        &["settings", "fingerprint"],
    );
    let invited = SiteInvited {
        board: "board.example:7447".into(),
        board_fingerprint: "sha256:00".into(),
        providers: vec![SiteInvitedProvider {
            name: "P1".into(),
            fingerprint: "sha256:01".into(),
        }],
        check_words: "one two".into(),
    };
    reads_back_with(
        &SiteInviteAnswer {
            schema: SiteInviteSchema,
            invitation: "text".into(),
            invited: invited.clone(),
        },
        &["invitation", "invited"],
    );
    reads_back_with(
        &SiteJoinAnswer {
            schema: SiteJoinSchema,
            settings: "site.toml".into(),
            invited,
        },
        &["settings", "invited"],
    );
    reads_back_with(
        &SiteVerifyAnswer {
            schema: SiteVerifySchema,
            proved: false,
            m: 1,
            k: 5,
            groups: 2,
            k_not_shown: 1,
            diversity: vec![SiteVerifyDiversity {
                column: Some("diagnosis".into()),
                l: 3,
                not_shown: 0,
            }],
            table: "00".into(),
            level: "bits".into(),
            caps: "single".into(),
            session: "01".into(),
            statements: vec!["said".into()],
            sites: Vec::new(),
            signatures: vec![SiteVerifySignature {
                site: "P1".into(),
                signature: "02".into(),
            }],
        },
        &["proved", "k_not_shown", "signatures"],
    );
    reads_back_with(
        &SiteBoardAnswer {
            schema: SiteBoardSchema,
            address: "127.0.0.1:7447".into(),
            fingerprint: "sha256:00".into(),
        },
        &["address", "fingerprint"],
    );
    reads_back_with(
        &SiteDemoAnswer {
            schema: SiteDemoSchema,
            plays: vec![SiteDemoPlay {
                synchronizer: "merge".into(),
                leak_level: "L1".into(),
                rounds: 1,
                groups: 2,
                sites: vec![SiteDemoSite {
                    name: "hospital".into(),
                    received: 10,
                    learned: vec!["the release".into()],
                }],
                tables: vec!["gid,age\n".into()],
            }],
        },
        &["plays"],
    );
}
