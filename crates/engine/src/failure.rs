//! Errors of the rooms below, as messages with a code and a hint.
//!
//! The rooms say what and where; here it is decided which code that is and what a person should do
//! about it.

use mingle_disk::is_disk_full;
use mingle_dp::ledger::LedgerProblem;
use mingle_io::{Error as IoError, JsonFlaw, SheetFlaw};
use mingle_model::{DomainError, HierarchyError};
use mingle_record::ProblemCode;
use mingle_record::foreign_text;
use mingle_record::{Problem, ProblemPlace};
use mingle_release::Error as ReleaseError;
use mingle_release::history::HistoryProblem;
use std::io;

/// Something cannot be written.
pub fn write(what: &str, error: &io::Error) -> Problem {
    let text = format!("cannot write {what}: {}", reason(error));
    if is_disk_full(error) {
        Problem::new(
            ProblemCode::DiskFull,
            text,
            "free some space and run the command again",
        )
    } else {
        Problem::new(
            ProblemCode::OutputUnwritable,
            text,
            "choose a folder that you may write to",
        )
    }
}

/// Reading, encoding or writing a table failed.
pub fn io(error: &IoError) -> Problem {
    use IoError as E;
    let (code, hint) = match error {
        E::Cancelled => return interrupted(),
        E::Write(e) => return write("the table", e),
        E::Sheet { flaw, .. } if flaw.is_limit() => (
            ProblemCode::InputLimit,
            "save the sheet as CSV in UTF-8, or split it",
        ),
        E::UnpackedTooLong { .. } | E::TooMuchToKeep { .. } | E::TooManyRows { .. } => (
            ProblemCode::InputLimit,
            "check where the file comes from; if it really is this large, raise `limits` in [data]",
        ),
        e if e.is_limit() => (
            ProblemCode::InputLimit,
            "check the file: a quote that is never closed is a frequent cause",
        ),
        E::Terminal => (
            ProblemCode::InputUnreadable,
            "`-` reads what is piped in: mingle init - < table.csv",
        ),
        E::Sheet { flaw, .. } => sheet(flaw),
        E::JsonLine { flaw, .. } => json(flaw),
        E::KeysAreValues { .. } => (
            ProblemCode::NotATable,
            "write one object per row, with the same keys in each",
        ),
        E::Unreadable { .. } => (
            ProblemCode::InputUnreadable,
            "check the path, and that you may read the file; paths in a policy are relative to the policy",
        ),
        E::NoRows { .. } => (
            ProblemCode::NoRows,
            "add at least one row, or check that this is the right file",
        ),
        E::NoHeader { .. } => (
            ProblemCode::MissingColumns,
            "the first line must be a header, and the policy must spell the columns as the header does",
        ),
        E::MissingColumns { .. } => (
            ProblemCode::MissingColumns,
            "spell columns as in the header, rename them with `columns` of the provider, or set optional = true",
        ),
        E::MissingEverywhere { .. } => (
            ProblemCode::MissingColumns,
            "no table has them: remove them from the policy",
        ),
        E::OtherColumns { .. } => (
            ProblemCode::MissingColumns,
            "use tables with the same column names, each with a header",
        ),
        E::HeaderDoubtful { .. } | E::HeaderUnclear { .. } => (
            ProblemCode::HeaderDoubtful,
            "write header = false, names = [\"…\"] if it is a record, or header = true if it is a header; with \
             `mingle init`: --names a,b,c or --header",
        ),
        E::NamesItself { .. } => (
            ProblemCode::OtherFormat,
            "remove `header` and `names` for this table; `columns` renames columns",
        ),
        E::HeaderThere { .. } => (
            ProblemCode::HeaderDoubtful,
            "remove `header` and `names`; `columns` renames columns",
        ),
        E::HeaderRepeated { .. } => (ProblemCode::HeaderDoubtful, "take the line out"),
        E::NamesCount { .. } => (
            ProblemCode::BrokenRow,
            "list a name for every column of the file in `names`, or correct `delimiter`",
        ),
        E::Changed { .. } => (
            ProblemCode::InputChanged,
            "wait until it is complete and run the command again",
        ),
        E::OtherFormat { .. } => (
            ProblemCode::OtherFormat,
            "check that it is the right file; if so, set format = \"…\" in [data] or for the provider",
        ),
        E::KindsDiffer(_) | E::DaysAmbiguous(_) => (
            ProblemCode::KindsDiffer,
            "set date_format or decimal for that provider and the column's kind, or kind = \"category\" for codes",
        ),
        E::NotAsWritten { .. } => (
            ProblemCode::WrongKind,
            "correct it, list its text under `missing`, or change date_format or decimal of the provider",
        ),
        E::UnsupportedFile { found, .. } if found.starts_with("UTF-16") => (
            ProblemCode::NotATable,
            "set encoding = \"utf-16\" in [data] or for the provider",
        ),
        E::NulByte { .. } => (
            ProblemCode::InvalidUtf8,
            "set encoding = \"utf-16le\" or \"utf-16be\" if it is UTF-16; otherwise it is not text",
        ),
        E::StrayMark { .. } => (
            ProblemCode::InvalidUtf8,
            "files were joined: remove the mark and the second header",
        ),
        E::MissingProviderColumn { .. } => (
            ProblemCode::MissingColumns,
            "set `provider_column` in [data] to a column of the file",
        ),
        E::UndeclaredColumns { .. } => (
            ProblemCode::UndeclaredColumns,
            "give each a role in [columns], or set undeclared = \"drop\" in [data]",
        ),
        E::DuplicateColumn { .. } => (
            ProblemCode::DuplicateColumn,
            "rename one of them; if the first line is a record, say header = false, names = [\"…\"]",
        ),
        E::UnclosedQuote { .. } => (
            ProblemCode::BrokenRow,
            "close the quote, or write two quotes where one is part of a text",
        ),
        E::RaggedRow { .. } | E::LoneCarriageReturn { .. } => (
            ProblemCode::BrokenRow,
            "quote cells that hold the delimiter, or set `delimiter` in [data]",
        ),
        E::MixedEncodings { .. } => (
            ProblemCode::InvalidUtf8,
            "save the file in one encoding; if it has only one, set `encoding` in [data] or for the provider",
        ),
        E::HeaderNotUtf8 { .. } | E::InvalidUtf8 { .. } | E::NotInEncoding { .. } => (
            ProblemCode::InvalidUtf8,
            "set `encoding` in [data] or for the provider, or convert the file, for example with iconv",
        ),
        E::EmptyProviderName { .. } | E::EmptyProviderCell { .. } => (
            ProblemCode::ProviderUnnamed,
            "name the provider of every row",
        ),
        E::MissingPerson { .. } => (
            ProblemCode::PersonMissing,
            "complete the identifiers, leave those rows out, or name another column as `person` in [data]",
        ),
        E::EverybodyIsOne { .. } => (
            ProblemCode::EverybodyIsOne,
            "name the column that tells people apart as `person` in [data], or write person = \"row\"",
        ),
        E::Column { source, .. } => domain(source),
        E::NoRandomness | E::ParquetWrite | E::WrongKind { .. } | E::RowShape { .. } => {
            (ProblemCode::Defect, "please report this, without data")
        }
        _ => (
            ProblemCode::NotATable,
            "use CSV or JSON Lines (also gzip), Parquet, XLSX or ODS; set `encoding` if a text file is not UTF-8",
        ),
    };
    Problem::new(code, printable(&error.to_string()), hint).in_place(io_place(error))
}

/// Where in a table it is, as far as the error says.
fn io_place(error: &IoError) -> ProblemPlace {
    use IoError as E;
    let (file, line, column) = match error {
        E::InvalidUtf8 { file, line, column }
        | E::EmptyProviderCell { file, line, column }
        | E::NotAsWritten {
            file, line, column, ..
        }
        | E::CellTooLong {
            file, line, column, ..
        } => (Some(file), Some(*line), Some(column)),
        E::Sheet { file, flaw } => {
            let (row, column) = flaw.place();
            (Some(file), row, column)
        }
        E::JsonLine { file, line, .. }
        | E::RaggedRow { file, line, .. }
        | E::LoneCarriageReturn { file, line }
        | E::UnclosedQuote { file, line }
        | E::HeaderRepeated { file, line }
        | E::NamesCount { file, line, .. }
        | E::NotInEncoding { file, line, .. }
        | E::NulByte { file, line }
        | E::StrayMark { file, line }
        | E::RecordTooLong { file, line, .. } => (Some(file), Some(*line), None),
        E::MissingProviderColumn { file, column, .. }
        | E::MissingPerson { file, column, .. }
        | E::ColumnType { file, column, .. } => (Some(file), None, Some(column)),
        E::Unreadable { file, .. }
        | E::EmptyFile { file }
        | E::NoRows { file, .. }
        | E::UnsupportedFile { file, .. }
        | E::HeaderNotUtf8 { file }
        | E::HeaderDoubtful { file, .. }
        | E::HeaderUnclear { file }
        | E::HeaderThere { file }
        | E::NamesItself { file, .. }
        | E::DuplicateColumn { file, .. }
        | E::OtherFormat { file, .. }
        | E::Changed { file }
        | E::MissingEverywhere { file, .. }
        | E::OtherColumns { file, .. }
        | E::MissingColumns { file, .. }
        | E::NoHeader { file, .. }
        | E::UndeclaredColumns { file, .. }
        | E::GzipCorrupt { file }
        | E::ParquetCorrupt { file }
        | E::EmptyProviderName { file }
        | E::TooManyColumns { file, .. }
        | E::KeysAreValues { file, .. }
        | E::UnpackedTooLong { file, .. }
        | E::FileTooLong { file, .. } => (Some(file), None, None),
        E::KindsDiffer(found) => (Some(&found.file), Some(found.line), Some(&found.column)),
        E::DaysAmbiguous(found) => (Some(&found.file), Some(found.line), Some(&found.column)),
        E::Column { column, .. } | E::EverybodyIsOne { column, .. } => (None, None, Some(column)),
        _ => (None, None, None),
    };
    ProblemPlace {
        file: file.map(|file| printable(file)),
        line,
        column: None,
        column_name: column.map(|column| printable(column)),
    }
}

/// A column cannot be encoded.
pub fn of_column(name: &str, error: &DomainError) -> Problem {
    let (code, hint) = domain(error);
    Problem::new(code, printable(&format!("column {name:?}: {error}")), hint)
}

fn sheet(flaw: &SheetFlaw) -> (ProblemCode, &'static str) {
    use SheetFlaw as F;
    match flaw {
        F::NoSuchSheet { .. } | F::SeveralSheets { .. } | F::OnlyHidden { .. } => (
            ProblemCode::NotATable,
            "write sheet = \"…\" beside the table's path, with the name on its tab",
        ),
        F::MergedCells { .. } => (
            ProblemCode::NotATable,
            "unmerge them and fill every cell: a table has one value per cell",
        ),
        F::HiddenRow { .. } | F::HiddenColumn { .. } => (
            ProblemCode::NotATable,
            "show it if it belongs to the table, delete it if not; filters also hide rows",
        ),
        F::RowsBelowGap { .. } | F::UnnamedColumn { .. } => (
            ProblemCode::NotATable,
            "leave one table in the sheet: a row of names, and rows without a gap below it",
        ),
        F::Cell { .. } => (
            ProblemCode::BrokenRow,
            "correct the cell; formulas get their results when the workbook is saved",
        ),
        F::Encrypted => (
            ProblemCode::NotATable,
            "save the workbook without a password",
        ),
        _ => (
            ProblemCode::NotATable,
            "open the workbook, save it again as .xlsx or .ods, or as CSV in UTF-8",
        ),
    }
}

fn json(flaw: &JsonFlaw) -> (ProblemCode, &'static str) {
    match flaw {
        JsonFlaw::NotUtf8 => (
            ProblemCode::InvalidUtf8,
            "convert the file to UTF-8, for example with iconv",
        ),
        JsonFlaw::LateKey { .. } => (
            ProblemCode::BrokenRow,
            "write every key of the table in one of the first lines, with null if there is no value",
        ),
        _ => (
            ProblemCode::BrokenRow,
            "write one object per line, with a text, number, true, false or null per key",
        ),
    }
}

fn domain(error: &DomainError) -> (ProblemCode, &'static str) {
    match error {
        DomainError::WrongKind { .. } => (
            ProblemCode::WrongKind,
            "correct it, list its text under `missing`, change `kind`, or set `decimal` or `date_format` for the table",
        ),
        DomainError::NotInOrder { .. } => (
            ProblemCode::NotInOrder,
            "list every value of the column in `order`",
        ),
        DomainError::Grid(_) => (
            ProblemCode::WrongValue,
            "remove `grid`, or declare one that fits the column's kind and has as many decimal places",
        ),
        DomainError::OrderOfNumbers => (
            ProblemCode::UselessKey,
            "remove `order`, or set kind = \"category\"",
        ),
        DomainError::NotABand { .. } | DomainError::BandsOverlap { .. } => (
            ProblemCode::WrongKind,
            "correct it, list its text under `missing`, or set kind = \"category\"",
        ),
        DomainError::Hierarchy(error) => (ProblemCode::Hierarchy, mended_hierarchy(error)),
    }
}

/// What to do about a hierarchy.
fn mended_hierarchy(error: &HierarchyError) -> &'static str {
    use HierarchyError as E;
    match error {
        E::Gap { .. } => {
            "add rows for them, or a last row such as *;other;* for all other values; ranges of codes \
             need kind = \"category\""
        }
        E::RangesOverlap { .. } | E::RangeReversed { .. } => {
            "list every value in one row only; a range includes both ends"
        }
        E::LabelIsValue { .. } => "rename the label, or correct the value",
        E::BornLater { .. } => {
            "correct the dates, or choose a later day for `age`: nobody is younger than 0"
        }
        E::FractionalBound => "write whole bounds, or kind = \"decimal\"",
        _ => "`mingle explain MG0210` says what a hierarchy needs",
    }
}

/// Writing or opening a release failed.
pub fn release(error: &ReleaseError) -> Problem {
    use ReleaseError as E;
    let text = printable(&error.to_string());
    let (code, hint) = match error {
        E::Cancelled => return interrupted(),
        E::Io { .. } if error.is_disk_full() => (
            ProblemCode::DiskFull,
            "free some space and run the command again; nothing was published",
        ),
        E::Io { .. } => (
            ProblemCode::OutputUnwritable,
            "choose a folder that you may write to",
        ),
        E::Unflushed { .. } => (
            ProblemCode::ReleaseInDoubt,
            "`mingle verify` says whether it is complete",
        ),
        E::Exists { .. } => (
            ProblemCode::OutputExists,
            "choose another folder, or replace the release with --force",
        ),
        E::NotARelease { path } if !path.exists() => (
            ProblemCode::NotARelease,
            "check the path: there is nothing of that name",
        ),
        E::NotARelease { .. } => (
            ProblemCode::NotARelease,
            "name a folder that `mingle publish` has written; nothing else is read or replaced",
        ),
        E::NoParent { .. } | E::BadName { .. } => (
            ProblemCode::OutputUnwritable,
            "create the folder around it first",
        ),
        E::Unreadable { .. }
        | E::Manifest { .. }
        | E::MissingFile { .. }
        | E::Fragmented { .. }
        | E::AuditCounts => (
            ProblemCode::ReleaseUnreadable,
            "publish again; files were changed after publishing",
        ),
        E::AuditDiffers { .. } => (
            ProblemCode::ReleaseDamaged,
            "`mingle verify` says more; hand out nothing until you know why",
        ),
        E::StagedDiffers { .. }
        | E::StagedDamaged { .. }
        | E::OtherSession { .. }
        | E::Signature { .. } => (
            ProblemCode::ReleaseDamaged,
            "nothing was published; run the session again",
        ),
        E::Fragments(_) | E::Insensitive { .. } => (
            ProblemCode::Contradiction,
            "set fragmented = false in [release], or change the column's role or name",
        ),
        E::Report { .. } => (
            ProblemCode::NoReport,
            "nothing was published; please report this, without data",
        ),
        E::History { problem, .. } => history(problem),
        E::Noisy { .. } => (
            ProblemCode::NoisyRelease,
            "`mingle explain MG0720` lists the commands that work on it",
        ),
        E::Counts { .. } => (
            ProblemCode::ReleaseUnreadable,
            "get the release again; files were changed after publishing",
        ),
        E::TwoLabels { .. } => (
            ProblemCode::DomainUnusable,
            "use different spellings for values, `other` and missing values",
        ),
        E::Composition(_) => (
            ProblemCode::NotAligned,
            "use the policy that the release was made with",
        ),
        E::ProviderInData { .. } => (
            ProblemCode::ProviderPublished,
            "name it as `provider_column` in [data], or make it an identifier",
        ),
        _ => (ProblemCode::Defect, "please report this, without data"),
    };
    Problem::new(code, text, hint)
}

fn history(problem: &HistoryProblem) -> (ProblemCode, &'static str) {
    use HistoryProblem as P;
    match problem {
        P::Busy => (
            ProblemCode::HistoryBusy,
            "wait until the other run has ended",
        ),
        P::NotAHistory => (
            ProblemCode::HistoryUnusable,
            "`mingle history init DIR` makes one",
        ),
        P::OpenToOthers => (
            ProblemCode::HistoryUnusable,
            "it holds sensitive values: chmod 700, and ask who has read it",
        ),
        P::ReleaseMissing { .. } | P::ReleaseChanged { .. } => (
            ProblemCode::HistoryRelease,
            "if it was moved, `mingle history add` records the new place",
        ),
        P::NoSuchVersion { .. } => (
            ProblemCode::HistoryUnusable,
            "`mingle history list DIR` shows the versions",
        ),
        P::Label { .. } => (ProblemCode::HistoryUnusable, "choose another label"),
        P::AlreadyThere { .. } => (ProblemCode::HistoryUnusable, "there is nothing to do"),
        P::Ambiguous { .. } => (
            ProblemCode::HistoryUnusable,
            "publish with `history` in [composition], which writes down who is in which group",
        ),
        P::OtherPeople { .. } | P::OtherGroups { .. } | P::OtherColumns { .. } => (
            ProblemCode::HistoryUnusable,
            "name the policy and the tables that the release was made from",
        ),
        P::OtherManifest => (
            ProblemCode::HistoryUnusable,
            "add the release that was announced, or forget it",
        ),
        P::OtherPerson { .. } => (
            ProblemCode::NotRecognized,
            "name that column as `person`, or start a new history with `mingle history init`",
        ),
        P::NobodyStayed => (
            ProblemCode::NotRecognized,
            "write identifiers as before; for a table of other people start a new history with `mingle history init`",
        ),
        P::NoColumnStayed | P::NoValueStayed { .. } => (
            ProblemCode::NotRecognized,
            "name and write them as before; for other facts start a new history with `mingle history init`",
        ),
        P::Unsettled { .. } => (
            ProblemCode::NotRecorded,
            "add it with `mingle history add`, or `mingle history forget DIR --pending`",
        ),
        P::NothingPending => (ProblemCode::HistoryUnusable, "there is nothing to do"),
        P::SeveralRows => (
            ProblemCode::IdentifierUnusable,
            "merge the rows of a person first",
        ),
        P::TooLarge => (ProblemCode::InputLimit, "publish without a history"),
        _ => (
            ProblemCode::HistoryUnusable,
            "restore the folder from a backup",
        ),
    }
}

/// A constraint does not fit the table.
pub fn privacy(error: &mingle_privacy::Error) -> Problem {
    use mingle_privacy::Error as E;
    let hint = match error {
        E::Unordered { .. } => "add order = […] to the column, or use distance = \"equal\"",
        E::NotMonotone { .. } => mingle_policy::NOT_MONOTONE_HINT,
        E::NoHierarchy { .. } => "add a hierarchy to the column, or use distance = \"equal\"",
        _ => "change [privacy] in the policy",
    };
    Problem::new(ProblemCode::Misfit, error.to_string(), hint)
}

/// A release with noise cannot be made.
pub fn dp(error: &mingle_dp::Error) -> Problem {
    use mingle_dp::Error as E;
    let (code, hint) = match error {
        E::Cancelled => return interrupted(),
        E::Ledger { problem, .. } => ledger(problem),
        E::TooManyCells { .. } => (
            ProblemCode::TooLarge,
            "take coarser domains or fewer columns",
        ),
        E::TooManyRows { .. } => (ProblemCode::TooLarge, "lower `rows` in [dp]"),
        E::AllNoise { .. } => (
            ProblemCode::TooMuchNoise,
            "nothing was spent; spend more on it, or release fewer columns",
        ),
        _ => (ProblemCode::Defect, "please report this, without data"),
    };
    Problem::new(code, printable(&error.to_string()), hint)
}

fn ledger(problem: &LedgerProblem) -> (ProblemCode, &'static str) {
    use LedgerProblem as P;
    match problem {
        P::Missing => (
            ProblemCode::LedgerMissing,
            "`mingle dp budget FILE --create --epsilon 1 --delta 1e-9` makes one",
        ),
        P::Locked { .. } => (
            ProblemCode::LedgerBusy,
            "nothing was spent; wait until the other run has ended",
        ),
        P::Exists => (
            ProblemCode::LedgerExists,
            "choose another name; `mingle dp budget FILE` shows what is in it",
        ),
        P::Gone { .. } | P::OlderCopy { .. } | P::OtherCopy { .. } => (
            ProblemCode::LedgerOtherCopy,
            "restore the newest copy; see `mingle explain MG0704`",
        ),
        P::Exhausted { .. } => (
            ProblemCode::BudgetExhausted,
            "nothing was spent; `mingle dp budget FILE` shows what would be possible",
        ),
        P::DeltaFromPure => (
            ProblemCode::LedgerCannotPay,
            "leave delta out, or spend from a ledger with a delta",
        ),
        P::RhoFromEpsilon => (
            ProblemCode::LedgerCannotPay,
            "ask for epsilon, or spend from a ledger whose accounting is concentrated",
        ),
        P::CellsNeedDelta => (
            ProblemCode::LedgerCannotPay,
            "give the release a delta, or fewer or coarser columns",
        ),
        P::CellsFromRho => (
            ProblemCode::LedgerCannotPay,
            "spend from a ledger with epsilon and delta",
        ),
        P::OutOfRange { .. } | P::NoRecords => (
            ProblemCode::Usage,
            "give epsilon or rho above 0, and delta from 0 to below 1",
        ),
        P::Unflushed { .. } => (
            ProblemCode::LedgerInDoubt,
            "`mingle dp budget FILE` shows whether the entry is there",
        ),
        P::Io { source, .. } if is_disk_full(source) => (
            ProblemCode::DiskFull,
            "nothing was spent; free some space and run the command again",
        ),
        P::Io { .. } => (
            ProblemCode::OutputUnwritable,
            "nothing was spent; check the folder, and who may write to it",
        ),
        P::HardLinks { .. } => (
            ProblemCode::LedgerUnusable,
            "keep one of the names, and link to it with `ln -s`",
        ),
        P::OtherVersion => (
            ProblemCode::LedgerUnusable,
            "use the version of mingle that wrote it, or a newer one",
        ),
        P::LockNotAFile => (
            ProblemCode::LedgerUnusable,
            "find out who put it there, then remove FILE.lock",
        ),
        P::NotALedger | P::NotAFile => (
            ProblemCode::LedgerUnusable,
            "name a file that `mingle dp budget --create` has made",
        ),
        P::Empty
        | P::TooLarge { .. }
        | P::NotUtf8 { .. }
        | P::CutShort { .. }
        | P::Changed { .. }
        | P::Unreadable { .. } => (
            ProblemCode::LedgerUnusable,
            "restore it from a backup that has every release; never correct it by hand",
        ),
    }
}

/// The user asked to stop.
pub fn interrupted() -> Problem {
    Problem::new(
        ProblemCode::Interrupted,
        "stopped; nothing was written",
        "run the command again when you are ready",
    )
}

/// Something that cannot be.
pub fn defect(what: &str) -> Problem {
    Problem::new(
        ProblemCode::Defect,
        what,
        "nothing was written; please report this, without data",
    )
}

/// What the system says, without its error number.
pub fn reason(error: &io::Error) -> String {
    foreign_text::system_words(error)
}

/// Names of files and columns come from outside: they must not control a terminal.
pub(crate) fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in foreign_text::without_error_number(text).chars() {
        shown.push(if c.is_control() { '\u{fffd}' } else { c });
    }
    shown
}
