//! Method, partition, publication, verification: the one sequence by which groups are made.
//!
//! Publishing, the readers who do what publishing would have done, and experiments walk this way
//! and no other. Some methods work on a cube of single rows, so the cube goes in and the one that
//! was really used comes out. Nobody takes a method's word: what it plans is rendered, grouped anew
//! and verified against the very requirement that it was given.

use mingle_anonymize::{Error as NoPartition, Method, MethodOptions};
use mingle_model::{BlindCube, Cube, Missing, Partition, PartitionError, PersonRows, Published};
use mingle_privacy::{
    Error as PrivacyError, Reach, ReferenceTable, Requirement, Verification, Verified, verify,
    verify_part,
};
use std::sync::Arc;

/// A method with what it works on and what is asked of its groups.
pub struct Sequence<'a> {
    method: &'a dyn Method,
    requirement: Requirement,
    cube: Arc<Cube>,
    missing: &'a Missing,
    person_rows: PersonRows,
    /// The whole table, where the cube is a part of it.
    whole: Option<&'a ReferenceTable>,
}

/// A method that works on single rows was given more than can be numbered, as only a source that
/// counts its rows by itself can send.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooManyRows {
    /// How many there are.
    pub rows: u64,
}

/// Why nothing was made.
pub enum NotMade {
    /// The method found nothing.
    NoPartition(NoPartition),
    /// What it found cannot be published.
    Unpublishable(PartitionError),
    /// What would be published cannot be verified.
    Unverifiable(PrivacyError),
    /// What would be published breaks a promise, or that cannot be decided.
    Refused(Box<Verification>),
}

impl<'a> Sequence<'a> {
    /// Brings the cube into the form that the method wants.
    pub fn new(
        method: &'a dyn Method,
        mut requirement: Requirement,
        mut cube: Arc<Cube>,
        missing: &'a Missing,
    ) -> Result<Sequence<'a>, TooManyRows> {
        if method.wants_rows(&requirement) {
            if !cube.fits_single_rows() {
                return Err(TooManyRows { rows: cube.rows() });
            }
            cube = Arc::new(Arc::unwrap_or_clone(cube).into_rows());
            // every person is a kind of her own now
            if let Some(people) = cube.people() {
                requirement = requirement.renumbered(people.kinds());
            }
        }
        Ok(Sequence {
            method,
            requirement,
            cube,
            missing,
            person_rows: PersonRows::default(),
            whole: None,
        })
    }

    /// The same on a part of a table: groups are compared with all of it.
    pub fn within(self, whole: Option<&'a ReferenceTable>) -> Sequence<'a> {
        Sequence { whole, ..self }
    }

    /// The same, where the rows of a person may be in several groups, or not.
    pub fn with_person_rows(self, person_rows: PersonRows) -> Sequence<'a> {
        Sequence {
            person_rows,
            ..self
        }
    }

    /// What the method works on, and the release is made from.
    pub fn cube(&self) -> &Arc<Cube> {
        &self.cube
    }

    /// What is asked of groups.
    pub fn requirement(&self) -> &Requirement {
        &self.requirement
    }

    /// What the method worked on.
    pub fn into_cube(self) -> Arc<Cube> {
        self.cube
    }

    /// All steps.
    pub fn make(&self, options: &MethodOptions) -> Result<Verified, NotMade> {
        let partition = self.partition(options).map_err(NotMade::NoPartition)?;
        let published = self.render(&partition).map_err(NotMade::Unpublishable)?;
        let verification = self.verify(published).map_err(NotMade::Unverifiable)?;
        verification.into_verified().map_err(NotMade::Refused)
    }

    /// What the method plans.
    pub fn partition(&self, options: &MethodOptions) -> Result<Partition, NoPartition> {
        // no tie may be broken by a provider's name, by what rows carry along or by their order
        let Some(blind) = BlindCube::new(&self.cube) else {
            return self
                .method
                .partition(&self.cube, &self.requirement, options);
        };
        let planned = self
            .method
            .partition(blind.cube(), &self.requirement, options)?;
        Ok(blind.plan(planned))
    }

    /// What a plan would publish: groups are formed anew from their labels.
    pub fn render(&self, partition: &Partition) -> Result<Published, PartitionError> {
        match self.person_rows {
            PersonRows::Together => Published::from_partition(&self.cube, partition, self.missing),
            PersonRows::Apart => {
                Published::from_partition_apart(&self.cube, partition, self.missing)
            }
        }
    }

    /// Whether a publication keeps what is promised, against the stated insiders.
    pub fn verify(&self, published: Published) -> Result<Verification, PrivacyError> {
        let (promises, insiders) = (self.requirement.promises(), self.requirement.insiders());
        match self.whole {
            None => verify(published, promises, insiders, Reach::Stated),
            Some(whole) => verify_part(published, promises, insiders, whole),
        }
    }
}
