//! Every code that the program can say, with what it means and what to do: the one table of
//! messages.
//!
//! Codes are stable: one that is no longer used stays unused.

use crate::Exit;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;

/// Defines [`ProblemCode`] from the table, so that a code without an explanation does not compile.
macro_rules! codes {
    ($($name:ident = $number:literal, $exit:ident, $title:literal, $text:literal;)*) => {
        /// What a message is about.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[allow(missing_docs, clippy::enum_variant_names, reason = "each has a title in the table")]
        pub enum ProblemCode { $($name = $number,)* }

        impl ProblemCode {
            /// All codes, in order of their numbers.
            pub const ALL: &[ProblemCode] = &[$(ProblemCode::$name),*];

            /// What it is, in a few words.
            pub fn title(self) -> &'static str {
                match self { $(ProblemCode::$name => $title,)* }
            }

            /// What it means and what to do.
            pub fn text(self) -> &'static str {
                match self { $(ProblemCode::$name => $text,)* }
            }

            /// How the program ends after it.
            pub fn exit(self) -> Exit {
                match self { $(ProblemCode::$name => Exit::$exit,)* }
            }
        }
    };
}

codes! {
    PolicyUnreadable = 101, Usage, "the policy file cannot be read",
"The file does not exist, you may not read it, or it is not UTF-8 text. Paths on the command line are relative to the current folder; paths inside the policy are relative to the policy.";
    PolicySyntax = 102, Usage, "the policy is not TOML",
"A policy is a TOML file: sections such as [privacy], and lines such as k = 5 or name = \"text\" below them. The message points at the first place that cannot be read. A section or key that occurs twice is also an error, because only one of them could count.";
    UnknownKey = 103, Usage, "the policy has an unknown key",
"An unknown key might be a promise that is not kept, so it is never ignored. The message lists the valid keys at this place, and the one you probably meant.";
    MissingKey = 104, Usage, "a key is missing from the policy",
"Every column needs a role. Some entries need certain keys: a provider its name and path, t its max, recursive its c and l.";
    WrongValue = 105, Usage, "a value of the policy has the wrong form",
"The key takes another kind of value: a string in quotes, a number, true or false, a list [a, b], or a table { key = value }.";
    UnknownWord = 106, Usage, "a value of the policy is not one of the known words",
"Some keys take one of a few words. The message lists them, and the one you probably meant.";
    OutOfRange = 107, Usage, "a number of the policy is out of its range",
"k, l and m are whole numbers. k and l are at least 1, t lies between 0 and 1, max_frequency above 0 and at most 1, max_suppressed between 0 and 1. Numbers are taken exactly as written: 0.2 is one fifth.";
    UselessKey = 108, Usage, "a key of the policy would have no effect",
"For example a hierarchy on an identifier, which is dropped anyway, or an order for numbers, which already have one. A key without effect usually means that you intended something else, so it is refused.";
    Contradiction = 109, Usage, "two keys of the policy contradict each other",
"For example, one table and a table per provider at the same time, or a provider column that is declared as a column to publish. The provider is never published. Or: fragmented = true with an insensitive column, which would join the tables row by row again, or with a column called gid, which is the name of the group number.";
    ListedTwice = 110, Usage, "the policy lists a provider or a table twice",
"Every provider has one table, and every row may enter the release only once. Rows counted twice would make a group look larger than it is.";
    NoSensitive = 111, Usage, "a constraint needs a sensitive column",
"l-diversity, t-closeness and maximum frequency are about columns with role = \"sensitive\". `joint` needs two of them, and [privacy.sensitive.NAME] the name of one.";
    NothingPromised = 112, Usage, "the policy promises nothing",
"A policy without any constraint is always satisfied and promises nothing. Add at least k.";
    SetFlag = 115, Usage, "a --set flag cannot be applied",
"Write --set KEY=VALUE with a dotted key: --set privacy.k=10, --set release.format=parquet, --set 'privacy.l={ entropy = 2.5 }'. Values are TOML; a bare word is taken as a string.";
    NoTables = 116, Usage, "the policy names no table",
"[data] must have `providers`, a list of { name = …, path = … }, or `path`, one table. Only `mingle verify --table` needs neither.";
    Misfit = 117, Usage, "a constraint does not fit the table",
"The ordered distance of t-closeness needs numbers, dates or a category with `order`; the hierarchical distance needs a hierarchy on the sensitive column.";
    PaddedSize = 118, Usage, "padded_size is smaller than the table",
"Both sites' lists of identifiers are padded to this many, so that neither learns how many rows the other has. It must be at least the number of rows, and both sites must say the same number: agree on one a little above the larger table.";
    LeakNotAccepted = 119, Usage, "the synchronizer reveals more than the policy accepts",
"Every synchronizer reveals something to the partner besides the release. L0: only the release, and in which round it was found. L1: one site learns how many people each pair of anonymous classes has in common. L2: both learn the other's classes person by person, each of at least k people. `accept_leak` must be at least what the synchronizer reveals, so that nobody accepts it without reading this.";
    TwoPromises = 120, Usage, "the policy has both [privacy] and [dp]",
"A release protects people by groups ([privacy]: nobody can be singled out within a group) or by noise ([dp]: differential privacy), and the two are made in different ways. Keep the section of what you want to promise. To compare both, keep two policies; `domain` of a column may stand in either.";
    NoDomain = 121, Usage, "a column has no public domain",
"A release with noise must not depend on the data in any other way, not even by the list of its columns' values. So every column that is released needs a domain. It is a list of words (domain = [\"a\", \"b\"]), or bins between bounds (domain = { from = 0, to = 120, width = 10 }, or bins = 8, or edges = [0, 18, 65, 120]). Or it is the labels of the hierarchy file (domain = \"hierarchy\"). Take them from what is publicly known: a code book, a law, the form that was filled in. `mingle init DATA --domains` writes a proposal from the data; you must confirm that it is public knowledge. Columns with role = \"identifier\" are dropped and need none; undeclared = \"drop\" in [data] leaves out columns that are not declared.";
    DomainUnusable = 122, Usage, "a domain cannot be used",
"A domain lists words once each (values), or says where numbers and days lie. For numbers and days write from and to with one of three: width (of a bin), bins (how many of equal width) or private_bins. private_bins are placed by a noisy look at the data, which costs a part of the budget. Or write edges, the lowest value first and the highest last; or level, a level of the column's hierarchy file, 0 for its leaves. `step` is the distance between two values, 1 for whole numbers and days; everything lies a whole number of steps apart. `other` is what stands for values that are not declared, `missing = true` makes missing values a part of the domain; neither may be spelled like a value.";
    DomainUnconfirmed = 123, Usage, "a domain was taken from the data, and nobody confirmed that it is public",
"`mingle init --domains` proposes domains from the data, and a list of values or a bound taken from the data may tell that a certain person is in it. Compare each with what is publicly known and correct it. Then set confirmed = true, or remove the key, to confirm that the domain is public.";
    NoLedger = 124, Usage, "the policy names no ledger",
"Releases about the same people add up, so every one spends from the budget of its data set, which is kept in a ledger. Create one per data set with `mingle dp budget FILE --create --epsilon 1 --delta 1e-9` and name it: ledger = \"FILE\" in [dp]. The budget is what all releases together may tell about a person; choose it once and stick to it.";
    DeltaTooLarge = 125, Usage, "delta is not small against the number of people",
"Delta is an amount of probability about which nothing is promised. A release that publishes the whole record of one person, drawn at random, keeps delta = 1/n for n people. So delta must be below 1/n, and far below it to be of use; a millionth of 1/n is a common choice.";
    OtherPromise = 126, Usage, "the policy promises something else than the command is about",
"Commands about groups (verify --table, attack insider, publish with constraints, site) need [privacy]; `mingle dp` needs [dp].";
    TooLarge = 127, Limit, "a release is too large",
"Every cell of a table of counts gets noise, so a table with more cells than people is mostly noise, and one beyond the limit is refused before anything is spent. Take coarser domains or fewer columns. `max_cells` in [dp] can be raised up to 1048576 cells of a table of marginals (16777216 of all tables together), and 16777216 cells of a histogram. A histogram beyond the limit is made of the cells that hold someone, and small ones are left out: this needs delta above 0. Synthetic records are at most 1000000000, from a model of at most 268435456 cells (`model_cells`).";
    PersonUnusable = 128, Usage, "no row says whose it is",
"`person` in [dp] names the identifier by which records of one person are recognized, so that no more than records_per_person of them count; here it has no value at all. Name another column, or take `person` out. Identifiers are compared in a canonical form: Unicode NFKC, without case, white space trimmed.";
    TooMuchNoise = 129, Usage, "the budget is too small for this release",
"So little is promised that the noise would be larger than any count. Spend more on this release, or release fewer columns or coarser domains.";
    LargeEpsilon = 130, Fine, "epsilon is large",
"What is seen of a release is at most e^epsilon times as likely with a person's records as without them. At epsilon = 1 that is 2.7 times, at 10 already 22026 times, which is hardly a promise.";
    PersonUnnamed = 131, Fine, "an identifier repeats, and nothing tells people apart",
"The promise is about `records_per_person` records, one unless the policy says more. If a person has more rows than that, it is weaker for that person. Name the identifier column as `person` in [dp]: the program then counts at most `records_per_person` rows of each.";
    OutsideDomain = 132, Fine, "many values are outside the declared domain",
"Values that a domain does not have are clamped to the nearest bin, counted as `other`, or their rows are left out. If there are many, the declaration is probably misspelled or its bounds are wrong. Correct it from what is publicly known, not from the data.";
    PersonUnknown = 133, Fine, "rows do not say whose they are",
"`person` in [dp] names the identifier by which records of one person are recognized. A row without one might be anybody's, so that no bound would hold for it: it is left out. Only you see the number. Whether a release is made must not depend on one person's row, so this is not an error.";
    PersonSpellings = 134, Fine, "identifiers that are spelled differently are one person",
"Identifiers are compared in a canonical form: Unicode NFKC, without case, white space trimmed. So `ann` and `ANN ` are one person, and together have no more than records_per_person records. If they are two people, as where identifiers are codes in which case matters, the promise is weaker for them: when one leaves, a record of the other may take the place. Give people identifiers that differ in more than spelling.";
    PersonRefused = 135, Usage, "this does not work with people who have several rows",
"`person` in [data], or a `separator` that makes several rows of one, promises something about people who have several rows. Releases with noise bound that themselves (`person` in [dp]); two sites, fragments and centroids work on one row a person, and would count rows as if they were people. Remove one of the two, or bring one row per person and write person = \"row\".";

    InputUnreadable = 201, Usage, "an input file cannot be read",
"The file does not exist, or you may not read it. Paths in a policy are relative to the policy.";
    NotATable = 202, Usage, "an input file is not a table",
"Tables are CSV (any delimiter, several encodings, also gzip) or Parquet. The file is empty, damaged, cut short, or something else.";
    NoRows = 203, Usage, "the tables have no rows",
"There is a header but nothing below it. A release of nobody protects nobody.";
    MissingColumns = 204, Usage, "columns of the policy are missing from a table",
"Every table must have every declared column, in any order, spelled as in the policy. If a provider uses another name, write columns = { \"their name\" = \"our name\" } for that provider. If a provider does not have the column, write optional = true for the column.";
    UndeclaredColumns = 205, Usage, "a table has columns that the policy does not declare",
"Every column needs a role: a column that nobody thought about must not be published. Declare it with a role, or set undeclared = \"drop\" in [data] to leave all others out.";
    DuplicateColumn = 206, Usage, "two columns of a table have the same name",
"The program cannot know which one you mean. Rename one of them.";
    BrokenRow = 207, Usage, "a row of a CSV file is broken",
"It has more or fewer fields than the header, or a quote in it is never closed. Perhaps a cell holds the delimiter and is not quoted; or `delimiter` in [data] is wrong.";
    InvalidUtf8 = 208, Usage, "a file is not text in the declared encoding",
"Text is taken to be UTF-8 unless `encoding` in [data], or of the provider, says \"latin-1\", \"windows-1252\", \"utf-16\", \"utf-16le\" or \"utf-16be\". If the right one is declared, the file mixes two of them, or holds bytes that are no text at all: convert it, for example with iconv. A byte that cannot be read could hide a value that should be equal to another.";
    WrongKind = 209, Usage, "a value does not have the declared kind",
"The column's kind is declared, and the value at that place cannot be read as one. Correct the value, list its text under `missing` in [data] if it means that there is none, or change `kind`.";
    Hierarchy = 210, Usage, "a hierarchy cannot be used",
"A hierarchy file has one row per value of the column, `;` between the levels, the value first and the same root last in every row. Instead of a value a row may name a range: 390-459, [18-65), <18, 65+ for numbers; A00-B99 for codes of equal length, which holds all codes that begin so. Or it names *, for all values that have no other row. Every value must be covered once, and every label must have one parent and stand for the same values wherever it stands. { mask = n } hides the last characters; { prefix = [3, 1] } keeps the first ones, from many to few. { intervals = […] } needs numbers, and widths that are multiples of each other. { bands = [0, 18, 65] } needs ascending bounds, and [[0, 18, 65], [18]] bounds that are among those before. { dates = … } and { age = \"2024-12-31\" } need dates. { template = \"icd-10\" }, \"icd-9\" and \"atc\" need codes as text. `mingle hierarchy check` says what a hierarchy does to a column.";
    ProviderUnnamed = 211, Usage, "a row or a table has no provider",
"Every row must say who contributed it, in the provider column or by its table's name in `providers`.";
    NotInOrder = 212, Usage, "a value is missing from `order`",
"`order` must list all values of the category, from the smallest to the largest.";
    IdentifierUnusable = 213, Usage, "an identifier is missing or occurs twice",
"Two sites, and the versions of a history, recognize a person by the identifier, so every row needs one of its own. Identifiers are compared in a canonical form: Unicode NFKC, lower case, white space trimmed at the ends and every run of it inside as one space. Leading zeros, hyphens and accents count. The message names rows, counted from 1 without the header.";
    HeaderDoubtful = 214, Usage, "the first line of a table may be a record",
"The names of columns stand in the policy, in manifests, reports and the published table, so a record that is taken for a header would be published. A name is doubted if it is empty, if it has digits but no letter, or if it occurs as a value in its own column. It is also doubted if it is written like the values below it. The message says which columns, by their numbers. Where nobody has declared the columns, something must also speak for the names: cells that are written otherwise than their name, or that recur. If the first line is a record, say header = false and names = [\"…\", \"…\"] in [data] or for that provider; if it really is a header, say header = true. `mingle init` has --names and --header for it. A header that stands again among the records means that several files were glued together: take it out there.";
    KindsDiffer = 215, Usage, "providers write the values of a column differently",
"One provider's values are numbers or dates, another's are not: 2001-03-02 and 02.03.2001, or 1.5 and 1,5; or both write dates, but one as 02.03.2001 and the other as 03/02/2001. Published as they stand, the way a value is written would tell who contributed the row, and the column would not be a number or a date for anybody. If it is a way of writing, say date_format = \"dd.mm.yyyy\" or decimal = \",\" for that provider, and the kind of the column. Where 01/02/2003 could be two days, nobody can tell what each provider means by it: say date_format for each of them. If these are codes that only look like numbers, say kind = \"category\".";
    InputChanged = 216, Usage, "a table was changed while it was read",
"Its size, the time of its last change or the file behind its name is not what it was when reading began. What was read may be half of one table and half of another. Wait until the file is complete, or read a copy.";
    OtherFormat = 217, Usage, "a file is something else than its name says",
"The first bytes of a file say what it is, and its ending or `format` in [data] says something else. Perhaps it is the wrong file. If it is the right one, rename it, or say what it is: format = \"csv\" or \"parquet\". JSON Lines and Parquet have a name for every column, so header = false cannot be meant for them; `columns` renames columns.";
    PersonMissing = 218, Usage, "rows do not say whose they are",
"`person` in [data] names the identifier by which the rows of a person are recognized. A row without one belongs to nobody: counted as one more person, it would make groups look larger than they are. So it is refused. Complete the identifiers, leave those rows out, or name another column; the message says how many rows of which table are concerned.";
    EverybodyIsOne = 219, Usage, "all rows are the same person's",
"The column that `person` in [data] names has the same value in every row, so that the table would be about one person. It is probably not the column that tells people apart. If each row is one person, write person = \"row\".";

    DatabaseNotBuilt = 240, Usage, "this program reads no databases",
"Reading tables of PostgreSQL is a feature that is left out of the default build, so that a first build stays quick. Build the program with it: cargo install --path crates/cli --features postgresql. Or export the table: psql -c \"\\copy (SELECT …) TO 'table.csv' CSV HEADER\".";
    CredentialsInPolicy = 241, Usage, "a password or an address of a server stands in a policy or on the command line",
"A policy is passed around, kept for years and written into private manifests, and a command line can be seen by everybody on the machine. So neither says who logs in where. Name a service: [clinic] in ~/.pg_service.conf (or the file in PGSERVICEFILE) has host, port, dbname and user; the password stands in ~/.pgpass, which only you may read, or in PGPASSWORD. Then write source = { kind = \"postgresql\", service = \"clinic\" }, or postgresql:clinic/schema.table on the command line. If the password was in a file that others have, change it.";
    DatabaseSettings = 242, Usage, "what says where a database is cannot be used",
"A service is a section of ~/.pg_service.conf, or of the file in PGSERVICEFILE; what it does not say comes from PGHOST, PGPORT, PGDATABASE, PGUSER, PGPASSWORD, PGPASSFILE, PGSSLMODE, PGSSLROOTCERT and PGCONNECT_TIMEOUT, and the password from ~/.pgpass. Files with a password may be read by their owner alone: chmod 600. Rows go to another machine through TLS whose certificate was checked: put the certificate of your authority into ~/.postgresql/root.crt or name it as sslrootcert (sslrootcert=system takes the system's), or say sslmode=disable if the network is yours alone. Settings that are not understood are refused, because one of them might be a protection.";
    DatabaseUnreachable = 243, Peer, "a database server cannot be reached, or is gone",
"No server answers, the login is refused, or the connection broke off. Nothing was written. All reading of a run is one snapshot of the database, so a connection that breaks off is not made again in secret: run the command again. If the connection was lost while a release was being committed, the database has the old release or the new one, whole: mingle verify postgresql:SERVICE/SCHEMA says which.";
    DatabaseRefused = 244, Usage, "a database server refuses what was asked",
"The message has the five characters of SQL's state and what they mean; the server's own words are not repeated, because they may quote cells. 42501: grant SELECT on the table or view, and USAGE on its schema, to the user of the service. 42P01: the table is not there, or not in the search path: write schema.table, with double quotes where it has capitals. 25006: the query would write, and mingle only reads. 57014: it took longer than the server allows, or somebody cancelled it. Try the query with psql as the same user.";
    DatabaseColumn = 245, Usage, "a column of a database is of a type that is no cell",
"Read are whole and decimal numbers, floats, booleans, texts, days, instants, enums, domains over these, and uuid. Arrays, JSON, bytea, intervals, times of day, ranges, addresses and composites are not one value: nobody could say which of them are alike. If the column is not needed, take it out of the policy and set undeclared = \"drop\". If it is, make one value of it in a query: query = \"SELECT age, address->>'zip' AS zip FROM patients\".";
    DatabaseName = 246, Usage, "a name of a table, schema or place in a database cannot be read",
"Names are written as in SQL: patients, clinic.patients, \"Clinic\".\"Patients 2024\". Without double quotes a name has letters, digits and _, and capitals do not count. On the command line a table is postgresql:SERVICE/SCHEMA.TABLE and a release postgresql:SERVICE/SCHEMA; SERVICE is a section of ~/.pg_service.conf and may be empty, when PGHOST and its like say where the server is.";
    DatabaseTarget = 247, Usage, "a release cannot be written into a schema",
"A release has two schemas of its own: SCHEMA for the public tables and another for the private ones, SCHEMA_private unless private_schema of [release] target says otherwise. They are made, or must have nothing in them but an earlier release, which --force replaces in one transaction. Whoever writes must own them, or may create schemas in the database. The private schema may be read by its owner alone.";

    InputLimit = 290, Limit, "a limit on input was reached",
"Input is not trusted: cells, records, columns and rows are bounded, so that no file can exhaust the machine. The message says which bound and where. A record that is too long is often a quote that is never closed.";

    NoRelease = 301, Finding, "no release can satisfy the policy",
"Not even the whole table as one group, the coarsest release there is, satisfies the constraint. If groups satisfied it, so would their union; hence no release of all rows exists. Weaken the constraint or add rows. Another reason: strict semantics asks for more contributing providers in every group than there are. Lower m or site_diversity, or use victim semantics.";
    ConstraintFails = 302, Finding, "a constraint fails",
"Some group of the table does not satisfy the constraint; the witness names one. Where it names a coalition as well, the constraint fails for what is left when these providers take out records of their own. Do not hand the table out.";
    PlanRefused = 303, Finding, "the anonymized table was refused by the verifier",
"The table that would have been published failed verification, so nothing was written. This is a defect of the anonymizer: please report it, without data.";
    ReleaseDamaged = 304, Finding, "a release is not what was published",
"A file was changed, is missing, or should not be there. Or the audit does not add up to the published rows; or the tables of a fragmented release do not fit together, or are in the wrong order; or a joint release lacks a site's signature. Publish again; do not hand this one out.";
    Undecided = 305, Limit, "a verdict is undecided",
"A constraint could not be decided within the limits of exact arithmetic or of a search over coalitions. Or insiders could not be checked, because nothing says who contributed which row: that is in the private part of a release, or in the provider column of a table. Undecided is treated as not satisfied.";
    NotFound = 306, Finding, "the method found no release that satisfies the policy",
"The method gave up within what the policy allows. Try another method, or weaken the constraint. With m > 0 a release may still exist: it needs groups in which enough rows and values remain, whichever m providers remove their own. A lower m or k, more providers, more rows, or victim instead of strict semantics make that easier.";
    AttackSucceeds = 307, Finding, "an attack succeeds",
"Insiders: a coalition of no more providers than the promises are meant to withstand breaks one of them by taking out its own records. Publish again with this m, or weaken what is promised. Background join: a reader who knows one sensitive column learns another for certain, and could not do so without it. Publish the sensitive columns fragmented. Intersection: for more people than tolerated, releases about the same people leave a single sensitive value, or too few; publish the next one against the others with [composition]. The table shows how many people are exposed, and the inference shows one case. Do not hand the table out.";
    Exposed = 308, Finding, "together with releases that are already published, this one would expose people",
"A reader who knows that a person is in your table and in another release can intersect the two groups that the person may be in. Only one sensitive value may remain. [composition] names the other releases and what you tolerate: max_perfect_breach, the share of your rows for which a single value remains, and min_posterior, the fewest values that must remain for everybody. Nothing was written. mitigate = true lets mingle change the groups until the limits hold. With a history, earlier versions of the same table are looked at as well: if only one person joins or leaves a group, comparing the two versions finds that person. If the other releases expose people by themselves, nothing you publish can fix that; except_already_exposed = true ignores these people.";

    StrictWarning = 309, Finding, "there is a warning, and --strict treats it as a failure",
"With --strict, or strict = true in [release], nothing is published if there is a warning, and a release or table with a warning does not pass `mingle verify --strict`. The warnings stand before the message, each with its own code: `mingle explain CODE` says what it means. Fix what they describe, or remove strict after reading them.";
    RowsAreNotPeople = 310, Finding, "an identifier repeats, and nobody says whose the rows are",
"Promises count people. Where the policy says nothing else, each row is taken to be one person. An identifier that occurs in several rows contradicts that: a group of five rows may be one patient, and k = 5 would promise her nothing. So nothing is published until you decide. Write person = \"COLUMN\" in [data] if the column tells people apart: promises then count people, and the rows of a person stay together. Write person = \"row\" if each row is still one person, for example because names repeat by chance.";
    SetsNotVerified = 311, Usage, "whose the rows of a table are cannot be told",
"The policy has a `separator` for a sensitive column: a cell a;b;c is a person with several values, and publishing makes one row of each of them. A table that is verified or measured is read in the same way. If no cell holds several values, its rows may have been split before, as in a table that mingle published. Five rows may then be one person, so nothing is said about it. Where the column is lacking, nobody can tell how many rows of the original a row stands for. Verify the release itself, bring a table with all values of a person in one cell, or one that still has the identifier which is `person` in [data]. Take `separator` out where each row has one value.";
    NotCovered = 312, Finding, "no group of the release has a place for new rows",
"`mingle apply` puts new rows under labels that are published already, and makes no new ones. A row has a place if some group's labels cover all of its quasi-identifiers; here some have none, and the message names the columns whose values no label covers. With max_suppressed in [method] such rows may be left out, as long as all rows that were left out, then and now, stay within that share. Otherwise publish all rows again: groups that are made with the new rows may also be finer.";
    UnionBreaks = 313, Finding, "with the new rows a promise would be broken",
"The rows of the release and the new ones together are verified like any release, and here a promise fails. A rare value became too frequent in a group, a group is too far from the whole table, or a new provider leaves others alone in it. Nothing was written. Wait for more rows, or publish all rows again.";

    OutputExists = 401, Usage, "the output exists already",
"Nothing is overwritten unless you ask. Choose another name, or use --force; a release is then replaced in one step, so that readers see either the old one or the new one.";
    OutputUnwritable = 402, Usage, "the output cannot be written",
"The folder that should hold it does not exist, or you may not write to it.";
    DiskFull = 403, Limit, "the disk is full",
"Nothing half-written was left behind. Free some space and run the command again.";
    NotARelease = 404, Usage, "the folder is not a release",
"A release has public/manifest.json. --force replaces releases only, never other folders.";
    ReleaseUnreadable = 405, Usage, "the release cannot be read",
"Its manifest is damaged or of another version, or its table cannot be read.";
    NotComparable = 406, Usage, "the release does not fit the original",
"Measures compare a release with the table it was made from: the same quasi-identifiers, labels that stand for values of the original, and no more rows than it has. Perhaps the policy names different tables.";
    ProviderPublished = 407, Usage, "a published column names the provider",
"The column holds the provider's name in every row, and the provider is never published. Name it as provider_column in [data], or give it the role identifier.";
    ContributorsUnknown = 408, Usage, "nothing says who contributed which row",
"Insiders know their own rows, so simulating them requires knowing which rows are whose. That is in the private part of a release, which is never handed out, and in the provider column of a table, which the policy names as provider_column in [data]. Without it only the outsider can be simulated, which is what `mingle verify` does.";
    NothingToJoin = 409, Usage, "there is nothing to join",
"A site links its own sensitive column with another's, so the background join takes at least two sensitive columns, one of which is not known. With one there is only what the release says to everybody, which is what `mingle verify` checks.";
    GroupsUnknown = 410, Usage, "nothing says who is in which group",
"The tables of a fragmented release are joined by group numbers. Where labels overlap, the original's people fit several groups, and only the private part of the release says which one is theirs. Simulate the attack where the whole release is.";
    NotAligned = 411, Usage, "releases cannot be compared with each other",
"To intersect releases, their columns must mean the same. Every quasi-identifier of a release must be known about the people, and its labels must be readable by the column's kind and hierarchy. The sensitive column must be coded alike. The message names the release and the column. Declare the kind and the hierarchy that the release was made with in the policy, rename columns where only the names differ, or leave a column out of the reader's knowledge.";
    HistoryUnusable = 412, Usage, "the history of a table cannot be used",
"`mingle history init` makes the folder. It is private: chmod 700, or it is refused. Every file in it has a checksum, and the key must be the one it was made with; restore a damaged folder from a backup. A release is added once, with the people it was made from; where its labels overlap, only what publish wrote down says who is in which group.";
    HistoryBusy = 413, Usage, "another run is writing to the history",
"If two runs published at the same time, neither would be checked against the other. Wait for the other run.";
    HistoryRelease = 414, Usage, "a release of the history is gone, or another one is in its place",
"The history remembers where each version's release is and the hash of its public manifest. If it was moved, `mingle history add HISTORY RELEASE --policy POLICY` with its new place corrects that. If it was changed, get back what was handed out. A version that was never handed out can be taken out with `mingle history forget`.";
    NotRecorded = 415, Usage, "a release was written that the history does not have",
"The release is complete, but the history does not know it, so the next version would be checked without it. What publish knew is kept in the history: `mingle history add HISTORY RELEASE --policy POLICY` adds the release, from wherever it is now. If it is where it was written, the next `mingle publish` does so by itself. If nothing was written, or the release was never handed out and never will be, `mingle history forget HISTORY --pending` says so. Nothing else removes it: a published release that the history does not know makes every later version look safer than it is.";
    NotRecognized = 416, Usage, "the history does not recognize the people or the values of the table",
"A history tells people apart by one identifier, and compares sensitive values by their text (numbers by what they are). With another identifier, other codes or other capitals nobody is recognized, or everybody seems to have changed, and nothing would be found however much the versions give away. Name the same column as `person`, and write identifiers, columns and values as in the earlier versions. A table about other people or other facts gets a history of its own: `mingle history init` makes it, and `history` in [composition] names it.";
    ReleaseInDoubt = 417, Usage, "the release is in place and may not last",
"Everything was written and put in its place, and then the system failed to confirm that the folder around it is on disk. The release may be there, and may be gone after a power cut. Look whether it is there and whole (`mingle verify`); treat it as published if anybody may have seen it. What it has spent stays spent.";
    CannotApply = 418, Usage, "new rows cannot be put into this release",
"`mingle apply` goes on with what was agreed, so the policy must be the one that the release was made by: the same columns in the same roles, the same promises, the same m. It works on releases of groups in one table whose labels cover their people. Fragments, centroids, noise and releases of two sites are refused, and so are releases beside others (`against`), because what they say together cannot be looked at without the original rows. If a new provider makes m rise, ends of published ranges would have to be looked at again. In all these cases publish all rows again.";
    MayBeInBoth = 419, Usage, "nothing says whether somebody is in the release already",
"Promises count people, and a release has no identifiers: nobody can see whether somebody of the new rows has a row in it. Write person = \"row\" in [data] if each row is another person, in the new rows and in the release. Or keep a history (`mingle history`): it knows who is in the release, and refuses anybody who is there already.";

    PartnerAbsent = 420, Peer, "the partner was not reached in time",
"Until the deadline no connection to the partner came about, or it was lost and never came back. Nothing was written, and nothing that depends on data was sent unless the message says that there was a connection. Check that the other site runs, that one of the two has `connect` and the other `listen`, and that the port is open. Raise `deadline` in [limits] to wait longer.";
    WrongPartner = 421, Peer, "the site that answered is not the partner",
"The certificate is not the pinned one, or it has expired. Nothing was sent. Perhaps the partner has a new key: ask by telephone, compare fingerprints, and pin the new one with `mingle site trust`. If somebody else answers at that address, do not pin it.";
    PartnerRefuses = 422, Peer, "the partner refuses this site's certificate",
"The partner has pinned another certificate than the one this site shows, or says that it has expired. Read your fingerprint to the partner once more (`mingle site fingerprint` prints it); `mingle site trust` pins it there.";
    TermsDiffer = 423, Peer, "the two sites want different things",
"Both policies must promise the same and name the same synchronizer, leak level and padded size; one site has seat 0 and the other seat 1; and a column belongs to one site only. This is compared before anything that depends on data is sent. The message says what differs. Agree, and run again.";
    ProtocolVersion = 424, Peer, "the two sites speak different versions of the protocol",
"Update the older program. Nothing that depends on data was sent.";
    ProtocolViolation = 425, Peer, "the partner broke the protocol",
"The partner sent what no honest site sends: a malformed, repeated or oversized message, a list that differs from what was committed to, a class smaller than k. The session ended at once on this side and nothing was written. A defect of the program or a tampered one can be the reason; talk to the partner before trying again.";
    PartnerAborted = 426, Peer, "the partner ended the session",
"The other site met a problem of its own, and told only its kind: it is explained there. Neither site has published.";
    InDoubt = 427, Peer, "it is not known whether the partner has published",
"This site is ready to publish: the release is complete, signed and stored beside the output folder, but not in `public/`. The partner's last word was lost. Run the same command again on both sides: on the next connection both publish the same release, or neither does. Do not remove the journal or the staged release by hand, and do not start over with --force elsewhere.";
    OutputsDiffer = 428, Peer, "the two sites computed different releases",
"The sites compare digests before they publish, and these differ, or what would be published failed a promise when it was verified. Nothing was written on either side. This is a defect, or the two programs are of different versions: please report it, without data.";
    AlreadyPublished = 429, Peer, "one site has published already, the other knows nothing of it",
"The journal beside one site's output folder says that a release was published together. To publish another one, both sites run with --force, which waits until both have confirmed the last one, or with another --out.";
    NotStored = 430, Peer, "the release could not be stored at the end",
"The release was computed but could not be written, so both sites gave it up and neither has published. Free some space, or check who may write there, and run again.";
    SiteKey = 431, Usage, "this site's key or certificate cannot be used",
"`mingle site init` makes both. The key must be readable by its owner only (chmod 600), must belong to the certificate, and the certificate must be valid today. To renew it, make a new one with `mingle site init` in another folder and have the partner pin its fingerprint.";
    Fingerprint = 432, Usage, "this is not a partner's fingerprint",
"A fingerprint is sha256: and 64 hexadecimal digits. `mingle site init` prints it, and `openssl x509 -noout -fingerprint -sha256 -in site.crt` prints the same digits. It must be the partner's, not this site's own.";
    SiteBusy = 433, Usage, "another run uses the same output folder",
"Two runs that publish to the same folder would get into each other's way. Wait for the other, or choose another folder.";
    Journal = 434, Usage, "the journal of a joint release cannot be used",
"The file .NAME.mingle-journal.json beside the output folder says how far a joint release has come. It is damaged, of another version, speaks of a staged release that is gone, waits for another partner than the pinned one, or (with --force) has published what the partner has not confirmed yet. If the partner has published or is in doubt, ask it before you remove the file: without it this site cannot publish the same release.";
    ClusterFailed = 450, Peer, "the cluster failed",
"mingle works on a cluster through `mingle.spark` of the Python package, and a stage there did not end. Nothing was published: a release is put in its place only after all of it was verified. What the cluster said is not repeated, because it may quote cells; its own logs have it. Executors need the same version of the package as the driver where the table is anonymized in them.";

    RepeatedIdentifier = 501, Fine, "an identifier occurs more than once",
"The policy says person = \"row\" in [data]: each row is one person, although an identifier occurs in several rows. If a person has several rows after all, a group of k rows holds fewer than k people, and the promise is weaker than it looks: name the identifier as `person` instead. Where the policy says nothing it is a finding, MG0310; releases of earlier versions were only warned of it.";
    RevealingColumn = 502, Fine, "an insensitive column has many distinct values",
"Insensitive columns are published unchanged. One with many distinct values can single people out like an identifier. Make it a quasi-identifier, or drop it.";
    BackgroundJoin = 503, Fine, "two or more sensitive attributes are published in one table",
"A reader who knows one sensitive value of a person can use it to narrow down the others within the group, even though each attribute is protected by itself. With fragmented = true in [release], every sensitive column has a table of its own, joined only by the group number. What belongs together within a group is then published nowhere.";
    NoQuasiIdentifiers = 504, Fine, "no column is a quasi-identifier",
"The whole table is then one group, and nothing is generalized. Columns that others may know (age, sex, ZIP code) should be quasi-identifiers.";
    UncheckedColumns = 505, Fine, "a checked table has columns that no constraint looks at",
"Identifiers name people, and columns that the policy does not declare may do so. Constraints are about quasi-identifiers and sensitive columns only: a table that satisfies them can still give everybody away by another column. Take it out before handing the table out, or declare its role.";
    MoreInsidersThanProviders = 506, Fine, "m is not smaller than the number of providers",
"Insiders learn about others' records by taking out their own. A coalition that contributed a whole group has nobody left to learn about, so every coalition leaves out at least one provider of the group. With n providers, m = n - 1 means everybody against one, and a larger m says the same.";
    NobodyColludes = 507, Fine, "m is more than 0, but there is one provider only",
"Insiders are providers who know their own rows and look at what is left of the others'. Where all rows come from one provider there are no others, and m acts as 0: the release is protected against outsiders.";
    ProviderWithoutRows = 508, Fine, "a provider has no rows",
"Its table has a header and nothing below it. It contributes to no group, so it neither protects the others' rows nor could learn by taking out its own. Perhaps the wrong file is listed.";
    SameRows = 509, Fine, "two providers hold the same rows",
"Many whole rows occur at two providers. Each row is taken to be one person, and each provider to know only its own rows. A person in two tables counts twice, so groups look larger than they are. And either provider knows the other's record, although m-privacy takes it for unknown. Perhaps one table was listed under two names. Otherwise merge the rows of a person first.";
    NoHierarchy = 510, Fine, "datafly has no hierarchy for a column",
"Datafly raises whole columns level by level. A column without a hierarchy has no level between its values and *, so it is lost as soon as it must be generalized at all. Declare `hierarchy` for it: { intervals = [5, 10, 20] } for numbers, { dates = true } for dates, { mask = 3 } for ZIP codes, or a file.";
    ProtocolIgnored = 511, Fine, "[protocol] has no effect on `mingle publish`",
"The section is for `mingle site run`, which publishes with a partner. `mingle publish` publishes this table alone.";
    ReleaseTwice = 512, Fine, "the same release is given twice",
"Intersecting a release with itself leaves what it says by itself. Perhaps another one was meant.";
    CoversNobody = 513, Fine, "no label of a column covers anybody in the population",
"Nobody can be found by this column. Perhaps the release is about other people. More often the column is coded differently there: as text where the population has numbers, with other units, or by a hierarchy that the policy does not declare. Then the attack is weaker than a reader's would be, and its result says nothing.";
    ManyChanged = 514, Fine, "the values of many who stayed changed since the last version",
"Who is in two versions of a table is taken to keep the sensitive value; those whose value changed are left out of the limits. Where that is more than a tenth, the values are perhaps only written otherwise than before (capitals, another code list, more detail), and what the versions say together is not seen. Write them as before, or start a new history. If the facts did change, there is nothing to do.";
    RecordedLate = 515, Fine, "a release of an earlier run was added to the history",
"The earlier run wrote its release and ended before the history had it. The release was found where it was written, and is a version now, before anything else was looked at.";
    InsidersBeside = 516, Fine, "other releases are laid beside the table for outsiders only",
"[composition] looks at what an outsider makes of our release and of others. A provider who first removes its own rows from your groups sees fewer values in them, and fewer may remain after intersecting. Promises hold against m colluding providers, limits on intersections do not. Raise min_posterior, or ask for more distinct values, to leave a margin.";
    MissingTells = 517, Fine, "a provider's table lacks an optional column",
"All cells of the column are missing there. Where other providers have few missing values, a missing value in the release tells who contributed the row. Leave the column out, or have every provider deliver it.";
    FormatTells = 518, Fine, "a provider writes the values of a category in its own way",
"All of its values are dates such as 02.03.2001 or decimals such as 1,5, and those of others are not. The column is a category, so values are published as they are written, and tell who contributed the row. Declare kind = \"date\" or \"decimal\" for the column, and date_format or decimal for that provider: values then have one form.";
    ValuesTell = 519, Fine, "a provider has no value of a column in common with any other",
"It has several values, and nobody else has any of them: perhaps other codes for the same things, such as M and F beside male and female. Each of them tells who contributed the row. Translate them, or declare a hierarchy that joins them with the others'. Where values really differ, as postcodes of two towns do, quasi-identifiers are generalized until they do not tell people apart, but may still tell providers apart.";
    PersonSpelledApart = 520, Fine, "identifiers differ only in case",
"`person` in [data] names the identifier by which the rows of a person are recognized. Blanks at the ends and invisible characters do not count, case does: P7 and p7 are two people. Where some differ in nothing but case, they are probably one person who is counted twice, and a group of k people may hold fewer. Write identifiers alike in all tables. The message gives numbers, never names.";
    ManyRowsOfOne = 521, Fine, "one person has very many rows",
"The rows of a person stay together, so a person with thousands of them makes a large group, and can be recognized by its size. Perhaps the identifier is that of a ward or of a test, or stands for nobody in particular. The message says how many rows that person has, never who it is.";
    ChangesWithinPerson = 522, Fine, "what cannot change differs between the rows of a person",
"A person has one date of birth, and hardly ever two sexes. Where the rows of one identifier differ in such a column, either the column is wrong somewhere, or the identifier stands for several people, who would then be counted as one. The message says for how many people, never for whom. Their label covers all values, so the error also costs detail.";
    RowsLinked = 523, Fine, "a column that is published unchanged links the rows of a person",
"A value that all rows of a person have and nobody else's tells readers which rows are hers. Promises about people are checked for such a reader, within a group. With rows = \"apart\" rows in several groups are linked. Make the column a quasi-identifier or an identifier. The message says for how many people, never for whom.";
    ValuesLookAlike = 524, Fine, "sensitive values look alike and count as different",
"HIV and hiv, or the same word with a Cyrillic letter and with Latin ones, are different values to a program and the same to a reader. A group that holds both counts as diverse and is not. Blanks at the ends and invisible characters are removed before values are compared (spelling = \"trimmed\"). spelling = \"folded\" in the column's entry also ignores case and publishes lower case. Letters of other alphabets have to be corrected in the table. The message gives the number of such values, never the values.";
    UnlistedCodes = 530, Fine, "values are in the branch of those that a hierarchy does not know",
"The hierarchy has a place for values that it does not list: the row * of a file, or `other codes` of a template. They are generalized together there, whatever they mean, so that a misspelled code or a list that is out of date costs precision and is not seen in the release. Compare the number with what you expect; `mingle hierarchy check` says where the first of them stands. A code must be written as the system writes it, with capitals.";
    MaskTellsLength = 531, Fine, "a mask shows how long a code is",
"{ mask = n } hides characters from the right, one star for each. So codes of different lengths have different numbers of stars and meet only at *: 25083 and 250 have nothing in common, although one begins with the other. { prefix = [3, 1] } keeps the first characters instead, whatever the length.";
    HierarchyFindings = 532, Finding, "a hierarchy has weaknesses",
"`mingle hierarchy check` found values without a place, labels that a reader cannot tell apart, a mask on codes of different lengths, values in the branch of unknown ones, or levels that change nothing. The list says which; values are counted and never shown.";
    LittleIsLeft = 540, Fine, "a release by this policy would say little",
"`mingle init` has tried the policy that it proposes, on a sample of the rows where there are many, with a quick method first and with its own where that left little. `mingle publish` says it of what it has made where more than eight columns are quasi-identifiers. A table that loses half of its detail, or half of whose cells are published as *, is hardly worth publishing: with every further column fewer people are alike. Remove the columns that cost most (the message names them, and what the others would lose without them), declare hierarchies, or add rows. Fewer rows are alike in a sample than in the tables, so the release itself loses somewhat less than `init` says.";
    SeveralRowsEach = 541, Fine, "people have several rows",
"An identifier occurs in several rows, so a person may be in a group more than once: a group of k rows may be fewer than k people. The proposed policy names that identifier as `person` in [data], so that promises count people and the rows of a person stay together. Columns that change within a person are widened by that, and `init` says what it costs. If each row is still one person, write person = \"row\".";
    NothingSensitive = 542, Fine, "no column looks like something that nobody may learn",
"k-anonymity alone is promised then: nobody can be found, but where all who are alike share something, it is known of each of them. If the table has such a column (a disease, an income), give it role = \"sensitive\" and promise l-diversity.";
    WordForNobody = 543, Fine, "rows have a word for nobody in place of an identifier",
"`person` in [data] names what tells people apart, and some rows have null, n/a, unknown or the like there. To a program that is an identifier: all rows with it are taken for those of one person, who is none, and a group that holds k people may hold fewer. Complete the identifiers, or leave those rows out. With the word among `missing` in [data] such rows are refused, as rows without an identifier are (MG0218).";

    ProvidersUnfit = 570, Usage, "these providers cannot publish together",
"Between providers it takes three: with two, what is left without one's own rows would be the other's. At least two must be outside of the coalition that the promises withstand (m at most n - 2), since the sum of all others would be the last one's. And every provider has a name and a key of its own.";
    Invitation = 571, Usage, "an invitation cannot be used",
"An invitation is one text that `mingle site invite` prints. It says where the board is and by which fingerprint it is known, the name of the run, and the names and keys of all providers. It must arrive whole, and it must name this provider's key. Every provider compares the check words of the invitation with the others before it runs.";
    ProviderViolation = 572, Peer, "a provider or the board broke the protocol",
"Something arrived that no honest provider or board sends; the message names who. Nothing was published anywhere. A board cannot forge a message, since all are signed, but it can damage, repeat or withhold them.";
    RunNotResumed = 573, Peer, "a run cannot be resumed",
"After a restart a provider must say exactly what it said before: redrawn noise would average out, and another set of rows would show by the difference. The table, the policy or the journal have changed since the run began. A new run needs a new invitation.";
    RepeatedTotals = 574, Usage, "another run would open totals that differ by few rows",
"An earlier run with other rows or other providers has opened exact totals; what differs between the two is about the rows that changed. Run with the same rows and providers, or write accept_repeated_totals = true in [protocol] once everybody knows what the difference tells.";
    RunEnded = 575, Peer, "this run has ended",
"A run's name is used once. It was given up here, or another provider ended it, and that was noted; nothing was published anywhere. Another run needs a new invitation: `mingle site invite`.";
    Usage = 601, Usage, "the command line is wrong",
"See `mingle --help`, or `mingle help COMMAND`.";
    Interrupted = 602, Interrupted, "stopped by the user",
"Unfinished output has been removed; what was there before is untouched.";
    Defect = 603, Defect, "a defect of this program",
"Something happened that should be impossible. Nothing was published. Please report what you did, without data.";
    UnknownCode = 604, Usage, "there is no such code",
"`mingle explain` without a code lists all of them.";
    NoReport = 605, Defect, "the report of a release cannot be made",
"A release and its reports appear together or not at all, so nothing was published, and what was there before is untouched. Only a release with noise is published without reports, as a warning says, because its budget is spent: `mingle report` can make them later. The report is made from the files of the release alone, which had just been written: please report what you did, without data.";
    NoPrivatePart = 606, Usage, "the private part of the release is not here",
"The private report is made from `private/`, which is never handed out. Name the whole release folder, as its steward keeps it, or leave out --private.";

    RiskTooHigh = 610, Finding, "the risk is above what the policy accepts",
"[risk] says which chance of being identified you accept: the highest for anybody (`maximum`), the average, and those of a journalist and a marketer. This release keeps every promise of [privacy] but is above one of these limits, so nothing was written. The highest chance is one over the smallest group, counted by people: k = 12 keeps it below 0.09. An average falls as groups grow. Raise k, or accept more and say why in [about.why].";

    SigningKeyUnusable = 620, Usage, "a key for signatures cannot be used",
"`mingle sign --new-key FILE` makes a private key, FILE, and its public key, FILE.pub. A private key is an Ed25519 key in PEM (PKCS #8) that only its owner may read: chmod 600 FILE. Keep it where releases are not, and have a copy: who has it can sign in your name, and nobody can restore it. A public key is 64 hexadecimal digits or a file in PEM.";
    NotSignedBy = 621, Finding, "a release is not signed by whom it should be",
"`--signed-by` names the key of somebody whose signature the release must have, and there is none in signed.json that holds. The release may be another one than was signed, or was never signed. Get it again from whoever publishes it, and compare the key with the one you were given in another way than with the release.";
    SignedReport = 622, Usage, "the report of a signed release would change",
"A signature covers report.json, so a new one, as another version of the program makes it, would break every signature. Write the new report elsewhere with --out FILE. Or take the signatures away: delete signed.json in public/ and in private/, make the reports and have the release signed again.";
    UnfitSignature = 623, Finding, "a signature does not fit the release",
"Somebody has signed, and what is there now is something else, or the key has not made this signature. Find out who changed the release and why before you sign it. `mingle sign --drop-stale` signs it and takes out the signatures that do not fit.";

    LedgerMissing = 701, Usage, "there is no such ledger",
"A ledger is the budget of one protected data set: every release with noise spends from it first. `mingle dp budget FILE --create --epsilon 1 --delta 1e-9` makes one. Make it once for a data set, and keep it with the data: a second ledger for the same people would let them be spent on twice.";
    LedgerUnusable = 702, Usage, "a ledger cannot be used",
"The file is not a ledger, or it is not as this program wrote it. Every line ends with a hash over itself and the line before, so that any change is found. Restore the file from a backup that has every release that was made; never correct it by hand.";
    LedgerBusy = 703, Usage, "another run is using the ledger",
"Runs spend one after the other. A run that ends or crashes frees the ledger by itself; the .lock file beside it may stay where it is. Nothing was spent by this run.";
    LedgerOtherCopy = 704, Usage, "the ledger is not the one that was last written here",
"The .lock file beside a ledger remembers the last entry that was written. A ledger that is behind it, or gone, or goes another way, would spend again what was spent already. Put the newest copy back. Only if all releases that are missing were never made or never handed out, remove the .lock file.";
    BudgetExhausted = 705, Finding, "the budget does not reach for this release",
"What all releases about these people may tell together was decided when the ledger was made. Ask for less (a smaller epsilon, or rho), or publish no more from this data set. A larger budget is a new decision about the people in the data: ask those who agreed to the first one again.";
    LedgerCannotPay = 706, Usage, "the ledger cannot pay for a release of this kind",
"A ledger with delta = 0 promises pure epsilon, so every release must be pure: leave delta out. A ledger that adds up epsilon cannot take a promise in rho. A histogram that leaves small cells out needs a delta of its own, and a ledger that has one. `mingle dp budget FILE` shows what a ledger pays for.";
    LedgerExists = 707, Usage, "there is something with the ledger's name already",
"A ledger is never overwritten. `mingle dp budget FILE` without --create shows what is in it.";
    LedgerInDoubt = 708, Usage, "the budget may have been spent",
"The entry was written, but the system did not confirm that it would last. Nothing was published. `mingle dp budget FILE` shows whether the entry is there; if it is, it counts.";
    NoCommonBound = 709, Finding, "releases together promise nothing",
"A release without differential privacy (k-anonymous, m-private) has no bound that could be added to others: what it tells in combination with them depends on the data. `mingle attack intersection` tries to find out. Or the delta that was asked for is smaller than what the releases need.";
    SameRelease = 710, Fine, "the same release is named twice",
"Its public manifest is the same, byte by byte, or its ledger was named as well: it is counted once.";
    DifferentUnits = 711, Fine, "releases protect people with different numbers of records",
"Where an identifier keeps the bound, a person's further records are left out and everybody is protected. Where the bound is the steward's word, only those are protected who have no more records than it says. What holds for all releases together is the weakest of them.";
    NoisyRelease = 720, Usage, "a differentially private release has no groups",
"It holds noisy counts or synthetic records, not rows of people in groups, so this command has nothing to look at: no row is a person's. `mingle verify` says what it guarantees, `mingle measure` what it costs, `mingle dp compose` what it amounts to with others; `mingle attack intersection` compares synthetic records and histograms with people.";
    NoisyMarginals = 721, Usage, "marginals cannot be compared with people",
"Marginals are tables of a few columns each. No row of them has everything that is known about a person beside the sensitive value, so there is nothing to find people in. `mingle dp synthetic` draws records from them; compare such a release, or a histogram, with the others.";
    CandidateGone = 801, Usage, "the page asks about something that is gone",
"The local page keeps the candidates that were made last, and this one is no longer among them, or it names a provider that the candidate does not have. Moving any slider makes the candidate again.";
    BadName = 802, Usage, "not a name that the page may use",
"Files that are dropped on the page, releases and policies have plain names: nothing that leads to another folder, no control characters, and not too long. Releases and policies are written to the folder that `mingle serve` was told, and nowhere else.";
    WrongEdit = 803, Usage, "the page asks for something that cannot be done",
"A change of the policy that does not fit its text, for example a key inside of a value that is no table, or more points of a frontier than can be computed. The policy's text can always be edited by hand.";
    FileChanged = 804, Usage, "a file is there already, and is another one",
"The page replaces a policy only if it is the one that it has read or written last: somebody else, perhaps another tab, has changed it meanwhile. Tables and hierarchies that were dropped are copied beside the policy, and never over another file.";
    HistoryLater = 805, Usage, "earlier versions are looked at when the release is published",
"The policy names a history. The page does not read the people behind the rows, so the candidate it shows was not compared with the earlier versions. Publishing does so, and refuses a release that says too much together with them.";
    NoPort = 806, Usage, "the page cannot listen on that port",
"Another program has the port, or it is reserved. `mingle serve` listens on 127.0.0.1 only, and takes any free port unless --port says otherwise.";
    RolesUnconfirmed = 807, Usage, "the page waits for the roles to be confirmed",
"With more than twelve quasi-identifiers hardly two rows are alike, so a search takes long and what it finds says little: every group has to be made alike in all of them. The page therefore looks for no release until somebody has looked at the roles and confirmed them. Make columns that nobody outside can know something else than quasi-identifiers, drop what is not needed, or confirm the roles as they are. `mingle publish` does not ask.";

    ClusterPackage = 840, Usage, "the Python package that speaks to clusters is not there",
"`mingle publish --on` starts `python3 -m mingle.spark`, because the program has no client of a cluster. That Python needs the package mingle of this version (`pip install ./crates/python` in a clone of the repository) and pyspark: `pyspark[connect]` with Java, or `pyspark-client` for sc:// alone. MINGLE_PYTHON names another Python, for example that of a virtual environment.";
    ContributionsDiffer = 940, Finding, "contributions are not the table that is to be verified",
"Providers verify a table jointly by naming the rows of it that are their own. These do not add up to the table, or a row has labels or values that the table does not have. How many cells differ is said; which, and whose, nobody learns. Each provider's --own must be its rows of that table, with the labels as published.";
}

impl fmt::Display for ProblemCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MG{:04}", *self as u16)
    }
}

impl Serialize for ProblemCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ProblemCode {
    /// Only as it is written: what people may type besides is no code in a document.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ProblemCode, D::Error> {
        let text = String::deserialize(deserializer)?;
        let code = ProblemCode::parse(&text).filter(|code| code.to_string() == text);
        code.ok_or_else(|| de::Error::custom("there is no such code"))
    }
}

impl ProblemCode {
    /// Finds `MG0103`, `mg103` or `103`.
    pub fn parse(typed: &str) -> Option<ProblemCode> {
        let upper = typed.trim().to_ascii_uppercase();
        let number: u16 = upper.strip_prefix("MG").unwrap_or(&upper).parse().ok()?;
        ProblemCode::ALL
            .iter()
            .copied()
            .find(|&code| code as u16 == number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_ascend_and_are_explained() {
        assert!(
            ProblemCode::ALL
                .windows(2)
                .all(|pair| (pair[0] as u16) < pair[1] as u16)
        );
        for code in ProblemCode::ALL {
            assert!(
                !code.title().ends_with('.') && !code.title().is_empty(),
                "{code}"
            );
            assert!(
                code.text().ends_with('.') && code.text().len() > 40,
                "{code}"
            );
        }
    }

    #[test]
    fn codes_are_found_by_any_spelling() {
        for typed in ["MG0103", "mg0103", "103", " MG103 "] {
            assert_eq!(ProblemCode::parse(typed), Some(ProblemCode::UnknownKey));
        }
        assert!(
            ["", "MG", "MG9999", "k"]
                .iter()
                .all(|typed| ProblemCode::parse(typed).is_none())
        );
    }
}
