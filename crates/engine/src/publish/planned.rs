//! From a cube to a verified publication: the method's plan, rows left out, and releases laid
//! beside.
//!
//! Nothing is written here, and nobody's word is taken: what a method plans is rendered, grouped
//! anew and verified.

use super::composition::{Beside, CompositionFindings};
use super::summary;
use crate::failure;
use crate::run::Run;
use crate::sequence::{Sequence, TooManyRows};
use crate::words::counted_people;
use mingle_anonymize::{
    Error as AnonymizeError, GroupRepresentative, METHODS, MethodOptions, methods_with,
};
use mingle_model::counted;
use mingle_model::{Cell, Cube, Fragments, Partition, PersonRows, Published};
use mingle_policy::{Policy, means_tell_insiders};
use mingle_privacy::{
    Attribute, Check, Insiders, K, Limit, Promise, Ratio, ReferenceTable, Requirement, Semantics,
    Verified, VerifiedFragments,
};
use mingle_record::Problem;
use mingle_record::ProblemCode;
use std::sync::Arc;

/// What would be published.
pub struct Planned {
    /// What it is made from: some methods work on a cube of single rows.
    pub cube: Arc<Cube>,
    /// The publication.
    pub verified: Verified,
    /// What it says together with releases that are out already, where the policy names any.
    pub composed: Option<CompositionFindings>,
}

/// Finds a partition and verifies what it would publish. Some methods work on a cube of single
/// rows, which is then also what the release is made from.
pub fn make(
    policy: &Policy,
    insiders: Insiders,
    cube: Arc<Cube>,
    beside: Option<&Beside<'_>>,
    run: &Run,
) -> Result<Planned, Problem> {
    let counts = cube.combinations();
    let requirement = bind(policy, insiders, &cube, &counts)?;
    check_feasible(policy, &cube, &requirement, &counts)?;
    let asked = Asked {
        insiders,
        requirement,
        whole: None,
    };
    make_asked(policy, asked, cube, beside, run)
}

/// The same for a part of a table that no machine has whole: groups are compared with all of it.
pub fn make_part(
    policy: &Policy,
    insiders: Insiders,
    cube: Arc<Cube>,
    whole: &ReferenceTable,
    run: &Run,
) -> Result<Planned, Problem> {
    let promises = &policy.privacy()?.promises;
    let asked = Asked {
        insiders,
        requirement: whole.bind(promises).map_err(|e| failure::privacy(&e))?,
        whole: Some(whole),
    };
    make_asked(policy, asked, cube, None, run)
}

/// What is asked of groups, and against whom.
struct Asked<'a> {
    insiders: Insiders,
    requirement: Requirement,
    /// The whole table, where the cube is a part of it.
    whole: Option<&'a ReferenceTable>,
}

fn make_asked(
    policy: &Policy,
    asked: Asked<'_>,
    cube: Arc<Cube>,
    beside: Option<&Beside<'_>>,
    run: &Run,
) -> Result<Planned, Problem> {
    let insiders = asked.insiders;
    let requirement = asked
        .requirement
        .against(insiders)
        .decided_by(policy.method.verification)
        .map_err(|e| failure::privacy(&e))?;
    let method = policy
        .method
        .anonymizer()
        .ok_or_else(|| failure::defect("a method is missing"))?;
    let others = methods_by_counts(&requirement);
    let sequence = Sequence::new(method.as_ref(), requirement, cube, &policy.data.missing)
        .map_err(|e| too_many_rows(policy, e, &others))?
        .with_person_rows(policy.person_rows())
        .within(asked.whole);
    let most = most_suppressed(policy, sequence.cube());
    let options = MethodOptions {
        max_suppressed: most,
        cancel: Some(run.cancel().flag()),
        ..policy.method.options()
    };
    let partition = sequence
        .partition(&options)
        .map_err(|e| no_partition(policy, insiders, sequence.cube(), &e))?;
    run.check()?;
    let verify = |partition: &Partition| verify(policy, &sequence, partition);
    let (verified, partition) = match most {
        0 => (verify(&partition)?, partition),
        _ if policy.method.capabilities().suppresses => (verify(&partition)?, partition),
        _ => suppress(policy, &sequence, partition, &options, run)?,
    };
    let Some(beside) = beside else {
        return Ok(Planned {
            cube: sequence.into_cube(),
            verified,
            composed: None,
        });
    };
    let suppressed = verified.published().suppressed();
    let stand = |verified: Verified, partition: &Partition| {
        beside.stand(&sequence, (verified, partition), &options, verify)
    };
    let stood = stand(verified, &partition).or_else(|problem| {
        if suppressed == 0 || problem.code() != ProblemCode::Exposed {
            return Err(problem);
        }
        // who was left out may be the company that others need
        let everybody = MethodOptions {
            max_suppressed: 0,
            ..options
        };
        let Ok(partition) = sequence.partition(&everybody) else {
            return Err(problem);
        };
        let Ok(verified) = verify(&partition) else {
            return Err(problem);
        };
        stand(verified, &partition).map_err(|_| problem)
    });
    let (verified, composed) = stood?;
    Ok(Planned {
        cube: sequence.into_cube(),
        verified,
        composed: Some(composed),
    })
}

/// What is asked of groups: of people, where the table says whose rows belong together.
fn bind(
    policy: &Policy,
    insiders: Insiders,
    cube: &Cube,
    counts: &[u64],
) -> Result<Requirement, Problem> {
    let promises = &policy.privacy()?.promises;
    let bound = match cube.people() {
        None => Requirement::bind(promises, cube.sensitive(), counts),
        Some(people) => insiders.check_promises(promises).and_then(|()| {
            let (kinds, rows) = (people.kinds(), policy.person_rows());
            Requirement::bind_people(promises, cube.sensitive(), kinds, rows)
        }),
    };
    bound.map_err(|e| failure::privacy(&e))
}

/// The methods that put equal rows into one group for this requirement, and need no single ones.
fn methods_by_counts(requirement: &Requirement) -> Vec<&'static str> {
    let mut names = Vec::new();
    for entry in METHODS {
        let method = entry.method(GroupRepresentative::Range);
        if method.is_some_and(|method| !method.wants_rows(requirement)) {
            names.push(entry.name);
        }
    }
    names
}

/// Equal rows that may come into different groups have to be told apart by a number.
fn too_many_rows(policy: &Policy, TooManyRows { rows }: TooManyRows, others: &[&str]) -> Problem {
    let text = format!(
        "{}: what the policy asks for needs every row by itself, and {rows} rows are more than the {} that can be \
         numbered",
        policy.method.name,
        u32::MAX
    );
    let hint = match others.first() {
        Some(other) => format!("use name = \"{other}\" in [method], which works on counts"),
        None => "publish the table in parts".to_owned(),
    };
    Problem::new(ProblemCode::InputLimit, text, hint)
}

/// How many rows may be left out.
fn most_suppressed(policy: &Policy, cube: &Cube) -> u64 {
    let share = policy.method.max_suppressed;
    let most =
        u128::from(cube.rows()) * u128::from(share.numerator()) / u128::from(share.denominator());
    u64::try_from(most).unwrap_or(u64::MAX)
}

/// Leaving rows out changes the table that groups are compared with; where that breaks a promise,
/// nobody is left out.
fn suppress(
    policy: &Policy,
    sequence: &Sequence<'_>,
    mut partition: Partition,
    options: &MethodOptions,
    run: &Run,
) -> Result<(Verified, Partition), Problem> {
    let complete = Partition {
        group_of: partition.group_of.clone(),
        cells: partition.cells.clone(),
    };
    let (cube, requirement) = (sequence.cube(), sequence.requirement());
    mingle_anonymize::suppress(cube, requirement, &mut partition, options);
    run.check()?;
    match verify(policy, sequence, &partition) {
        Ok(verified) => Ok((verified, partition)),
        Err(_) => Ok((verify(policy, sequence, &complete)?, complete)),
    }
}

/// A whole table that fails for the outsider proves that no release exists, unless rows may be left
/// out. Against insiders it would prove nothing: smaller groups may withstand what the whole table
/// does not.
fn check_feasible(
    policy: &Policy,
    cube: &Cube,
    requirement: &Requirement,
    counts: &[u64],
) -> Result<(), Problem> {
    check_weights(cube, requirement, counts)?;
    if policy.method.max_suppressed > Ratio::from(0) {
        return Ok(());
    }
    // with rows apart somebody in two groups may spoil what holds in each
    if cube.people().is_some() && policy.person_rows() == PersonRows::Apart {
        return Ok(());
    }
    let checks = mingle_privacy::whole_table(requirement, counts);
    let Some(at) = checks.iter().position(|&check| check == Check::Fails) else {
        return Ok(());
    };
    let promise = &requirement.promises()[at];
    let (members, has) = match cube.people() {
        None => (cube.rows(), counted(cube.rows(), "row")),
        Some(people) => (
            people.count(),
            format!(
                "{} with {}",
                counted_people(people.count()),
                counted(cube.rows(), "row")
            ),
        ),
    };
    let (text, hint) = match promise.rule.as_k_anonymity() {
        Some(K(k)) => (
            format!("k = {k} is larger than the table, which has {has}: no release can exist"),
            format!("lower k to {members} or less, or add rows"),
        ),
        None if promise.rule.as_max_share_of_rows().is_some() && cube.people().is_some() => {
            let what = summary::promise_of_cube(promise, cube);
            let text = format!(
                "one person has more of all rows than {what} allows in a group: no release with everybody can exist"
            );
            let hint = "leave out some rows of that person, or set another max_share_of_rows in [privacy]; with 1 a person \
                        may have all rows of a group but those of k - 1 others";
            (text, hint.to_owned())
        }
        None => {
            let what = summary::promise_of_cube(promise, cube);
            let text = format!("the whole table as one group fails {what}: no release can exist");
            let hint = person_with_most_rows(cube);
            (
                text,
                hint.unwrap_or_else(|| "weaken the constraint, or add rows".to_owned()),
            )
        }
    };
    Err(Problem::new(ProblemCode::NoRelease, text, hint))
}

/// Weights of people are whole numbers over a common multiple of how many values people have. Where those of the whole
/// table are too wide, no group can be compared with it, and to say that the table fails would be wrong.
fn check_weights(cube: &Cube, requirement: &Requirement, counts: &[u64]) -> Result<(), Problem> {
    if cube.people().is_none() {
        return Ok(());
    }
    let checks = mingle_privacy::whole_table(requirement, counts);
    for (promise, check) in requirement.promises().iter().zip(checks) {
        let is_too_wide = matches!(check, Check::Undecided(Limit::IntegerBits(_)));
        if !is_too_wide || promise.rule.as_t_closeness().is_none() {
            continue;
        }
        let what = summary::promise_of_cube(promise, cube);
        let text = format!(
            "{what} cannot be decided: people have so many different numbers of values that weights which are even for each \
             of them need more than 64 bits"
        );
        let hint = "promise l or max_frequency in place of t, generalize the sensitive column before, or leave out who has \
                    dozens of different values";
        return Err(Problem::new(ProblemCode::Undecided, text, hint));
    }
    Ok(())
}

/// What to do where nothing can be published because one person has most of the rows: who knows how many she has
/// knows what is in most of them.
fn person_with_most_rows(cube: &Cube) -> Option<String> {
    let kinds = cube.people()?.kinds();
    let rows = kinds.iter().map(|alike| alike.rows()).max()?;
    if rows <= cube.rows() / 2 {
        return None;
    }
    Some(format!(
        "one person has {rows} of {}, and the rows of others cannot hide so many: take those rows out of the table if they are \
         nobody's, or weaken the constraint",
        counted(cube.rows(), "row")
    ))
}

fn no_partition(
    policy: &Policy,
    insiders: Insiders,
    cube: &Cube,
    error: &AnonymizeError,
) -> Problem {
    match error {
        AnonymizeError::Cancelled => failure::interrupted(),
        AnonymizeError::MeansTellInsiders => means_tell_insiders(None),
        AnonymizeError::NoCells => {
            let text = format!(
                "ranges = \"cell\" does not go with {}: {error}",
                policy.method.name
            );
            Problem::new(
                ProblemCode::Contradiction,
                text,
                format!(
                    "use ranges = \"tight\", or name = \"{}\" in [method]",
                    methods_with(|can| can.cells)
                ),
            )
        }
        AnonymizeError::CellsOfPeople => Problem::new(
            ProblemCode::Contradiction,
            format!("ranges = \"cell\" does not go with people who have several rows: {error}"),
            "use ranges = \"tight\"",
        ),
        AnonymizeError::CentroidsOfPeople => Problem::new(
            ProblemCode::Contradiction,
            format!("output = \"centroid\" does not go with people who have several rows: {error}"),
            "publish ranges",
        ),
        _ if insiders.need_providers() => {
            let against = match insiders.semantics {
                Semantics::Victim => format!("m = {} insiders", insiders.m.0),
                Semantics::Strict { .. } => {
                    format!("m = {} insiders with strict semantics", insiders.m.0)
                }
            };
            let text = format!(
                "{}: no release that withstands {against} was found",
                policy.method.name
            );
            let hint = person_with_most_rows(cube);
            let hint = hint.unwrap_or_else(|| against_insiders(insiders).to_owned());
            Problem::new(ProblemCode::NotFound, text, hint)
        }
        _ => {
            let text = format!("{}: {error}: no release was found", policy.method.name);
            let hint = person_with_most_rows(cube);
            let hint = hint.unwrap_or_else(|| "weaken a constraint, or add rows".to_owned());
            Problem::new(ProblemCode::NotFound, text, hint)
        }
    }
}

/// What helps where insiders are too strong.
fn against_insiders(insiders: Insiders) -> &'static str {
    match insiders.semantics {
        Semantics::Victim => "lower m or k, weaken another constraint, or add providers or rows",
        Semantics::Strict { .. } => {
            "lower m, k or site_diversity, use semantics = \"victim\", or add providers or rows"
        }
    }
}

/// Nobody takes the anonymizer's word: groups are formed anew from what would be published.
fn verify(
    policy: &Policy,
    sequence: &Sequence<'_>,
    partition: &Partition,
) -> Result<Verified, Problem> {
    let refused = |what: String| {
        let text = format!("the result of {} was refused: {what}", policy.method.name);
        Problem::new(
            ProblemCode::PlanRefused,
            text,
            "nothing was written; please report this, without data",
        )
    };
    // the public manifest says how groups are to be read
    if policy.method.output == GroupRepresentative::Range
        && partition.cells.iter().any(Cell::is_point)
    {
        return Err(refused("a centroid where a range was asked for".to_owned()));
    }
    let published = sequence
        .render(partition)
        .map_err(|e| refused(e.to_string()))?;
    if published.rows() == 0 {
        let text = "only a release without any row would satisfy the policy";
        return Err(Problem::new(
            ProblemCode::NotFound,
            text,
            "weaken a constraint, or lower [method] max_suppressed",
        ));
    }
    check_suppressed(policy, sequence.cube(), &published).map_err(&refused)?;
    let verification = sequence
        .verify(published)
        .map_err(|e| failure::privacy(&e))?;
    verification.into_verified().map_err(|verification| match verification.witness() {
        Some(witness) => {
            let who = match witness.coalition.len() {
                0 => "of",
                1 => "where one provider leaves",
                _ => "where several providers together leave",
            };
            let left = match witness.people_left {
                None => counted(witness.records_left, "row"),
                Some(people) => counted_people(people),
            };
            refused(format!("{} fails in a group {who} {left}", witness.name))
        }
        None if verification.narrow_end().is_some() => {
            refused("a label ends at a value that too few providers have".to_owned())
        }
        None if verification.foreign_label().is_some() => {
            refused("a label is none of those that the policy fixes".to_owned())
        }
        None => {
            let text = "a constraint could not be decided for some group, so nothing was published";
            let hint = match sequence.requirement().insiders().m.0 {
                0 => "use a parameter with fewer decimal places",
                _ => "lower m, or use k or distinct l, which can be decided for any number of providers",
            };
            Problem::new(ProblemCode::Undecided, text, hint)
        }
    })
}

/// Takes the publication apart, and verifies what a reader of its tables sees. Attributes together
/// were decided on the linked publication; the tables do not show them.
pub fn fragment(policy: &Policy, verified: &Verified) -> Result<VerifiedFragments, Problem> {
    let refused = |what: String| {
        let text = format!(
            "the fragments of the result of {} were refused: {what}",
            policy.method.name
        );
        Problem::new(
            ProblemCode::PlanRefused,
            text,
            "nothing was written; please report this, without data",
        )
    };
    let fragments =
        Fragments::from_published(verified.published()).map_err(|e| refused(e.to_string()))?;
    let single = |p: &&Promise| p.attribute != Some(Attribute::Joint);
    let promises: Vec<Promise> = verified.promises().iter().filter(single).copied().collect();
    let verification =
        mingle_privacy::verify_fragments(fragments, &promises).map_err(|e| failure::privacy(&e))?;
    verification.into_verified().map_err(|v| {
        refused(v.witness().map_or("undecided".to_owned(), |w| {
            format!("{} fails in group {}", w.name, w.group + 1)
        }))
    })
}

/// No more rows may be left out than the policy allows.
fn check_suppressed(policy: &Policy, cube: &Cube, published: &Published) -> Result<(), String> {
    if published.suppressed() <= most_suppressed(policy, cube) {
        Ok(())
    } else {
        Err(format!(
            "{} rows left out are more than max_suppressed allows",
            published.suppressed()
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mingle_model::{Codes, Column, ColumnSpec, Missing, Providers, Role, Table};
    use mingle_record::Exit;

    const POLICY: &str = "[columns.q]\nrole = \"quasi-identifier\"\n[columns.s]\nrole = \"sensitive\"\n\
                          [privacy]\nk = 2\nl = { distinct = 2 }\n[method]\nmax_suppressed = 0.25";

    fn policy() -> Policy {
        policy_of(POLICY)
    }

    fn policy_of(text: &str) -> Policy {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::io::Write::write_all(&mut file.as_file(), text.as_bytes()).unwrap();
        Policy::load(file.path(), &[]).ok().unwrap()
    }

    /// Four people: q is 1, 2, 3, 4 and s is a, b, a, b.
    fn cube() -> Cube {
        let column = |name, role, texts: [&str; 4]| {
            Column::from_texts(ColumnSpec::new(name, role), texts, &Missing::default())
                .ok()
                .unwrap()
        };
        let quasi = column("q", Role::QuasiIdentifier, ["1", "2", "3", "4"]);
        let sensitive = column("s", Role::Sensitive, ["a", "b", "a", "b"]);
        let provider_of: Codes = [0; 4].into_iter().collect();
        Cube::new(Table {
            columns: vec![quasi, sensitive],
            providers: Providers::new(vec!["p".into()]),
            provider_of,
            person_of: None,
        })
    }

    fn planned(group_of: [u32; 4], cells: &[(u32, u32)]) -> Result<Verified, ProblemCode> {
        let cells = cells
            .iter()
            .map(|&(lo, hi)| Cell::Span { lo, hi })
            .collect();
        let partition = Partition {
            group_of: group_of.to_vec(),
            cells,
        };
        let (policy, cube) = (policy(), Arc::new(cube()));
        let promises = &policy.privacy().unwrap().promises;
        let requirement = Requirement::bind(promises, cube.sensitive(), &cube.combinations());
        let (requirement, missing) = (requirement.unwrap(), Missing::default());
        let sequence =
            Sequence::new(&mingle_anonymize::Mondrian, requirement, cube, &missing).unwrap();
        verify(&policy, &sequence, &partition).map_err(|problem| problem.code())
    }

    /// Five people, one of whom occurs as often as no table could be read.
    #[test]
    fn rows_that_cannot_be_numbered_are_refused_where_a_method_needs_single_ones() {
        let table = cube().table().clone();
        let counted = Arc::new(Cube::from_counts(table, &[u64::from(u32::MAX), 1, 1, 1]).unwrap());
        let run = Run::default();
        let made = |text: &str| {
            let policy = policy_of(text);
            make(&policy, Insiders::NONE, counted.clone(), None, &run)
        };
        let by_rows = "max_suppressed = 0\nname = \"microaggregation\"";
        let problem = made(&POLICY.replace("max_suppressed = 0.25", by_rows))
            .err()
            .unwrap();
        assert_eq!(
            (problem.code(), problem.code().exit()),
            (ProblemCode::InputLimit, Exit::Limit)
        );
        let by_counts = "max_suppressed = 0\nname = \"mondrian\"";
        let planned = made(&POLICY.replace("max_suppressed = 0.25", by_counts))
            .ok()
            .unwrap();
        assert_eq!(planned.verified.published().rows(), u64::from(u32::MAX) + 3);
    }

    #[test]
    fn a_sound_plan_is_accepted() {
        let verified = planned([0, 0, 1, 1], &[(0, 1), (2, 3)]).ok().unwrap();
        assert_eq!(verified.published().groups(), 2);
    }

    #[test]
    fn broken_plans_are_refused() {
        const GONE: u32 = Partition::SUPPRESSED;
        for (what, group_of, cells) in [
            (
                "one row moved to a group whose label does not cover it",
                [0, 0, 1, 0],
                &[(0, 1), (2, 3)][..],
            ),
            (
                "one row moved, and a group left too small",
                [0, 0, 0, 1],
                &[(0, 2), (3, 3)],
            ),
            ("a group without diversity", [0, 1, 0, 1], &[(0, 3), (1, 3)]),
            (
                "a label that covers too little",
                [0, 0, 1, 1],
                &[(0, 1), (2, 2)],
            ),
            (
                "a group that does not exist",
                [0, 0, 1, 2],
                &[(0, 1), (2, 3)],
            ),
            (
                "more rows left out than allowed",
                [0, 0, GONE, GONE],
                &[(0, 1)],
            ),
        ] {
            assert_eq!(
                planned(group_of, cells).err(),
                Some(ProblemCode::PlanRefused),
                "{what}"
            );
        }
        assert_eq!(planned([GONE; 4], &[]).err(), Some(ProblemCode::NotFound));
    }

    #[test]
    fn groups_published_alike_are_checked_as_one() {
        // planned as {1, 3} and {2, 4}, each without diversity; published as one group of four
        let verified = planned([0, 1, 0, 1], &[(0, 3), (0, 3)]).ok().unwrap();
        assert_eq!(verified.published().groups(), 1);
    }
}
