use super::*;
use crate::*;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const NO_TIME: Duration = Duration::ZERO;

type Take = fn(&Path) -> Result<LockFile, Error>;

/// Each way to take a lock, without waiting.
const WAYS: [Take; 3] = [LockFile::take, LockFile::take_and_remove, |path| {
    LockFile::take_guarded(path, NO_TIME)
}];

#[test]
fn the_second_is_refused_and_the_next_is_not() {
    for take in WAYS {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("lock");
        let first = take(&path).unwrap();
        assert_eq!(mode(&path, 0o600), 0o600);
        for other in WAYS {
            assert!(matches!(other(&path), Err(Error::Busy { path: p }) if p == path));
        }
        drop(first);
        take(&path).unwrap();
    }
}

#[test]
fn a_file_left_behind_does_not_lock() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("lock");
    for take in WAYS {
        fs::File::create(&path).unwrap();
        take(&path).unwrap();
    }
}

#[test]
fn a_lock_file_stays_or_goes() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("lock");
    drop(LockFile::take(&path).unwrap());
    drop(LockFile::take_guarded(&path, NO_TIME).unwrap());
    assert!(path.exists());
    drop(LockFile::take_and_remove(&path).unwrap());
    assert_eq!(path.exists(), cfg!(any(not(unix), mingle_portable)));
}

#[test]
fn a_lock_without_a_place_is_an_error() {
    let home = tempfile::tempdir().unwrap();
    for take in WAYS {
        assert!(matches!(
            take(&home.path().join("no/lock")),
            Err(Error::Io { .. })
        ));
    }
}

#[test]
fn a_held_lock_is_waited_for() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("lock");
    let lock = LockFile::take_guarded(&path, NO_TIME).unwrap();
    let start = Instant::now();
    let waited = LockFile::take_guarded(&path, Duration::from_millis(60));
    assert!(matches!(waited, Err(Error::Busy { .. })));
    assert!(start.elapsed() >= Duration::from_millis(60));
    let holder = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        drop(lock);
    });
    LockFile::take_guarded(&path, Duration::from_secs(30)).unwrap();
    holder.join().unwrap();
}

#[test]
fn a_lock_remembers_a_text() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("lock");
    assert_eq!(LockFile::text_at(&path), None);
    let mut lock = LockFile::take(&path).unwrap();
    assert_eq!(lock.text().unwrap(), "");
    lock.set_text("a long text").unwrap();
    lock.set_text("short").unwrap();
    assert_eq!(lock.text().unwrap(), "short");
    drop(lock);
    assert_eq!(LockFile::text_at(&path).as_deref(), Some("short"));
    assert_eq!(LockFile::take(&path).unwrap().text().unwrap(), "short");
    // bytes that are no text are none
    replace(&path, &[0xff, 0xfe]).unwrap();
    assert_eq!(LockFile::take(&path).unwrap().text().unwrap(), "");
    assert_eq!(LockFile::text_at(&path), None);
    assert_eq!(LockFile::text_at(home.path()), None);
}

#[cfg(all(unix, not(mingle_portable)))]
#[test]
fn removing_the_file_of_a_guarded_lock_does_not_break_it() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("lock");
    let _lock = LockFile::take_guarded(&path, NO_TIME).unwrap();
    fs::remove_file(&path).unwrap();
    let second = LockFile::take_guarded(&path, NO_TIME);
    assert!(matches!(second, Err(Error::Busy { .. })));
}

#[cfg(all(unix, not(mingle_portable)))]
#[test]
fn a_guarded_lock_is_a_file_of_its_own() {
    let home = tempfile::tempdir().unwrap();
    let (real, path) = (home.path().join("real"), home.path().join("lock"));
    create(&real, b"precious").unwrap();
    let refused = || {
        let taken = LockFile::take_guarded(&path, NO_TIME);
        assert!(matches!(taken, Err(Error::NotAFile { .. })));
        assert_eq!(text(&real), "precious");
    };
    std::os::unix::fs::symlink(&real, &path).unwrap();
    refused();
    fs::remove_file(&path).unwrap();
    fs::hard_link(&real, &path).unwrap();
    refused();
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    refused();
}

/// Not a test by itself: a process that takes a lock, says so, and holds it until it is told or
/// ended.
#[test]
fn holds_a_lock_where_it_is_told_to() {
    let (Ok(path), Ok(way)) = (
        std::env::var("MINGLE_TEST_LOCK"),
        std::env::var("MINGLE_TEST_WAY"),
    ) else {
        return;
    };
    let _lock = WAYS[way.parse::<usize>().unwrap()](Path::new(&path)).unwrap();
    println!("\nlocked");
    std::io::stdout().flush().unwrap();
    let _ = std::io::stdin().read_line(&mut String::new());
}

fn holder(path: &Path, way: usize) -> Child {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "--nocapture",
            "tests::locks::holds_a_lock_where_it_is_told_to",
        ])
        .env("MINGLE_TEST_LOCK", path)
        .env("MINGLE_TEST_WAY", way.to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap() == "locked"));
    // what else it prints is of no interest, but it must not fail to print it
    std::thread::spawn(move || lines.for_each(drop));
    child
}

#[test]
fn processes_exclude_one_another_until_they_end() {
    for (way, take) in WAYS.iter().enumerate() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("lock");
        let mut asked = holder(&path, way);
        assert!(matches!(take(&path), Err(Error::Busy { .. })));
        asked.stdin.take().unwrap().write_all(b"end\n").unwrap();
        assert!(asked.wait().unwrap().success());
        drop(take(&path).unwrap());
        // one that is killed cannot clean up, and does not need to
        let mut killed = holder(&path, way);
        assert!(matches!(take(&path), Err(Error::Busy { .. })));
        killed.kill().unwrap();
        killed.wait().unwrap();
        take(&path).unwrap();
    }
}

#[test]
fn threads_that_take_and_remove_never_overlap() {
    use std::sync::atomic::{AtomicU32, Ordering};
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("lock");
    let (inside, turns) = (AtomicU32::new(0), AtomicU32::new(0));
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                while turns.load(Ordering::SeqCst) < 200 {
                    let Ok(lock) = LockFile::take_and_remove(&path) else {
                        std::thread::yield_now();
                        continue;
                    };
                    assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                    turns.fetch_add(1, Ordering::SeqCst);
                    std::thread::yield_now();
                    inside.fetch_sub(1, Ordering::SeqCst);
                    drop(lock);
                }
            });
        }
    });
}
