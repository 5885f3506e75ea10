//! `mingle man`: manual pages from the same definition as the help.

use crate::args::Man;
use crate::examples;
use crate::message::{Exit, Problem, Screen, print};
use mingle::failure;

pub fn run(args: &Man, screen: Screen) -> Result<Exit, Problem> {
    let Some(folder) = &args.out else {
        let mut page = Vec::new();
        clap_mangen::Man::new(examples::command())
            .render(&mut page)
            .map_err(|e| failure::write("the page", &e))?;
        print(&String::from_utf8_lossy(&page))?;
        return Ok(Exit::Fine);
    };
    let shown = folder.display().to_string();
    std::fs::create_dir_all(folder).map_err(|e| failure::write(&shown, &e))?;
    clap_mangen::generate_to(examples::command(), folder)
        .map_err(|e| failure::write(&shown, &e))?;
    screen.note(&format!("manual pages written to {shown}"));
    Ok(Exit::Fine)
}
