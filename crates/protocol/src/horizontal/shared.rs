//! What all providers declare before anybody looks at a row, and one provider's rows in its terms.
//!
//! Cells, cuts and labels must not depend on who is in the table, and neither may the list of
//! values: every column is read through its declared domain. A value that is not declared is an
//! error, since leaving its row out silently would make the table a lie.

use crate::error::Error;
use mingle_model::{Code, Column, ColumnSpec, Domain, Kind, Missing, Number, Role, Table};
use mingle_privacy::Attribute;
use sha2::{Digest, Sha256};
use std::collections::HashMap;

/// Combinations of sensitive values beyond this make the vector of totals too long.
const MOST_COMBINATIONS: usize = 1 << 16;

/// A column with its declared values: public, the same at every provider.
#[derive(Clone)]
pub struct SharedColumn {
    /// Its name, role and hierarchy.
    pub spec: ColumnSpec,
    /// Its declared values.
    pub domain: Domain,
}

impl SharedColumn {
    /// A column with exactly these values.
    pub fn declare(
        spec: ColumnSpec,
        values: &[String],
        missing: &Missing,
    ) -> Result<SharedColumn, Error> {
        if values.is_empty() {
            return Err(undeclared(&spec.name));
        }
        let texts = values.iter().map(String::as_str);
        let column = Column::from_texts(spec, texts, missing)?;
        Ok(SharedColumn {
            spec: column.spec,
            domain: column.domain,
        })
    }

    /// A digest of the values in their order.
    pub(crate) fn values_digest(&self) -> [u8; 32] {
        let mut hash = Sha256::new_with_prefix(b"mingle declared values\0");
        hash.update([u8::from(self.domain.is_ordered())]);
        for code in 0..self.domain.len() as Code {
            hash_text(&mut hash, self.domain.text(code));
            hash.update([u8::from(self.domain.missing() == Some(code))]);
        }
        hash.finalize().into()
    }

    /// A digest of what stands above each value.
    pub(crate) fn hierarchy_digest(&self) -> [u8; 32] {
        let mut hash = Sha256::new_with_prefix(b"mingle hierarchy\0");
        for code in 0..self.domain.len() as Code {
            let Some(path) = self.domain.path(code) else {
                return [0; 32];
            };
            hash.update((path.len() as u64).to_le_bytes());
            for label in &path {
                hash_text(&mut hash, label);
            }
        }
        hash.finalize().into()
    }
}

fn hash_text(hash: &mut Sha256, text: &str) {
    hash.update((text.len() as u64).to_le_bytes());
    hash.update(text);
}

fn undeclared(column: &str) -> Error {
    Error::Column(format!(
        "column {column} declares no values: between providers every published column needs its \
         possible values in the policy, as a list, a hierarchy file, or bounds and a step"
    ))
}

/// All columns of the joint table.
#[derive(Clone)]
pub struct SharedSchema {
    quasi_identifiers: Vec<SharedColumn>,
    sensitive: Vec<SharedColumn>,
    combinations: usize,
    missing: Missing,
}

impl SharedSchema {
    /// The columns in the policy's order, and what stands for a missing value.
    pub fn new(columns: Vec<SharedColumn>, missing: Missing) -> Result<SharedSchema, Error> {
        let (mut quasi_identifiers, mut sensitive) = (Vec::new(), Vec::new());
        for column in columns {
            if column.domain.is_empty() {
                return Err(undeclared(&column.spec.name));
            }
            match column.spec.role {
                Role::QuasiIdentifier => quasi_identifiers.push(column),
                Role::Sensitive => sensitive.push(column),
                _ => return Err(rides_along(&column.spec.name)),
            }
        }
        if quasi_identifiers.is_empty() {
            return Err(Error::Column(
                "there is no quasi-identifier to cut".to_owned(),
            ));
        }
        let mut combinations = 1usize;
        for column in &sensitive {
            combinations = combinations.saturating_mul(column.domain.len());
        }
        if combinations > MOST_COMBINATIONS {
            return Err(Error::Column(format!(
                "the sensitive columns have more than {MOST_COMBINATIONS} combinations of declared values"
            )));
        }
        Ok(SharedSchema {
            quasi_identifiers,
            sensitive,
            combinations,
            missing,
        })
    }

    /// No columns: for runs that have declarations of their own.
    pub(crate) fn none() -> SharedSchema {
        SharedSchema {
            quasi_identifiers: Vec::new(),
            sensitive: Vec::new(),
            combinations: 1,
            missing: Missing::default(),
        }
    }

    /// What stands for a missing value.
    pub(crate) fn missing(&self) -> &Missing {
        &self.missing
    }

    /// The columns that are cut.
    pub fn quasi_identifiers(&self) -> &[SharedColumn] {
        &self.quasi_identifiers
    }

    /// The columns whose values are published in each group.
    pub fn sensitive(&self) -> &[SharedColumn] {
        &self.sensitive
    }

    /// How many combinations of sensitive values can be; one where there is no sensitive column.
    pub fn combinations(&self) -> usize {
        self.combinations
    }

    /// The codes of a combination, one per sensitive column.
    pub(crate) fn codes_of(&self, combination: u32) -> Vec<Code> {
        let mut rest = combination as usize;
        let mut codes = vec![0; self.sensitive.len()];
        for (code, column) in codes.iter_mut().zip(&self.sensitive).rev() {
            *code = (rest % column.domain.len()) as Code;
            rest /= column.domain.len();
        }
        codes
    }

    /// What a combination has of a sensitive attribute, as one of the l values of a promise; `None`
    /// where that is missing, which says nothing about a person and is none of them.
    pub(crate) fn diverse_value(&self, combination: u32, attribute: Attribute) -> Option<u32> {
        let codes = self.codes_of(combination);
        let is_missing = |at: usize| self.sensitive[at].domain.missing() == Some(codes[at]);
        match attribute {
            Attribute::Column(at) => (!is_missing(at)).then(|| codes[at]),
            Attribute::Joint => {
                let is_whole = !(0..codes.len()).any(is_missing);
                is_whole.then_some(combination)
            }
        }
    }

    /// All columns, quasi-identifiers first.
    pub(crate) fn columns(&self) -> impl Iterator<Item = &SharedColumn> {
        self.quasi_identifiers.iter().chain(&self.sensitive)
    }
}

fn rides_along(column: &str) -> Error {
    Error::Column(format!(
        "column {column} is neither a quasi-identifier nor sensitive: what rides along by row \
         cannot be published as a sum of counts, so leave it out of the joint table"
    ))
}

/// One provider's rows as codes of the declared domains. No `Debug`: it is the data.
pub struct OwnRows {
    /// Per quasi-identifier a code per row.
    pub(crate) quasi_identifiers: Vec<Vec<Code>>,
    /// Per row its combination of sensitive values.
    pub(crate) combinations: Vec<u32>,
}

impl OwnRows {
    /// Reads a table through the declared domains.
    pub fn encode(schema: &SharedSchema, table: &Table) -> Result<OwnRows, Error> {
        if let Some(column) = table.with_role(Role::Insensitive).next() {
            return Err(rides_along(&column.spec.name));
        }
        let rows = table.rows();
        let mut quasi_identifiers = Vec::new();
        for shared in &schema.quasi_identifiers {
            quasi_identifiers.push(read(shared, table)?);
        }
        let mut combinations = vec![0u32; rows];
        for shared in &schema.sensitive {
            let codes = read(shared, table)?;
            for (combination, code) in combinations.iter_mut().zip(codes) {
                *combination = *combination * shared.domain.len() as u32 + code;
            }
        }
        Ok(OwnRows {
            quasi_identifiers,
            combinations,
        })
    }

    /// No rows of no columns: for runs that bring records of their own.
    pub(crate) fn none() -> OwnRows {
        OwnRows {
            quasi_identifiers: Vec::new(),
            combinations: Vec::new(),
        }
    }

    /// Rows given as codes: per row the quasi-identifiers' and then the sensitive columns'.
    pub fn from_codes(schema: &SharedSchema, rows: &[Vec<Code>]) -> Result<OwnRows, Error> {
        let mut quasi_identifiers = vec![Vec::new(); schema.quasi_identifiers.len()];
        let mut combinations = Vec::with_capacity(rows.len());
        for row in rows {
            let mut combination = 0u32;
            if row.len() != schema.columns().count() {
                return Err(Error::Defect("not one code per column"));
            }
            for (at, (column, &code)) in schema.columns().zip(row).enumerate() {
                if code as usize >= column.domain.len() {
                    return Err(Error::Defect("a code that is not declared"));
                }
                match quasi_identifiers.get_mut(at) {
                    Some(codes) => codes.push(code),
                    None => combination = combination * column.domain.len() as u32 + code,
                }
            }
            combinations.push(combination);
        }
        Ok(OwnRows {
            quasi_identifiers,
            combinations,
        })
    }

    /// A row's quasi-identifiers.
    pub(crate) fn labels(&self, row: usize) -> Vec<Code> {
        let mut labels = Vec::with_capacity(self.quasi_identifiers.len());
        for column in &self.quasi_identifiers {
            labels.push(column[row]);
        }
        labels
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.combinations.len()
    }

    /// Whether the provider has no rows.
    pub fn is_empty(&self) -> bool {
        self.combinations.is_empty()
    }

    /// Hides the rows behind a nonce, in no order of theirs.
    pub(crate) fn commitment(&self, nonce: &[u8; 32]) -> [u8; 32] {
        let mut rows: Vec<Vec<u32>> = Vec::with_capacity(self.len());
        for row in 0..self.len() {
            let mut codes: Vec<u32> = self.quasi_identifiers.iter().map(|c| c[row]).collect();
            codes.push(self.combinations[row]);
            rows.push(codes);
        }
        rows.sort_unstable();
        let mut hash = Sha256::new_with_prefix(b"mingle committed rows\0").chain_update(nonce);
        hash.update((rows.len() as u64).to_le_bytes());
        for code in rows.iter().flatten() {
            hash.update(code.to_le_bytes());
        }
        hash.finalize().into()
    }
}

/// A column of the table as codes of the declared domain.
fn read(shared: &SharedColumn, table: &Table) -> Result<Vec<Code>, Error> {
    let name = &shared.spec.name;
    let Some(column) = table.columns.iter().find(|c| c.spec.name == *name) else {
        return Err(Error::Column(format!("the table has no column {name}")));
    };
    let (mut by_text, mut by_number) = (HashMap::new(), HashMap::new());
    for code in 0..shared.domain.len() as Code {
        by_text.insert(shared.domain.text(code), code);
        if let Some(number) = shared.domain.number(code) {
            by_number.insert(number, code);
        }
    }
    let mut map: Vec<Option<Code>> = Vec::with_capacity(column.domain.len());
    for code in 0..column.domain.len() as Code {
        if column.domain.missing() == Some(code) {
            map.push(shared.domain.missing());
            continue;
        }
        let text = column.domain.text(code);
        let mut found = by_text.get(text).copied();
        if found.is_none() && matches!(shared.domain.kind(), Kind::Integer | Kind::Decimal) {
            // 5 and 5.0 are the same number
            let number = Number::parse(text).and_then(|n| n.at_scale(shared.domain.scale()));
            found = number.and_then(|number| by_number.get(&number).copied());
        }
        map.push(found);
    }
    let mut codes = Vec::with_capacity(table.rows());
    for row in 0..table.rows() {
        match map[column.codes.get(row) as usize] {
            Some(code) => codes.push(code),
            None => {
                let row = row + 1;
                return Err(Error::Column(format!(
                    "row {row}, column {name}: a value that the policy does not declare; declare \
                     it at every provider, or mend the row"
                )));
            }
        }
    }
    Ok(codes)
}
