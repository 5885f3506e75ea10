//! Made-up tables, in memory.

use crate::failure::usage;
use crate::frame::ArrowFrame;
use crate::work::{Job, Listener};
use mingle::failure;
use mingle_io::Format;
use mingle_synth::{Distribution, Recipe, TableTopic};
use pyo3::prelude::*;

/// Makes a table and hands it over; it is the one that the program writes, value by value.
#[pyfunction]
pub fn synth(
    py: Python<'_>,
    topic: &str,
    rows: u64,
    seed: u64,
    providers: u32,
    visits: Option<u32>,
    listener: Listener,
) -> PyResult<ArrowFrame> {
    let kind = match topic {
        "census" => TableTopic::Census,
        "hospital" => TableTopic::Hospital,
        "ipums-like" => TableTopic::IpumsLike,
        _ => {
            return Err(usage(
                "no such table",
                "ask for census, hospital or ipums-like",
            ));
        }
    };
    let recipe = Recipe {
        kind,
        rows,
        seed,
        providers: (providers > 1).then_some((providers, Distribution::Uniform)),
        visits,
    };
    let made = Job::new(None)?.wait(py, &listener, |_| {
        let written = mingle_synth::write(&recipe, Format::Parquet, Vec::new(), None)?;
        Ok::<_, mingle_synth::Error>(written)
    })?;
    let bytes = made.map_err(|error| match error {
        mingle_synth::Error::Io(error) => crate::failure::raised(&failure::io(&error)),
        other => usage(other.to_string(), "ask for fewer"),
    })?;
    ArrowFrame::from_parquet(bytes)
}
