//! Errors of the rooms below, as messages with a code and a hint.
//!
//! The rooms say what and where; here it is decided which code that is and what a person should do
//! about it.

use mingle_disk::is_disk_full;
use mingle_dp::ledger::LedgerProblem;
use mingle_io::{Error as IoError, JsonFlaw, SheetFlaw};
use mingle_model::DomainError;
use mingle_record::Code;
use mingle_record::Problem;
use mingle_record::foreign_text;
use mingle_release::Error as ReleaseError;
use mingle_release::history::HistoryProblem;
use std::io;

/// Something cannot be written.
pub fn write(what: &str, error: &io::Error) -> Problem {
    let text = format!("cannot write {what}: {}", reason(error));
    if is_disk_full(error) {
        Problem::new(Code::DiskFull, text, "make room and run the command again")
    } else {
        Problem::new(
            Code::OutputUnwritable,
            text,
            "choose a place that you may write to",
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
            Code::InputLimit,
            "save the sheet that is needed as CSV in UTF-8, or cut it into several",
        ),
        e if e.is_limit() => (
            Code::InputLimit,
            "check the file: a quote that is never closed is a frequent cause",
        ),
        E::Terminal => (
            Code::InputUnreadable,
            "`-` reads what is piped in: mingle init - < table.csv",
        ),
        E::Sheet { flaw, .. } => sheet(flaw),
        E::JsonLine { flaw, .. } => json(flaw),
        E::KeysAreValues { .. } => (
            Code::NotATable,
            "write one object per row, with the same keys in each",
        ),
        E::Unreadable { .. } => (
            Code::InputUnreadable,
            "check the path, which is relative to the policy, and who may read it",
        ),
        E::NoRows { .. } => (Code::NoRows, "give at least one row"),
        E::NoHeader { .. } => (
            Code::MissingColumns,
            "the first line must be a header; columns are spelled in the policy as they are there",
        ),
        E::MissingColumns { .. } => (
            Code::MissingColumns,
            "spell columns as in the header line, rename them with `columns` of the provider, or say optional = true",
        ),
        E::MissingEverywhere { .. } => (
            Code::MissingColumns,
            "no table has them, so take them out of the policy",
        ),
        E::OtherColumns { .. } => (
            Code::MissingColumns,
            "give tables with the same columns, spelled alike, and with a header each",
        ),
        E::HeaderDoubtful { .. } => (
            Code::HeaderDoubtful,
            "write header = false, names = [\"…\"] if it is a record, or header = true if it is a header",
        ),
        E::HeaderRepeated { .. } => (Code::HeaderDoubtful, "take the line out"),
        E::NamesCount { .. } => (
            Code::BrokenRow,
            "give a name for every column of the file in `names`, or correct `delimiter`",
        ),
        E::Changed { .. } => (
            Code::InputChanged,
            "wait until it is complete and run the command again",
        ),
        E::OtherFormat { .. } => (
            Code::OtherFormat,
            "check the file; if it is the right one, say format = \"…\" in [data] or for the provider",
        ),
        E::KindsDiffer { .. } => (
            Code::KindsDiffer,
            "say date_format or decimal for that provider and the column's kind, or kind = \"category\" for codes",
        ),
        E::NotAsWritten { .. } => (
            Code::WrongKind,
            "correct it, list its text under `missing`, or change date_format or decimal of the provider",
        ),
        E::UnsupportedFile { found, .. } if found.starts_with("UTF-16") => (
            Code::NotATable,
            "say encoding = \"utf-16\" in [data] or for the provider",
        ),
        E::NulByte { .. } => (
            Code::InvalidUtf8,
            "say encoding = \"utf-16le\" or \"utf-16be\" if it is UTF-16; otherwise it is no text",
        ),
        E::StrayMark { .. } => (
            Code::InvalidUtf8,
            "files were glued together: take the mark out, and the second header",
        ),
        E::MissingProviderColumn { .. } => (
            Code::MissingColumns,
            "set `provider_column` in [data] to a column of the file",
        ),
        E::UndeclaredColumns { .. } => (
            Code::UndeclaredColumns,
            "give each a role in [columns], or set undeclared = \"drop\" in [data]",
        ),
        E::DuplicateColumn { .. } => (
            Code::DuplicateColumn,
            "rename one of them; if the first line is a record, say header = false, names = [\"…\"]",
        ),
        E::RaggedRow { .. } | E::LoneCarriageReturn { .. } | E::UnclosedQuote { .. } => (
            Code::BrokenRow,
            "quote cells that hold the delimiter, or set `delimiter` in [data]",
        ),
        E::HeaderNotUtf8 { .. } | E::InvalidUtf8 { .. } | E::NotInEncoding { .. } => (
            Code::InvalidUtf8,
            "say `encoding` in [data] or for the provider, or convert the file, for example with iconv",
        ),
        E::EmptyProviderName { .. } | E::EmptyProviderCell { .. } => {
            (Code::ProviderUnnamed, "name the provider of every row")
        }
        E::Column { source, .. } => domain(source),
        E::ParquetWrite | E::WrongKind { .. } | E::RowShape { .. } => {
            (Code::Defect, "please report this, without data")
        }
        _ => (
            Code::NotATable,
            "give a CSV file in UTF-8 (gzip is fine) or a Parquet file",
        ),
    };
    Problem::new(code, printable(&error.to_string()), hint)
}

fn sheet(flaw: &SheetFlaw) -> (Code, &'static str) {
    use SheetFlaw as F;
    match flaw {
        F::NoSuchSheet { .. } | F::SeveralSheets { .. } | F::OnlyHidden { .. } => (
            Code::NotATable,
            "write sheet = \"…\" beside the table's path, with the name on its tab",
        ),
        F::MergedCells { .. } => (
            Code::NotATable,
            "unmerge them and fill every cell: a table has one value per cell",
        ),
        F::HiddenRow { .. } | F::HiddenColumn { .. } => (
            Code::NotATable,
            "show it if it belongs to the table, delete it if not; filters hide rows as well",
        ),
        F::RowsBelowGap { .. } | F::UnnamedColumn { .. } => (
            Code::NotATable,
            "leave one table in the sheet: a row of names, and rows without a gap below it",
        ),
        F::Cell { .. } => (
            Code::BrokenRow,
            "correct the cell; formulas get their results when the workbook is saved",
        ),
        F::Encrypted => (Code::NotATable, "save the workbook without a password"),
        _ => (
            Code::NotATable,
            "open the workbook, save it again as .xlsx or .ods, or as CSV in UTF-8",
        ),
    }
}

fn json(flaw: &JsonFlaw) -> (Code, &'static str) {
    match flaw {
        JsonFlaw::NotUtf8 => (
            Code::InvalidUtf8,
            "convert the file to UTF-8, for example with iconv",
        ),
        JsonFlaw::LateKey { .. } => (
            Code::BrokenRow,
            "write every key of the table in one of the first lines, with null if need be",
        ),
        _ => (
            Code::BrokenRow,
            "write one object per line, with a text, number, true, false or null per key",
        ),
    }
}

fn domain(error: &DomainError) -> (Code, &'static str) {
    match error {
        DomainError::WrongKind { .. } => (
            Code::WrongKind,
            "correct it, list its text under `missing`, change `kind`, or say `decimal` or `date_format` for the table",
        ),
        DomainError::NotInOrder { .. } => (
            Code::NotInOrder,
            "list every value of the column in `order`",
        ),
        DomainError::OrderOfNumbers => (
            Code::UselessKey,
            "take `order` out, or set kind = \"category\"",
        ),
        DomainError::Hierarchy(_) => (
            Code::Hierarchy,
            "see `mingle explain MG0210` for what a hierarchy needs",
        ),
    }
}

/// Writing or opening a release failed.
pub fn release(error: &ReleaseError) -> Problem {
    use ReleaseError as E;
    let text = printable(&error.to_string());
    let (code, hint) = match error {
        E::Cancelled => return interrupted(),
        E::Io { .. } if error.is_disk_full() => (
            Code::DiskFull,
            "make room and run the command again; nothing was published",
        ),
        E::Io { .. } => (
            Code::OutputUnwritable,
            "choose a place that you may write to",
        ),
        E::Unflushed { .. } => (
            Code::ReleaseInDoubt,
            "`mingle verify` says whether it is whole",
        ),
        E::Exists { .. } => (
            Code::OutputExists,
            "choose another folder, or replace the release with --force",
        ),
        E::NotARelease { .. } => (
            Code::NotARelease,
            "only a folder that mingle has written can be read or replaced",
        ),
        E::NoParent { .. } | E::BadName { .. } => (
            Code::OutputUnwritable,
            "choose a folder inside of one that exists",
        ),
        E::Unreadable { .. }
        | E::Manifest { .. }
        | E::MissingFile { .. }
        | E::Fragmented { .. }
        | E::AuditCounts => (
            Code::ReleaseUnreadable,
            "publish again; the files are not as they were written",
        ),
        E::AuditDiffers { .. } => (
            Code::ReleaseDamaged,
            "`mingle verify` says more; hand out nothing before you know why",
        ),
        E::StagedDiffers { .. }
        | E::StagedDamaged { .. }
        | E::OtherSession { .. }
        | E::Signature { .. } => (
            Code::ReleaseDamaged,
            "nothing was published; run the session again",
        ),
        E::Fragments(_) | E::Insensitive { .. } => (
            Code::Contradiction,
            "set fragmented = false in [release], or change the column's role or name",
        ),
        E::Report { .. } => (
            Code::NoReport,
            "nothing was published; please report this, without data",
        ),
        E::History { problem, .. } => history(problem),
        E::Noisy { .. } => (
            Code::NoisyRelease,
            "see `mingle explain MG0720` for what can be asked of it",
        ),
        E::Counts { .. } => (
            Code::ReleaseUnreadable,
            "get the release again; the files are not as they were written",
        ),
        E::TwoLabels { .. } => (
            Code::DomainUnusable,
            "spell values, `other` and missing values apart",
        ),
        E::Composition(_) => (
            Code::NotAligned,
            "the policy must be the one that the release was made with",
        ),
        E::ProviderInData { .. } => (
            Code::ProviderPublished,
            "name it as `provider_column` in [data], or make it an identifier",
        ),
        _ => (Code::Defect, "please report this, without data"),
    };
    Problem::new(code, text, hint)
}

fn history(problem: &HistoryProblem) -> (Code, &'static str) {
    use HistoryProblem as P;
    match problem {
        P::Busy => (Code::HistoryBusy, "wait until the other run has ended"),
        P::NotAHistory => (Code::HistoryUnusable, "`mingle history init DIR` makes one"),
        P::OpenToOthers => (
            Code::HistoryUnusable,
            "it holds sensitive values: chmod 700, and ask who has read it",
        ),
        P::ReleaseMissing { .. } | P::ReleaseChanged { .. } => (
            Code::HistoryRelease,
            "if it was moved, `mingle history add` with its new place corrects that",
        ),
        P::NoSuchVersion { .. } => (
            Code::HistoryUnusable,
            "`mingle history list DIR` shows the versions",
        ),
        P::Label { .. } => (Code::HistoryUnusable, "choose another label"),
        P::AlreadyThere { .. } => (Code::HistoryUnusable, "there is nothing to do"),
        P::Ambiguous { .. } => (
            Code::HistoryUnusable,
            "publish with `history` in [composition], which writes down who is in which group",
        ),
        P::OtherPeople { .. } | P::OtherGroups { .. } | P::OtherColumns { .. } => (
            Code::HistoryUnusable,
            "name the policy and the tables that the release was made from",
        ),
        P::OtherManifest => (
            Code::HistoryUnusable,
            "add the release that was announced, or forget it",
        ),
        P::OtherPerson { .. } => (
            Code::NotRecognized,
            "name that column as `person`, or start a new history with `mingle history init`",
        ),
        P::NobodyStayed => (
            Code::NotRecognized,
            "write identifiers as before; for a table of other people start a new history with `mingle history init`",
        ),
        P::NoColumnStayed | P::NoValueStayed { .. } => (
            Code::NotRecognized,
            "name and write them as before; for other facts start a new history with `mingle history init`",
        ),
        P::Unsettled { .. } => (
            Code::NotRecorded,
            "add it with `mingle history add`, or `mingle history forget DIR --pending`",
        ),
        P::NothingPending => (Code::HistoryUnusable, "there is nothing to do"),
        P::SeveralRows => (Code::IdentifierUnusable, "merge the rows of a person first"),
        P::TooLarge => (Code::InputLimit, "publish without a history"),
        _ => (Code::HistoryUnusable, "restore the folder from a backup"),
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
    Problem::new(Code::Misfit, error.to_string(), hint)
}

/// A release with noise cannot be made.
pub fn dp(error: &mingle_dp::Error) -> Problem {
    use mingle_dp::Error as E;
    let (code, hint) = match error {
        E::Cancelled => return interrupted(),
        E::Ledger { problem, .. } => ledger(problem),
        E::TooManyCells { .. } => (Code::TooLarge, "take coarser domains or fewer columns"),
        E::TooManyRows { .. } => (Code::TooLarge, "lower `rows` in [dp]"),
        E::AllNoise { .. } => (
            Code::TooMuchNoise,
            "nothing was spent; spend more on it, or release fewer columns",
        ),
        _ => (Code::Defect, "please report this, without data"),
    };
    Problem::new(code, printable(&error.to_string()), hint)
}

fn ledger(problem: &LedgerProblem) -> (Code, &'static str) {
    use LedgerProblem as P;
    match problem {
        P::Missing => (
            Code::LedgerMissing,
            "`mingle dp budget FILE --create --epsilon 1 --delta 1e-9` makes one",
        ),
        P::Locked { .. } => (
            Code::LedgerBusy,
            "nothing was spent; wait until the other run has ended",
        ),
        P::Exists => (
            Code::LedgerExists,
            "choose another name; `mingle dp budget FILE` shows what is in it",
        ),
        P::Gone { .. } | P::OlderCopy { .. } | P::OtherCopy { .. } => (
            Code::LedgerOtherCopy,
            "put the newest copy back; see `mingle explain MG0704`",
        ),
        P::Exhausted { .. } => (
            Code::BudgetExhausted,
            "nothing was spent; `mingle dp budget FILE` shows what would be possible",
        ),
        P::DeltaFromPure => (
            Code::LedgerCannotPay,
            "leave delta out, or spend from a ledger with a delta",
        ),
        P::RhoFromEpsilon => (
            Code::LedgerCannotPay,
            "ask for epsilon, or spend from a ledger whose accounting is concentrated",
        ),
        P::CellsNeedDelta => (
            Code::LedgerCannotPay,
            "give the release a delta, or fewer or coarser columns",
        ),
        P::CellsFromRho => (
            Code::LedgerCannotPay,
            "spend from a ledger with epsilon and delta",
        ),
        P::OutOfRange { .. } | P::NoRecords => (
            Code::Usage,
            "give epsilon or rho above 0, and delta from 0 to below 1",
        ),
        P::Unflushed { .. } => (
            Code::LedgerInDoubt,
            "`mingle dp budget FILE` shows whether the entry is there",
        ),
        P::Io { source, .. } if is_disk_full(source) => (
            Code::DiskFull,
            "nothing was spent; make room and run the command again",
        ),
        P::Io { .. } => (
            Code::OutputUnwritable,
            "nothing was spent; check the folder, and who may write to it",
        ),
        P::HardLinks { .. } => (
            Code::LedgerUnusable,
            "keep one of the names, and link to it with `ln -s`",
        ),
        P::OtherVersion => (
            Code::LedgerUnusable,
            "use the version of mingle that wrote it, or a newer one",
        ),
        P::LockNotAFile => (
            Code::LedgerUnusable,
            "see who put it there, and remove FILE.lock",
        ),
        P::NotALedger | P::NotAFile => (
            Code::LedgerUnusable,
            "name a file that `mingle dp budget --create` has made",
        ),
        P::Empty
        | P::TooLarge { .. }
        | P::NotUtf8 { .. }
        | P::CutShort { .. }
        | P::Changed { .. }
        | P::Unreadable { .. } => (
            Code::LedgerUnusable,
            "restore it from a backup that has every release; never correct it by hand",
        ),
    }
}

/// The user asked to stop.
pub fn interrupted() -> Problem {
    Problem::new(
        Code::Interrupted,
        "stopped; nothing was written",
        "run the command again when you are ready",
    )
}

/// Something that cannot be.
pub fn defect(what: &str) -> Problem {
    Problem::new(
        Code::Defect,
        what,
        "nothing was written; please report this, without data",
    )
}

/// What the system says, without its error number.
pub fn reason(error: &io::Error) -> String {
    foreign_text::system_words(error)
}

/// Names of files and columns come from outside: they must not control a terminal.
fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in foreign_text::without_error_number(text).chars() {
        shown.push(if c.is_control() { '\u{fffd}' } else { c });
    }
    shown
}
