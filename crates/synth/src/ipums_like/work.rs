//! Who works, as what, where and for how much.
//!
//! The counts of every value come first, then scores decide who gets which. Half of a score is what
//! is known about a person, the other half chance, roughly: nobody's occupation follows from age,
//! sex and education.

use super::{Person, band};
use crate::alias::below;
use crate::quota::{Scored, apportion, falling, hand_out, slots};
use rand_chacha::ChaCha8Rng;

const OCCUPATIONS: usize = 246;
const INDUSTRIES: usize = 144;
const AMOUNTS: usize = 469;

/// How even the shares are, found by trying: entropies of 4.30, 4.35 and 5.56 bits at the paper's
/// number of rows.
const OCCUPATION_OFFSET: u64 = 106;
const INDUSTRY_OFFSET: u64 = 147;
const INCOME_OFFSET: u64 = 261;

/// Of a thousand people: without occupation and industry, too young for an income, without one.
const WITHOUT_WORK: usize = 430;
const TOO_YOUNG: usize = 250;
const WITHOUT_INCOME: usize = 156;

/// The first code of each column stands for "not applicable", the second of income for none.
const NOT_APPLICABLE: u32 = 0;
const NO_INCOME: u32 = 1;
const FIRST_AMOUNT: u32 = 2;

/// Inclination to work by band, men and women.
const INCLINED: [[u32; 2]; 11] = [
    [0, 0],
    [0, 0],
    [0, 0],
    [0, 0],
    [450, 300],
    [950, 800],
    [1_000, 850],
    [1_000, 740],
    [970, 700],
    [700, 320],
    [450, 160],
];

/// The texts of occupation.
pub(super) fn occupations() -> Vec<String> {
    named("Occupation", OCCUPATIONS)
}

/// The texts of industry.
pub(super) fn industries() -> Vec<String> {
    named("Industry", INDUSTRIES)
}

/// The amounts of income; the first means that none applies, as IPUMS writes it.
pub(super) fn incomes() -> Vec<String> {
    let amounts = (0..AMOUNTS).map(|at| 50 + 100 * at);
    [999_999, 0]
        .into_iter()
        .chain(amounts)
        .map(|amount| amount.to_string())
        .collect()
}

fn named(what: &str, values: usize) -> Vec<String> {
    let names = (1..=values).map(|n| format!("{what} {n:03}"));
    std::iter::once("Not applicable".to_owned())
        .chain(names)
        .collect()
}

/// Per person workclass, occupation, industry and income.
pub(super) struct Work(pub(super) Vec<[u32; 4]>);

const WORKCLASS: usize = 0;
const OCCUPATION: usize = 1;
const INDUSTRY: usize = 2;
const INCOME: usize = 3;

impl Work {
    pub(super) fn new(people: &[Person], rng: &mut ChaCha8Rng) -> Work {
        let mut work = Work(vec![[NOT_APPLICABLE; 4]; people.len()]);
        let working = working(people, rng);
        for &person in &working {
            work.0[person as usize][WORKCLASS] = workclass(&people[person as usize], rng);
        }
        work.give_occupations(people, &working, rng);
        work.give_industries(&working, rng);
        work.give_incomes(people, rng);
        work
    }

    /// Women get the slots of the occupations where most women are, and within either sex school
    /// and age decide.
    fn give_occupations(&mut self, people: &[Person], working: &[u32], rng: &mut ChaCha8Rng) {
        let counts = apportion(working.len(), &falling(OCCUPATIONS, OCCUPATION_OFFSET));
        let mut all: Vec<Scored> = slots(&counts)
            .map(|o| (womens(o) + below(500, rng), o))
            .collect();
        all.sort_unstable();
        let (women, men): (Vec<u32>, Vec<u32>) =
            working.iter().partition(|&&p| people[p as usize].sex == 1);
        let of_women = all.split_off(men.len());
        for (some, slots) in [(men, all), (women, of_women)] {
            let skill = |&p: &u32| (skill(&people[p as usize]) + below(700, rng), p);
            let some = some.iter().map(skill).collect();
            let slots = slots
                .into_iter()
                .map(|(_, o)| (standing(o) + below(300, rng), o))
                .collect();
            hand_out(some, slots, |person, o| {
                self.0[person as usize][OCCUPATION] = o + 1
            });
        }
    }

    fn give_industries(&mut self, working: &[u32], rng: &mut ChaCha8Rng) {
        let counts = apportion(working.len(), &falling(INDUSTRIES, INDUSTRY_OFFSET));
        let near = |&p: &u32| {
            (
                sector(self.0[p as usize][OCCUPATION] - 1) + below(400, rng),
                p,
            )
        };
        let people = working.iter().map(near).collect();
        let slots = slots(&counts)
            .map(|i| (i * 37 % INDUSTRIES as u32, i))
            .collect();
        hand_out(people, slots, |person, i| {
            self.0[person as usize][INDUSTRY] = i + 1
        });
    }

    /// The youngest have none to speak of, those who do not work often have none; the others by
    /// what they do.
    fn give_incomes(&mut self, people: &[Person], rng: &mut ChaCha8Rng) {
        let mut order: Vec<Scored> = (0..).zip(people).map(|(p, of)| (of.age, p)).collect();
        order.sort_unstable();
        let mut asked: Vec<u32> = order[people.len() * TOO_YOUNG / 1_000..]
            .iter()
            .map(|&(_, p)| p)
            .collect();
        asked.sort_by_cached_key(|&p| (self.needs_income(people, p) + below(400, rng), p));
        let (without, with) =
            asked.split_at(asked.len().min(people.len() * WITHOUT_INCOME / 1_000));
        without
            .iter()
            .for_each(|&p| self.0[p as usize][INCOME] = NO_INCOME);
        let counts = apportion(with.len(), &amount_weights());
        let earned = |&p: &u32| (self.earning(people, p) + below(900, rng), p);
        let people = with.iter().map(earned).collect();
        let slots = slots(&counts).map(|amount| (amount, amount)).collect();
        hand_out(people, slots, |person, amount| {
            self.0[person as usize][INCOME] = amount + FIRST_AMOUNT
        });
    }

    fn works(&self, person: u32) -> bool {
        self.0[person as usize][WORKCLASS] != NOT_APPLICABLE
    }

    /// The old have pensions, those who work wages.
    fn needs_income(&self, people: &[Person], person: u32) -> u32 {
        u32::from(self.works(person)) * 600 + people[person as usize].age * 8
    }

    fn earning(&self, people: &[Person], person: u32) -> u32 {
        let of = &people[person as usize];
        let at_work = if self.works(person) {
            500 + standing(self.0[person as usize][OCCUPATION] - 1) / 2
        } else {
            0
        };
        let age = 400 - 10 * of.age.abs_diff(45).min(40);
        at_work + age + 60 * of.education + if of.sex == 0 { 350 } else { 0 }
    }
}

/// Those most inclined, as many as there are occupations for.
fn working(people: &[Person], rng: &mut ChaCha8Rng) -> Vec<u32> {
    let mut order: Vec<Scored> = Vec::with_capacity(people.len());
    for (number, person) in (0..).zip(people) {
        let inclined = INCLINED[band(person.age)][person.sex as usize];
        let chance = if inclined == 0 { 0 } else { below(500, rng) };
        order.push((u32::MAX - inclined - chance, number));
    }
    order.sort_unstable();
    let without = people.len() * WITHOUT_WORK / 1_000;
    let mut working: Vec<u32> = order[..people.len() - without]
        .iter()
        .map(|&(_, person)| person)
        .collect();
    working.sort_unstable();
    working
}

/// Most for private wages; the educated more often for the public, the old for themselves.
fn workclass(person: &Person, rng: &mut ChaCha8Rng) -> u32 {
    let public = if person.education >= 8 { 220 } else { 120 };
    let own = if person.age >= 35 { 110 } else { 40 };
    let family = if person.sex == 1 { 8 } else { 3 };
    match below(1_000, rng) {
        chance if chance < family => 4,
        chance if chance < family + own => 3,
        chance if chance < family + own + public => 2,
        _ => 1,
    }
}

/// What a person brings along, from 0 to about 1,100.
fn skill(person: &Person) -> u32 {
    100 * person.education + (5 * person.age.min(60)).saturating_sub(80)
}

/// An occupation's place between the simplest and the most demanding, from 0 to 1,000. Common ones
/// are spread over it.
fn standing(occupation: u32) -> u32 {
    1_000 * (occupation * 97 % OCCUPATIONS as u32) / OCCUPATIONS as u32
}

/// How many women there are in an occupation, from 0 to 1,000.
fn womens(occupation: u32) -> u32 {
    1_000 * (occupation * 151 % OCCUPATIONS as u32) / OCCUPATIONS as u32
}

/// Where an occupation is mostly found, from 0 to 1,000.
fn sector(occupation: u32) -> u32 {
    1_000 * (occupation * 55 % OCCUPATIONS as u32) / OCCUPATIONS as u32
}

/// Round amounts and those of an ordinary wage are common.
fn amount_weights() -> Vec<u64> {
    let mut order: Vec<usize> = (0..AMOUNTS).collect();
    order.sort_by_key(|&at| (at.abs_diff(60) * if at % 10 == 0 { 1 } else { 3 }, at));
    let mut weights = vec![0; AMOUNTS];
    order
        .iter()
        .zip(falling(AMOUNTS, INCOME_OFFSET))
        .for_each(|(&at, weight)| weights[at] = weight);
    weights
}
