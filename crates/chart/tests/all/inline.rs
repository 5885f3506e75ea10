//! Charts inside a page: amounts from zero, names for those who do not see, and nothing that leaves
//! its place.

use mingle_chart::inline::{BarRow, Bars, CSS, Columns, Frame, StepLine, Steps, UprightColumn};

fn frame(id: &str) -> Frame {
    Frame {
        id: id.into(),
        title: "a <title>".into(),
        description: "b & c".into(),
    }
}

fn columns(amounts: &[f64]) -> Columns {
    let column = |amount: &f64| UprightColumn {
        label: "x".into(),
        amount: *amount,
        note: "n".into(),
    };
    Columns {
        frame: frame("c"),
        across: "size".into(),
        columns: amounts.iter().map(column).collect(),
        mark: None,
    }
}

fn attributes<'a>(svg: &'a str, element: &str, key: &str) -> Vec<&'a str> {
    let of = |part: &'a str| {
        part.split_once(&format!(" {key}=\""))
            .map(|(_, rest)| rest.split('"').next().unwrap())
    };
    svg.split(&format!("<{element} "))
        .skip(1)
        .filter_map(|part| of(part.split('>').next().unwrap()))
        .collect()
}

fn number(text: &str) -> f64 {
    text.trim_end_matches('%').parse().unwrap()
}

#[test]
fn columns_are_as_high_as_their_amounts() {
    let svg = columns(&[10.0, 5.0, 0.0]).to_svg();
    let heights: Vec<f64> = attributes(&svg, "rect", "height")
        .into_iter()
        .map(number)
        .collect();
    assert_eq!(heights.len(), 2, "nothing is drawn for nothing");
    assert!((heights[0] - 2.0 * heights[1]).abs() < 0.02);
    assert!(svg.contains(">0</text>"), "the axis starts at zero");
}

#[test]
fn bars_of_shares_reach_to_the_whole_where_told() {
    let row = |share: f64| BarRow {
        name: "r".into(),
        amounts: vec![(share, "s".into())],
    };
    let chart = Bars {
        frame: frame("b"),
        rows: vec![row(0.25), row(0.5)],
        shares: true,
        to_whole: true,
    };
    let svg = chart.to_svg();
    assert!(svg.contains(">0 %</text>") && svg.contains(">100 %</text>"));
    let widths: Vec<f64> = attributes(&svg, "rect", "width")
        .into_iter()
        .map(number)
        .collect();
    assert!(
        (widths[1] - 2.0 * widths[0]).abs() < 0.02 && (widths[1] - 23.0).abs() < 0.02,
        "{widths:?}"
    );
    assert!(
        !Bars {
            to_whole: false,
            ..chart
        }
        .to_svg()
        .contains(">100 %</text>")
    );
}

#[test]
fn steps_keep_their_amount_until_the_next() {
    let line = StepLine {
        name: "people".into(),
        amounts: vec![0.0, 0.0, 1.0],
    };
    let svg = Steps {
        frame: frame("s"),
        across: "size".into(),
        lines: vec![line],
        shares: true,
        mark: Some((1.0, "m".into())),
    }
    .to_svg();
    let levels: Vec<(&str, &str)> = attributes(&svg, "line", "y1")
        .into_iter()
        .zip(attributes(&svg, "line", "y2"))
        .collect();
    assert!(svg.contains("people at 2: 100 %"));
    // level, level and one riser after grid, base and mark
    assert_eq!(svg.matches("<line class=\"s0\"").count(), 3, "{levels:?}");
}

#[test]
fn texts_are_escaped_and_ids_belong_to_the_frame() {
    let mut chart = columns(&[1.0]);
    chart.columns[0] = UprightColumn {
        label: "<b>".into(),
        amount: 1.0,
        note: "\"<script>".into(),
    };
    chart.mark = Some((0.5, "<i>".into()));
    let svg = chart.to_svg();
    for token in ["<b>", "<i>", "<script>"] {
        assert!(!svg.contains(token), "{token}");
    }
    assert!(
        svg.contains("aria-labelledby=\"c-t c-d\"")
            && svg.contains("<title id=\"c-t\">a &lt;title&gt;</title>")
    );
    assert!(svg.contains("<desc id=\"c-d\">b &amp; c</desc>"));
}

#[test]
fn what_cannot_be_drawn_is_left_out() {
    for odd in [f64::NAN, f64::INFINITY, -1.0] {
        let svg = columns(&[odd, 2.0]).to_svg();
        assert_eq!(svg.matches("<rect").count(), 1, "{odd}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
        let line = StepLine {
            name: "l".into(),
            amounts: vec![1.0, odd, 1.0],
        };
        let steps = Steps {
            frame: frame("s"),
            lines: vec![line],
            ..Steps::default()
        }
        .to_svg();
        assert_eq!(
            steps.matches("<line class=\"s0\"").count(),
            0,
            "a gap is a gap"
        );
        assert_eq!(steps.matches("<path").count(), 2);
    }
    for empty in [
        columns(&[]).to_svg(),
        Bars::default().to_svg(),
        Steps::default().to_svg(),
    ] {
        assert!(empty.starts_with("<svg") && empty.ends_with("</svg>"));
    }
}

#[test]
fn colours_come_from_the_page() {
    let row = BarRow {
        name: "r".into(),
        amounts: vec![(0.5, "a".into()), (0.25, "b".into())],
    };
    let svg = Bars {
        rows: vec![row],
        ..Bars::default()
    }
    .to_svg();
    assert!(
        !svg.contains('#') && !CSS.contains('#'),
        "no colour is fixed"
    );
    assert!(
        svg.contains("class=\"s0 hollow\"") && svg.contains("class=\"s1\""),
        "series differ without colour"
    );
}

#[test]
fn whole_amounts_have_whole_ticks() {
    let svg = columns(&[1.0, 2.0]).to_svg();
    assert!(
        !svg.contains("0.5</text>") && !svg.contains("1.0</text>"),
        "{svg}"
    );
    assert_eq!(svg, columns(&[1.0, 2.0]).to_svg());
}
