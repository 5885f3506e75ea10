//! Promises as a policy states them, before they meet a table.

use crate::catalogue::{About, ConstraintKind, ParameterForm, ParameterSpec};
use crate::constraint::Attribute;
use crate::error::Error;
use crate::ratio::Ratio;
use std::fmt;

/// The smallest size of a group, k.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct K(pub u64);

/// The smallest number of different values, l.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct L(pub u64);

/// How far apart two values of a sensitive attribute are, for t-closeness.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub enum Distance {
    /// All different values are equally far apart: total variation.
    #[default]
    Equal,
    /// Difference of ranks among the values that occur in the table, over their number minus one.
    Ordered,
    /// Height of the lowest common ancestor over the height of the hierarchy (Li et al. 2007).
    Hierarchical,
}

impl Distance {
    /// All distances.
    pub const ALL: [Distance; 3] = [Distance::Equal, Distance::Ordered, Distance::Hierarchical];

    /// The word used in the policy file and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Distance::Equal => "equal",
            Distance::Ordered => "ordered",
            Distance::Hierarchical => "hierarchical",
        }
    }

    /// What it means, for people.
    pub fn meaning(self) -> &'static str {
        match self {
            Distance::Equal => "all different values are equally far apart",
            Distance::Ordered => "values far apart in their order count more",
            Distance::Hierarchical => "values far apart in their hierarchy count more",
        }
    }

    /// The distance of that name.
    pub fn parse(name: &str) -> Option<Distance> {
        Distance::ALL.into_iter().find(|d| d.name() == name)
    }
}

/// One parameter of a rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParameterValue {
    /// A whole number.
    Whole(u64),
    /// An exact fraction.
    Ratio(Ratio),
    /// Between values of a sensitive attribute.
    Distance(Distance),
}

impl ParameterValue {
    /// Whether a parameter of that form can have this value, whatever its range.
    pub fn has_form(self, form: ParameterForm) -> bool {
        match self {
            ParameterValue::Whole(_) => matches!(form, ParameterForm::Whole { .. }),
            ParameterValue::Ratio(_) => form == ParameterForm::Ratio,
            ParameterValue::Distance(_) => form == ParameterForm::Distance,
        }
    }
}

impl fmt::Display for ParameterValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParameterValue::Whole(number) => number.fmt(f),
            ParameterValue::Ratio(ratio) => ratio.fmt(f),
            ParameterValue::Distance(distance) => f.write_str(distance.name()),
        }
    }
}

/// A constraint of the catalogue with its parameters: plain data, in the order in which the
/// constraint lists them.
#[derive(Clone, Copy)]
pub struct Rule {
    kind: &'static dyn ConstraintKind,
    /// As many as the kind has parameters, each of its form.
    values: [Option<ParameterValue>; Rule::MOST_PARAMETERS],
}

impl Rule {
    /// No constraint has more parameters.
    pub const MOST_PARAMETERS: usize = 4;

    /// A rule with these parameters; `None` unless there is one of the right form for each that the
    /// constraint has. Whether they are in range is [`check`](Rule::check)'s question.
    pub fn new(kind: &'static dyn ConstraintKind, values: &[ParameterValue]) -> Option<Rule> {
        let parameters = kind.parameters();
        if values.len() != parameters.len() || values.len() > Rule::MOST_PARAMETERS {
            return None;
        }
        let mut rule = Rule {
            kind,
            values: [None; Rule::MOST_PARAMETERS],
        };
        for (at, (&value, parameter)) in values.iter().zip(parameters).enumerate() {
            if !value.has_form(parameter.form) {
                return None;
            }
            rule.values[at] = Some(value);
        }
        Some(rule)
    }

    /// What is known about the constraint apart from its parameters.
    pub fn kind(&self) -> &'static dyn ConstraintKind {
        self.kind
    }

    /// The constraint's stable name, as in JSON.
    pub fn name(&self) -> &'static str {
        self.kind.name()
    }

    /// Each parameter with its value, in the constraint's order.
    pub fn parameters(
        &self,
    ) -> impl Iterator<Item = (&'static ParameterSpec, ParameterValue)> + use<'_> {
        let values = self.values.iter().flatten().copied();
        self.kind.parameters().iter().zip(values)
    }

    /// An error if a parameter is outside of its range.
    pub fn check(&self) -> Result<(), Error> {
        self.kind.check(self)
    }

    /// How far apart values are, where the rule says so. A reader needs the order or the hierarchy
    /// behind it to check the promise.
    pub fn distance(&self) -> Option<Distance> {
        self.values.iter().flatten().find_map(|value| match value {
            ParameterValue::Distance(distance) => Some(*distance),
            _ => None,
        })
    }

    /// No smaller group can satisfy it.
    pub fn smallest_group(&self) -> u64 {
        self.kind.smallest_group(self)
    }

    /// Whether it is about the values of a sensitive attribute.
    pub fn needs_attribute(&self) -> bool {
        self.kind.about() != About::Rows
    }

    /// Whether this is a rule of that constraint.
    pub fn is(&self, kind: &dyn ConstraintKind) -> bool {
        self.kind.name() == kind.name()
    }

    /// A parameter that the kind states to be a whole number.
    pub(crate) fn whole(&self, at: usize) -> u64 {
        match self.values[at] {
            Some(ParameterValue::Whole(number)) => number,
            _ => unreachable!("a rule is made with values of its parameters' forms"),
        }
    }

    /// A parameter that the kind states to be a fraction.
    pub(crate) fn ratio(&self, at: usize) -> Ratio {
        match self.values[at] {
            Some(ParameterValue::Ratio(ratio)) => ratio,
            _ => unreachable!("a rule is made with values of its parameters' forms"),
        }
    }

    /// A rule whose values are known to have the right forms.
    pub(crate) fn of(kind: &'static dyn ConstraintKind, values: &[ParameterValue]) -> Rule {
        Rule::new(kind, values).expect("a constraint's own file knows its parameters")
    }
}

impl PartialEq for Rule {
    fn eq(&self, other: &Rule) -> bool {
        self.is(other.kind) && self.values == other.values
    }
}

impl Eq for Rule {}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        for (parameter, value) in self.parameters() {
            write!(f, ", {} = {value}", parameter.name)?;
        }
        Ok(())
    }
}

/// A rule and the attribute it is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Promise {
    /// What is promised.
    pub rule: Rule,
    /// About which attribute; `None` for rules about rows alone.
    pub attribute: Option<Attribute>,
}

impl Promise {
    /// The constraint's stable name, as in JSON.
    pub fn name(&self) -> &'static str {
        self.rule.name()
    }
}
