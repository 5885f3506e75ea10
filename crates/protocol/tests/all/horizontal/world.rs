//! Generated runs: declared columns, everybody's rows, terms.

use super::disk::{Disk, MemoryVault};
use crate::simulation::Dice;
use ed25519_dalek::{Signer as _, SigningKey};
use mingle_dp::share::NoiseShare;
use mingle_dp::{Amount, Epsilon};
use mingle_model::{ColumnSpec, HierarchySource, Missing, Role};
use mingle_privacy::{Attribute, Distance, K, L, M, Promise, Ratio, Rule};
use mingle_protocol::hazmat::{self, KnownSources};
use mingle_protocol::horizontal::{
    Caps, CutRule, HorizontalSetup, HorizontalTerms, NoiseSource, OwnRows, ProviderParty,
    RevealLevel, RunMember, RunTask, SharedColumn, SharedSchema, Signer,
};
use mingle_protocol::{Error, Nobody};
use std::sync::Arc;

/// A run with all its data.
#[derive(Clone)]
pub struct World {
    pub schema: Arc<SharedSchema>,
    /// Per provider and row the codes, quasi-identifiers first.
    pub rows: Vec<Vec<Vec<u32>>>,
    pub terms: HorizontalTerms,
    pub seed: u64,
}

/// A provider's key, which everybody who reads this knows.
pub struct KnownSigner(SigningKey);

impl KnownSigner {
    pub fn of_seat(seat: usize) -> KnownSigner {
        KnownSigner(SigningKey::from_bytes(&[seat as u8 + 1; 32]))
    }

    pub fn public(&self) -> [u8; 32] {
        self.0.verifying_key().to_bytes()
    }
}

impl Signer for KnownSigner {
    fn sign(&self, message: &[u8]) -> [u8; 64] {
        self.0.sign(message).to_bytes()
    }
}

/// Noise that the reference can add up.
pub struct KnownNoise(pub usize);

impl KnownNoise {
    pub fn draws(seat: usize, look: u64, counts: usize) -> Vec<i64> {
        let mut dice = Dice::new(look * 1000 + seat as u64);
        (0..counts).map(|_| dice.below(9) as i64 - 4).collect()
    }
}

impl NoiseSource for KnownNoise {
    fn draw(&mut self, _: &NoiseShare, look: u64, counts: usize) -> Result<Vec<i64>, String> {
        Ok(KnownNoise::draws(self.0, look, counts))
    }
}

pub fn column(name: &str, role: Role, values: Vec<String>, mask: Option<usize>) -> SharedColumn {
    let spec = ColumnSpec {
        hierarchy: mask.map(HierarchySource::Mask),
        ..ColumnSpec::new(name, role)
    };
    SharedColumn::declare(spec, &values, &Missing::default()).expect("a column")
}

fn quasi_identifier(dice: &mut Dice, at: usize) -> SharedColumn {
    let name = format!("q{at}");
    let role = Role::QuasiIdentifier;
    match dice.below(3) {
        0 => {
            let values = 2 + dice.below(38);
            column(
                &name,
                role,
                (0..values).map(|v| v.to_string()).collect(),
                None,
            )
        }
        1 => {
            let values = 2 + dice.below(4);
            column(
                &name,
                role,
                (0..values).map(|v| format!("word {v}")).collect(),
                None,
            )
        }
        _ => {
            let mut values = Vec::new();
            for code in 0..4 + dice.below(12) {
                values.push(format!("A{}{}", code / 4, code % 4));
            }
            column(&name, role, values, Some(2))
        }
    }
}

impl World {
    pub fn generated(seed: u64, level: RevealLevel) -> World {
        let mut dice = Dice::new(seed);
        let dice = &mut dice;
        let mut columns: Vec<SharedColumn> = Vec::new();
        for at in 0..1 + dice.below(3) {
            columns.push(quasi_identifier(dice, at as usize));
        }
        let sensitive = dice.below(3) as usize;
        for at in 0..sensitive {
            let mut values: Vec<String> = (0..2 + dice.below(4)).map(|v| format!("s{v}")).collect();
            // a missing value is none of the l; a place of its own, so that cases stay what they are
            if Dice::new(seed + 77 * at as u64).once_in(3) {
                values[0] = String::new();
            }
            columns.push(column(&format!("s{at}"), Role::Sensitive, values, None));
        }
        let sizes: Vec<u64> = columns.iter().map(|c| c.domain.len() as u64).collect();
        let schema = SharedSchema::new(columns, Missing::default()).expect("a schema");
        let providers = 3 + dice.below(6) as usize;
        let most = [3, 12, 40][dice.below(3) as usize];
        let mut rows = Vec::new();
        for _ in 0..providers {
            let mut own = Vec::new();
            for _ in 0..dice.below(most + 1) {
                // squared, so that some values are frequent
                let code = |dice: &mut Dice, size: u64| {
                    (dice.below(size) * dice.below(size) / size) as u32
                };
                own.push(sizes.iter().map(|&size| code(dice, size)).collect());
            }
            rows.push(own);
        }
        let terms = terms(dice, level, providers, &sizes[sizes.len() - sensitive..]);
        World {
            schema: Arc::new(schema),
            rows,
            terms,
            seed,
        }
    }

    pub fn providers(&self) -> usize {
        self.rows.len()
    }

    pub fn members(&self) -> Vec<RunMember> {
        let member = |seat: usize| RunMember {
            name: format!("hospital {seat}"),
            key: KnownSigner::of_seat(seat).public(),
        };
        (0..self.providers()).map(member).collect()
    }

    pub fn own_rows(&self, seat: usize) -> Arc<OwnRows> {
        Arc::new(OwnRows::from_codes(&self.schema, &self.rows[seat]).expect("rows"))
    }

    pub fn setup(&self, seat: usize) -> HorizontalSetup {
        HorizontalSetup {
            run: [self.seed as u8; 32],
            seat,
            members: self.members(),
            terms: self.terms.clone(),
            schema: self.schema.clone(),
            rows: self.own_rows(seat),
            task: RunTask::Publish,
        }
    }

    pub fn party(&self, seat: usize, disk: &Disk) -> Result<ProviderParty, Error> {
        self.party_with(seat, disk, self.seed * 1000 + seat as u64)
    }

    /// With another seed than the run's.
    pub fn party_with(&self, seat: usize, disk: &Disk, seed: u64) -> Result<ProviderParty, Error> {
        self.made(self.setup(seat), disk, seed)
    }

    /// With another task than publishing.
    pub fn party_for(
        &self,
        seat: usize,
        disk: &Disk,
        task: RunTask,
    ) -> Result<ProviderParty, Error> {
        let setup = HorizontalSetup {
            task,
            ..self.setup(seat)
        };
        self.made(setup, disk, self.seed * 1000 + seat as u64)
    }

    fn made(&self, setup: HorizontalSetup, disk: &Disk, seed: u64) -> Result<ProviderParty, Error> {
        let seat = setup.seat;
        let sources = KnownSources {
            entropy: crate::common::Seeded::boxed(seed),
            noise: Box::new(KnownNoise(seat)),
        };
        let vault = Box::new(MemoryVault::new(disk.clone(), seat));
        let signer = Box::new(KnownSigner::of_seat(seat));
        hazmat::provider(setup, vault, signer, Arc::new(Nobody), sources)
    }
}

fn terms(
    dice: &mut Dice,
    level: RevealLevel,
    providers: usize,
    sensitive: &[u64],
) -> HorizontalTerms {
    let mut promises = vec![Promise {
        rule: Rule::k_anonymity(K(1 + dice.below(6))),
        attribute: None,
    }];
    for (at, &values) in sensitive.iter().enumerate() {
        let attribute = Some(Attribute::Column(at));
        if dice.below(2) == 0 {
            let rule = Rule::distinct_diversity(L(1 + dice.below(values.min(3))));
            promises.push(Promise { rule, attribute });
        }
        if dice.once_in(3) {
            let ratio = Ratio::new(2, 3).expect("a ratio");
            let rule = Rule::max_frequency(ratio);
            promises.push(Promise { rule, attribute });
        }
        if dice.once_in(4) {
            let ratio = Ratio::new(1, 3).expect("a ratio");
            let rule = Rule::t_closeness(ratio, Distance::Equal);
            promises.push(Promise { rule, attribute });
        }
    }
    let m = dice.below(providers as u64 - 1);
    let levels = 1 + dice.below(6) as u32;
    let amount = |text: &str| Amount::parse(text).expect("an amount");
    let cuts = match dice.below(4) {
        0 => CutRule::Middles,
        1 if level == RevealLevel::Sums => CutRule::Exact,
        _ => CutRule::Noisy {
            epsilon: Epsilon(amount(dice.one_of(&["1", "8", "40"]))),
            delta: amount("1e-9"),
            levels,
        },
    };
    let ratio = Ratio::new(3, 2).expect("a ratio");
    HorizontalTerms {
        policy: [3; 32],
        promises,
        m: M(m),
        site_diversity: if m as usize + 2 <= providers {
            1 + dice.below(2)
        } else {
            1
        },
        level,
        caps: dice.one_of(&[Caps::Single, Caps::Exact, Caps::Grid(ratio)]),
        cuts,
        depth: 1 + dice.below(8) as u32,
    }
}
