//! Recognising what a column is: from its values where they have a shape, from the words of its
//! name otherwise.
//!
//! Values are looked at as counts: which share of them has the shape of a date or of an ICD code.
//! None is kept. Where a column has very many values, a fixed choice of them is looked at, the same
//! on every machine. Names are hints, not knowledge; in doubt the safer meaning comes first, so the
//! order of the recognisers below is the order of their danger: what names a person, then what is
//! nobody's business, then what others know.
//!
//! Each group of recognisers is a file: a list of words, shapes of values, and one function from
//! [`SeenFacts`] to a [`Recognition`], or `None` for a column that is something else.

mod bands;
mod check_digits;
mod circumstances;
mod dates;
mod demographics;
mod facts;
mod keys;
mod medical;
mod network;
mod people;
mod places;
mod plain;
mod sensitive;
mod text;
mod weights;

pub use demographics::is_work;
pub use facts::{SeenFacts, split_into_words};

/// What a column is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// A number or code that stands for a person, a visit, a case.
    Key,
    /// Names of people.
    PersonName,
    /// E-mail addresses.
    Email,
    /// Telephone numbers.
    Phone,
    /// Where a person lives or works, to the house.
    Address,
    /// Numbers of accounts, insurances, licences.
    AccountNumber,
    /// Addresses of machines.
    NetworkAddress,
    /// Addresses of pages.
    WebAddress,
    /// Who contributed the row.
    Provider,
    /// Sentences.
    FreeText,
    /// How many people a row of a sample stands for.
    SamplingWeight,
    /// The same value in every row.
    Constant,
    /// Hardly any values.
    MostlyMissing,
    /// A measurement that is nearly each row's own.
    Fingerprint,
    /// Numbers or days that providers do not write in the same way.
    WrittenDifferently,
    /// What somebody has: codes or names of diseases.
    Diagnosis,
    /// What somebody takes.
    Medication,
    /// What was done to somebody.
    Procedure,
    /// What was measured, and what came out.
    Laboratory,
    /// Income and wealth.
    Money,
    /// Something else that nobody may learn: religion, votes, marks.
    Sensitive,
    /// Ages, in years or bands.
    Age,
    /// When somebody was born.
    BirthDate,
    /// Postcodes.
    Postcode,
    /// Something else that neighbours and colleagues know: sex, origin, education, family, work.
    Demographic,
    /// Days on which something happened.
    Date,
    /// What those know who were there: a ward, a plan, a class.
    Circumstance,
    /// How many of something.
    Count,
    /// Ranges of numbers.
    Band,
    /// A number, whatever it is.
    Number,
    /// One of a list, whatever it is.
    Category,
}

impl Meaning {
    /// The word used in comments and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Meaning::Key => "key",
            Meaning::PersonName => "person-name",
            Meaning::Email => "e-mail",
            Meaning::Phone => "phone",
            Meaning::Address => "address",
            Meaning::AccountNumber => "account-number",
            Meaning::NetworkAddress => "network-address",
            Meaning::WebAddress => "web-address",
            Meaning::Provider => "provider",
            Meaning::FreeText => "free-text",
            Meaning::SamplingWeight => "sampling-weight",
            Meaning::Constant => "constant",
            Meaning::MostlyMissing => "mostly-missing",
            Meaning::Fingerprint => "fingerprint",
            Meaning::WrittenDifferently => "written-differently",
            Meaning::Diagnosis => "diagnosis",
            Meaning::Medication => "medication",
            Meaning::Procedure => "procedure",
            Meaning::Laboratory => "laboratory",
            Meaning::Money => "money",
            Meaning::Sensitive => "sensitive",
            Meaning::Age => "age",
            Meaning::BirthDate => "birth-date",
            Meaning::Postcode => "postcode",
            Meaning::Demographic => "demographic",
            Meaning::Date => "date",
            Meaning::Circumstance => "circumstance",
            Meaning::Count => "count",
            Meaning::Band => "band",
            Meaning::Number => "number",
            Meaning::Category => "category",
        }
    }

    /// What is to be done with such a column.
    pub fn treatment(self) -> Treatment {
        match self {
            Meaning::Key
            | Meaning::PersonName
            | Meaning::Email
            | Meaning::Phone
            | Meaning::Address
            | Meaning::AccountNumber
            | Meaning::NetworkAddress
            | Meaning::WebAddress
            | Meaning::Provider => Treatment::NamesSomebody,
            Meaning::FreeText | Meaning::SamplingWeight | Meaning::Constant => Treatment::Drop,
            Meaning::MostlyMissing | Meaning::Fingerprint | Meaning::WrittenDifferently => {
                Treatment::Decide
            }
            Meaning::Diagnosis
            | Meaning::Medication
            | Meaning::Procedure
            | Meaning::Laboratory
            | Meaning::Money
            | Meaning::Sensitive => Treatment::NobodyMayLearn,
            Meaning::Age | Meaning::BirthDate | Meaning::Postcode | Meaning::Demographic => {
                Treatment::MostPeopleKnow
            }
            Meaning::Date | Meaning::Circumstance => Treatment::SomeKnow,
            Meaning::Band | Meaning::Number | Meaning::Category => Treatment::SomeMayKnow,
            Meaning::Count => Treatment::FewKnow,
        }
    }
}

/// What is to be done with a column, from the safest to the least.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Treatment {
    /// An identifier.
    NamesSomebody,
    /// Not published, and nobody will miss it.
    Drop,
    /// Not published, unless somebody decides otherwise.
    Decide,
    /// Sensitive.
    NobodyMayLearn,
    /// A quasi-identifier before all others.
    MostPeopleKnow,
    /// A quasi-identifier of those who were there.
    SomeKnow,
    /// A quasi-identifier because nothing says otherwise.
    SomeMayKnow,
    /// A quasi-identifier if there is room for it.
    FewKnow,
}

/// What a column was recognised as, and by what. No value of it is in here.
#[derive(Clone, Debug)]
pub struct Recognition {
    /// What it is.
    pub meaning: Meaning,
    /// Why, as a part of a sentence.
    pub why: String,
    /// Its place among columns of the same treatment: the smallest comes first.
    pub rank: usize,
    /// How its values shorten, where they are codes that say less by their first characters.
    pub prefixes: Option<&'static [usize]>,
}

impl Recognition {
    fn new(meaning: Meaning, why: impl Into<String>) -> Recognition {
        Recognition {
            meaning,
            why: why.into(),
            rank: 0,
            prefixes: None,
        }
    }

    /// Leaves a column that would be published to whoever can say how it is written.
    pub(super) fn leave_to_decide(&mut self, why: String) {
        if self.meaning.treatment() > Treatment::Decide {
            *self = Recognition::new(Meaning::WrittenDifferently, why);
        }
    }

    fn ranked(mut self, rank: usize) -> Recognition {
        self.rank = rank;
        self
    }

    fn shortened(mut self, prefixes: &'static [usize]) -> Recognition {
        self.prefixes = Some(prefixes);
        self
    }
}

/// Whether a column is one that does not change in a life, by its name: sex, and day or year of
/// birth.
pub fn cannot_change(name: &str) -> bool {
    let words = split_into_words(name);
    let has = |list: &[&'static str]| facts::word_of(&words, list).is_some();
    let other = has(dates::NOT_WHEN_BORN) || has(dates::NOT_BORN);
    has(demographics::SEX) || (has(dates::BIRTH) && !other)
}

/// What a column is. Something always fits: in the end it is a number or a category.
pub fn recognise(facts: &SeenFacts<'_>) -> Recognition {
    type Recogniser = fn(&SeenFacts<'_>) -> Option<Recognition>;
    let recognisers: [Recogniser; 20] = [
        plain::constant,
        network::recognise,
        people::contact,
        check_digits::recognise,
        keys::by_name,
        people::name,
        weights::recognise,
        text::recognise,
        people::provider,
        plain::mostly_missing,
        dates::recognise,
        bands::recognise,
        plain::count,
        medical::recognise,
        sensitive::recognise,
        places::recognise,
        demographics::recognise,
        circumstances::recognise,
        keys::by_values,
        text::by_counts,
    ];
    for recogniser in recognisers {
        if let Some(recognition) = recogniser(facts) {
            return recognition;
        }
    }
    plain::anything(facts)
}
