use super::*;
use crate::amount::Amount;
use crate::histogram::HistogramOptions;
use crate::marginals::{MarginalsChoice, MarginalsOptions};
use crate::share::{FLOOR, inexactness};
use crate::synthetic::SyntheticOptions;
use crate::universe::Bins;
use mingle_model::{Kind, Role};

fn amount(text: &str) -> Amount {
    Amount::parse(text).expect("an amount")
}

fn words(name: &str, n: usize) -> DeclaredAttribute {
    let labels = (0..n).map(|i| format!("v{i}")).collect();
    DeclaredAttribute {
        name: name.into(),
        role: Role::QuasiIdentifier,
        kind: Kind::Category,
        domain: DeclaredValues::categories(labels).expect("words"),
        other: None,
        missing: None,
    }
}

fn ages(private: usize) -> DeclaredAttribute {
    DeclaredAttribute {
        name: "age".into(),
        role: Role::QuasiIdentifier,
        kind: Kind::Integer,
        domain: DeclaredValues::Bins(Bins::to_be_found(0, 1, 0, 99, private).expect("bounds")),
        other: Some("other".into()),
        missing: Some("?".into()),
    }
}

fn requests() -> Vec<Request> {
    let marginals = |choice| {
        Request::Marginals(MarginalsOptions {
            choice,
            most_cells: 1 << 16,
        })
    };
    vec![
        marginals(MarginalsChoice::Named(vec![vec![0, 1], vec![2]])),
        marginals(MarginalsChoice::All(2)),
        marginals(MarginalsChoice::Selected(3)),
        Request::Histogram(HistogramOptions::default()),
        Request::Synthetic(SyntheticOptions::default()),
    ]
}

fn asked(request: Request, guarantee: Guarantee, holders: ShareHolders) -> SummedRequest {
    SummedRequest {
        attributes: vec![words("a", 12), words("b", 3), ages(5), words("c", 4)],
        request,
        guarantee,
        records_per_person: 2,
        holders,
    }
}

fn approximate(epsilon: &str) -> Guarantee {
    Guarantee::Approximate {
        epsilon: Epsilon(amount(epsilon)),
        delta: amount("1e-9"),
    }
}

/// A small generator that gives the same rows everywhere.
struct Rows(u64);

impl Rows {
    fn next(&mut self, below: usize) -> CellId {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize % below) as CellId
    }

    /// The second attribute repeats the first, the others are free.
    fn records(&mut self, rows: usize) -> Records {
        let sizes = [12, 3, 102, 4];
        let mut columns: Vec<Vec<CellId>> = vec![Vec::new(); 4];
        for _ in 0..rows {
            let first = self.next(12);
            columns[0].push(first);
            columns[1].push(first % 3);
            columns[2].push(self.next(102));
            columns[3].push(self.next(4));
        }
        Records::from_columns(columns, sizes.to_vec(), 2)
    }
}

/// What all parties come to, each with noise by the given draws, and every look on the way.
fn run(
    asked: &SummedRequest,
    parties: &[Records],
    noise: &dyn Fn(usize, &NoiseShare, usize) -> Vec<i64>,
) -> (SummedOutput, Vec<SummedLook>) {
    let never = AtomicBool::new(false);
    let mut release = SummedRelease::new(asked.clone(), [7; 32]).expect("a request");
    let mut looks = Vec::new();
    loop {
        match release.step(&never).expect("a step") {
            SummedStep::Done(output) => return (*output, looks),
            SummedStep::Look(look) => {
                let mut sums: Vec<Vec<i64>> = look.tables().map(|(n, _)| vec![0; n]).collect();
                for (seat, records) in parties.iter().enumerate() {
                    let own = look.own_counts(records).expect("these tables");
                    for (at, (cells, share)) in look.tables().enumerate() {
                        let draws = noise(seat, share, cells);
                        for (cell, sum) in sums[at].iter_mut().enumerate() {
                            *sum += own[at][cell] as i64 + draws[cell];
                        }
                    }
                }
                release.answer(sums);
                looks.push(look);
            }
        }
    }
}

fn drawn(_: usize, share: &NoiseShare, cells: usize) -> Vec<i64> {
    share.draw(cells).expect("randomness")
}

fn quiet(_: usize, _: &NoiseShare, cells: usize) -> Vec<i64> {
    vec![0; cells]
}

const HOLDERS: ShareHolders = ShareHolders {
    parties: 5,
    colluding: 2,
};

fn five(rows: usize) -> Vec<Records> {
    let mut from = Rows(9);
    (0..5).map(|_| from.records(rows)).collect()
}

/// The scale of a share, found from outside: the largest of which shares suffice.
fn scale(share: &NoiseShare) -> f64 {
    let (mut low, mut high) = (0.0, 1e12);
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if share.suffices(1, middle) {
            low = middle
        } else {
            high = middle
        }
    }
    low.sqrt()
}

/// From the definition: what the shares of those outside of the coalition cost when one person's two
/// records come or go, look by look and counted from real tables, is within the promise; with one
/// share fewer it is not.
#[test]
fn what_is_left_of_the_noise_pays_for_every_look() {
    let parties = five(300);
    let holders = HOLDERS;
    for request in requests() {
        let asked = asked(request.clone(), approximate("1"), holders);
        let (output, looks) = run(&asked, &parties, &drawn);
        let mut more = Rows(1);
        let mut cost = [0.0f64; 2];
        for look in &looks {
            // the largest move over many possible people, one coordinate at most per record and table
            let mut moved = vec![0.0f64; look.sets.len()];
            for _ in 0..50 {
                let person = more.records(2);
                let twice = Records::from_columns(
                    (0..4).map(|a| vec![person.column(a)[0]; 2]).collect(),
                    person.cells().to_vec(),
                    2,
                );
                for person in [person, twice] {
                    for (at, table) in look
                        .own_counts(&person)
                        .expect("a table")
                        .iter()
                        .enumerate()
                    {
                        let square: f64 = table.iter().map(|&c| (c * c) as f64).sum();
                        moved[at] = moved[at].max(square);
                    }
                }
            }
            for (cost, left) in cost.iter_mut().zip([holders.left(), holders.left() - 1]) {
                // the vector of all tables of a look: moves relative to each table's noise
                let mut relative = 0.0;
                for (square, share) in moved.iter().zip(&look.shares) {
                    relative += square / (left as f64 * scale(share).powi(2));
                }
                let tau = inexactness(left, FLOOR) * ((2 * look.sets.len()) as f64).sqrt();
                *cost += (relative.sqrt() + tau).powi(2) / 2.0;
            }
        }
        let promised = asked.guarantee.rho().to_f64();
        assert!(cost[0] <= promised, "{request:?}: {cost:?} {promised}");
        assert!(
            cost[0] > 0.99 * promised,
            "{request:?}: hardly anything is wasted"
        );
        assert!(
            cost[1] > promised,
            "{request:?}: a share that is forgotten is missed"
        );
        assert!(output.spent.to_f64() <= promised * (1.0 + 1e-9));
        let (epsilon, delta) = output.reached();
        assert!(epsilon.0 <= amount("1") && delta == amount("1e-9"));
    }
}

/// The noise that is in the sums is that of all five; a party that forgets its share is noticed by
/// the same test.
#[test]
fn everybodys_noise_is_in_the_sums() {
    let table = |_: usize| Records::from_columns(vec![vec![]; 2], vec![100, 200], 1);
    let parties: Vec<Records> = (0..5).map(table).collect();
    let asked = SummedRequest {
        attributes: vec![words("a", 100), words("b", 200)],
        request: Request::Histogram(HistogramOptions::default()),
        guarantee: approximate("1"),
        records_per_person: 1,
        holders: HOLDERS,
    };
    let ratio = |forgetful: Option<usize>| {
        let draws = std::sync::Mutex::new((0.0, 0.0));
        let noise = |seat: usize, share: &NoiseShare, cells: usize| {
            let own = if Some(seat) == forgetful {
                vec![0; cells]
            } else {
                drawn(seat, share, cells)
            };
            draws.lock().expect("alone").1 = share.variance() as f64;
            own
        };
        // no rows: what comes out above zero is half of the noise
        let (output, _) = run(&asked, &parties, &noise);
        let Content::Histogram(histogram) = output.content else {
            panic!("a histogram")
        };
        let squares: f64 = histogram.cells.iter().map(|(_, n)| (n * n) as f64).sum();
        let expected = histogram.deviation.powi(2);
        assert!(expected >= 5.0 * (draws.lock().expect("alone").1 - 1.0));
        squares / (20_000.0 / 2.0) / expected
    };
    // a variance estimate of so many draws deviates by about 0.016
    assert!((ratio(None) - 1.0).abs() < 0.08);
    assert!(ratio(Some(3)) < 0.9);
}

/// Without noise the sums are those of all records in one place, and the same sums give the same
/// release, however often it is asked.
#[test]
fn who_holds_which_record_does_not_matter() {
    let parties = five(200);
    let column = |a: usize| {
        let all = parties.iter().flat_map(|p| p.column(a).iter().copied());
        all.collect::<Vec<CellId>>()
    };
    let united = Records::from_columns((0..4).map(column).collect(), vec![12, 3, 102, 4], 2);
    let nobody = Records::from_columns(vec![vec![]; 4], vec![12, 3, 102, 4], 2);
    for request in requests() {
        let asked = asked(request, approximate("1"), HOLDERS);
        let (apart, looks) = run(&asked, &parties, &quiet);
        let (together, again) = run(&asked, &[united.clone(), nobody.clone()], &quiet);
        assert!(apart == together && looks == again);
        assert!(!looks.is_empty() && looks.len() <= 4, "{}", looks.len());
    }
}

/// A dependency is found and measured, and hardly any other pair is.
#[test]
fn pairs_that_depend_are_chosen_by_sums() {
    let parties = five(4000);
    let asked = asked(requests().remove(4), approximate("1"), HOLDERS);
    let mut others = 0;
    for _ in 0..5 {
        let (output, _) = run(&asked, &parties, &drawn);
        let Content::Synthetic(made) = output.content else {
            panic!("made-up records")
        };
        assert!(made.measured.contains(&vec![0, 1]), "{:?}", made.measured);
        others += made.measured.iter().filter(|set| set.len() == 2).count() - 1;
        let repeated = (0..made.rows())
            .filter(|&row| made.columns[0][row] % 3 == made.columns[1][row])
            .count();
        assert!(repeated as f64 > 0.9 * made.rows() as f64);
    }
    // of 25 that could be, each of which noise makes look worthwhile once in fifty times
    assert!(others <= 4, "{others}");
}

#[test]
fn with_many_parties_less_is_spent_than_was_promised() {
    let holders = ShareHolders {
        parties: 300,
        colluding: 3,
    };
    let mut asked = asked(requests().remove(3), approximate("20"), holders);
    asked.attributes.truncate(2);
    let parties: Vec<Records> = five(10)
        .into_iter()
        .map(|p| {
            Records::from_columns(vec![p.column(0).into(), p.column(1).into()], vec![12, 3], 2)
        })
        .collect();
    let (output, looks) = run(&asked, &parties, &drawn);
    assert!(
        output.reached().0.0 < amount("10"),
        "{}",
        output.reached().0
    );
    assert!(looks[0].tables().all(|(_, share)| share.suffices(1, FLOOR)));
}

#[test]
fn what_shares_cannot_keep_is_refused_before_anything_is_spent() {
    let pure = Guarantee::Pure {
        epsilon: Epsilon(amount("1")),
    };
    for request in requests() {
        let refused = SummedRelease::new(asked(request.clone(), pure, HOLDERS), [0; 32]);
        assert!(matches!(refused.err(), Some(Error::PureOverShares)));
        let alone = ShareHolders {
            parties: 2,
            colluding: 2,
        };
        assert!(
            SummedRelease::new(asked(request.clone(), approximate("1"), alone), [0; 32]).is_err()
        );
        let hopeless = asked(request, approximate("1e-9"), HOLDERS);
        assert!(matches!(
            SummedRelease::new(hopeless, [0; 32]).err(),
            Some(Error::AllNoise { .. })
        ));
    }
    // cells that hold somebody are nobody's to tell
    let sparse = Request::Histogram(HistogramOptions {
        attributes: Vec::new(),
        most_cells: 10,
    });
    assert!(matches!(
        SummedRelease::new(asked(sparse, approximate("1"), HOLDERS), [0; 32]).err(),
        Some(Error::TooManyCells { .. })
    ));
}

#[test]
fn other_tables_and_other_sums_are_refused() {
    let never = AtomicBool::new(false);
    let asked = asked(requests().remove(4), approximate("1"), HOLDERS);
    let mut release = SummedRelease::new(asked, [0; 32]).expect("a request");
    let Ok(SummedStep::Look(look)) = release.step(&never) else {
        panic!("a look")
    };
    let narrow = Records::from_columns(vec![vec![0]; 3], vec![12, 3, 102], 2);
    assert!(look.own_counts(&narrow).is_err());
    let coarse = Records::from_columns(vec![vec![0]; 4], vec![12, 3, 101, 4], 2);
    assert!(look.own_counts(&coarse).is_err());
    release.answer(vec![vec![0; 3]]);
    assert!(matches!(release.step(&never), Err(Error::OtherTable)));
}

#[test]
fn groups_hold_about_equally_many() {
    let heavy = groups(&[50.0, 1.0, 1.0, 1.0, 9.0, 8.0, 7.0, 7.0, 6.0, 6.0], false);
    assert_eq!(heavy.cells, 8);
    assert_eq!(heavy.sums(&[1.0; 10]).iter().sum::<f64>(), 10.0);
    assert!(
        heavy
            .into
            .iter()
            .filter(|&&group| group == heavy.into[0])
            .count()
            == 1
    );
    let ordered = groups(&[1.0; 24], true);
    assert!(ordered.into.is_sorted() && ordered.sums(&[1.0; 24]) == [3.0; 8]);
    assert_eq!(groups(&[3.0, 1.0], false).cells, 2);
}

/// A receipt for something else buys nothing.
#[test]
fn the_receipt_must_be_for_this() {
    let asked = asked(requests().remove(3), approximate("1"), HOLDERS);
    let (output, _) = run(&asked, &five(20), &drawn);
    let other = Receipt::for_experiment(approximate("2"));
    assert!(matches!(output.clone().paid(other), Err(Error::NotPaidFor)));
    let this = Receipt::for_experiment(approximate("1"));
    assert!(
        output
            .paid(this)
            .is_ok_and(|paid| paid.shape == Shape::Gaussian)
    );
}
