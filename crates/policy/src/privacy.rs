//! `[privacy]`: what is promised, as rules for each sensitive attribute.
//!
//! Order of the promises, which decides ties between witnesses: k-anonymity; then, sensitive column
//! by sensitive column in the policy's order, what `[privacy]` says in the order written; then what
//! holds for all sensitive columns together.

use super::columns::DeclaredColumn;
use super::hierarchy::DeclaredHierarchy;
use super::keys;
use super::person;
use super::tree::{Fields, KeyedNode, Node, Value};
use crate::closest::closest;
use mingle_model::{PersonRows, Role};
use mingle_privacy::catalogue::{About, ConstraintKind, ParameterForm, ParameterSpec};
use mingle_privacy::{
    Attribute, Catalogue, Distance, Knows, M, ParameterValue, Promise, Ratio, Rule, Semantics,
};
use mingle_record::Problem;
use mingle_record::ProblemCode;

/// What is promised, and against whom.
#[derive(Debug)]
pub struct Privacy {
    /// How many providers may collude, where the policy says it.
    pub m: Option<M>,
    /// What a group with few contributors counts as.
    pub semantics: Semantics,
    /// The constraints, in their order.
    pub promises: Vec<Promise>,
    /// The same before they are spread over columns: k, then what holds for every sensitive
    /// attribute.
    pub general: Vec<Rule>,
    /// Where the rows of a person are published.
    pub rows: PersonRows,
    /// What providers who collude know about the people whose rows they have.
    pub knows: Knows,
}

impl Privacy {
    /// Reads the section; columns say which attributes are sensitive. With a partner, who may have
    /// sensitive columns where this policy has none, a promise about them is no mistake.
    pub fn read(
        section: &Node,
        columns: &[DeclaredColumn],
        with_partner: bool,
    ) -> Result<Privacy, Problem> {
        Reader {
            catalogue: Catalogue::standard(),
            section,
        }
        .read(columns, with_partner)
    }

    /// Adds what goes with k where people may have several rows and nothing else is promised: nobody
    /// has more than half of a group's rows. k people are no crowd where one of them owns most of the
    /// rows; promises about values are decided against a reader who counts rows, k is not. A policy
    /// may name another share, and 1 for none.
    pub(crate) fn bound_share_of_rows(&mut self) {
        let k_alone = matches!(&self.promises[..], [only] if only.rule.as_k_anonymity().is_some());
        // one person is a group of one, who has all of its rows
        if !k_alone || self.k() < 2 {
            return;
        }
        let half = Ratio::new(1, 2).expect("its denominator is not 0");
        let rule = Rule::max_share_of_rows(half);
        self.promises.push(Promise {
            rule,
            attribute: None,
        });
        self.general.push(rule);
    }

    /// The promised group size; 1 where none is promised.
    pub fn k(&self) -> u64 {
        let k = self.promises.iter().find_map(|p| p.rule.as_k_anonymity());
        k.map_or(1, |k| k.0)
    }
}

/// The section, and the constraints that it may ask for.
struct Reader<'a> {
    catalogue: Catalogue,
    section: &'a Node,
}

impl Reader<'_> {
    fn read(&self, columns: &[DeclaredColumn], with_partner: bool) -> Result<Privacy, Problem> {
        let about_values = self.catalogue.keys(false);
        let fields = self.section.fields(&self.keys())?;
        let m = fields
            .get(keys::privacy::M)
            .map(|node| node.whole(0))
            .transpose()?
            .map(M);
        let semantics = semantics(&fields)?;
        let sensitive: Vec<&DeclaredColumn> = columns
            .iter()
            .filter(|c| c.spec.role == Role::Sensitive)
            .collect();
        let about_rows = self.rules_about_rows(&fields)?;
        let mut promises = Vec::new();
        for &rule in &about_rows {
            promises.push(Promise {
                rule,
                attribute: None,
            });
        }
        let general: Vec<&KeyedNode> = fields
            .entries
            .iter()
            .filter(|e| about_values.contains(&e.key.as_str()))
            .collect();
        if let (Some(entry), true) = (general.first(), sensitive.is_empty() && !with_partner) {
            let text = format!(
                "`{}` needs a sensitive column, and none is declared",
                entry.node.path
            );
            let hint = "give a column role = \"sensitive\", or remove the constraint";
            return Err(entry.place.problem(ProblemCode::NoSensitive, text, hint));
        }
        let overrides = overrides(&fields, &sensitive, &about_values)?;
        for (index, column) in sensitive.iter().enumerate() {
            let own = overrides
                .iter()
                .find(|(name, _)| *name == column.spec.name)
                .map_or(&[][..], |(_, own)| own);
            for entry in merged(&general, own) {
                for rule in rules(self.catalogue, entry)? {
                    check_distance(entry, &rule, column)?;
                    promises.push(about(rule, Attribute::Column(index)));
                }
            }
        }
        promises.extend(self.joint(&fields, &general, sensitive.len())?);
        if promises.is_empty() {
            let hint = "add at least k, such as k = 5";
            return Err(self.section.problem(
                ProblemCode::NothingPromised,
                "[privacy] promises nothing",
                hint,
            ));
        }
        // those about rows first, then the others in a fixed order, so that two policies that say
        // the same compare as equal
        let mut rules_in_general = about_rows;
        for key in about_values {
            for entry in general.iter().filter(|entry| entry.key == key) {
                rules_in_general.extend(rules(self.catalogue, entry)?);
            }
        }
        Ok(Privacy {
            m,
            semantics,
            promises,
            general: rules_in_general,
            rows: person::read_rows(&fields)?,
            knows: person::read_knows(&fields)?,
        })
    }

    /// All keys of the section, in the order in which a message lists them.
    fn keys(&self) -> Vec<&'static str> {
        let mut keys = vec![keys::privacy::M];
        keys.extend(self.catalogue.keys(true));
        keys.extend(self.catalogue.keys(false));
        keys.extend([
            keys::privacy::SEMANTICS,
            keys::privacy::SITE_DIVERSITY,
            keys::privacy::JOINT,
            keys::privacy::ROWS,
            keys::privacy::KNOWS,
            keys::privacy::SENSITIVE,
        ]);
        keys
    }

    fn rules_about_rows(&self, fields: &Fields<'_>) -> Result<Vec<Rule>, Problem> {
        let mut found = Vec::new();
        for key in self.catalogue.keys(true) {
            if let Some(entry) = fields.entry(key) {
                found.extend(rules(self.catalogue, entry)?);
            }
        }
        Ok(found)
    }

    /// What `joint = true` adds: what is promised of all sensitive attributes together.
    fn joint(
        &self,
        fields: &Fields<'_>,
        general: &[&KeyedNode],
        sensitive: usize,
    ) -> Result<Vec<Promise>, Problem> {
        let Some(node) = fields.get(keys::privacy::JOINT) else {
            return Ok(Vec::new());
        };
        if !node.boolean()? {
            return Ok(Vec::new());
        }
        if sensitive < 2 {
            let text = format!(
                "`privacy.joint` needs two or more sensitive columns, there are {sensitive}"
            );
            return Err(node.problem(ProblemCode::NoSensitive, text, "take `joint` out"));
        }
        let mut promises = Vec::new();
        for entry in general {
            for rule in rules(self.catalogue, entry)? {
                if is_joint(rule.kind()) {
                    promises.push(about(rule, Attribute::Joint));
                }
            }
        }
        if promises.is_empty() {
            let mut keys: Vec<String> = Vec::new();
            for kind in self.catalogue.kinds().filter(|kind| is_joint(*kind)) {
                let key = format!("`privacy.{}`", kind.policy().key);
                if !keys.contains(&key) {
                    keys.push(key);
                }
            }
            let text = format!("`privacy.joint` adds nothing without {}", keys.join(" or "));
            let hint = "add one of them, or take `joint` out";
            return Err(node.problem(ProblemCode::UselessKey, text, hint));
        }
        Ok(promises)
    }
}

fn is_joint(kind: &dyn ConstraintKind) -> bool {
    kind.about() == About::Values { joint: true }
}

fn semantics(fields: &Fields<'_>) -> Result<Semantics, Problem> {
    let strict = fields
        .get(keys::privacy::SEMANTICS)
        .map_or(Ok(false), |node| {
            node.choice(&[("victim", false), ("strict", true)])
        })?;
    let site_diversity = fields
        .get(keys::privacy::SITE_DIVERSITY)
        .map(|node| node.whole(1))
        .transpose()?;
    match (strict, fields.get(keys::privacy::SITE_DIVERSITY)) {
        (true, _) => Ok(Semantics::Strict {
            site_diversity: site_diversity.unwrap_or(1),
        }),
        (false, None) => Ok(Semantics::Victim),
        (false, Some(node)) => {
            let text = "`privacy.site_diversity` goes with strict semantics only";
            let hint = "add semantics = \"strict\", or take `site_diversity` out";
            Err(node.problem(ProblemCode::Contradiction, text, hint))
        }
    }
}

/// The entries of each `[privacy.sensitive.NAME]`, by column.
fn overrides<'a>(
    fields: &Fields<'a>,
    sensitive: &[&DeclaredColumn],
    known: &[&str],
) -> Result<Vec<(&'a str, &'a [KeyedNode])>, Problem> {
    let Some(node) = fields.get(keys::privacy::SENSITIVE) else {
        return Ok(Vec::new());
    };
    let one = |entry: &'a KeyedNode| {
        let names = || sensitive.iter().map(|c| c.spec.name.as_str());
        if !names().any(|name| name == entry.key) {
            let text = format!(
                "[privacy.sensitive.{}]: no sensitive column of that name",
                entry.key
            );
            let close = closest(&entry.key, names())
                .map_or(String::new(), |name| format!("did you mean `{name}`? "));
            let hint = format!(
                "{close}sensitive columns: {}",
                names().collect::<Vec<_>>().join(", ")
            );
            return Err(entry.place.problem(ProblemCode::NoSensitive, text, hint));
        }
        Ok((entry.key.as_str(), entry.node.fields(known)?.entries))
    };
    node.entries()?.iter().map(one).collect()
}

/// What `[privacy]` says, with a column's own words in place of it, then what only the column says.
fn merged<'a>(general: &[&'a KeyedNode], own: &'a [KeyedNode]) -> Vec<&'a KeyedNode> {
    let of_column = |key: &str| own.iter().find(|entry| entry.key == key);
    let mut all: Vec<&KeyedNode> = general
        .iter()
        .map(|entry| of_column(&entry.key).unwrap_or(*entry))
        .collect();
    all.extend(
        own.iter()
            .filter(|entry| general.iter().all(|other| other.key != entry.key)),
    );
    all
}

/// The rules that a key of the section asks for.
fn rules(catalogue: Catalogue, entry: &KeyedNode) -> Result<Vec<Rule>, Problem> {
    let kinds: Vec<&'static dyn ConstraintKind> = catalogue.with_key(&entry.key).collect();
    let mut variants = Vec::new();
    for kind in &kinds {
        variants.extend(kind.policy().variant);
    }
    if variants.is_empty() {
        return kinds.iter().map(|kind| rule(*kind, &entry.node)).collect();
    }
    let node = &entry.node;
    let written = match &node.value {
        Value::Table(written) if !written.is_empty() => node.fields(&variants)?.entries,
        _ => return Err(incomplete(node, &kinds)),
    };
    let mut found = Vec::new();
    for variant in written {
        for kind in &kinds {
            if kind.policy().variant == Some(&variant.key) {
                found.push(rule(*kind, &variant.node)?);
            }
        }
    }
    Ok(found)
}

/// The rule of one constraint: a value for its only parameter, or a table of several.
fn rule(kind: &'static dyn ConstraintKind, node: &Node) -> Result<Rule, Problem> {
    let parameters = kind.parameters();
    if let [parameter] = parameters {
        let rule = made(kind, &[number(parameter, node)?]);
        rule.check().map_err(|error| node.parameter(&error))?;
        return Ok(rule);
    }
    if kind.policy().variant.is_none() && !matches!(node.value, Value::Table(_)) {
        return Err(incomplete(node, &[kind]));
    }
    let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name).collect();
    let fields = node.fields(&names)?;
    let mut values = Vec::new();
    let mut numbers = Vec::new();
    for parameter in parameters {
        if parameter.form == ParameterForm::Distance {
            values.push(ParameterValue::Distance(Distance::default()));
            continue;
        }
        let name = parameter.name;
        let example = format!("{name}, such as {name} = {}", parameter.example);
        let field = fields.require(name, &example)?;
        values.push(number(parameter, field)?);
        numbers.push(field);
    }
    // where there is one number, it is the one that is out of range
    let place = match numbers[..] {
        [only] => only,
        _ => node,
    };
    made(kind, &values)
        .check()
        .map_err(|error| place.parameter(&error))?;
    for (value, parameter) in values.iter_mut().zip(parameters) {
        if parameter.form == ParameterForm::Distance
            && let Some(field) = fields.get(parameter.name)
        {
            let choices = Distance::ALL.map(|distance| (distance.name(), distance));
            *value = ParameterValue::Distance(field.choice(&choices)?);
        }
    }
    Ok(made(kind, &values))
}

fn made(kind: &'static dyn ConstraintKind, values: &[ParameterValue]) -> Rule {
    Rule::new(kind, values).expect("a value of its form was read for each parameter")
}

/// What a number is set to.
fn number(parameter: &ParameterSpec, node: &Node) -> Result<ParameterValue, Problem> {
    match parameter.form {
        ParameterForm::Whole { least } => Ok(ParameterValue::Whole(node.whole(least)?)),
        _ => Ok(ParameterValue::Ratio(node.ratio()?)),
    }
}

/// A key whose value leaves open what the constraints that share it ask for.
fn incomplete(node: &Node, kinds: &[&'static dyn ConstraintKind]) -> Problem {
    let keys: Vec<_> = kinds.iter().map(|kind| kind.policy()).collect();
    let asks = keys.first().map_or("", |key| key.asks);
    let text = format!("`{}` must say {asks}", node.path);
    let mut examples: Vec<&str> = keys.iter().map(|key| key.example).collect();
    let last = examples.pop().unwrap_or_default();
    let hint = match examples[..] {
        [] => format!("write {last}"),
        _ => format!("write {} or {last}", examples.join(", ")),
    };
    node.problem(ProblemCode::WrongValue, text, hint)
}

/// A hierarchical distance without a hierarchy is known to fail before any table is read.
fn check_distance(entry: &KeyedNode, rule: &Rule, column: &DeclaredColumn) -> Result<(), Problem> {
    let has_hierarchy = matches!(
        column.hierarchy,
        Some(DeclaredHierarchy::File(..) | DeclaredHierarchy::Made(_))
    );
    if rule.distance() == Some(Distance::Hierarchical) && !has_hierarchy {
        let name = &column.spec.name;
        let text = format!("the hierarchical distance needs a hierarchy, column `{name}` has none");
        let hint =
            format!("add hierarchy = \"…\" to [columns.{name}], or use distance = \"equal\"");
        return Err(entry.place.problem(ProblemCode::Contradiction, text, hint));
    }
    Ok(())
}

fn about(rule: Rule, attribute: Attribute) -> Promise {
    Promise {
        rule,
        attribute: Some(attribute),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PolicyText;
    use mingle_model::ColumnSpec;
    use mingle_privacy::{Ratio, toy};

    fn read(catalogue: Catalogue, text: &str) -> Result<Privacy, Problem> {
        let source = PolicyText::file("policy.toml".to_owned(), text.to_owned());
        let section = Node::parse(&source)?;
        let column = |name: &str| DeclaredColumn {
            spec: ColumnSpec::new(name, Role::Sensitive),
            hierarchy: None,
            domain: None,
            optional: false,
            separator: None,
        };
        let columns = [column("disease"), column("income")];
        let reader = Reader {
            catalogue,
            section: &section,
        };
        reader.read(&columns, false)
    }

    #[test]
    fn a_toy_constraint_is_read() {
        let privacy = read(
            toy::CATALOGUE,
            "toy = { rows = 3, factor = 1.5 }\njoint = true\nk = 2\n\
             [sensitive.income]\ntoy = { rows = 4, factor = 2 }",
        )
        .unwrap();
        let three = toy::rule(3, Ratio::new(3, 2).unwrap());
        let expected = [
            (Rule::k_anonymity(mingle_privacy::K(2)), None),
            (three, Some(Attribute::Column(0))),
            (toy::rule(4, Ratio::from(2)), Some(Attribute::Column(1))),
            (three, Some(Attribute::Joint)),
        ];
        let found: Vec<_> = privacy
            .promises
            .iter()
            .map(|promise| (promise.rule, promise.attribute))
            .collect();
        assert_eq!(found, expected);
        assert_eq!(privacy.general, [expected[0].0, three]);
    }

    #[test]
    fn a_toy_constraint_is_asked_for_properly() {
        let problem = |text| format!("{:?}", read(toy::CATALOGUE, text).unwrap_err());
        for (text, expected) in [
            ("toy = 3", "must say how many rows and by which factor"),
            ("toy = 3", "write { rows = 3, factor = 1.5 }"),
            ("toy = { rows = 3 }", "add factor, such as factor = 1.5"),
            ("toy = { rows = 3, factor = 101 }", "at most 100"),
            ("tow = { rows = 3 }", "did you mean `toy`?"),
        ] {
            assert!(
                problem(text).contains(expected),
                "{text}: {}",
                problem(text)
            );
        }
        let unknown = read(Catalogue::standard(), "toy = 3").unwrap_err();
        assert!(format!("{unknown:?}").contains("unknown key"));
    }
}
