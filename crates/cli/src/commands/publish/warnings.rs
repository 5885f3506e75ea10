//! What a steward should know before handing a release out, though nothing is wrong with it.

use crate::explain::Code;
use crate::message::Problem;
use crate::policy::Policy;
use crate::tables::Original;
use mingle_model::{Column, Role};

/// An insensitive column with more distinct values than this can single people out; in small tables fewer are enough.
const MANY: usize = 100;

/// All warnings about a table, in a fixed order.
pub fn of(policy: &Policy, original: &Original) -> Vec<Problem> {
    let mut warnings: Vec<Problem> = original.repeated_identifiers.iter().map(repeated).collect();
    warnings.extend(original.table.with_role(Role::Insensitive).filter_map(revealing));
    let sensitive = policy.with_role(Role::Sensitive).count();
    if sensitive > 1 {
        let text =
            format!("{sensitive} sensitive columns in one table: who knows one value can narrow down the others");
        let hint = "publish them in separate releases only after checking these together; see MG0503";
        warnings.push(Problem::new(Code::BackgroundJoin, text, hint));
    }
    if policy.with_role(Role::QuasiIdentifier).next().is_none() {
        let text = "no column is a quasi-identifier, so nothing is generalized";
        let hint = "give role = \"quasi-identifier\" to what others may know, such as age or ZIP code";
        warnings.push(Problem::new(Code::NoQuasiIdentifiers, text, hint));
    }
    warnings
}

fn repeated((column, rows): &(String, u64)) -> Problem {
    let text = format!("column {column:?}: {rows} row(s) repeat an identifier, but each row is taken to be one person");
    Problem::new(Code::RepeatedIdentifier, text, "merge the rows of a person, or k counts one person several times")
}

fn revealing(column: &Column) -> Option<Problem> {
    let distinct = column.domain.len();
    let many = distinct > MANY || (distinct > 10 && distinct * 10 > column.codes.len());
    many.then(|| {
        let text = format!("column {:?} is published unchanged and has {distinct} distinct values", column.spec.name);
        Problem::new(
            Code::RevealingColumn,
            text,
            "make it a quasi-identifier or an identifier if it can single out people",
        )
    })
}
