//! Whole figures: well-formed, complete, and quiet about what cannot be drawn.

use mingle_chart::{Axis, Chart, Panels, Series};

fn chart(points: &[(f64, f64)]) -> Chart {
    Chart {
        title: "t".into(),
        x: Axis::linear("x"),
        y: Axis::linear("y"),
        series: vec![Series::new("s", points.iter().copied())],
    }
}

/// Every element that opens closes, in order; no bare ampersand; no number that is none.
fn assert_well_formed(svg: &str) {
    let mut open: Vec<&str> = Vec::new();
    for piece in svg.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').expect("a tag ends");
        let name = tag
            .trim_start_matches('/')
            .split([' ', '/'])
            .next()
            .expect("a tag has a name");
        match tag.strip_prefix('/') {
            Some(closed) => assert_eq!(open.pop(), Some(closed)),
            None if tag.ends_with('/') => {}
            None => open.push(name),
        }
        for entity in text.split('&').skip(1) {
            assert!(
                ["amp;", "lt;", "gt;", "quot;"]
                    .iter()
                    .any(|e| entity.starts_with(e)),
                "a bare ampersand: {text}"
            );
        }
    }
    assert!(open.is_empty(), "left open: {open:?}");
    assert!(
        !svg.contains("NaN") && !svg.contains("inf"),
        "a number that is none"
    );
}

fn markers(svg: &str) -> usize {
    svg.matches("<title>s: ").count()
}

fn lines(svg: &str) -> usize {
    // one more is in the legend
    svg.matches("stroke-width=\"1.8\"").count() - 1
}

#[test]
fn hostile_words_stay_words() {
    let evil = "</title><script>alert(\"x\")</script>&copy;\u{0}";
    let chart = Chart {
        title: evil.into(),
        x: Axis::linear(evil),
        y: Axis::log(evil),
        series: vec![
            Series::new(evil, [(1.0, 1.0)]),
            Series::bars(evil, [(2.0, 1.0)]),
        ],
    };
    let svg = chart.to_svg();
    assert_well_formed(&svg);
    assert!(!svg.contains("<script"));
    assert!(svg.contains("&lt;script&gt;"));
}

#[test]
fn nothing_to_draw_is_still_a_figure() {
    for empty in [
        Chart::default().to_svg(),
        Panels(Vec::new()).to_svg(),
        chart(&[]).to_svg(),
    ] {
        assert_well_formed(&empty);
        assert!(empty.contains("<title>") && empty.contains("<desc>"));
    }
}

#[test]
fn one_point_is_a_marker_without_a_line() {
    for point in [(3.0, 7.0), (0.0, 0.0), (-2.0, -5.0)] {
        let svg = chart(&[point]).to_svg();
        assert_well_formed(&svg);
        assert_eq!((markers(&svg), lines(&svg)), (1, 0));
    }
}

#[test]
fn what_has_no_place_breaks_the_line() {
    let mut gap = chart(&[
        (1.0, 1.0),
        (2.0, 10.0),
        (3.0, 0.0),
        (4.0, 100.0),
        (5.0, 1000.0),
    ]);
    assert_eq!((markers(&gap.to_svg()), lines(&gap.to_svg())), (5, 1));
    gap.y.scale = mingle_chart::AxisScale::Log;
    assert_eq!(
        (markers(&gap.to_svg()), lines(&gap.to_svg())),
        (4, 2),
        "the zero has no logarithm"
    );
    for odd in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX] {
        let svg = chart(&[(1.0, 1.0), (2.0, odd), (odd, 3.0), (4.0, 4.0)]).to_svg();
        assert_well_formed(&svg);
        assert_eq!((markers(&svg), lines(&svg)), (2, 0));
    }
}

#[test]
fn far_outside_of_the_range_is_cut_off() {
    let mut chart = chart(&[(1.0, 1.0), (2.0, 1e100), (3.0, 2.0)]);
    chart.y = chart.y.range(0.0, 5.0);
    let svg = chart.to_svg();
    assert_well_formed(&svg);
    assert!(
        svg.split('"').all(|s| s.len() < 2000),
        "no endless coordinates"
    );
}

#[test]
fn panels_share_one_legend_and_one_look() {
    let one = chart(&[(1.0, 1.0), (2.0, 2.0)]);
    let mut two = one.clone();
    two.series
        .insert(0, Series::new("other", [(1.0, 2.0), (2.0, 1.0)]));
    let svg = Panels(vec![one, two]).to_svg();
    assert_well_formed(&svg);
    assert_eq!(svg.matches(">s</text>").count(), 1);
    assert_eq!(
        svg.matches("stroke=\"#0072b2\" stroke-width=\"1.8\"")
            .count(),
        3,
        "legend and both panels"
    );
}

#[test]
fn equal_figures_are_equal_bytes() {
    let points = [(1.0, 0.1 + 0.2), (2.0, 1.0 / 3.0)];
    assert_eq!(chart(&points).to_svg(), chart(&points).to_svg());
}

#[test]
fn bars_stand_on_zero() {
    let chart = Chart {
        series: vec![Series::bars("s", [(1.0, 4.0), (2.0, -4.0)])],
        ..chart(&[])
    };
    let svg = chart.to_svg();
    assert_well_formed(&svg);
    assert_eq!(markers(&svg), 2);
    assert!(svg.contains("−4"), "the axis reaches below zero");
}
