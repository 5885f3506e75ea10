//! The page's types, written from the program's: a page that is out of step does not compile.

use super::*;
use mingle_record::StatedPromise;
use mingle_record::answer::{
    ExplainedCode, HierarchyFinding, HierarchyWeakness, ShownBalance, ShownCoalition,
    ShownExposureOfSize, ShownLossName, ShownPopulation, ShownReaderRisk, ShownRisk,
    ShownRowsAbove, ShownShareBin, ShownSizeBin,
};
use mingle_record::manifest::ColumnRole;
use mingle_record::utility::QueryError;
use std::path::Path;
use ts_rs::{Config, TS};

fn declarations() -> String {
    // the page counts in floating point numbers, as JSON's readers do
    let config = Config::default().with_large_int("number");
    let mut text =
        "// Written by `cargo test -p mingle-page`; edit crates/page/src/protocol or crates/record instead.\n"
            .to_owned();
    macro_rules! add {
        ($($name:ident),* $(,)?) => { $( text += &format!("\nexport {}\n", $name::decl(&config)); )* };
    }
    add!(
        ProblemView,
        SessionRequest,
        Session,
        Start,
        FileList,
        DroppedFile,
        PolicyRequest,
        Edit,
        ProposeRequest,
        PolicyAnswer,
        PolicyView,
        ProviderView,
        ColumnView,
        HierarchyView,
        LimitsView,
        SensitiveView,
        ProfileRequest,
        ProfileAnswer,
        ColumnProfile,
        LabelledCount,
        HierarchyRequest,
        HierarchyDraft,
        HierarchyAnswer,
        HierarchyRow,
        HierarchyFinding,
        HierarchyWeakness,
        ExplainRequest,
        ExplainedCode,
        PlanRequest,
        PlanEvent,
        Stage,
        Candidate,
        ColumnCost,
        StatedPromise,
        ShownLossName,
        ShownSizeBin,
        ShownShareBin,
        QueryError,
        ShownRisk,
        ShownReaderRisk,
        ShownRowsAbove,
        ShownPopulation,
        ShownBalance,
        ShownExposureOfSize,
        ShownCoalition,
        ColumnRole,
        PreviewRequest,
        PreviewAnswer,
        PreviewColumn,
        PreviewRow,
        CoalitionRequest,
        CoalitionAnswer,
        CoalitionGroup,
        RemainingValue,
        Vary,
        FrontierRequest,
        FrontierEvent,
        FrontierPoint,
        AttackRequest,
        AttackEvent,
        AttackFinding,
        PublishRequest,
        PublishEvent,
        SaveRequest,
        SaveAnswer,
        ReportRequest,
        ReportLinks,
    );
    text
}

#[test]
fn the_page_has_the_same_types() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("web/src/protocol.ts");
    let (wanted, found) = (
        declarations(),
        std::fs::read_to_string(&file).unwrap_or_default(),
    );
    if wanted != found {
        std::fs::File::create(&file)
            .and_then(|mut f| std::io::Write::write_all(&mut f, wanted.as_bytes()))
            .unwrap();
        panic!(
            "{} was out of date and has been written anew",
            file.display()
        );
    }
}
