//! A workbench for demonstrations: it answers at once, slowly, without end, too much, or not at
//! all, as the request's text says, and counts what happened to it. It trusts every name it is
//! given.

use mingle_page::protocol::*;
use mingle_page::{Refusal, Sink, Stopped, Workbench};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// What the tests look for in answers, where it must not be.
pub const CANARY: &str = "zqxcanary";

pub struct Demo {
    outer: TempDir,
    /// Jobs that began, that saw themselves cancelled, and that ended, however.
    pub began: AtomicUsize,
    pub cancelled: AtomicUsize,
    pub ended: AtomicUsize,
    /// The most jobs at a time.
    pub most: AtomicUsize,
    /// Events that were passed on.
    pub sent: AtomicUsize,
    /// Names that arrived.
    pub arrived: Mutex<Vec<String>>,
}

impl Demo {
    pub fn new() -> Self {
        let outer = tempfile::tempdir().unwrap();
        std::fs::create_dir(outer.path().join("files")).unwrap();
        for secret in ["secret.txt", "data.csv", "a"] {
            std::fs::File::create(outer.path().join(secret)).unwrap();
        }
        let zero = || AtomicUsize::new(0);
        let (began, cancelled, ended, most, sent) = (zero(), zero(), zero(), zero(), zero());
        Self {
            outer,
            began,
            cancelled,
            ended,
            most,
            sent,
            arrived: Mutex::default(),
        }
    }

    /// The folder above the one for files.
    pub fn outer(&self) -> PathBuf {
        self.outer.path().to_owned()
    }

    /// Where files are put.
    pub fn folder(&self) -> PathBuf {
        self.outer.path().join("files")
    }

    pub fn count(counter: &AtomicUsize) -> usize {
        counter.load(Ordering::SeqCst)
    }

    fn job<T>(
        &self,
        text: &str,
        sink: &dyn Sink<T>,
        event: impl Fn(ProblemView) -> T,
    ) -> Result<(), Stopped> {
        let running = self.began.fetch_add(1, Ordering::SeqCst) + 1 - Self::count(&self.ended);
        self.most.fetch_max(running, Ordering::SeqCst);
        let _ended = OnDrop(|| {
            self.ended.fetch_add(1, Ordering::SeqCst);
        });
        let send = |text: &str| {
            sink.send(event(problem(text))).inspect(|()| {
                self.sent.fetch_add(1, Ordering::SeqCst);
            })
        };
        match text.split_once(' ').unwrap_or((text, "")) {
            ("count", n) => (0..n.parse().unwrap()).try_for_each(|i: usize| send(&i.to_string())),
            ("sleep", ms) => self
                .sleep(ms.parse().unwrap(), sink)
                .and_then(|()| send("awake")),
            ("flood", kib) => {
                let text = "x".repeat(1024 * kib.parse::<usize>().unwrap());
                while send(&text).is_ok() {}
                self.cancelled.fetch_add(1, Ordering::SeqCst);
                Err(Stopped)
            }
            ("stubborn", ms) => {
                std::thread::sleep(Duration::from_millis(ms.parse().unwrap()));
                Ok(())
            }
            ("panic", _) => panic!("a payload with {CANARY}"),
            _ => send("done"),
        }
    }

    fn sleep<T>(&self, ms: u64, sink: &dyn Sink<T>) -> Result<(), Stopped> {
        let until = Instant::now() + Duration::from_millis(ms);
        while Instant::now() < until {
            if sink.cancelled().load(Ordering::SeqCst) {
                self.cancelled.fetch_add(1, Ordering::SeqCst);
                return Err(Stopped);
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        Ok(())
    }

    fn list(&self) -> FileList {
        let mut names = self.arrived.lock().unwrap().clone();
        names.sort();
        FileList {
            files: names
                .into_iter()
                .map(|name| DroppedFile { name, bytes: 0.0 })
                .collect(),
        }
    }
}

struct OnDrop<F: Fn()>(F);

impl<F: Fn()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

pub fn problem(text: &str) -> ProblemView {
    let (code, text) = ("MG0000".to_owned(), text.to_owned());
    ProblemView {
        code,
        text,
        hint: String::new(),
        excerpt: None,
        line: None,
        column: None,
    }
}

fn refusal<T>(text: &str) -> Result<T, Refusal> {
    Err(Refusal {
        problem: problem(text),
    })
}

impl Workbench for Demo {
    fn start(&self) -> Result<Start, Refusal> {
        Ok(Start {
            version: "demo".into(),
            policy: None,
            policy_file: None,
            folder: String::new(),
            methods: vec![],
            most_unconfirmed: 12.0,
            largest_upload: 0.0,
            files: vec![],
        })
    }

    fn file_place(&self, name: &str) -> Result<PathBuf, Refusal> {
        if name == "unwanted" {
            return refusal("unwanted");
        }
        Ok(self.folder().join(name))
    }

    fn file_arrived(&self, name: &str) -> Result<FileList, Refusal> {
        self.arrived.lock().unwrap().push(name.to_owned());
        Ok(self.list())
    }

    fn files(&self) -> FileList {
        self.list()
    }

    fn forget(&self, name: &str) -> Result<FileList, Refusal> {
        match std::fs::remove_file(self.folder().join(name)) {
            Ok(()) => {
                self.arrived.lock().unwrap().retain(|n| n != name);
                Ok(self.list())
            }
            Err(_) => refusal("no such file"),
        }
    }

    fn policy(&self, request: &PolicyRequest) -> Result<PolicyAnswer, Refusal> {
        match request.text.as_str() {
            "panic" => panic!("a payload with {CANARY}"),
            "refuse" => refusal("no"),
            text => {
                if let Some(ms) = text.strip_prefix("sleep ") {
                    std::thread::sleep(Duration::from_millis(ms.parse().unwrap()));
                }
                Ok(PolicyAnswer {
                    text: text.to_owned(),
                    view: None,
                    problem: None,
                })
            }
        }
    }

    fn propose(&self, _: &ProposeRequest) -> Result<PolicyAnswer, Refusal> {
        refusal("no")
    }

    fn example(&self) -> Result<PolicyAnswer, Refusal> {
        Ok(PolicyAnswer {
            text: "example".into(),
            view: None,
            problem: None,
        })
    }

    fn profile(&self, _: &ProfileRequest) -> Result<ProfileAnswer, Refusal> {
        refusal("no")
    }

    fn hierarchy(&self, _: &HierarchyRequest) -> Result<HierarchyAnswer, Refusal> {
        refusal("no")
    }

    fn plan(&self, request: &PlanRequest, sink: &dyn Sink<PlanEvent>) -> Result<(), Stopped> {
        self.job(&request.text, sink, |problem| PlanEvent::Problem {
            problem,
        })
    }

    fn preview(&self, _: &PreviewRequest) -> Result<PreviewAnswer, Refusal> {
        refusal("no")
    }

    fn coalition(&self, _: &CoalitionRequest) -> Result<CoalitionAnswer, Refusal> {
        refusal("no")
    }

    fn frontier(
        &self,
        request: &FrontierRequest,
        sink: &dyn Sink<FrontierEvent>,
    ) -> Result<(), Stopped> {
        self.job(&request.text, sink, |problem| FrontierEvent::Problem {
            problem,
        })
    }

    fn attack(&self, request: &AttackRequest, sink: &dyn Sink<AttackEvent>) -> Result<(), Stopped> {
        self.job(&request.text, sink, |problem| AttackEvent::Problem {
            problem,
        })
    }

    fn publish(
        &self,
        request: &PublishRequest,
        sink: &dyn Sink<PublishEvent>,
    ) -> Result<(), Stopped> {
        self.job(&request.text, sink, |problem| PublishEvent::Problem {
            problem,
        })
    }

    fn save(&self, request: &SaveRequest) -> Result<SaveAnswer, Refusal> {
        Ok(SaveAnswer {
            path: request.name.clone(),
            copied: vec![],
            command: String::new(),
        })
    }

    fn report(&self, request: &ReportRequest, kind: ReportKind) -> Result<String, Refusal> {
        match request.name.as_str() {
            "gone" => refusal("the release is gone"),
            name => Ok(format!("<!doctype html><title>{name} {kind:?}</title>")),
        }
    }
}
