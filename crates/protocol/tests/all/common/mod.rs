//! Two sites in memory: their data, their vaults, and a wire that never fails.

use mingle_model::hierarchy::HierarchyRows;
use mingle_model::{Column, ColumnSpec, HierarchySource, Missing, Providers, Role, Table};
use mingle_privacy::{Attribute, Distance, K, L, Promise, Ratio, Rule};
use mingle_protocol::hazmat::{self, Entropy};
use mingle_protocol::{
    JointOutput, Leak, Nobody, Observer, OutputRecord, Party, Seat, Setup, Standing, Status,
    Synchronizer, Terms, Vault,
};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::sync::{Arc, Mutex};

/// A generator whose seed everybody knows.
pub struct Seeded(pub ChaCha20Rng);

impl Seeded {
    pub fn boxed(seed: u64) -> Box<dyn Entropy> {
        Box::new(Seeded(ChaCha20Rng::seed_from_u64(seed)))
    }
}

impl Entropy for Seeded {
    fn fill(&mut self, bytes: &mut [u8]) {
        self.0.fill_bytes(bytes);
    }
}

/// A column of a site: name, role, values, and per value the labels above it.
#[derive(Clone)]
pub struct Field {
    pub name: &'static str,
    pub role: Role,
    pub values: Vec<String>,
    pub hierarchy: Option<Vec<Vec<String>>>,
}

impl Field {
    pub fn new(name: &'static str, role: Role, values: &[&str]) -> Field {
        Field {
            name,
            role,
            values: values.iter().map(|v| (*v).to_owned()).collect(),
            hierarchy: None,
        }
    }

    /// Per distinct value, in any order, its path without the value itself.
    pub fn with_paths(mut self, path: impl Fn(&str) -> Vec<String>) -> Field {
        let mut distinct = self.values.clone();
        distinct.sort();
        distinct.dedup();
        self.hierarchy = Some(
            distinct
                .iter()
                .map(|v| [vec![v.clone()], path(v)].concat())
                .collect(),
        );
        self
    }

    fn column(&self) -> Column {
        let rows = |rows: &Vec<Vec<String>>| {
            HierarchySource::Rows(HierarchyRows {
                file: "memory".into(),
                rows: (1..).zip(rows.iter().cloned()).collect(),
            })
        };
        let spec = ColumnSpec {
            kind: Some(mingle_model::Kind::Category),
            hierarchy: self.hierarchy.as_ref().map(rows),
            ..ColumnSpec::new(self.name, self.role)
        };
        Column::from_texts(
            spec,
            self.values.iter().map(String::as_str),
            &Missing::default(),
        )
        .expect("sound columns")
    }
}

/// What is asked of a joint release.
#[derive(Clone)]
pub struct Ask {
    pub synchronizer: Synchronizer,
    pub k: u64,
    pub t: Option<Ratio>,
    pub distance: Distance,
    pub l: Option<u64>,
    pub padded_size: u32,
}

impl Ask {
    pub fn new(synchronizer: Synchronizer, k: u64) -> Ask {
        Ask {
            synchronizer,
            k,
            t: None,
            distance: Distance::Equal,
            l: None,
            padded_size: 16,
        }
    }

    fn rules(&self) -> Vec<Rule> {
        let distance = self.distance;
        let t = self.t.map(|max| Rule::t_closeness(max, distance));
        self.l
            .map(|l| Rule::distinct_diversity(L(l)))
            .into_iter()
            .chain(t)
            .collect()
    }

    pub fn terms(&self) -> Terms {
        Terms {
            synchronizer: self.synchronizer,
            accept_leak: Leak::L2,
            padded_size: self.padded_size,
            promises: [Rule::k_anonymity(K(self.k))]
                .into_iter()
                .chain(self.rules())
                .collect(),
        }
    }

    pub fn setup(&self, seat: Seat, ids: &[String], fields: &[Field]) -> Setup {
        let sensitive = fields.iter().filter(|f| f.role == Role::Sensitive).count();
        let about = |place| {
            self.rules()
                .into_iter()
                .map(move |rule| (rule, Some(Attribute::Column(place))))
        };
        let mut promises = vec![Promise {
            rule: Rule::k_anonymity(K(self.k)),
            attribute: None,
        }];
        promises.extend(
            (0..sensitive)
                .flat_map(about)
                .map(|(rule, attribute)| Promise { rule, attribute }),
        );
        Setup {
            seat,
            site: ["hospital", "insurer"][seat.number()].to_owned(),
            terms: self.terms(),
            identifiers: ids.to_vec(),
            table: Table {
                columns: fields.iter().map(Field::column).collect(),
                providers: Providers::new(vec![String::new()]),
                provider_of: ids.iter().map(|_| 0).collect(),
                person_of: None,
            },
            promises,
            missing: Missing::default(),
            keys: [[1; 32], [2; 32]],
        }
    }
}

pub fn ratio(over: u64, under: u64) -> Ratio {
    Ratio::new(over, under).expect("a ratio")
}

/// The paper's seven patients: site 0 has ZIP and DISEASE, site 1 AGE and TREATMENT.
pub fn patients() -> (Vec<String>, Vec<Field>, Vec<Field>) {
    let zip = |v: &str| {
        vec![
            format!("{}*", &v[..4]),
            format!("{}**", &v[..3]),
            "*".to_owned(),
        ]
    };
    let age = |v: &str| {
        let v: u32 = v.parse().expect("an age");
        let (tens, twenties) = (v / 10 * 10, v / 20 * 20);
        vec![
            format!("[{tens}-{}]", tens + 9),
            format!("[{twenties}-{}]", twenties + 19),
            "*".to_owned(),
        ]
    };
    let zips = [
        "12345", "12345", "12363", "12361", "12362", "12471", "12473",
    ];
    let ages = ["23", "29", "41", "43", "59", "52", "55"];
    let diseases = [
        "Gastric ulcer",
        "Gastritis",
        "Flu",
        "Stomach cancer",
        "Pneumonia",
        "Bronchitis",
        "Flu",
    ];
    let treatments = [
        "Antacid",
        "Acid-reducing drug",
        "Antipyretic drug",
        "Cytostatic drug",
        "Antibiotics",
        "Antibiotics",
        "Antipyretic drug",
    ];
    (
        (1..=7).map(|id| format!("patient {id}")).collect(),
        vec![
            Field::new("ZIP", Role::QuasiIdentifier, &zips).with_paths(zip),
            Field::new("DISEASE", Role::Sensitive, &diseases),
        ],
        vec![
            Field::new("AGE", Role::QuasiIdentifier, &ages).with_paths(age),
            Field::new("TREATMENT", Role::Sensitive, &treatments),
        ],
    )
}

/// A published group: labels, then per sensitive column the sorted values.
pub type Shown = (Vec<String>, u64, Vec<Vec<String>>);

pub fn show(fragments: &mingle_model::Fragments) -> Vec<Shown> {
    let values = |group: &mingle_model::FragmentGroup| {
        let texts = |(column, counts): (&mingle_model::FragmentColumn, &Vec<(u32, u64)>)| {
            let mut texts: Vec<String> = Vec::new();
            for &(code, n) in counts {
                texts.extend(std::iter::repeat_n(
                    column.domain.text(code).to_owned(),
                    n as usize,
                ));
            }
            texts.sort();
            texts
        };
        fragments
            .sensitive()
            .iter()
            .zip(&group.values)
            .map(texts)
            .collect()
    };
    fragments
        .groups()
        .iter()
        .map(|g| (g.labels.clone(), g.size, values(g)))
        .collect()
}

/// What survives a crash of a site in memory.
#[derive(Default)]
pub struct Disk {
    pub standing: Standing,
    pub staged: Option<Vec<Shown>>,
    pub public: Option<Vec<Shown>>,
    pub rounds: u32,
    pub traffic: mingle_protocol::Traffic,
    /// Every output that was ever made public here.
    pub history: Vec<([u8; 32], Vec<Shown>)>,
}

/// A vault over a disk that somebody else holds as well.
pub struct MemoryVault {
    pub seat: Seat,
    pub disk: Arc<Mutex<Disk>>,
}

/// What stands for a site's signature.
pub fn sign(seat: Seat, digest: &[u8; 32]) -> [u8; 64] {
    let mut signature = [seat.number() as u8; 64];
    signature[..32].copy_from_slice(digest);
    signature
}

/// A digest of what would be public.
pub fn digest(shown: &[Shown]) -> [u8; 32] {
    use sha2::{Digest, Sha256};
    Sha256::digest(format!("{shown:?}")).into()
}

impl Vault for MemoryVault {
    fn standing(&self) -> Standing {
        self.disk.lock().expect("a disk").standing
    }

    fn prepare(&mut self, output: &JointOutput) -> Result<OutputRecord, String> {
        let mut disk = self.disk.lock().expect("a disk");
        let shown = show(output.verified.fragments());
        let digest = digest(&shown);
        let record = OutputRecord {
            session: output.session,
            digest,
            signature: sign(self.seat, &digest),
        };
        disk.staged = Some(shown);
        disk.rounds = output.rounds;
        disk.traffic = output.traffic;
        disk.standing = Standing::Ready(record);
        Ok(record)
    }

    fn genuine(&self, digest: &[u8; 32], signature: &[u8; 64]) -> bool {
        *signature == sign(self.seat.other(), digest)
    }

    fn publish(&mut self, record: &OutputRecord, _other: &[u8; 64]) -> Result<(), String> {
        let mut disk = self.disk.lock().expect("a disk");
        let staged = disk.staged.take().ok_or("nothing staged")?;
        disk.history.push((record.session, staged.clone()));
        disk.public = Some(staged);
        disk.standing = Standing::Published(*record);
        Ok(())
    }

    fn discard(&mut self, _record: &OutputRecord) -> Result<(), String> {
        let mut disk = self.disk.lock().expect("a disk");
        disk.staged = None;
        disk.standing = Standing::Nothing;
        Ok(())
    }
}

/// Two parties over fresh disks, with seeded randomness.
pub fn parties(setups: [Setup; 2], seed: u64) -> ([Party; 2], [Arc<Mutex<Disk>>; 2]) {
    watched(setups, seed, [Arc::new(Nobody), Arc::new(Nobody)])
}

pub fn watched(
    setups: [Setup; 2],
    seed: u64,
    observers: [Arc<dyn Observer>; 2],
) -> ([Party; 2], [Arc<Mutex<Disk>>; 2]) {
    let disks = [(); 2].map(|()| Arc::new(Mutex::new(Disk::default())));
    let mut all = setups.into_iter().zip(&disks).zip(observers).zip(0..).map(
        |(((setup, disk), observer), n)| {
            let vault = MemoryVault {
                seat: setup.seat,
                disk: disk.clone(),
            };
            hazmat::party(
                setup,
                Box::new(vault),
                observer,
                Seeded::boxed(2 * seed + n),
            )
            .expect("a sound setup")
        },
    );
    let parties = [all.next().expect("two"), all.next().expect("two")];
    drop(all);
    (parties, disks)
}

/// Lets two parties talk over a perfect wire until both have nothing more to say.
pub fn talk(parties: &mut [Party; 2]) -> [Status; 2] {
    let mut inbox = [parties[1].connect(), parties[0].connect()];
    while inbox.iter().any(|bytes| !bytes.is_empty()) {
        for at in 0..2 {
            let bytes = std::mem::take(&mut inbox[at]);
            if !bytes.is_empty() {
                let answer = parties[at].receive(&bytes);
                inbox[1 - at].extend(answer);
            }
        }
    }
    [parties[0].status(), parties[1].status()]
}
