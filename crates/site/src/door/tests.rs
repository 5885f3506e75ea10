use super::*;
use crate::fingerprint::Fingerprint;
use crate::identity::Identity;
use crate::period::Invalid;
use crate::record;
use mingle_protocol::Observer;
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, RootCertStore};
use std::sync::Mutex;
use std::time::SystemTime;
use tempfile::TempDir;
use tokio_rustls::TlsConnector;

const YEAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);
const PATIENCE: Duration = Duration::from_secs(3);

fn identity(home: &TempDir, name: &str, from: SystemTime) -> Identity {
    let path = |end: &str| home.path().join(format!("{name}.{end}"));
    Identity::create(name, from, YEAR, &path("key"), &path("crt")).expect("made")
}

/// Writes down what happens.
#[derive(Default)]
struct Notes(Mutex<Vec<String>>);

impl Observer for Notes {}

impl Watcher for Notes {
    fn event(&self, event: Event<'_>) {
        let note = match event {
            Event::Stranger(_, error) => format!("stranger: {error}"),
            Event::NoAnswer(error, _) => format!("no answer: {error}"),
            _ => return,
        };
        self.0.lock().expect("whole").push(note);
    }
}

/// A hospital that is called, an insurer that calls, and a stranger.
struct Scene {
    _home: TempDir,
    hospital: Identity,
    insurer: Identity,
    stranger: Identity,
    notes: Arc<Notes>,
}

impl Scene {
    fn new() -> Scene {
        Scene::of(SystemTime::now(), SystemTime::now())
    }

    fn of(hospital: SystemTime, insurer: SystemTime) -> Scene {
        let home = tempfile::tempdir().expect("a folder");
        Scene {
            hospital: identity(&home, "hospital", hospital),
            insurer: identity(&home, "insurer", insurer),
            stranger: identity(&home, "stranger", SystemTime::now()),
            notes: Arc::default(),
            _home: home,
        }
    }

    async fn door(&self, address: Address, own: &Identity, peer: Fingerprint) -> Door {
        let tls = Tls::new(own, Some(peer)).expect("sound");
        Door::new(address, tls, PATIENCE, self.notes.clone())
            .await
            .expect("opened")
    }

    /// The hospital's open door and its address.
    async fn open(&self, pinned: Fingerprint) -> (Door, String) {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("bound").to_string();
        (
            self.door(Address::Bound(listener), &self.hospital, pinned)
                .await,
            address,
        )
    }

    /// Keeps the door open until something is noted: a stranger is heard out before.
    async fn noted(&self, door: &mut Door) {
        while self.notes().is_empty() {
            let _ = timeout(Duration::from_millis(10), door.next()).await;
        }
    }

    fn notes(&self) -> Vec<String> {
        self.notes.0.lock().expect("whole").clone()
    }
}

fn wait<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        timeout(Duration::from_secs(20), work)
            .await
            .expect("in time")
    })
}

/// What the caller ends with: the answer of its own handshake, or else of its first read.
async fn called(mut caller: Door) -> LinkError {
    match caller.next().await {
        Err(error) => error,
        Ok(mut secured) => record::read(&mut secured.stream)
            .await
            .expect_err("nothing was sent"),
    }
}

#[test]
fn partners_meet_and_know_each_other() {
    let scene = Scene::new();
    wait(async {
        let (mut door, address) = scene.open(scene.insurer.fingerprint()).await;
        let mut caller = scene
            .door(
                Address::Connect(address),
                &scene.insurer,
                scene.hospital.fingerprint(),
            )
            .await;
        let (called, calling) = tokio::join!(door.next(), caller.next());
        let (mut called, mut calling) = (called.expect("let in"), calling.expect("answered"));
        assert_eq!(
            Fingerprint::of(&called.certificate),
            scene.insurer.fingerprint()
        );
        assert_eq!(
            Fingerprint::of(&calling.certificate),
            scene.hospital.fingerprint()
        );
        record::write_data(&mut calling.stream, b"good day")
            .await
            .expect("sent");
        assert_eq!(
            record::read(&mut called.stream)
                .await
                .expect("received")
                .as_deref(),
            Some(&b"good day"[..])
        );
    });
    assert!(scene.notes().is_empty());
}

#[test]
fn a_caller_with_another_certificate_is_turned_away_and_told() {
    let scene = Scene::new();
    wait(async {
        let (mut door, address) = scene.open(scene.insurer.fingerprint()).await;
        let caller = scene
            .door(
                Address::Connect(address),
                &scene.stranger,
                scene.hospital.fingerprint(),
            )
            .await;
        tokio::select! {
            _ = door.next() => panic!("a stranger was let in"),
            error = called(caller) => assert!(matches!(error, LinkError::Refused), "{error}"),
        }
        scene.noted(&mut door).await;
    });
    assert_eq!(
        scene.notes(),
        ["stranger: the certificate is not the pinned one"]
    );
}

#[test]
fn a_caller_does_not_speak_to_another_certificate() {
    let scene = Scene::new();
    wait(async {
        let (mut door, address) = scene.open(scene.insurer.fingerprint()).await;
        let caller = scene
            .door(
                Address::Connect(address),
                &scene.insurer,
                scene.stranger.fingerprint(),
            )
            .await;
        tokio::select! {
            _ = door.next() => panic!("the handshake cannot succeed"),
            error = called(caller) => assert!(matches!(error, LinkError::WrongCertificate), "{error}"),
        }
    });
}

#[test]
fn the_right_certificate_out_of_its_time_is_refused() {
    let now = SystemTime::now();
    let (past, future) = (now - 2 * YEAR, now + YEAR);
    for (at, invalid) in [(past, Invalid::Expired), (future, Invalid::NotYet)] {
        let scene = Scene::of(at, now);
        wait(async {
            let (mut door, address) = scene.open(scene.insurer.fingerprint()).await;
            let caller = scene
                .door(
                    Address::Connect(address),
                    &scene.insurer,
                    scene.hospital.fingerprint(),
                )
                .await;
            tokio::select! {
                _ = door.next() => panic!("the handshake cannot succeed"),
                error = called(caller) => assert!(matches!(error, LinkError::Invalid(i) if i == invalid), "{error}"),
            }
        });
    }
    let scene = Scene::of(now, past);
    wait(async {
        let (mut door, address) = scene.open(scene.insurer.fingerprint()).await;
        let caller = scene
            .door(
                Address::Connect(address),
                &scene.insurer,
                scene.hospital.fingerprint(),
            )
            .await;
        tokio::select! {
            _ = door.next() => panic!("an expired certificate was let in"),
            error = called(caller) => assert!(matches!(error, LinkError::RefusedExpired), "{error}"),
        }
        scene.noted(&mut door).await;
    });
    assert_eq!(
        scene.notes(),
        ["stranger: the pinned certificate has expired"]
    );
}

#[test]
fn strangers_of_every_kind_do_not_keep_the_partner_out() {
    let scene = Scene::new();
    wait(async {
        let (mut door, address) = scene.open(scene.insurer.fingerprint()).await;
        let guests = async {
            // says nothing, and stays
            let silent = TcpStream::connect(&address).await.expect("connected");
            // says something that is not TLS
            let mut garbage = TcpStream::connect(&address).await.expect("connected");
            garbage.write_all(&[0x47; 600]).await.expect("sent");
            let mut rest = Vec::new();
            let _ = garbage.read_to_end(&mut rest).await;
            // leaves at once
            drop(TcpStream::connect(&address).await.expect("connected"));
            // speaks TLS without a certificate
            assert!(without_certificate(&address).await);
            let mut caller = scene
                .door(
                    Address::Connect(address),
                    &scene.insurer,
                    scene.hospital.fingerprint(),
                )
                .await;
            let secured = caller.next().await.expect("answered");
            (silent, secured)
        };
        let (let_in, (_silent, _secured)) = tokio::join!(door.next(), guests);
        assert_eq!(
            Fingerprint::of(&let_in.expect("let in").certificate),
            scene.insurer.fingerprint()
        );
        assert_eq!(door.strangers, 3);
    });
    let mut notes = scene.notes();
    notes.sort();
    assert_eq!(
        notes,
        [
            "stranger: the other side does not speak this protocol over TLS 1.3",
            "stranger: the other side hung up",
            "stranger: the other side showed no certificate",
        ]
    );
}

/// Whether a client that shows no certificate is refused.
async fn without_certificate(address: &str) -> bool {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&rustls::version::TLS13])
        .expect("TLS 1.3")
        .with_root_certificates(RootCertStore::empty())
        .with_no_client_auth();
    config.alpn_protocols = vec![b"mingle-site/1".to_vec()];
    config
        .dangerous()
        .set_certificate_verifier(Arc::new(anyone::Anyone));
    let connector = TlsConnector::from(Arc::new(config));
    let stream = TcpStream::connect(address).await.expect("connected");
    let name = ServerName::try_from("mingle.invalid").expect("a name");
    match connector.connect(name, stream).await {
        Err(_) => true,
        Ok(mut stream) => record::read(&mut stream).await.is_err(),
    }
}

/// A client that trusts every server.
mod anyone {
    use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
    use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
    use rustls::{DigitallySignedStruct, Error, SignatureScheme};

    #[derive(Debug)]
    pub struct Anyone;

    impl ServerCertVerifier for Anyone {
        fn verify_server_cert(
            &self,
            _: &CertificateDer<'_>,
            _: &[CertificateDer<'_>],
            _: &ServerName<'_>,
            _: &[u8],
            _: UnixTime,
        ) -> Result<ServerCertVerified, Error> {
            Ok(ServerCertVerified::assertion())
        }

        fn verify_tls12_signature(
            &self,
            _: &[u8],
            _: &CertificateDer<'_>,
            _: &DigitallySignedStruct,
        ) -> Result<HandshakeSignatureValid, Error> {
            Ok(HandshakeSignatureValid::assertion())
        }

        fn verify_tls13_signature(
            &self,
            _: &[u8],
            _: &CertificateDer<'_>,
            _: &DigitallySignedStruct,
        ) -> Result<HandshakeSignatureValid, Error> {
            Ok(HandshakeSignatureValid::assertion())
        }

        fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
            vec![SignatureScheme::ED25519]
        }
    }
}

#[test]
fn a_partner_that_calls_again_replaces_itself() {
    let scene = Scene::new();
    wait(async {
        let (mut door, address) = scene.open(scene.insurer.fingerprint()).await;
        let mut caller = scene
            .door(
                Address::Connect(address),
                &scene.insurer,
                scene.hospital.fingerprint(),
            )
            .await;
        let (_first, _) = tokio::join!(door.next(), caller.next());
        let (_second, _) = tokio::join!(door.another(), caller.next());
        assert!(caller.calls() && !door.calls());
        assert!(
            timeout(Duration::from_millis(50), caller.another())
                .await
                .is_err()
        );
    });
}

#[test]
fn a_caller_tries_until_somebody_answers() {
    let scene = Scene::new();
    wait(async {
        let (door, address) = scene.open(scene.insurer.fingerprint()).await;
        drop(door);
        let mut caller = scene
            .door(
                Address::Connect(address.clone()),
                &scene.insurer,
                scene.hospital.fingerprint(),
            )
            .await;
        let later = async {
            sleep(Duration::from_millis(300)).await;
            let listen = Address::Listen(address);
            scene
                .door(listen, &scene.hospital, scene.insurer.fingerprint())
                .await
                .next()
                .await
                .expect("let in")
        };
        let (answered, _) = tokio::join!(caller.next(), later);
        answered.expect("answered");
    });
    let notes = scene.notes();
    assert!(
        notes.len() >= 2
            && notes
                .iter()
                .all(|n| n.starts_with("no answer: no connection: ")),
        "{notes:?}"
    );
}
