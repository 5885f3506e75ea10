//! Two sites with made-up tables: partly the same people, hierarchies of random shape, a few
//! constraints.

use crate::common::{Ask, Field, ratio};
use mingle_model::Role;
use mingle_privacy::Distance;
use mingle_protocol::{Seat, Setup, Synchronizer};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

pub struct Case {
    pub ask: Ask,
    ids: [Vec<String>; 2],
    fields: [Vec<Field>; 2],
}

impl Case {
    pub fn new(seed: u64, synchronizer: Synchronizer) -> Case {
        let mut draw = Draw(ChaCha20Rng::seed_from_u64(seed));
        let mut ask = Ask::new(synchronizer, 1 + draw.below(3));
        if synchronizer != Synchronizer::Dpp2ga {
            let ts = [
                None,
                Some(ratio(1, 5)),
                Some(ratio(2, 5)),
                Some(ratio(3, 5)),
                Some(ratio(1, 1)),
            ];
            ask.t = ts[draw.below(5) as usize];
            ask.l = [None, None, Some(2)][draw.below(3) as usize];
            ask.distance = [Distance::Equal, Distance::Hierarchical][draw.below(2) as usize];
        }
        let common = draw.below(20);
        let ids = [0, 1].map(|site| {
            let own = draw.below(4);
            let mut ids: Vec<String> = (0..common).map(|n| format!("person {n}")).collect();
            ids.extend((0..own).map(|n| format!("only at {site}: {n}")));
            draw.shuffle(&mut ids);
            ids
        });
        // most cases: both sites' values follow something about the person, or hardly any classes
        // would agree
        let alike = draw.below(4) > 0;
        let hidden: Vec<u64> = (0..common).map(|_| draw.below(5)).collect();
        let fields = [0, 1].map(|site: usize| {
            let about = |id: &String| {
                id.strip_prefix("person ")
                    .and_then(|n| hidden.get(n.parse::<usize>().ok()?).copied())
            };
            let known: Vec<Option<u64>> = ids[site]
                .iter()
                .map(|id| about(id).filter(|_| alike))
                .collect();
            draw.fields(site, &known)
        });
        ask.padded_size = ids.iter().map(Vec::len).max().unwrap_or(0) as u32 + draw.below(3) as u32;
        Case { ask, ids, fields }
    }

    pub fn setups(&self) -> [Setup; 2] {
        [Seat::Zero, Seat::One].map(|seat| {
            let site = seat.number();
            self.ask.setup(seat, &self.ids[site], &self.fields[site])
        })
    }
}

struct Draw(ChaCha20Rng);

impl Draw {
    fn below(&mut self, bound: u64) -> u64 {
        self.0.next_u64() % bound.max(1)
    }

    fn shuffle(&mut self, items: &mut [String]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u64 + 1) as usize);
        }
    }

    fn fields(&mut self, site: usize, known: &[Option<u64>]) -> Vec<Field> {
        const NAMES: [[&str; 4]; 2] = [
            ["zip", "sex", "disease", "score"],
            ["age", "city", "treatment", "grade"],
        ];
        let quasi_identifiers = [0, 1, 1, 1, 2][self.below(5) as usize];
        let sensitive = 1 + self.below(2) as usize;
        let mut fields: Vec<Field> = (0..quasi_identifiers)
            .map(|c| self.field(NAMES[site][c], Role::QuasiIdentifier, known))
            .collect();
        fields.extend((0..sensitive).map(|c| {
            self.field(
                NAMES[site][2 + c],
                Role::Sensitive,
                &vec![None; known.len()],
            )
        }));
        fields
    }

    /// Values `0..8` in three bits; the hierarchy forgets bits from the right, some levels at once.
    fn field(&mut self, name: &'static str, role: Role, known: &[Option<u64>]) -> Field {
        let spread = 1 + self.below(8);
        let gaps = self.below(20) == 0;
        let value = |(draw, known): (&mut Draw, &Option<u64>)| {
            if gaps && draw.below(4) == 0 {
                String::new()
            } else {
                format!("{name}{}", known.unwrap_or_else(|| draw.below(spread)))
            }
        };
        let values: Vec<String> = known.iter().map(|known| value((self, known))).collect();
        let levels: Vec<u64> = (1..3).filter(|_| self.below(3) > 0).collect();
        let field = Field {
            name,
            role,
            values,
            hierarchy: None,
        };
        if role == Role::QuasiIdentifier && self.below(4) == 0 {
            return field;
        }
        field.with_paths(|value| {
            let number: Option<u64> = value
                .strip_prefix(name)
                .and_then(|digits| digits.parse().ok());
            let label = |level: &u64| match number {
                Some(number) => format!("{name} {}/{level}", number >> level),
                None => format!("{name} none/{level}"),
            };
            levels.iter().map(label).chain(["*".to_owned()]).collect()
        })
    }
}
