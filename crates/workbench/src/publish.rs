//! Writing what was decided on the page: the release, and the policy that makes it again.

use super::plan::{self, Now};
use super::{Bench, End, absolute, lock, problem_view, view};
use mingle::failure;
use mingle::results;
use mingle::{Inputs, ReleaseFolder};
use mingle_page::Sink;
use mingle_page::protocol::{PublishEvent, PublishRequest, ReportKind, SaveAnswer, SaveRequest};
use mingle_policy::{DeclaredHierarchy, Policy};
use mingle_record::Problem;
use mingle_record::ProblemCode;
use std::io::BufRead;
use std::path::Path;

/// The longest name of a release or policy.
const LONGEST: usize = 100;

/// Publishes as `mingle publish` does.
pub fn answer(
    bench: &Bench,
    request: &PublishRequest,
    sink: &dyn Sink<PublishEvent>,
) -> Result<(), End> {
    plain(&request.name)?;
    let policy = plan::grouped(bench.read(&request.text, &[])?)?;
    let folder = bench.folder.join(&request.name);
    let event = |now: &Now| PublishEvent::Progress {
        step: now.step.to_owned(),
        elapsed: now.elapsed(),
    };
    plan::ticking(sink, &event, |board| {
        let run = board.run(sink.cancelled());
        let target = ReleaseFolder::at(&folder).replacing(request.force);
        target.check(&run)?;
        let plan = mingle::plan(&policy, Inputs::of(&policy), &run);
        let mut done = plan.map_err(|failed| *failed.problem)?.publish()?;
        done.write(target)?;
        let warnings = done.warnings().iter().map(problem_view).collect();
        lock(&bench.published).insert(request.name.clone(), folder.clone());
        sink.send(PublishEvent::Published {
            folder: absolute(&folder).display().to_string(),
            name: request.name.clone(),
            summary: done.summary().to_text(),
            command: saved_as(bench, &request.text)
                .map(|file| command(&file, &request.name, request.force)),
            warnings,
        })?;
        Ok(())
    })
}

/// Writes a policy, with the dropped files that it names beside it.
pub fn save(bench: &Bench, request: &SaveRequest) -> Result<SaveAnswer, Problem> {
    plain(&request.name)?;
    if Path::new(&request.name)
        .extension()
        .is_none_or(|ending| ending != "toml")
    {
        return Err(Problem::new(
            ProblemCode::BadName,
            "a policy's name ends in .toml",
            "call it policy.toml",
        ));
    }
    let path = bench.folder.join(&request.name);
    let unchanged = match std::fs::read(&path) {
        Ok(found) => {
            found == request.text.as_bytes()
                || request.base.as_ref().is_some_and(|b| found == b.as_bytes())
        }
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
    };
    if !request.force && !unchanged {
        let text = format!("{} is there, and not as this page knows it", request.name);
        return Err(Problem::new(
            ProblemCode::FileChanged,
            text,
            "choose another name, or replace it",
        ));
    }
    let copied = copy(bench, &request.text)?;
    results::write(&path, request.text.as_bytes(), true)?;
    lock(&bench.saved).insert(request.name.clone(), request.text.clone());
    let command = command(&request.name, "release", false);
    Ok(SaveAnswer {
        path: absolute(&path).display().to_string(),
        copied,
        command,
    })
}

/// The file that holds this policy, if one does.
fn saved_as(bench: &Bench, text: &str) -> Option<String> {
    let saved = lock(&bench.saved);
    let holds = |name: &&String| {
        let place = if bench.started && **name == bench.policy_name() {
            &bench.policy_path
        } else {
            &bench.folder.join(name)
        };
        std::fs::read(place).is_ok_and(|found| found == text.as_bytes())
    };
    saved.keys().find(holds).cloned()
}

/// A report as it was written; a folder that has disappeared since is said to be gone.
pub fn report(bench: &Bench, name: &str, kind: ReportKind) -> Result<String, Problem> {
    let Some(folder) = lock(&bench.published).get(name).cloned() else {
        return Err(Problem::new(
            ProblemCode::BadName,
            "this page has published no release of that name",
            "publish it first",
        ));
    };
    let part = match kind {
        ReportKind::Public => "public",
        ReportKind::Private => "private",
    };
    let file = folder.join(part).join(mingle_report::FILE);
    std::fs::read_to_string(&file).map_err(|error| {
        let text = format!(
            "cannot read {}: {}",
            file.display(),
            failure::reason(&error)
        );
        Problem::new(
            ProblemCode::InputUnreadable,
            text,
            "the release was moved or removed; publish it again",
        )
    })
}

/// Copies the dropped files that a policy names; what is there already is never replaced by
/// something else.
fn copy(bench: &Bench, text: &str) -> Result<Vec<String>, Problem> {
    let Ok(policy) = bench.read(text, &[]) else {
        return Ok(Vec::new());
    };
    let mut copied = Vec::new();
    for name in named(bench, text, &policy) {
        let from = bench.folders().find(&name);
        let to = bench.folder.join(&name);
        if !from.starts_with(bench.dropped.folder()) || !from.is_file() || same(&from, &to) {
            continue;
        }
        if to.symlink_metadata().is_ok() {
            let text =
                format!("{name} is there, and is another file than the one that was dropped");
            return Err(Problem::new(
                ProblemCode::FileChanged,
                text,
                "move it away, or rename the file and drop it again",
            ));
        }
        let folder = to.parent().unwrap_or(&bench.folder);
        let made = std::fs::create_dir_all(folder).and_then(|()| std::fs::copy(&from, &to));
        made.map_err(|e| failure::write(&name, &e))?;
        copied.push(name);
    }
    Ok(copied)
}

/// Tables, hierarchies and other releases, as the policy names them.
fn named(bench: &Bench, text: &str, policy: &Policy) -> Vec<String> {
    let tables = view::of(bench, text)
        .into_iter()
        .flat_map(|view| view.providers);
    let mut names: Vec<String> = tables.map(|table| table.file).collect();
    for column in &policy.columns {
        if let Some(DeclaredHierarchy::File(name, _)) = &column.hierarchy {
            names.push(name.clone());
        }
    }
    let others = policy
        .composition
        .iter()
        .flat_map(|composition| &composition.against)
        .map(|other| &other.name);
    let dropped = bench.dropped.list().files;
    for other in others {
        let folder = format!("{}/", other.trim_end_matches('/'));
        names.extend(
            dropped
                .iter()
                .map(|f| &f.name)
                .filter(|name| name.starts_with(&folder) || *name == other)
                .cloned(),
        );
    }
    names
}

/// Whether two files hold the same, looked at piece by piece.
fn same(one: &Path, other: &Path) -> bool {
    let open = |path: &Path| std::fs::File::open(path).map(std::io::BufReader::new);
    let (Ok(mut one), Ok(mut other)) = (open(one), open(other)) else {
        return false;
    };
    loop {
        let (Ok(a), Ok(b)) = (one.fill_buf(), other.fill_buf()) else {
            return false;
        };
        let length = a.len().min(b.len());
        if a[..length] != b[..length] || (length == 0 && (!a.is_empty() || !b.is_empty())) {
            return false;
        }
        if length == 0 {
            return true;
        }
        one.consume(length);
        other.consume(length);
    }
}

/// The command that does the same.
fn command(policy: &str, out: &str, force: bool) -> String {
    let force = if force { " --force" } else { "" };
    format!(
        "mingle publish {} --out {}{force}",
        quoted(policy),
        quoted(out)
    )
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
    if word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// A name that stays in its folder.
fn plain(name: &str) -> Result<(), Problem> {
    let bad = |c: char| c.is_control() || "/\\:*?\"<>|".contains(c);
    if !name.is_empty()
        && name.len() <= LONGEST
        && !name.starts_with(['.', '-', ' '])
        && !name.contains(bad)
    {
        Ok(())
    } else {
        let hint = "use letters, digits, `-` and `_`, without folders";
        Err(Problem::new(
            ProblemCode::BadName,
            "this is no name for a release or a policy",
            hint,
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_in_their_folder() {
        for name in [
            "",
            ".",
            "..",
            "../x",
            "a/b",
            "/x",
            "a\\b",
            "-x",
            "a\0b",
            ".hidden",
            &"x".repeat(101),
        ] {
            assert!(plain(name).is_err(), "{name}");
        }
        for name in ["release", "2026 June", "Veröffentlichung_1.2"] {
            assert!(plain(name).is_ok(), "{name}");
        }
    }

    #[test]
    fn commands_can_be_pasted() {
        assert_eq!(
            command("policy.toml", "2026 June", false),
            "mingle publish policy.toml --out '2026 June'"
        );
        assert_eq!(quoted("it's"), "'it'\\''s'");
    }
}
