//! What is measured: tables, columns, promises.

use std::fmt::Write;
use std::path::{Path, PathBuf};

/// A table and a policy for it.
#[derive(Clone)]
pub struct TableSetting {
    /// How it is called in the tables.
    pub name: &'static str,
    /// The table.
    pub table: PathBuf,
    /// Quasi-identifiers, each with its hierarchy as the policy writes it.
    pub quasi_identifiers: Vec<(&'static str, Option<String>)>,
    /// The sensitive column, if the promises need one.
    pub sensitive: Option<&'static str>,
    /// The lines of `[privacy]`.
    pub promises: String,
    /// The column that says who contributed a row.
    pub provider: Option<&'static str>,
}

/// What is known about people in Adult; the first seven are used where others are sensitive.
pub const NINE: [&str; 9] = [
    "age",
    "workclass",
    "education",
    "marital_status",
    "race",
    "sex",
    "native_country",
    "occupation",
    "income",
];
/// What is known about people in the Los Angeles census.
pub const IPUMS: [&str; 9] = [
    "age", "sex", "raceg", "marst", "educrec", "bplg", "classwkg", "relateg", "ind1950",
];

/// What is known about people in the hospital encounters.
pub const ENCOUNTERS: [&str; 8] = [
    "race",
    "gender",
    "age",
    "admission_type_id",
    "discharge_disposition_id",
    "admission_source_id",
    "time_in_hospital",
    "medical_specialty",
];

/// The Adult hierarchies that ARX ships; age stays a plain number.
fn adult(data: &Path, columns: &[&'static str]) -> Vec<(&'static str, Option<String>)> {
    let file = |c: &str| {
        format!(
            "{:?}",
            data.join("hierarchies/adult_arx").join(format!("{c}.csv"))
        )
    };
    columns
        .iter()
        .map(|&c| (c, (c != "age").then(|| file(c))))
        .collect()
}

fn plain(columns: &[&'static str]) -> Vec<(&'static str, Option<String>)> {
    columns.iter().map(|&c| (c, None)).collect()
}

/// Adult as the field measures it: nine quasi-identifiers, k = 5.
pub fn adult_nine(data: &Path) -> TableSetting {
    TableSetting {
        name: "Adult, 9 quasi-identifiers, k = 5",
        table: data.join("adult/adult_train_clean.csv"),
        quasi_identifiers: adult(data, &NINE),
        sensitive: None,
        promises: "k = 5".to_owned(),
        provider: None,
    }
}

/// Adult with a provider column, as the m-privacy paper publishes it: k = 30, l = 4.
pub fn adult_of_providers(data: &Path, table: PathBuf, insiders: &str) -> TableSetting {
    TableSetting {
        name: "Adult, 45,222 rows",
        table,
        quasi_identifiers: adult(data, &NINE[..7]),
        sensitive: Some("occupation"),
        promises: format!("{insiders}\nk = 30\nl = {{ distinct = 4 }}"),
        provider: Some("provider"),
    }
}

/// A made-up census with the seven quasi-identifiers of Adult.
pub fn census(data: &Path, table: PathBuf) -> TableSetting {
    TableSetting {
        name: "synth census, 7 quasi-identifiers, k = 5",
        table,
        quasi_identifiers: adult(data, &NINE[..7]),
        sensitive: Some("occupation"),
        promises: "k = 5".to_owned(),
        provider: None,
    }
}

/// All settings whose loss is reported; the made-up tables are in `made`.
pub fn losses(data: &Path, made: &Path) -> Vec<TableSetting> {
    let nine = adult_nine(data);
    let seven = TableSetting {
        name: "Adult, 7 quasi-identifiers, k = 5",
        quasi_identifiers: adult(data, &NINE[..7]),
        ..nine.clone()
    };
    let with = |name, promises: &str| TableSetting {
        name,
        promises: promises.to_owned(),
        sensitive: Some("occupation"),
        ..seven.clone()
    };
    let hospital = [
        ("date_of_birth", None),
        ("sex", None),
        ("zip", Some("{ mask = 5 }".to_owned())),
        (
            "admission_date",
            Some("{ dates = [\"month\", \"quarter\", \"year\", \"decade\"] }".to_owned()),
        ),
    ];
    vec![
        with(
            "Adult, 7, occupation sensitive, k = 10, 3 distinct",
            "k = 10\nl = { distinct = 3 }",
        ),
        with(
            "Adult, 7, occupation sensitive, k = 5, t = 0.2",
            "k = 5\nt = { max = 0.2, distance = \"equal\" }",
        ),
        TableSetting {
            name: "IPUMS Los Angeles 97–99, 9, no hierarchies, k = 5",
            table: data.join("ipums/ipums_la_97_98_99_small_qi.csv"),
            quasi_identifiers: plain(&IPUMS),
            sensitive: None,
            promises: "k = 5".to_owned(),
            provider: None,
        },
        census(data, made.join("census.csv")),
        TableSetting {
            name: "synth hospital, 4 quasi-identifiers, k = 5",
            table: made.join("hospital.csv"),
            quasi_identifiers: hospital.into(),
            sensitive: Some("diagnosis"),
            promises: "k = 5".to_owned(),
            provider: None,
        },
        seven,
        nine,
    ]
}

/// What samples for the proven optimum are drawn from.
pub fn optimum_settings(data: &Path) -> Vec<TableSetting> {
    let nine = adult_nine(data);
    let all_files: Vec<(&'static str, Option<String>)> = NINE[..7]
        .iter()
        .map(|&column| {
            let file = data
                .join("hierarchies/adult_arx")
                .join(format!("{column}.csv"));
            (column, Some(format!("{file:?}")))
        })
        .collect();
    let flat = |column: &'static str| {
        let file = data
            .join("hierarchies/diabetes_flat")
            .join(format!("{column}.csv"));
        (column, Some(format!("{file:?}")))
    };
    vec![
        TableSetting {
            name: "Adult, 7, hierarchies",
            quasi_identifiers: all_files,
            ..nine.clone()
        },
        TableSetting {
            name: "IPUMS, 9, no hierarchies",
            table: data.join("ipums/ipums_la_97_98_99_small_qi.csv"),
            quasi_identifiers: plain(&IPUMS),
            ..nine.clone()
        },
        TableSetting {
            name: "encounters, 8, hierarchies",
            table: data.join("diabetes/diabetic_data.csv.gz"),
            quasi_identifiers: ENCOUNTERS.map(flat).into(),
            ..nine
        },
    ]
}

impl TableSetting {
    /// The policy file for a method.
    pub fn policy(&self, method: &str) -> String {
        let mut text = format!("[data]\npath = {:?}\nundeclared = \"drop\"\n", self.table);
        if let Some(column) = self.provider {
            let _ = writeln!(text, "provider_column = \"{column}\"");
        }
        for (column, hierarchy) in &self.quasi_identifiers {
            let _ = writeln!(text, "[columns.{column}]\nrole = \"quasi-identifier\"");
            if let Some(hierarchy) = hierarchy {
                let _ = writeln!(text, "hierarchy = {hierarchy}");
            }
        }
        if let Some(column) = self.sensitive {
            let _ = writeln!(text, "[columns.{column}]\nrole = \"sensitive\"");
        }
        let _ = writeln!(
            text,
            "[privacy]\n{}\n[method]\nname = \"{method}\"",
            self.promises
        );
        text
    }
}
