use super::*;
use crate::utility;
use crate::utility::example::{MISSING, table};
use mingle_model::{
    Cell, Code, ColumnSpec, Cube, FragmentColumn, FragmentGroup, Fragments, GID, Kind, Partition,
    Published, Role, Table,
};
use proptest::prelude::*;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

fn options(k: u64) -> BackgroundJoinOptions {
    BackgroundJoinOptions {
        knows: Vec::new(),
        quasi_identifiers: None,
        k,
        seed: 1,
    }
}

fn specs() -> [ColumnSpec; 5] {
    let quasi = |name| ColumnSpec {
        kind: Some(Kind::Integer),
        ..ColumnSpec::new(name, Role::QuasiIdentifier)
    };
    let sensitive = |name| ColumnSpec {
        kind: Some(Kind::Category),
        ..ColumnSpec::new(name, Role::Sensitive)
    };
    [
        quasi("age"),
        quasi("zip"),
        sensitive("disease"),
        sensitive("treatment"),
        sensitive("job"),
    ]
}

/// One person: two quasi-identifiers, three sensitive values (0 is missing), and a planned group.
type Person = ([u32; 2], [u32; 3], u32);

fn original(people: &[Person]) -> Table {
    let value = |(column, v): (usize, &u32)| {
        if *v == 0 {
            "?".to_owned()
        } else {
            format!("{column}v{v}")
        }
    };
    let row = |(q, s, _): &Person| -> Vec<String> {
        let quasi = q.iter().map(u32::to_string);
        quasi
            .chain(s.iter().enumerate().map(value))
            .chain(["P".to_owned()])
            .collect()
    };
    table(&specs(), &people.iter().map(row).collect::<Vec<_>>())
}

/// A release whose labels are the smallest ranges of the planned groups.
struct Made {
    cube: Cube,
    published: Published,
    rows: Vec<Row>,
}

/// A published row: bounds of its labels, values.
type Row = ([(u32, u32); 2], [u32; 3]);

fn made(people: &[Person]) -> Made {
    let bounds = |group: u32, c: usize| {
        let of = people.iter().filter(|p| p.2 == group).map(|p| p.0[c]);
        (of.clone().min().unwrap_or(0), of.max().unwrap_or(0))
    };
    let cube = Cube::new(original(people)).into_rows();
    let code = |c: usize, v: u32| {
        let domain = &cube.quasi_identifiers()[c].domain;
        (0..domain.len() as Code)
            .find(|&code| domain.text(code) == v.to_string())
            .unwrap_or(0)
    };
    let groups = people
        .iter()
        .map(|p| p.2)
        .filter(|&g| g != Partition::SUPPRESSED)
        .max()
        .map_or(0, |g| g + 1);
    let cell = |(group, c): (u32, usize)| {
        let (lo, hi) = bounds(group, c);
        Cell::Span {
            lo: code(c, lo),
            hi: code(c, hi),
        }
    };
    let cells = (0..groups)
        .flat_map(|g| [(g, 0), (g, 1)])
        .map(cell)
        .collect();
    let group_of = records(&cube, people);
    let published = Published::from_partition(
        &Arc::new(cube.clone()),
        &Partition { group_of, cells },
        &MISSING,
    )
    .unwrap();
    let published_people = people.iter().filter(|p| p.2 != Partition::SUPPRESSED);
    let rows = published_people
        .map(|p| ([bounds(p.2, 0), bounds(p.2, 1)], p.1))
        .collect();
    Made {
        cube,
        published,
        rows,
    }
}

/// The planned group of each single-row record; equal people are dealt in turn.
fn records(cube: &Cube, people: &[Person]) -> Vec<u32> {
    let mut left: Vec<Option<&Person>> = people.iter().map(Some).collect();
    let texts = |p: &Person| original(std::slice::from_ref(p));
    let values = |p: &Person| -> Vec<String> {
        texts(p)
            .columns
            .iter()
            .map(|c| c.domain.text(c.codes.get(0)).to_owned())
            .collect()
    };
    let known: Vec<Vec<String>> = people.iter().map(values).collect();
    let mut groups = Vec::new();
    for tuple in 0..cube.tuples() {
        for record in &cube.records()[cube.records_of(tuple)] {
            let quasi = cube
                .quasi_identifiers()
                .iter()
                .map(|qi| qi.domain.text(qi.codes.get(tuple)));
            let own = cube
                .sensitive()
                .iter()
                .map(|s| s.domain.text(s.codes.get(record.sensitive as usize)));
            let own: Vec<&str> = quasi.chain(own).collect();
            let at = (0..people.len())
                .find(|&i| left[i].is_some() && known[i] == own)
                .unwrap();
            groups.push(left[at].take().unwrap().2);
        }
    }
    groups
}

/// What a reader thinks of one person: candidates, and the posterior weight of each target value.
struct Belief {
    candidates: usize,
    weights: BTreeMap<u32, f64>,
}

impl Belief {
    fn posterior(&self, value: u32) -> Option<f64> {
        let sum: f64 = self
            .weights
            .iter()
            .filter(|(v, _)| **v != 0)
            .map(|(_, w)| w)
            .sum();
        (value != 0).then(|| self.weights.get(&value).unwrap_or(&0.0) / sum)
    }

    fn certain(&self, value: u32) -> bool {
        let told: BTreeSet<u32> = self
            .weights
            .iter()
            .filter(|(v, w)| **v != 0 && **w > 0.0)
            .map(|(v, _)| *v)
            .collect();
        value != 0 && told == BTreeSet::from([value])
    }
}

/// The definitions, row by row and pairing by pairing.
struct Oracle<'a> {
    made: &'a Made,
    knows_quasi: &'a [usize],
}

impl Oracle<'_> {
    fn covers(&self, row: usize, quasi: [u32; 2], columns: &[usize]) -> bool {
        columns
            .iter()
            .all(|&c| (self.made.rows[row].0[c].0..=self.made.rows[row].0[c].1).contains(&quasi[c]))
    }

    fn covering(&self, quasi: [u32; 2]) -> Vec<usize> {
        (0..self.made.rows.len())
            .filter(|&row| self.covers(row, quasi, self.knows_quasi))
            .collect()
    }

    fn published(&self, person: &Person) -> bool {
        (0..self.made.rows.len())
            .any(|row| self.covers(row, person.0, &[0, 1]) && self.made.rows[row].1 == person.1)
    }

    fn of_rows(&self, rows: &[usize], target: usize) -> Belief {
        let mut weights = BTreeMap::new();
        rows.iter()
            .for_each(|&row| *weights.entry(self.made.rows[row].1[target]).or_insert(0.0) += 1.0);
        Belief {
            candidates: rows.len(),
            weights,
        }
    }

    fn linked(&self, person: &Person, known: &[usize], target: usize) -> Belief {
        let alike = |row: &usize| {
            known
                .iter()
                .all(|&c| self.made.rows[*row].1[c] == person.1[c])
        };
        self.of_rows(
            &self
                .covering(person.0)
                .into_iter()
                .filter(alike)
                .collect::<Vec<_>>(),
            target,
        )
    }

    fn outsider(&self, person: &Person, target: usize) -> Belief {
        self.of_rows(&self.covering(person.0), target)
    }

    /// Every pairing of each group's target values with its rows, each as likely as any other.
    fn fragmented(&self, person: &Person, known: &[usize], target: usize) -> Belief {
        let mut groups: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        self.covering(person.0)
            .into_iter()
            .for_each(|row| groups.entry(self.made.rows[row].0).or_default().push(row));
        let mut belief = Belief {
            candidates: 0,
            weights: BTreeMap::new(),
        };
        for rows in groups.values() {
            let alike = |row: usize| {
                known
                    .iter()
                    .all(|&c| self.made.rows[row].1[c] == person.1[c])
            };
            let mine: Vec<usize> = (0..rows.len()).filter(|&i| alike(rows[i])).collect();
            if mine.is_empty() {
                continue;
            }
            belief.candidates += rows.len();
            let orders = permutations(rows.len());
            for order in &orders {
                for &i in &mine {
                    let value = self.made.rows[rows[order[i]]].1[target];
                    *belief.weights.entry(value).or_insert(0.0) += 1.0 / orders.len() as f64;
                }
            }
        }
        belief
    }
}

fn permutations(n: usize) -> Vec<Vec<usize>> {
    if n == 0 {
        return vec![Vec::new()];
    }
    let insert = |shorter: Vec<usize>| {
        (0..n).map(move |at| {
            let mut longer = shorter.clone();
            longer.insert(at, n - 1);
            longer
        })
    };
    permutations(n - 1).into_iter().flat_map(insert).collect()
}

/// Figures of one reader, person by person.
fn check(
    view: &LearntView,
    people: &[&Person],
    believe: &dyn Fn(&Person) -> [Belief; 2],
    target: usize,
    k: u64,
) {
    let (mut certain, mut newly, mut below_k, mut alone, mut posteriors) = (0, 0, 0, 0, Vec::new());
    for person in people {
        let [belief, outsider] = believe(person);
        let value = person.1[target];
        certain += u64::from(belief.certain(value));
        newly += u64::from(belief.certain(value) && !outsider.certain(value));
        below_k += u64::from((belief.candidates as u64) < k);
        alone += u64::from(belief.candidates == 1);
        posteriors.extend(belief.posterior(value));
    }
    assert_eq!(
        (view.certain, view.newly, view.below_k, view.alone),
        (certain, newly, below_k, alone)
    );
    let mean = if posteriors.is_empty() {
        0.0
    } else {
        posteriors.iter().sum::<f64>() / posteriors.len() as f64
    };
    assert!(
        (view.mean_posterior - mean).abs() < 1e-9,
        "{} {mean}",
        view.mean_posterior
    );
    let largest = posteriors.iter().copied().fold(0.0, f64::max);
    assert!((view.largest_posterior - largest).abs() < 1e-9);
    for (step, &count) in view.posteriors.iter().enumerate() {
        let at_least = |slack: f64| {
            posteriors
                .iter()
                .filter(|&&p| p * 100.0 + slack >= step as f64)
                .count() as u64
        };
        assert!(
            at_least(-1e-6) <= count && count <= at_least(1e-6),
            "step {step}"
        );
    }
    assert_eq!(view.example.is_some(), newly > 0);
}

fn check_all(people: &[Person], knows: &[&str], quasi: Option<&[&str]>, k: u64) {
    let made = made(people);
    let joined = Joined::linked(&made.cube, &MISSING, &made.published).unwrap();
    let names = |names: &[&str]| {
        names
            .iter()
            .map(|&name| name.to_owned())
            .collect::<Vec<String>>()
    };
    let options = BackgroundJoinOptions {
        knows: names(knows),
        quasi_identifiers: quasi.map(names),
        k,
        seed: 0,
    };
    let played = play(&joined, &options).unwrap();
    let knows_quasi: Vec<usize> = quasi.map_or(vec![0, 1], |names| {
        names
            .iter()
            .map(|&name| usize::from(name == "zip"))
            .collect()
    });
    let oracle = Oracle {
        made: &made,
        knows_quasi: &knows_quasi,
    };
    let published: Vec<&Person> = people
        .iter()
        .filter(|person| oracle.published(person))
        .collect();
    assert_eq!(played.people, published.len() as u64);
    assert_eq!(played.left_out, (people.len() - published.len()) as u64);
    assert_eq!(
        played.plays.len(),
        if knows.is_empty() { 6 } else { 3 - knows.len() }
    );
    for KnowledgePlay {
        known,
        target,
        people,
        outsider,
        linked,
        fragmented,
        by_rows: _,
    } in &played.plays
    {
        assert_eq!(
            *people,
            published
                .iter()
                .filter(|person| person.1[*target] != 0)
                .count() as u64
        );
        let plain = |person: &Person| oracle.outsider(person, *target);
        check(outsider, &published, &|p| [plain(p), plain(p)], *target, k);
        check(
            linked,
            &published,
            &|p| [oracle.linked(p, known, *target), plain(p)],
            *target,
            k,
        );
        check(
            fragmented.as_ref().unwrap(),
            &published,
            &|p| [oracle.fragmented(p, known, *target), plain(p)],
            *target,
            k,
        );
    }
}

fn any_person() -> impl Strategy<Value = Person> {
    let group = prop_oneof![8 => 0u32..3, 1 => Just(Partition::SUPPRESSED)];
    (
        prop::array::uniform2(1u32..5),
        prop::array::uniform3(0u32..3),
        group,
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn figures_are_those_of_the_definition(people in prop::collection::vec(any_person(), 1..8), k in 1u64..4) {
        prop_assume!(people.iter().any(|p| p.2 != Partition::SUPPRESSED));
        check_all(&people, &[], None, k);
    }

    #[test]
    fn whatever_is_known(people in prop::collection::vec(any_person(), 1..8), two: bool, quasi in 0usize..4) {
        prop_assume!(people.iter().any(|p| p.2 != Partition::SUPPRESSED));
        let knows: &[&str] = if two { &["disease", "job"] } else { &["treatment"] };
        let quasi: Option<&[&str]> = [None, Some(&["age"][..]), Some(&["zip"][..]), Some(&[][..])][quasi];
        check_all(&people, knows, quasi, 2);
    }

    /// A site that knows all its people and rules out what cannot be learns no more, where groups
    /// do not overlap.
    #[test]
    fn matching_everybody_at_once_tells_no_more(values in prop::collection::vec((0u32..2, prop::array::uniform3(1u32..3)), 1..7)) {
        let people: Vec<Person> = values.iter().map(|&(g, s)| ([g + 1, 1], s, g)).collect();
        let made = made(&people);
        let oracle = Oracle { made: &made, knows_quasi: &[0, 1] };
        let fits = |p: usize, row: usize| oracle.covers(row, people[p].0, &[0, 1]) && made.rows[row].1[0] == people[p].1[0];
        let all = permutations(people.len());
        let worlds: Vec<&Vec<usize>> = all.iter().filter(|rows| (0..people.len()).all(|p| fits(p, rows[p]))).collect();
        for (p, person) in people.iter().enumerate() {
            let right = worlds.iter().filter(|rows| made.rows[rows[p]].1[1] == person.1[1]).count();
            let posterior = oracle.linked(person, &[0], 1).posterior(person.1[1]).unwrap();
            prop_assert!((posterior - right as f64 / worlds.len() as f64).abs() < 1e-12);
        }
    }

    #[test]
    fn fragments_put_back_give_the_same_figures(values in prop::collection::vec((0u32..4, prop::array::uniform3(0u32..3)), 1..20)) {
        let people: Vec<Person> = values.iter().map(|&(g, s)| ([g + 1, 1 + g % 2], s, g)).collect();
        let made = made(&people);
        let fragments = Fragments::from_published(&made.published).unwrap();
        let linked = Joined::linked(&made.cube, &MISSING, &made.published).unwrap();
        let relinked = Joined::relinked(&made.cube, &MISSING, &fragments).unwrap();
        let figures = |joined: &Joined<'_>| {
            let played = play(joined, &options(2)).unwrap();
            let views = played.plays.into_iter().flat_map(|p| [p.outsider, p.linked, p.fragmented.unwrap()]);
            views.map(|v| (v.certain, v.newly, v.below_k, v.alone, v.posteriors)).collect::<Vec<_>>()
        };
        prop_assert_eq!(figures(&linked), figures(&relinked));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Whatever is put back is the truth, or nothing is put back at all.
    #[test]
    fn putting_back_never_guesses(people in prop::collection::vec(any_person(), 1..10)) {
        prop_assume!(people.iter().any(|p| p.2 != Partition::SUPPRESSED));
        let made = made(&people);
        let fragments = Fragments::from_published(&made.published).unwrap();
        let truth = Joined::linked(&made.cube, &MISSING, &made.published).unwrap();
        match Joined::relinked(&made.cube, &MISSING, &fragments) {
            Ok(joined) => {
                let sorted = |joined: &Joined<'_>| {
                    let group = |g: usize| {
                        let labels = joined.describe(g).map(|(_, label)| label.to_owned()).collect::<Vec<_>>();
                        (labels, joined.groups()[g].iter().map(|h| (h.combination, h.count)).collect::<Vec<_>>())
                    };
                    (0..joined.groups().len()).map(group).collect::<BTreeMap<_, _>>()
                };
                prop_assert_eq!(sorted(&joined), sorted(&truth));
            }
            Err(error) => prop_assert!(matches!(error, Error::Ambiguous { .. }), "{:?}", error),
        }
    }
}

#[test]
fn counts_can_tell_overlapping_groups_apart() {
    let people: Vec<Person> = vec![
        ([1, 1], [1, 1, 1], 0),
        ([3, 1], [1, 2, 1], 0),
        ([2, 1], [2, 3, 1], 1),
        ([9, 9], [1, 1, 1], u32::MAX),
    ];
    let made = made(&people);
    let fragments = Fragments::from_published(&made.published).unwrap();
    let joined = Joined::relinked(&made.cube, &MISSING, &fragments).unwrap();
    assert_eq!(
        joined
            .groups()
            .iter()
            .map(Vec::len)
            .collect::<BTreeSet<_>>(),
        BTreeSet::from([1, 2])
    );
    assert_eq!(play(&joined, &options(2)).unwrap().left_out, 1);
}

/// The seven patients of the D2Pt paper in the groups of its MERGE.
fn patients() -> Vec<Person> {
    let ids = [
        (1, 1, 1),
        (1, 2, 2),
        (2, 3, 3),
        (2, 4, 4),
        (2, 5, 5),
        (2, 6, 5),
        (2, 3, 3),
    ];
    ids.map(|(group, disease, treatment)| ([group, 1], [disease, treatment, 1], group - 1))
        .to_vec()
}

#[test]
fn the_paper_s_patients() {
    let made = made(&patients());
    let joined = Joined::linked(&made.cube, &MISSING, &made.published).unwrap();
    let played = play(&joined, &options(2)).unwrap();
    let of = |known: usize, target: usize| {
        played
            .plays
            .iter()
            .find(|p| p.known == [known] && p.target == target)
            .unwrap()
    };
    let disease = of(0, 1);
    assert_eq!(
        (
            disease.outsider.certain,
            disease.linked.newly,
            disease.fragmented.as_ref().unwrap().certain
        ),
        (0, 7, 0)
    );
    assert_eq!(
        (
            disease.linked.below_k,
            disease.linked.alone,
            disease.fragmented.as_ref().unwrap().below_k
        ),
        (5, 5, 0)
    );
    let treatment = of(1, 0);
    assert_eq!(
        (
            treatment.linked.newly,
            treatment.linked.below_k,
            treatment.fragmented.as_ref().unwrap().certain
        ),
        (5, 3, 0)
    );
    // both drugs of the first group: one of two
    assert!(
        (disease.fragmented.as_ref().unwrap().mean_posterior - disease.outsider.mean_posterior)
            .abs()
            < 1e-12
    );
    let example = disease.linked.example.as_ref().unwrap();
    assert_eq!(
        (example.candidates, example.rows, &example.groups),
        (1, 2, &vec![0])
    );
    // everybody has the same job: known without any join
    assert_eq!((of(0, 2).linked.certain, of(0, 2).linked.newly), (7, 0));
    assert_eq!(played.worst(ReleaseForm::Linked).unwrap().linked.newly, 7);
    assert_eq!(played.worst(ReleaseForm::Fragmented), None);
}

#[test]
fn a_release_that_withstands() {
    // in each group every pair of values occurs, so a value says nothing about the other
    let pairs = [(1, 1), (1, 2), (2, 1), (2, 2)];
    let group = |g: u32| pairs.map(|(a, b)| ([g, g], [a, b, 1 + a % 2], g - 1));
    let people: Vec<Person> = [group(1), group(2)].concat();
    let made = made(&people);
    let joined = Joined::linked(&made.cube, &MISSING, &made.published).unwrap();
    let knows = BackgroundJoinOptions {
        knows: vec!["disease".into()],
        ..options(2)
    };
    let played = play(&joined, &knows).unwrap();
    assert_eq!(played.plays[0].linked.newly, 0);
    assert_eq!(played.plays[0].linked.below_k, 0);
    assert!((played.plays[0].linked.mean_posterior - 0.5).abs() < 1e-12);
    // job follows from disease
    assert_eq!(played.plays[1].linked.newly, 8);
}

/// A fragmenter that numbers groups by who is in them: the known value gives the number away, and
/// the number the rest.
#[test]
fn a_fragmenter_that_splits_groups_by_value_is_caught() {
    let people = patients();
    let cube = Cube::new(original(&people));
    let gid = |p: &Person| format!("{}", p.1[0]);
    let gid_spec = ColumnSpec {
        kind: Some(Kind::Category),
        ..ColumnSpec::new(GID, Role::QuasiIdentifier)
    };
    let label = |p: &Person| vec![gid(p), p.0[0].to_string(), p.0[1].to_string()];
    let row = |p: &Person| {
        let values = p.1.iter().enumerate().map(|(c, v)| format!("{c}v{v}"));
        label(p)
            .into_iter()
            .chain(values)
            .chain(["P".to_owned()])
            .collect::<Vec<_>>()
    };
    let opaque = specs().map(|spec| ColumnSpec {
        kind: Some(Kind::Category),
        ..spec
    });
    let specs: Vec<ColumnSpec> = [gid_spec].into_iter().chain(opaque).collect();
    let published =
        Published::from_table(&table(&specs, &people.iter().map(row).collect::<Vec<_>>()));
    let joined = Joined::linked(&cube, &MISSING, &published).unwrap();
    let played = play(&joined, &options(2)).unwrap();
    let worst = played.worst(ReleaseForm::Fragmented).unwrap();
    assert_eq!(
        (
            worst.known.as_slice(),
            worst.target,
            worst.fragmented.as_ref().unwrap().newly
        ),
        (&[0][..], 1, 7)
    );
    assert_eq!(played.overlapping, 7);
}

#[test]
fn a_known_value_can_tell_overlapping_groups_apart_even_when_fragmented() {
    // the person aged 2 fits both groups; only the second has the disease
    let people: Vec<Person> = vec![
        ([1, 1], [1, 1, 1], 0),
        ([3, 1], [1, 2, 1], 0),
        ([2, 1], [2, 3, 1], 1),
        ([2, 1], [3, 3, 1], 1),
    ];
    check_all(&people, &["disease"], None, 2);
    let made = made(&people);
    let joined = Joined::linked(&made.cube, &MISSING, &made.published).unwrap();
    let played = play(&joined, &options(2)).unwrap();
    let play = &played.plays[0];
    assert_eq!(
        (
            play.known[0],
            play.target,
            play.fragmented.as_ref().unwrap().newly,
            played.overlapping
        ),
        (0, 1, 2, 2)
    );
}

#[test]
fn what_cannot_be_played() {
    let people = patients();
    let made = made(&people);
    let joined = Joined::linked(&made.cube, &MISSING, &made.published).unwrap();
    let with = |knows: &[&str]| {
        play(
            &joined,
            &BackgroundJoinOptions {
                knows: knows.iter().map(|&k| k.into()).collect(),
                ..options(2)
            },
        )
    };
    let column = |name: &str| name.to_owned();
    assert_eq!(
        with(&["diseaze"]).err(),
        Some(Error::NotSensitive {
            column: column("diseaze")
        })
    );
    assert_eq!(
        with(&["age"]).err(),
        Some(Error::NotSensitive {
            column: column("age")
        })
    );
    assert_eq!(
        with(&["job", "disease", "treatment", "job"]).err(),
        Some(Error::NothingToLearn)
    );
    let quasi = BackgroundJoinOptions {
        quasi_identifiers: Some(vec![column("job")]),
        ..options(2)
    };
    assert_eq!(
        play(&joined, &quasi).err(),
        Some(Error::NotQuasiIdentifier {
            column: column("job")
        })
    );
    for columns in [2, 3] {
        let mut narrow = original(&people);
        narrow.columns.truncate(columns);
        let cube = Cube::new(narrow.clone());
        let published = Published::from_table(&narrow);
        let joined = Joined::linked(&cube, &MISSING, &published).unwrap();
        assert_eq!(
            play(&joined, &options(2)).err(),
            Some(Error::NothingToJoin {
                columns: columns - 2
            })
        );
        let lacks = Error::SensitiveColumn {
            column: column(["disease", "treatment"][columns - 2]),
        };
        assert_eq!(
            Joined::linked(&made.cube, &MISSING, &published).err(),
            Some(lacks)
        );
    }
}

#[test]
fn another_table_is_refused() {
    let people = patients();
    let made = made(&people);
    let refused = |change: &dyn Fn(&mut Vec<Person>)| {
        let mut other = people.clone();
        change(&mut other);
        let cube = Cube::new(original(&other));
        Joined::linked(&cube, &MISSING, &made.published)
            .err()
            .unwrap()
    };
    assert_eq!(
        refused(&|p| p[3].1[0] = 9),
        Error::ForeignValue { group: 2 }
    );
    assert_eq!(
        refused(&|p| p[3].1[1] = 5),
        Error::ForeignValue { group: 2 }
    );
    // all values are known, but not in this group or not so often
    assert_eq!(refused(&|p| p[2].0[0] = 1), Error::ForeignRow { group: 2 });
    assert_eq!(
        refused(&|p| p[6].0 = [9, 9]),
        Error::ForeignRow { group: 2 }
    );
    let more = Error::Comparison(utility::Error::MoreRows {
        published: 7,
        original: 6,
    });
    assert_eq!(refused(&|p| p.truncate(6)), more);
}

#[test]
fn everybody_must_be_somewhere() {
    // the first person fits both published rows with these values, so no row is foreign; the last
    // fits none
    let release = made(&[
        ([1, 1], [1, 1, 1], 0),
        ([3, 1], [2, 2, 1], 0),
        ([2, 1], [1, 1, 1], 1),
    ]);
    let others: [Person; 3] = [
        ([2, 1], [1, 1, 1], 0),
        ([3, 1], [2, 2, 1], 0),
        ([9, 1], [1, 1, 1], 0),
    ];
    let cube = Cube::new(original(&others));
    let refused = Joined::linked(&cube, &MISSING, &release.published).err();
    assert_eq!(
        refused,
        Some(Error::NotPublished {
            missing: 1,
            left_out: 0
        })
    );
}

#[test]
fn fragments_that_do_not_say_who_is_where() {
    // the last four fit both groups, and may be exchanged without changing a count
    let pairs = [(2, 3, 0), (4, 5, 0), (2, 5, 1), (4, 3, 1)];
    let mut people: Vec<Person> = pairs
        .map(|(a, b, group)| ([2, 1], [a, b, 1], group))
        .to_vec();
    people.extend([([1, 1], [1, 1, 1], 0), ([3, 1], [1, 2, 1], 0)]);
    let overlapping = made(&people);
    let fragments = Fragments::from_published(&overlapping.published).unwrap();
    let refused = |cube: &Cube, fragments: &Fragments| {
        Joined::relinked(cube, &MISSING, fragments).err().unwrap()
    };
    assert_eq!(
        refused(&overlapping.cube, &fragments),
        Error::Ambiguous { people: 4 }
    );
    let apart = made(&patients());
    let fragments = Fragments::from_published(&apart.published).unwrap();
    let mut others = patients();
    others[1].1[0] = 1;
    assert_eq!(
        refused(&Cube::new(original(&others)), &fragments),
        Error::ForeignValue { group: 1 }
    );
    others[1].1[0] = 3;
    let columns: Vec<FragmentColumn> = fragments.sensitive().to_vec();
    let mut groups: Vec<FragmentGroup> = fragments.groups().to_vec();
    groups[0].values[0] = vec![(0, 2)];
    let changed = Fragments::new(fragments.quasi_identifiers().to_vec(), columns, groups).unwrap();
    assert_eq!(
        refused(&apart.cube, &changed),
        Error::NotPublished {
            missing: 1,
            left_out: 0
        }
    );
}

/// `groups` groups of `size` people; the pair of values of each person.
fn population(groups: u32, size: u32, pair: &mut dyn FnMut(u32) -> (u32, u32)) -> Vec<Person> {
    let person = |i: u32| {
        let (a, b) = pair(i);
        ([1 + i / size, 1], [a, b, 1], i / size)
    };
    (0..groups * size).map(person).collect()
}

/// Everybody of a group has the same quasi-identifiers.
fn relink(people: &[Person], seed: u64) -> Reconstruction {
    let table = original(people);
    let published = Published::from_table(&original(people));
    let cube = Cube::new(table.clone());
    let joined = Joined::linked(&cube, &MISSING, &published).unwrap();
    let played = play(&joined, &BackgroundJoinOptions { seed, ..options(2) }).unwrap();
    played
        .reconstructions
        .into_iter()
        .find(|r| r.columns == [0, 1])
        .unwrap()
}

#[test]
fn what_follows_from_the_other_value_is_re_linked() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for size in [2, 5, 20] {
        let people = population(600 / size, size, &mut |_| {
            let a = 1 + (rng.next_u64() % 9) as u32;
            // not in the order of the values
            (a, 1 + a * 7 % 10)
        });
        let found = relink(&people, 3);
        let [first, last] = &found.estimates;
        let share = last.right as f64 / found.people as f64;
        assert!(
            share > 0.97,
            "groups of {size}: {share}, {} rounds",
            last.rounds
        );
        assert!(
            first.rounds == 1 && found.plain < first.right && first.right <= last.right,
            "{first:?}"
        );
        assert!(
            found.chance / (found.people as f64) < 0.6,
            "{}",
            found.chance
        );
        assert!(last.inferences[0].mean_posterior > 0.9, "{last:?}");
        assert!(last.inferences[0].newly * 10 > found.people * 7, "{last:?}");
    }
}

/// The guess depends on the counts alone. So with values paired at random again and again, what it
/// gets right must scatter around what is computed as blind luck.
#[test]
fn independent_values_are_re_linked_by_luck_alone() {
    const TIMES: usize = 25;
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let mut draw = |n: u64| 1 + (rng.next_u64() % n) as u32;
    for size in [3u32, 12] {
        let people = population(40, size, &mut |_| (draw(6), draw(3)));
        let mut gains = [Vec::new(), Vec::new()];
        for _ in 0..TIMES {
            let mut shuffled = people.clone();
            for group in shuffled.chunks_mut(size as usize) {
                for i in (1..group.len()).rev() {
                    let j = (draw(i as u64 + 1) - 1) as usize;
                    let (a, b) = (group[i].1[1], group[j].1[1]);
                    (group[i].1[1], group[j].1[1]) = (b, a);
                }
            }
            let found = relink(&shuffled, 7);
            gains
                .iter_mut()
                .zip(&found.estimates)
                .for_each(|(all, one)| all.push(one.right as f64 - one.blind));
        }
        for gains in gains {
            let mean = gains.iter().sum::<f64>() / TIMES as f64;
            let variance =
                gains.iter().map(|g| (g - mean).powi(2)).sum::<f64>() / (TIMES - 1) as f64;
            let error = (variance / TIMES as f64).sqrt();
            assert!(
                mean.abs() < 4.0 * error,
                "groups of {size}: {mean} ± {error}"
            );
        }
    }
}

#[test]
fn a_seed_gives_one_result() {
    // all groups look alike, so every pairing is a guess
    let people = population(30, 2, &mut |i| (1 + i % 2, 1 + i % 2));
    assert_eq!(relink(&people, 9), relink(&people, 9));
    let rights: BTreeSet<u64> = (0..20)
        .map(|seed| relink(&people, seed).estimates[1].right)
        .collect();
    assert!(rights.len() > 1, "ties are broken by the seed");
    assert!((relink(&people, 0).chance - 30.0).abs() < 1e-9);
}
