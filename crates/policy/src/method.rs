//! `[method]` and `[release]`: how to get there, and what is written.

use super::columns::DeclaredColumn;
use super::keys;
use super::method_settings::MethodSettings;
use super::tree::{Fields, Node};
use mingle_anonymize::{
    Capabilities, GroupRepresentative, LabelForm, METHODS, MethodEntry, MethodOptions, Ranges,
    methods_with,
};
use mingle_io::Format;
use mingle_model::{GID, Role};
use mingle_privacy::{Error, LabelPromise, Promise, Ratio, Strategy};
use mingle_record::Problem;
use mingle_record::ProblemCode;

/// How to get there.
#[derive(Clone, Copy, Debug)]
pub struct ChosenMethod {
    /// The anonymizer.
    pub name: &'static str,
    entry: &'static MethodEntry,
    /// How an anonymizer decides whether a group withstands insiders. What is published is always
    /// verified exactly.
    pub verification: Strategy,
    /// Where ties and samples start.
    pub seed: u64,
    /// How tightly cells are published.
    pub ranges: Ranges,
    /// What stands for a group.
    pub output: GroupRepresentative,
    /// The largest share of rows that may be left out.
    pub max_suppressed: Ratio,
    /// How long to search for what, and how values are listed.
    pub settings: MethodSettings,
}

/// What is written.
#[derive(Clone, Copy, Debug)]
pub struct ReleaseSettings {
    /// The format of the tables.
    pub format: Format,
    /// Whether quasi-identifiers and sensitive columns are published in tables of their own.
    pub fragmented: bool,
    /// Whether chosen utility figures are published.
    pub publish_utility: bool,
    /// Whether a warning is a finding, so that nothing is published.
    pub strict: bool,
}

impl ChosenMethod {
    /// Reads the section; one that is not there means the defaults.
    pub fn read(section: Option<&Node>, promises: &[Promise]) -> Result<ChosenMethod, Problem> {
        let mut method = ChosenMethod {
            name: METHODS[0].name,
            entry: &METHODS[0],
            verification: Strategy::default(),
            seed: 0,
            ranges: Ranges::Tight,
            output: GroupRepresentative::Range,
            max_suppressed: Ratio::from(0),
            settings: MethodSettings::default(),
        };
        let Some(section) = section else {
            return Ok(method);
        };
        let fields = section.fields(keys::method::ALL)?;
        if let Some(node) = fields.get(keys::method::NAME) {
            let choices: Vec<_> = METHODS.iter().map(|entry| (entry.name, entry)).collect();
            method.entry = node.choice(&choices)?;
            method.name = method.entry.name;
        }
        if let Some(node) = fields.get(keys::method::VERIFICATION) {
            method.verification =
                node.choice(&Strategy::ALL.map(|strategy| (strategy.name(), strategy)))?;
            check_monotone(node, method.verification, promises)?;
        }
        if let Some(node) = fields.get(keys::method::SEED) {
            method.seed = node.whole(0)?;
        }
        if let Some(node) = fields.get(keys::method::RANGES) {
            method.ranges = node.choice(&[("tight", Ranges::Tight), ("cell", Ranges::Cell)])?;
        }
        if let Some(node) = fields.get(keys::method::MAX_SUPPRESSED) {
            method.max_suppressed = share(node)?;
        }
        if let Some(node) = fields
            .get(keys::method::RANGES)
            .filter(|_| method.ranges == Ranges::Cell)
        {
            check_cells(node, &method)?;
        }
        if let Some(node) = fields.get(keys::method::OUTPUT) {
            method.output = node.choice(&[
                ("range", GroupRepresentative::Range),
                ("centroid", GroupRepresentative::Centroid),
            ])?;
            check_centroids(node, &method)?;
        }
        method.settings = MethodSettings::read(&fields, &method)?;
        Ok(method)
    }

    /// The anonymizer, set up.
    pub fn anonymizer(&self) -> Option<Box<dyn mingle_anonymize::Method>> {
        self.entry.method(self.output)
    }

    /// What the anonymizer is told, where nobody may be left out and nobody will ask it to stop.
    pub fn options(&self) -> MethodOptions<'static> {
        MethodOptions {
            ranges: self.ranges,
            effort: self.settings.effort,
            aim: self.settings.aim,
            labels: self.settings.labels,
            max_label_values: self.settings.max_label_values,
            max_suppressed: 0,
            cancel: None,
        }
    }

    /// What is promised of labels, and verified.
    pub fn label_promise(&self) -> LabelPromise {
        match self.settings.labels {
            LabelForm::Public => LabelPromise::Public,
            LabelForm::Hierarchy | LabelForm::Sets => LabelPromise::default(),
        }
    }

    /// What the anonymizer can do.
    pub fn capabilities(&self) -> &'static Capabilities {
        &self.entry.capabilities
    }
}

/// A search that skips coalitions is known to be wrong for some constraints before any table is
/// read.
fn check_monotone(node: &Node, strategy: Strategy, promises: &[Promise]) -> Result<(), Problem> {
    let refused = promises
        .iter()
        .find(|promise| strategy.needs_monotone() && !promise.rule.kind().group_monotone());
    match refused {
        None => Ok(()),
        Some(promise) => {
            let error = Error::NotMonotone {
                strategy: strategy.name(),
                constraint: promise.name(),
            };
            Err(node.problem(
                ProblemCode::Contradiction,
                error.to_string(),
                NOT_MONOTONE_HINT,
            ))
        }
    }
}

/// What to do about a strategy that does not go with a constraint.
pub const NOT_MONOTONE_HINT: &str =
    "use verification = \"exact\", which is the default and handles every constraint";

/// Few methods have cells, and their bounds do not follow from the rows that are left.
fn check_cells(ranges: &Node, method: &ChosenMethod) -> Result<(), Problem> {
    let hint = format!(
        "use ranges = \"tight\", or name = \"{}\" without max_suppressed",
        methods_with(|can| can.cells)
    );
    if !method.capabilities().cells {
        let text = format!(
            "ranges = \"cell\" does not go with {}, which does not cut the table into cells",
            method.name
        );
        return Err(ranges.problem(ProblemCode::Contradiction, text, hint));
    }
    if method.max_suppressed > Ratio::from(0) {
        return Err(ranges.problem(
            ProblemCode::Contradiction,
            "ranges = \"cell\" does not go with max_suppressed",
            hint,
        ));
    }
    Ok(())
}

/// Few methods have centroids, and rows that are left out would move them.
fn check_centroids(output: &Node, method: &ChosenMethod) -> Result<(), Problem> {
    let contradiction =
        |text: String, hint: &str| Err(output.problem(ProblemCode::Contradiction, text, hint));
    if method.output == GroupRepresentative::Centroid && !method.capabilities().centroids {
        let text = format!(
            "output = \"centroid\" does not go with {}, whose labels cover their groups",
            method.name
        );
        let hint = format!(
            "use name = \"{}\", or take it out",
            methods_with(|can| can.centroids)
        );
        return contradiction(text, &hint);
    }
    if method.output == GroupRepresentative::Centroid && method.max_suppressed > Ratio::from(0) {
        let text = "output = \"centroid\" does not go with max_suppressed".to_owned();
        return contradiction(text, "use output = \"range\", or publish all rows");
    }
    Ok(())
}

/// Why centroids are for the outsider only, given the section that asks for them.
pub fn means_tell_insiders(section: Option<&Node>) -> Problem {
    let text = "output = \"centroid\" does not go with m > 0: an exact mean tells insiders what the values of the others \
                add up to";
    let hint = "use output = \"range\", or m = 0 in [privacy] if you trust every provider";
    match section {
        Some(node) => node.problem(ProblemCode::Contradiction, text, hint),
        None => Problem::new(ProblemCode::Contradiction, text, hint),
    }
}

/// Centroids do not cover people, and a release that is laid beside others is searched for people
/// it covers.
pub fn check_centroids_alone(
    section: Option<&Node>,
    method: &ChosenMethod,
    composition: bool,
) -> Result<(), Problem> {
    match section.filter(|_| composition && method.output == GroupRepresentative::Centroid) {
        None => Ok(()),
        Some(node) => {
            let text = "output = \"centroid\" does not go with [composition], which looks for people in groups whose \
                        labels cover them";
            Err(node.problem(ProblemCode::Contradiction, text, "use output = \"range\""))
        }
    }
}

impl ReleaseSettings {
    /// Reads the section; one that is not there means the defaults.
    pub fn read(
        section: Option<&Node>,
        columns: &[DeclaredColumn],
    ) -> Result<ReleaseSettings, Problem> {
        let mut release = ReleaseSettings {
            format: Format::Csv,
            fragmented: false,
            publish_utility: false,
            strict: false,
        };
        let Some(section) = section else {
            return Ok(release);
        };
        let fields: Fields<'_> = section.fields(keys::release::ALL)?;
        if let Some(node) = fields.get(keys::release::FORMAT) {
            release.format = node.choice(&[Format::Csv, Format::Parquet].map(|f| (f.name(), f)))?;
        }
        if let Some(node) = fields.get(keys::release::FRAGMENTED) {
            release.fragmented = node.boolean()?;
            if release.fragmented {
                check_fragments(node, columns)?;
            }
        }
        if let Some(node) = fields.get(keys::release::PUBLISH_UTILITY) {
            release.publish_utility = node.boolean()?;
        }
        if let Some(node) = fields.get(keys::release::STRICT) {
            release.strict = node.boolean()?;
        }
        Ok(release)
    }
}

/// Tables that only the group number joins need something to keep apart, and nothing that joins
/// them again.
fn check_fragments(node: &Node, columns: &[DeclaredColumn]) -> Result<(), Problem> {
    let mut published = columns
        .iter()
        .map(|c| &c.spec)
        .filter(|c| c.role.is_published());
    if columns.iter().all(|c| c.spec.role != Role::Sensitive) {
        let text = "fragmented = true keeps sensitive columns apart, and there is none";
        return Err(node.problem(
            ProblemCode::NoSensitive,
            text,
            "remove it, or give a column role = \"sensitive\"",
        ));
    }
    let refused = published.find_map(|column| match (column.role, column.name.as_str()) {
        (Role::Insensitive, name) => Some((
            format!(
                "fragmented = true does not go with the insensitive column `{name}`: carried along by row, it would \
                 join the tables again"
            ),
            "make it an identifier, which is dropped, a quasi-identifier or sensitive",
        )),
        (_, GID) => Some((
            format!("fragmented = true needs the name `{GID}` for the group number"),
            "rename the column in the data",
        )),
        _ => None,
    });
    match refused {
        Some((text, hint)) => Err(node.problem(ProblemCode::Contradiction, text, hint)),
        None => Ok(()),
    }
}

/// A share of the rows.
pub(super) fn share(node: &Node) -> Result<Ratio, Problem> {
    let share = node.ratio()?;
    if share <= Ratio::from(1) {
        Ok(share)
    } else {
        let text = format!("`{}` is a share of the rows and at most 1", node.path);
        Err(node.problem(
            ProblemCode::OutOfRange,
            text,
            "write 0.01 for one row in a hundred",
        ))
    }
}
