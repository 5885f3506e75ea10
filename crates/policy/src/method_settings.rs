//! The keys of `[method]` that say how long to search for what, and how values are listed.
//!
//! A method that has no use for a key refuses it: a setting that does nothing would be taken for one
//! that does. What is the default anyway may be said of every method.

use super::keys;
use super::method::ChosenMethod;
use super::tree::{Fields, Node};
use mingle_anonymize::{
    Capabilities, DEFAULT_MAX_LABEL_VALUES, GroupRepresentative, LabelForm, Ranges, SearchAim,
    SearchEffort, methods_with,
};
use mingle_record::{Problem, ProblemCode};

/// How long to search for what, and how values are listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MethodSettings {
    /// How much the search may do.
    pub effort: SearchEffort,
    /// What the search makes small.
    pub aim: SearchAim,
    /// How a category that has a hierarchy is published.
    pub labels: LabelForm,
    /// The most values that a set lists.
    pub max_label_values: usize,
}

impl Default for MethodSettings {
    fn default() -> Self {
        MethodSettings {
            effort: SearchEffort::default(),
            aim: SearchAim::default(),
            labels: LabelForm::default(),
            max_label_values: DEFAULT_MAX_LABEL_VALUES,
        }
    }
}

/// A label that lists a single value is that value; a set has two at least.
const FEWEST_LABEL_VALUES: u64 = 2;

impl MethodSettings {
    /// Reads the keys, for a method of which everything else is known.
    pub(super) fn read(
        fields: &Fields<'_>,
        method: &ChosenMethod,
    ) -> Result<MethodSettings, Problem> {
        let mut settings = MethodSettings::default();
        if let Some(node) = fields.get(keys::method::EFFORT) {
            settings.effort = node.choice(&[
                ("quick", SearchEffort::Quick),
                ("normal", SearchEffort::Normal),
                ("best", SearchEffort::Best),
            ])?;
            if settings.effort != SearchEffort::default() {
                check_capability(node, method, |can| can.efforts, "searches until it is done")?;
            }
        }
        if let Some(node) = fields.get(keys::method::OPTIMIZE) {
            settings.aim =
                node.choice(&[("ncp", SearchAim::Ncp), ("queries", SearchAim::Queries)])?;
            if settings.aim != SearchAim::default() {
                check_capability(node, method, |can| can.aims, "has an aim of its own")?;
            }
        }
        if let Some(node) = fields.get(keys::method::LABELS) {
            settings.labels = node.choice(&[
                ("hierarchy", LabelForm::Hierarchy),
                ("sets", LabelForm::Sets),
                ("public", LabelForm::Public),
            ])?;
            if settings.labels != LabelForm::default() {
                check_sets(node, method)?;
            }
            if settings.labels == LabelForm::Public && method.ranges == Ranges::Cell {
                return Err(node.problem(
                    ProblemCode::Contradiction,
                    "labels = \"public\" does not go with ranges = \"cell\": the bounds of cells follow the table",
                    "use ranges = \"tight\", or take `labels` out",
                ));
            }
        }
        if let Some(node) = fields.get(keys::method::MAX_LABEL_VALUES) {
            // no label can list more values than there are numbers of this width
            let most = node.whole(FEWEST_LABEL_VALUES)?;
            settings.max_label_values = usize::try_from(most).unwrap_or(usize::MAX);
            if settings.max_label_values != DEFAULT_MAX_LABEL_VALUES {
                check_sets(node, method)?;
            }
        }
        Ok(settings)
    }
}

/// Neither full-domain methods nor centroids list values.
fn check_sets(node: &Node, method: &ChosenMethod) -> Result<(), Problem> {
    check_capability(node, method, |can| can.sets, "publishes no sets of values")?;
    if method.output == GroupRepresentative::Centroid {
        return Err(node.problem(
            ProblemCode::Contradiction,
            format!(
                "`{}` does not go with output = \"centroid\", which publishes no sets",
                node.path
            ),
            "use output = \"range\", or take it out",
        ));
    }
    Ok(())
}

/// Refuses a key that the method would ignore.
fn check_capability(
    node: &Node,
    method: &ChosenMethod,
    capability: fn(&Capabilities) -> bool,
    because: &str,
) -> Result<(), Problem> {
    if capability(method.capabilities()) {
        return Ok(());
    }
    let text = format!(
        "`{}` has no effect with {}, which {because}",
        node.path, method.name
    );
    let hint = format!("remove it, or use name = \"{}\"", methods_with(capability));
    Err(node.problem(ProblemCode::Contradiction, text, hint))
}
