//! Every victim, every value that may be known and every candidate, word by word, against what is
//! found.

use super::super::{
    BackgroundJoin, BackgroundJoinOptions, Error, Joined, LearntView, ReleaseForm, play,
};
use super::CandidateUnit;
use crate::utility::example::{MISSING, table};
use mingle_model::{Codes, ColumnSpec, Cube, Kind, Published, Role, Table};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// One row: two quasi-identifiers and three sensitive values, 0 is missing.
type OwnRow = ([u32; 2], [u32; 3]);

/// A person with her rows, and the planned group; `None` was left out.
#[derive(Clone, Debug)]
struct Patient {
    rows: Vec<OwnRow>,
    group: Option<u32>,
}

fn patient(group: u32, rows: &[OwnRow]) -> Patient {
    Patient {
        rows: rows.to_vec(),
        group: Some(group),
    }
}

fn specs(kind: Kind) -> Vec<ColumnSpec> {
    let column = |name, role, kind| ColumnSpec {
        kind: Some(kind),
        ..ColumnSpec::new(name, role)
    };
    vec![
        column("age", Role::QuasiIdentifier, kind),
        column("zip", Role::QuasiIdentifier, kind),
        column("disease", Role::Sensitive, Kind::Category),
        column("treatment", Role::Sensitive, Kind::Category),
        column("job", Role::Sensitive, Kind::Category),
    ]
}

fn texts(quasi: [String; 2], values: [u32; 3]) -> Vec<String> {
    let value = |v: u32| match v {
        0 => "?".to_owned(),
        v => format!("v{v}"),
    };
    let mut row = quasi.to_vec();
    row.extend(values.map(value));
    row.push("P".to_owned());
    row
}

fn with_people(mut table: Table, people: Vec<u32>) -> Table {
    table.person_of = Some(people.into_iter().collect::<Codes>());
    table
}

/// The bounds of a planned group's labels.
type Bounds = [(u32, u32); 2];

/// What is published of somebody.
struct Line {
    bounds: Bounds,
    rows: Vec<OwnRow>,
}

struct MadePeople {
    cube: Cube,
    published: Published,
    lines: Vec<Line>,
}

fn made(patients: &[Patient]) -> MadePeople {
    let bounds = |group: u32| -> Bounds {
        [0, 1].map(|c| {
            let mut of = Vec::new();
            for patient in patients.iter().filter(|p| p.group == Some(group)) {
                of.extend(patient.rows.iter().map(|row| row.0[c]));
            }
            let (low, high) = (of.iter().min(), of.iter().max());
            (*low.unwrap(), *high.unwrap())
        })
    };
    let label = |(low, high): (u32, u32)| {
        if low == high {
            low.to_string()
        } else {
            format!("[{low}-{high}]")
        }
    };
    let (mut original, mut whose) = (Vec::new(), Vec::new());
    let (mut released, mut whose_released, mut lines) = (Vec::new(), Vec::new(), Vec::new());
    for (person, patient) in patients.iter().enumerate() {
        for (quasi, values) in &patient.rows {
            original.push(texts(quasi.map(|q| q.to_string()), *values));
            whose.push(person as u32);
        }
        let Some(group) = patient.group else { continue };
        let bounds = bounds(group);
        for (_, values) in &patient.rows {
            released.push(texts(bounds.map(label), *values));
            whose_released.push(person as u32);
        }
        lines.push(Line {
            bounds,
            rows: patient.rows.clone(),
        });
    }
    let original = with_people(table(&specs(Kind::Integer), &original), whose);
    let released = with_people(table(&specs(Kind::Category), &released), whose_released);
    MadePeople {
        cube: Cube::new(original),
        published: Published::from_table(&released),
        lines,
    }
}

/// What one reader makes of one victim.
#[derive(Default)]
struct Verdict {
    candidates: usize,
    certain: BTreeSet<u32>,
    posterior: Option<f64>,
}

/// Candidates, each as the target values that it has; missing ones are left out.
fn verdict(candidates: &[BTreeSet<u32>], own: &BTreeSet<u32>) -> Verdict {
    let present: Vec<&BTreeSet<u32>> = candidates.iter().filter(|c| !c.is_empty()).collect();
    let mut verdict = Verdict {
        candidates: candidates.len(),
        ..Verdict::default()
    };
    for &value in own {
        let with = present.iter().filter(|c| c.contains(&value)).count();
        if with == present.len() && with > 0 {
            verdict.certain.insert(value);
        }
        let share = with as f64 / present.len() as f64;
        let best = verdict.posterior.unwrap_or(0.0);
        verdict.posterior = Some(best.max(share));
    }
    verdict
}

fn set_of(rows: &[OwnRow], column: usize) -> BTreeSet<u32> {
    let values = rows.iter().map(|row| row.1[column]);
    values.filter(|&value| value != 0).collect()
}

struct PeopleOracle<'a> {
    lines: &'a [Line],
    known: &'a [usize],
    target: usize,
    unit: CandidateUnit,
    quasi: &'a [usize],
}

impl PeopleOracle<'_> {
    /// Whom or which rows the reader takes into account: those of fitting groups, with the known
    /// values where they are known.
    fn candidates(&self, victim: &Patient, known: Option<&OwnRow>) -> Vec<BTreeSet<u32>> {
        let mut found = Vec::new();
        let has =
            |row: &OwnRow| known.is_none_or(|own| self.known.iter().all(|&c| row.1[c] == own.1[c]));
        for line in self.lines {
            if !covers(&line.bounds, victim, self.quasi) {
                continue;
            }
            match self.unit {
                CandidateUnit::People => {
                    if line.rows.iter().any(has) {
                        found.push(set_of(&line.rows, self.target));
                    }
                }
                CandidateUnit::Rows => {
                    for row in line.rows.iter().filter(|row| has(row)) {
                        found.push(set_of(std::slice::from_ref(row), self.target));
                    }
                }
            }
        }
        found
    }
}

fn covers(bounds: &Bounds, victim: &Patient, quasi: &[usize]) -> bool {
    let fits = |row: &OwnRow| {
        let inside = |&c: &usize| (bounds[c].0..=bounds[c].1).contains(&row.0[c]);
        quasi.iter().all(inside)
    };
    victim.rows.iter().all(fits)
}

/// Whether somebody with the same values is in a group that fits.
fn may_be_published(made: &MadePeople, victim: &Patient) -> bool {
    let values = |rows: &[OwnRow]| {
        let mut values: Vec<[u32; 3]> = rows.iter().map(|row| row.1).collect();
        values.sort_unstable();
        values
    };
    made.lines.iter().any(|line| {
        covers(&line.bounds, victim, &[0, 1]) && values(&line.rows) == values(&victim.rows)
    })
}

fn check(view: &LearntView, verdicts: &[(Verdict, bool)], k: u64) {
    let (mut certain, mut newly, mut below_k, mut alone) = (0, 0, 0, 0);
    let mut posteriors = Vec::new();
    for (verdict, new) in verdicts {
        certain += u64::from(!verdict.certain.is_empty());
        newly += u64::from(*new);
        below_k += u64::from((verdict.candidates as u64) < k);
        alone += u64::from(verdict.candidates == 1);
        posteriors.extend(verdict.posterior);
    }
    assert_eq!(
        (view.certain, view.newly, view.below_k, view.alone),
        (certain, newly, below_k, alone)
    );
    let mean = posteriors.iter().sum::<f64>() / posteriors.len().max(1) as f64;
    assert!((view.mean_posterior - mean).abs() < 1e-9);
    let largest = posteriors.iter().copied().fold(0.0, f64::max);
    assert!((view.largest_posterior - largest).abs() < 1e-9);
    assert_eq!(view.example.is_some(), newly > 0);
}

fn options(quasi: Option<&[usize]>, k: u64) -> BackgroundJoinOptions {
    let names = |places: &[usize]| {
        let mut names = Vec::new();
        for &place in places {
            names.push(["age", "zip"][place].to_owned());
        }
        names
    };
    BackgroundJoinOptions {
        knows: Vec::new(),
        quasi_identifiers: quasi.map(names),
        k,
        seed: 0,
    }
}

fn check_all(patients: &[Patient], quasi: Option<&[usize]>, k: u64) {
    let made = made(patients);
    let joined = Joined::linked(&made.cube, &MISSING, &made.published)
        .ok()
        .unwrap();
    let played = play(&joined, &options(quasi, k)).unwrap();
    let mut victims = Vec::new();
    for patient in patients {
        if may_be_published(&made, patient) {
            victims.push(patient);
        }
    }
    assert_eq!(played.people, victims.len() as u64);
    assert_eq!(played.left_out, (patients.len() - victims.len()) as u64);
    assert_eq!(played.plays.len(), 6);
    for found in &played.plays {
        let by_rows = found.by_rows.as_ref().unwrap();
        let views = [
            (CandidateUnit::People, &found.outsider, &found.linked),
            (CandidateUnit::Rows, &by_rows.outsider, &by_rows.linked),
        ];
        for (unit, outsider, site) in views {
            let oracle = PeopleOracle {
                lines: &made.lines,
                known: &found.known,
                target: found.target,
                unit,
                quasi: quasi.unwrap_or(&[0, 1]),
            };
            let (mut of_outsider, mut of_site) = (Vec::new(), Vec::new());
            for victim in &victims {
                let own = set_of(&victim.rows, found.target);
                let without = verdict(&oracle.candidates(victim, None), &own);
                let mut worst: Option<Verdict> = None;
                for row in &victim.rows {
                    let with = verdict(&oracle.candidates(victim, Some(row)), &own);
                    worst = Some(match worst {
                        None => with,
                        Some(before) => Verdict {
                            candidates: before.candidates.min(with.candidates),
                            certain: before.certain.union(&with.certain).copied().collect(),
                            posterior: before
                                .posterior
                                .into_iter()
                                .chain(with.posterior)
                                .reduce(f64::max),
                        },
                    });
                }
                let worst = worst.unwrap();
                let new = !worst.certain.is_subset(&without.certain);
                of_site.push((worst, new));
                of_outsider.push((without, false));
            }
            check(outsider, &of_outsider, k);
            check(site, &of_site, k);
        }
        assert!(found.fragmented.is_none());
        let with_value = |victim: &&&Patient| !set_of(&victim.rows, found.target).is_empty();
        assert_eq!(
            found.people,
            victims.iter().filter(with_value).count() as u64
        );
    }
}

fn any_patient() -> impl Strategy<Value = Patient> {
    let row = (
        prop::array::uniform2(1u32..4),
        prop::array::uniform3(0u32..3),
    );
    let group = prop_oneof![8 => (0u32..3).prop_map(Some), 1 => Just(None)];
    (prop::collection::vec(row, 1..4), group).prop_map(|(rows, group)| Patient { rows, group })
}

/// Somebody has several rows, and somebody is published who does.
fn has_several(patients: &[Patient]) -> bool {
    patients
        .iter()
        .any(|patient| patient.group.is_some() && patient.rows.len() > 1)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn figures_are_those_of_the_definition(
        patients in prop::collection::vec(any_patient(), 1..8),
        k in 1u64..4,
        quasi in 0usize..4,
    ) {
        prop_assume!(has_several(&patients));
        let quasi = [None, Some(&[0usize][..]), Some(&[1usize][..]), Some(&[][..])][quasi];
        check_all(&patients, quasi, k);
    }

    /// With one row a person both readers are the one who counts rows.
    #[test]
    fn one_row_a_person_is_what_it_was(patients in prop::collection::vec(any_patient(), 2..8)) {
        let mut single = patients;
        for patient in &mut single {
            patient.rows.truncate(1);
        }
        single[0].group = Some(0);
        let mut twice = single.clone();
        // the same people, all of whose rows are doubled: to who links rows nothing changes
        for patient in &mut twice {
            patient.rows.push(patient.rows[0]);
        }
        let figures = |patients: &[Patient]| {
            let made = made(patients);
            let joined = Joined::linked(&made.cube, &MISSING, &made.published).ok().unwrap();
            let played = play(&joined, &options(None, 2)).unwrap();
            let views = played.plays.iter().flat_map(|p| [p.outsider.clone(), p.linked.clone()]);
            let figures = |v: LearntView| (v.certain, v.newly, v.below_k, v.alone, v.posteriors);
            views.map(figures).collect::<Vec<_>>()
        };
        prop_assert_eq!(figures(&single), figures(&twice));
    }
}

fn played(patients: &[Patient]) -> BackgroundJoin {
    let made = made(patients);
    let joined = Joined::linked(&made.cube, &MISSING, &made.published)
        .ok()
        .unwrap();
    play(&joined, &options(None, 2)).unwrap()
}

/// Who knows disease 1 finds two people, who have treatment 7 in common, in different rows.
#[test]
fn a_release_that_is_broken_by_linking_rows() {
    let at = [1, 1];
    let patients = [
        patient(0, &[(at, [1, 5, 1]), (at, [2, 7, 1])]),
        patient(0, &[(at, [1, 6, 1]), (at, [2, 7, 1])]),
        patient(0, &[(at, [2, 8, 1]), (at, [3, 9, 1])]),
    ];
    let found = played(&patients);
    let play = &found.plays[0];
    assert_eq!((play.known.as_slice(), play.target), (&[0][..], 1));
    // the third is alone with disease 3
    assert_eq!(play.linked.newly, 3);
    let by_rows = play.by_rows.as_ref().unwrap();
    assert_eq!(by_rows.linked.newly, 1);
    let worst = found.worst(ReleaseForm::Linked).unwrap();
    assert_eq!(worst.newly(ReleaseForm::Linked), 3);
    let example = play.linked.example.as_ref().unwrap();
    assert_eq!(
        (example.unit, example.candidates, example.rows),
        (CandidateUnit::People, 1, 3)
    );
}

/// Every disease is had by two people without a treatment or a job in common.
#[test]
fn a_release_that_withstands() {
    let at = [1, 1];
    let patients = [
        patient(0, &[(at, [1, 1, 1]), (at, [2, 2, 1])]),
        patient(0, &[(at, [1, 3, 2]), (at, [2, 4, 2])]),
        patient(0, &[(at, [1, 1, 2]), (at, [2, 3, 2])]),
        patient(0, &[(at, [1, 2, 1]), (at, [2, 4, 1])]),
    ];
    let found = played(&patients);
    for play in found.plays.iter().filter(|play| play.known == [0]) {
        assert_eq!(play.newly(ReleaseForm::Linked), 0, "{}", play.target);
    }
}

/// Counting one person's five rows as five candidates is the mistake that hides her.
#[test]
fn five_rows_of_one_person_are_one_candidate() {
    let at = [1, 1];
    let one = (at, [1, 1, 1]);
    let patients = [
        patient(0, &[one, one, one, one, (at, [1, 2, 1])]),
        patient(0, &[(at, [2, 1, 2])]),
        patient(0, &[(at, [2, 2, 2])]),
    ];
    let found = played(&patients);
    let play = &found.plays[0];
    assert_eq!(play.linked.alone, 1);
    let by_rows = play.by_rows.as_ref().unwrap();
    assert_eq!((by_rows.linked.alone, by_rows.linked.newly), (0, 0));
    // she has both treatments, and whoever links rows knows it
    assert_eq!(play.linked.newly, 1);
}

#[test]
fn what_is_refused() {
    let at = [1, 1];
    let rows = [(at, [1, 1, 1]), (at, [2, 2, 2])];
    let patients = [patient(0, &rows), patient(0, &rows)];
    let apart = made(&patients).published.with_rows_apart();
    let made = made(&patients);
    let row = |values: [u32; 3]| texts(["1".to_owned(), "1".to_owned()], values);
    let four = [[1, 1, 1], [2, 2, 2], [1, 1, 1], [2, 2, 2]].map(row);
    let unknown = Published::from_table(&table(&specs(Kind::Category), &four));
    let refused = Joined::linked(&made.cube, &MISSING, &unknown).err();
    assert_eq!(refused, Some(Error::WhoseRows { of: "release" }));
    let single = Cube::new(table(&specs(Kind::Integer), &four));
    let refused = Joined::linked(&single, &MISSING, &made.published).err();
    assert_eq!(refused, Some(Error::WhoseRows { of: "original" }));
    let refused = Joined::linked(&made.cube, &MISSING, &apart).err();
    assert_eq!(refused, Some(Error::RowsApart));
    // the same rows, dealt to other people
    let whose = vec![0, 1, 1, 0];
    let others = with_people(table(&specs(Kind::Category), &four), whose);
    let same = Joined::linked(&made.cube, &MISSING, &Published::from_table(&others));
    assert!(same.is_ok(), "the same people in another order");
    let others = with_people(table(&specs(Kind::Category), &four), vec![0, 1, 0, 1]);
    let refused = Joined::linked(&made.cube, &MISSING, &Published::from_table(&others)).err();
    assert_eq!(refused, Some(Error::ForeignRow { group: 1 }));
    let groups: BTreeMap<usize, u64> = (0..1).map(|g| (g, made.published.people_of(g))).collect();
    assert_eq!(groups[&0], 2);
}
