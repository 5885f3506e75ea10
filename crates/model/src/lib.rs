//! What data is, before anyone decides what to do with it.
//!
//! A table read from files becomes [`Column`]s of ordered codes ([`Codes`], [`Domain`]), the
//! columns become the [`Cube`] (weighted distinct rows), an anonymizer turns the cube into a
//! [`Partition`], and a partition becomes [`Published`]: what a reader of the release sees, plus
//! who contributed it. Everything that decides about privacy works on [`Published`], so that plans
//! and publications cannot differ.
//!
//! No input or output, no threads and no unsafe code live here. Raw values have no `Debug` or
//! `Display`: nothing in this crate can print a cell by accident.
#![forbid(unsafe_code)]

mod band;
mod blind_cube;
mod codes;
mod column;
mod cube;
pub mod date;
mod domain;
mod fold;
mod foreign;
mod fragments;
mod grid;
pub mod hierarchy;
mod invisible;
mod label;
mod number;
mod partition;
mod people;
mod plural;
mod provider;
mod published;
mod range_ends;
mod schema;
mod spelling;
mod table;
mod vocabulary;

pub use blind_cube::BlindCube;
pub use codes::{Code, Codes};
pub use column::{Column, Position, RawColumn, RawValue};
pub use cube::{CountsError, Cube, QuasiIdentifier, Record};
pub use domain::{Domain, DomainError, infer_kind, kind_of_text};
pub use fold::Folded;
pub use foreign::ForeignReader;
pub use fragments::{FragmentColumn, FragmentGroup, Fragments, FragmentsError, GID};
pub use grid::{DeclaredGrid, Grid};
pub use hierarchy::{Hierarchy, HierarchyError, HierarchySource};
pub use invisible::is_invisible;
pub use label::{Cell, LabelReader, Reading};
pub use number::Number;
pub use partition::{GroupId, Partition, PartitionError};
pub use people::{Alike, Kinds, PeopleOfCube, PersonRows};
pub use plural::{counted, plural};
pub use provider::{ProviderId, Providers};
pub use published::{
    AcrossGroups, CountedPerson, Entry, Published, PublishedColumn, PublishedPeople, Rendered,
    SensitiveColumn,
};
pub use range_ends::{ColumnRanges, KnownTo, published_values};
pub use schema::{ColumnSpec, Kind, Missing, Role};
pub use spelling::{Spelling, skeleton};
pub use table::Table;
