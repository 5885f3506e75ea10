//! The Python package `mingle`: conversion at the border, nothing else.
//!
//! What Python sees is written in Python (`python/mingle`); this module is the narrow door behind
//! it. Tables come in as Arrow streams or paths and go out as Arrow streams; what is known about a
//! release goes out as the JSON documents that the program prints; what goes wrong goes out as one
//! exception with code, place and hint. Work is done on a thread of its own while Python's lock is
//! released, and the calling thread listens for Ctrl-C and tells about progress.

mod attack;
mod check;
mod failure;
mod frame;
mod made_up;
mod noise;
mod plan;
mod policy;
mod proposal;
mod spark;
mod spark_cells;
mod tables;
mod work;

use pyo3::prelude::*;

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    failure::keep_panics_quiet();
    module.add_class::<frame::ArrowFrame>()?;
    module.add_class::<policy::NativePolicy>()?;
    module.add_class::<plan::NativePlan>()?;
    module.add_function(wrap_pyfunction!(tables::refuse_frame, module)?)?;
    module.add_function(wrap_pyfunction!(plan::plan, module)?)?;
    module.add_function(wrap_pyfunction!(plan::apply, module)?)?;
    module.add_function(wrap_pyfunction!(spark::plan_counted, module)?)?;
    module.add_class::<spark_cells::NativeGrowth>()?;
    module.add_function(wrap_pyfunction!(spark_cells::refuse_cells, module)?)?;
    module.add_function(wrap_pyfunction!(spark_cells::hierarchy_files, module)?)?;
    module.add_function(wrap_pyfunction!(spark_cells::cell_histogram, module)?)?;
    module.add_function(wrap_pyfunction!(spark_cells::cell_of_rows, module)?)?;
    module.add_function(wrap_pyfunction!(spark_cells::anonymize_cell, module)?)?;
    module.add_function(wrap_pyfunction!(spark_cells::check_part, module)?)?;
    module.add_function(wrap_pyfunction!(spark_cells::promise_names, module)?)?;
    module.add_function(wrap_pyfunction!(spark_cells::insiders_of, module)?)?;
    module.add_function(wrap_pyfunction!(spark_cells::write_assembled, module)?)?;
    module.add_function(wrap_pyfunction!(proposal::propose, module)?)?;
    module.add_function(wrap_pyfunction!(check::verify_release, module)?)?;
    module.add_function(wrap_pyfunction!(check::verify_table, module)?)?;
    module.add_function(wrap_pyfunction!(check::measure, module)?)?;
    module.add_function(wrap_pyfunction!(check::report, module)?)?;
    module.add_function(wrap_pyfunction!(check::replace_reports, module)?)?;
    module.add_function(wrap_pyfunction!(check::read_published, module)?)?;
    module.add_function(wrap_pyfunction!(attack::insider, module)?)?;
    module.add_function(wrap_pyfunction!(attack::background_join, module)?)?;
    module.add_function(wrap_pyfunction!(attack::minimality, module)?)?;
    module.add_function(wrap_pyfunction!(attack::intersection, module)?)?;
    module.add_function(wrap_pyfunction!(noise::release_with_noise, module)?)?;
    module.add_function(wrap_pyfunction!(noise::budget, module)?)?;
    module.add_function(wrap_pyfunction!(noise::new_budget, module)?)?;
    module.add_function(wrap_pyfunction!(noise::compose, module)?)?;
    module.add_function(wrap_pyfunction!(made_up::synth, module)?)?;
    module.add("VERSION", env!("CARGO_PKG_VERSION"))?;
    Ok(())
}
