//! Writes one figure of each kind to standard output: `cargo run -p mingle-chart --example gallery
//! panels`.

use mingle_chart::{Axis, Chart, Panels, Series};

fn searches() -> Chart {
    let grows = |rate: f64| {
        (1..=14).map(move |m| (f64::from(m), rate * 1.9f64.powi(m.min(15 - m) + m / 3)))
    };
    let names = [
        "direct",
        "top-down",
        "bottom-up",
        "binary",
        "adaptive",
        "exact",
    ];
    Chart {
        title: "A group of 150 records, 15 providers".into(),
        x: Axis::linear("m"),
        y: Axis::log("time per group (µs)"),
        series: names
            .iter()
            .zip([90.0, 40.0, 21.0, 9.0, 8.0, 0.02])
            .map(|(n, r)| Series::new(*n, grows(r)))
            .collect(),
    }
}

fn loss() -> Chart {
    Chart {
        title: "Query error <against> m & a rather long title that must be broken".into(),
        x: Axis::linear("m"),
        y: Axis::linear("mean relative error"),
        series: vec![
            Series::new(
                "mondrian",
                (0..10).map(|m| (f64::from(m), 0.2 + 0.07 * f64::from(m))),
            ),
            Series::new(
                "agglomerative",
                (0..10).map(|m| (f64::from(m), if m == 4 { f64::NAN } else { 0.11 })),
            ),
        ],
    }
}

fn bars() -> Chart {
    Chart {
        title: "People exposed".into(),
        x: Axis::linear("providers in the coalition"),
        y: Axis::linear("people"),
        series: vec![
            Series::bars(
                "identity",
                (0..5).map(|m| (f64::from(m), f64::from(m * m * 40))),
            ),
            Series::bars(
                "attribute",
                (0..5).map(|m| (f64::from(m), f64::from(m * m * 55 + 20))),
            ),
        ],
    }
}

fn main() {
    let svg = match std::env::args().nth(1).as_deref() {
        Some("panels") => Panels(vec![searches(), loss()]).to_svg(),
        Some("three") => Panels(vec![searches(), loss(), bars()]).to_svg(),
        Some("bars") => bars().to_svg(),
        Some("loss") => loss().to_svg(),
        _ => searches().to_svg(),
    };
    print!("{svg}");
}
