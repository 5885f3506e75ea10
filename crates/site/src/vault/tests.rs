use super::*;
use mingle_model::{Column, ColumnSpec, FragmentColumn, FragmentGroup, Fragments, Missing};
use mingle_privacy::{K, Promise, Rule};
use mingle_protocol::{Leak, Synchronizer, Terms, Traffic};
use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

/// Two sites in one folder. Their keys are made anew for every vault from the same files.
struct Scene {
    home: TempDir,
}

const NAMES: [&str; 2] = ["hospital", "insurer"];

impl Scene {
    fn new() -> Scene {
        let scene = Scene {
            home: tempfile::tempdir().expect("a folder"),
        };
        let day = Duration::from_secs(24 * 60 * 60);
        for name in NAMES {
            let [key, certificate] = scene.files(name);
            Identity::create(name, SystemTime::now(), day, &key, &certificate).expect("made");
        }
        scene
    }

    fn files(&self, name: &str) -> [PathBuf; 2] {
        ["key", "crt"].map(|end| self.home.path().join(format!("{name}.{end}")))
    }

    fn identity(&self, seat: Seat) -> Identity {
        let [key, certificate] = self.files(NAMES[seat.number()]);
        Identity::load(&key, &certificate).expect("sound")
    }

    fn out(&self, seat: Seat) -> PathBuf {
        self.home
            .path()
            .join(format!("{}-release", NAMES[seat.number()]))
    }

    fn try_open(&self, seat: Seat, force: bool) -> Result<SiteVault, Error> {
        self.try_open_for(seat, force, self.identity(seat.other()).fingerprint())
    }

    fn try_open_for(
        &self,
        seat: Seat,
        force: bool,
        partner: Fingerprint,
    ) -> Result<SiteVault, Error> {
        let deposit = Deposit {
            out: self.out(seat),
            force,
            tool_version: "0".to_owned(),
            policy: None,
            inputs: Vec::new(),
            reports: None,
        };
        let vault = SiteVault::open(deposit, self.identity(seat), seat, partner)?;
        vault
            .peer_key()
            .learn(self.identity(seat.other()).certificate());
        Ok(vault)
    }

    fn open(&self, seat: Seat) -> SiteVault {
        self.try_open(seat, false).expect("opened")
    }

    fn journal(&self, seat: Seat) -> PathBuf {
        hidden_beside(&self.out(seat), "mingle-journal.json")
    }

    /// What is there beside keys and certificates.
    fn left(&self) -> Vec<String> {
        let entries = fs::read_dir(self.home.path()).expect("listed");
        let names = entries.map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        });
        let mut names: Vec<String> = names
            .filter(|n| !n.ends_with(".key") && !n.ends_with(".crt"))
            .collect();
        names.sort();
        names
    }

    fn public(&self, seat: Seat) -> BTreeMap<String, Vec<u8>> {
        let entries = fs::read_dir(self.out(seat).join("public")).expect("published");
        let file = |entry: fs::DirEntry| {
            (
                entry.file_name().to_string_lossy().into_owned(),
                fs::read(entry.path()).expect("read"),
            )
        };
        entries
            .map(|entry| file(entry.expect("an entry")))
            .collect()
    }
}

fn output(seat: Seat, session: u8) -> JointOutput {
    let spec = ColumnSpec::new("disease", Role::Sensitive);
    let domain = Column::from_texts(spec, ["flu", "gout"], &Missing::default())
        .expect("plain")
        .domain;
    let group = FragmentGroup {
        labels: vec!["*".to_owned()],
        size: 2,
        values: vec![vec![(0, 1), (1, 1)]],
    };
    let column = FragmentColumn {
        name: "disease".to_owned(),
        domain,
    };
    let fragments =
        Fragments::new(vec!["zip".to_owned()], vec![column], vec![group]).expect("sound");
    let k = Rule::k_anonymity(K(2));
    let checked = verify_fragments(
        fragments,
        &[Promise {
            rule: k,
            attribute: None,
        }],
    )
    .expect("decidable");
    let joint = |name: &str, role: Role| JointColumn {
        name: name.to_owned(),
        role: role.name().to_owned(),
        kind: "category".to_owned(),
        hierarchy: None,
        order: None,
        hierarchy_rows: None,
    };
    JointOutput {
        session: [session; 32],
        seat,
        sites: NAMES.map(str::to_owned),
        terms: Terms {
            synchronizer: Synchronizer::Merge,
            accept_leak: Leak::L1,
            padded_size: 2,
            promises: vec![k],
        },
        columns: vec![
            joint("zip", Role::QuasiIdentifier),
            joint("disease", Role::Sensitive),
        ],
        verified: checked.into_verified().expect("holds"),
        rounds: 1,
        traffic: Traffic::default(),
    }
}

/// Both sites ready with the same release.
fn both_ready(scene: &Scene) -> ([SiteVault; 2], [OutputRecord; 2]) {
    let mut vaults = [Seat::Zero, Seat::One].map(|seat| scene.open(seat));
    let records = [0, 1].map(|s: usize| {
        let seat = vaults[s].seat;
        vaults[s].prepare(&output(seat, 1)).expect("staged")
    });
    (vaults, records)
}

#[test]
fn both_publish_the_same_and_remember_it() {
    let scene = Scene::new();
    let (mut vaults, records) = both_ready(&scene);
    assert_eq!(records[0].digest, records[1].digest);
    assert!(!scene.out(Seat::Zero).exists() && vaults[0].standing() == Standing::Ready(records[0]));
    vaults[0]
        .publish(&records[0], &records[1].signature)
        .expect("published");
    vaults[1]
        .publish(&records[1], &records[0].signature)
        .expect("published");
    vaults[1]
        .publish(&records[1], &records[0].signature)
        .expect("published once more");
    drop(vaults);
    assert_eq!(scene.public(Seat::Zero), scene.public(Seat::One));
    for (seat, record) in [Seat::Zero, Seat::One].into_iter().zip(records) {
        assert_eq!(scene.open(seat).standing(), Standing::Published(record));
    }
    let journals = NAMES.map(|name| format!(".{name}-release.mingle-journal.json"));
    assert_eq!(
        scene.left(),
        [
            &journals[0],
            &journals[1],
            "hospital-release",
            "insurer-release"
        ]
    );
}

#[test]
fn a_signature_is_the_partner_s_or_nothing() {
    let scene = Scene::new();
    let ([mut vault, _other], [own, theirs]) = both_ready(&scene);
    assert!(vault.genuine(&own.digest, &theirs.signature));
    assert!(!vault.genuine(&own.digest, &own.signature));
    assert!(!vault.genuine(&[7; 32], &theirs.signature));
    let mut forged = theirs.signature;
    forged[5] ^= 1;
    for bad in [forged, own.signature, [0; 64]] {
        assert!(vault.publish(&own, &bad).is_err());
        assert_eq!(vault.standing(), Standing::Ready(own));
    }
    assert!(!scene.out(Seat::Zero).exists());
}

#[test]
fn a_crash_at_any_step_is_made_good() {
    let scene = Scene::new();
    // ready, and nothing heard: still in doubt after the crash
    let (vaults, [own, theirs]) = both_ready(&scene);
    drop(vaults);
    let ready = fs::read(scene.journal(Seat::Zero)).expect("a journal");
    let mut vault = scene.open(Seat::Zero);
    assert_eq!(vault.standing(), Standing::Ready(own));
    // the partner's signature is noted, the release not yet in its place
    let entry = vault.journal.entry().expect("an entry").clone();
    vault
        .journal
        .write(Entry {
            state: State::Publishing(theirs.signature),
            ..entry
        })
        .expect("noted");
    drop(vault);
    let publishing = fs::read(scene.journal(Seat::Zero)).expect("a journal");
    assert!(!scene.out(Seat::Zero).exists() && publishing != ready);
    assert_eq!(scene.open(Seat::Zero).standing(), Standing::Published(own));
    let public = scene.public(Seat::Zero);
    // in its place, and that not yet noted
    mingle_disk::replace(&scene.journal(Seat::Zero), &publishing).expect("turned back");
    assert_eq!(scene.open(Seat::Zero).standing(), Standing::Published(own));
    assert_eq!(scene.public(Seat::Zero), public);
}

#[test]
fn what_is_given_up_leaves_nothing() {
    let scene = Scene::new();
    let (mut vaults, records) = both_ready(&scene);
    for (vault, record) in vaults.iter_mut().zip(&records) {
        vault.discard(record).expect("discarded");
        assert_eq!(vault.standing(), Standing::Nothing);
    }
    drop(vaults);
    assert!(scene.left().is_empty(), "{:?}", scene.left());
}

#[test]
fn a_release_that_nobody_was_told_of_is_removed() {
    let scene = Scene::new();
    drop(both_ready(&scene));
    // the crash came between staging and the journal
    for seat in [Seat::Zero, Seat::One] {
        fs::remove_file(scene.journal(seat)).expect("removed");
        assert_eq!(scene.open(seat).standing(), Standing::Nothing);
    }
    assert!(scene.left().is_empty(), "{:?}", scene.left());
}

#[test]
fn a_journal_without_its_release_is_not_believed() {
    let scene = Scene::new();
    let (vaults, records) = both_ready(&scene);
    drop(vaults);
    let staged = scene
        .left()
        .into_iter()
        .find(|name| name.starts_with(".hospital-release.joint-"))
        .expect("staged");
    fs::remove_dir_all(scene.home.path().join(staged)).expect("removed");
    assert!(matches!(
        scene.try_open(Seat::Zero, false),
        Err(Error::Lost { .. })
    ));
    assert!(matches!(
        scene.try_open(Seat::Zero, true),
        Err(Error::Lost { .. })
    ));
    let mut vault = scene.open(Seat::One);
    vault
        .publish(&records[1], &records[0].signature)
        .expect("published");
    drop(vault);
    fs::remove_dir_all(scene.out(Seat::One)).expect("removed");
    assert!(matches!(
        scene.try_open(Seat::One, false),
        Err(Error::Lost { .. })
    ));
}

#[test]
fn force_starts_anew_but_never_where_it_is_in_doubt() {
    let scene = Scene::new();
    let (mut vaults, records) = both_ready(&scene);
    vaults[0]
        .publish(&records[0], &records[1].signature)
        .expect("published");
    drop(vaults);
    // the partner may still be in doubt
    assert!(matches!(
        scene.try_open(Seat::Zero, true),
        Err(Error::Unconfirmed { .. })
    ));
    let mut vault = scene.open(Seat::Zero);
    vault.confirmed(&records[0]);
    assert_eq!(vault.standing(), Standing::Published(records[0]));
    drop(vault);
    assert_eq!(
        scene.try_open(Seat::Zero, true).expect("opened").standing(),
        Standing::Nothing
    );
    assert_eq!(
        scene.try_open(Seat::One, true).expect("opened").standing(),
        Standing::Ready(records[1])
    );
    // the old release is in the way of everybody who does not use force
    assert!(matches!(
        scene.try_open(Seat::Zero, false),
        Err(Error::Release(_))
    ));
}

#[test]
fn what_waits_for_one_partner_is_not_settled_with_another() {
    let scene = Scene::new();
    let (vaults, _) = both_ready(&scene);
    drop(vaults);
    let stranger = Scene::new().identity(Seat::One).fingerprint();
    assert!(matches!(
        scene.try_open_for(Seat::Zero, false, stranger),
        Err(Error::OtherPartner { .. })
    ));
    assert!(matches!(
        scene.open(Seat::Zero).standing(),
        Standing::Ready(_)
    ));
}

#[test]
fn a_folder_has_one_vault_at_a_time() {
    let scene = Scene::new();
    let vault = scene.open(Seat::Zero);
    assert!(matches!(
        scene.try_open(Seat::Zero, false),
        Err(Error::Busy { .. })
    ));
    drop(vault);
    scene.open(Seat::Zero);
}
