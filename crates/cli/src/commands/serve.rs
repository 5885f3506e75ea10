//! `mingle serve`: the local page, for one user on this machine.

use crate::args::Serve;
use crate::interrupt;
use crate::message::{Exit, Problem, Screen, print, print_json};
use mingle::failure;
use mingle_page::{Handle, Server, ServerOptions};
use mingle_record::ProblemCode;
use mingle_record::answer::ServeAnswer;
use mingle_record::schema::ServeSchema;
use mingle_workbench::Bench;
use std::io::{BufRead, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub fn run(args: &Serve, screen: Screen) -> Result<Exit, Problem> {
    let stop = interrupt::listen();
    let folder = folder(args)?;
    let largest_upload = args.max_upload.0;
    let bench = Arc::new(Bench::new(
        args.policy.as_deref(),
        folder.clone(),
        largest_upload,
    )?);
    let options = ServerOptions {
        port: args.port,
        largest_upload,
        ..ServerOptions::default()
    };
    let server = Server::bind(bench.clone(), options).map_err(|error| {
        let text = format!(
            "cannot listen on port {} of this machine: {}",
            args.port,
            failure::reason(&error)
        );
        Problem::new(
            ProblemCode::NoPort,
            text,
            "choose another with --port, or leave it out to take any",
        )
    })?;
    if args.json {
        print_json(&ServeAnswer {
            schema: ServeSchema,
            link: server.link(),
            folder: folder.display().to_string(),
        })?;
    } else {
        print(&format!("{}\n", server.link()))?;
    }
    screen.note(&format!(
        "open this link in a browser on this machine; it works once\n\
         releases and policies are written to {}; Ctrl-C stops",
        folder.display()
    ));
    // a program reads one document, and has nobody who presses Enter
    if !args.json {
        more_links(server.handle(), screen);
    }
    let ran = server.run(stop.flag());
    // a thread that waits for Enter, or is still at work, must not keep people's rows on the disk
    bench.clear();
    ran.map_err(|e| failure::write("to the page", &e))?;
    screen.note("stopped");
    Ok(Exit::Fine)
}

/// Where releases go: as told, beside the policy, or here.
fn folder(args: &Serve) -> Result<PathBuf, Problem> {
    let beside = || {
        args.policy
            .as_deref()
            .and_then(Path::parent)
            .filter(|p| !p.as_os_str().is_empty())
    };
    let folder = args
        .folder
        .as_deref()
        .or_else(beside)
        .unwrap_or(Path::new("."));
    if folder.is_dir() {
        Ok(folder.to_owned())
    } else {
        let text = format!("{} is not a folder", folder.display());
        Err(Problem::new(
            ProblemCode::OutputUnwritable,
            text,
            "make it, or name another with --folder",
        ))
    }
}

/// Enter prints another link: for another browser, or when the first was used up.
fn more_links(handle: Handle, screen: Screen) {
    if !std::io::stdin().is_terminal() {
        return;
    }
    screen.note("Enter prints another link");
    std::thread::spawn(move || {
        for _ in std::io::stdin().lock().lines().map_while(Result::ok) {
            let _ = print(&format!("{}\n", handle.link()));
        }
    });
}
