//! Ranges of counts, and a linear form that is above G(c) = sum f(c_s) - f(N) + N log l within
//! them, f(x) = x log x.
//!
//! f is convex, so between two numbers its chord is above it; -f is concave, so its tangent at any
//! place N_0, N_0 - (1 + log N_0) N, is above it everywhere.

/// For each value the fewest and the most rows.
pub(super) struct Ranges(Vec<(u64, u64)>);

/// The form.
pub(super) struct Majorant {
    /// By value the chord: slope x + offset.
    chords: Vec<(f64, f64)>,
    log_l: f64,
    /// N_0.
    place: f64,
    form: Vec<f64>,
}

impl Ranges {
    pub(super) fn new(ranges: Vec<(u64, u64)>) -> Ranges {
        Ranges(ranges)
    }

    /// The form, with the tangent in the middle.
    pub(super) fn majorant(&self, log_l: f64) -> Majorant {
        let chords = self
            .0
            .iter()
            .map(|&(low, high)| chord(low as f64, high as f64))
            .collect();
        let (low, high) = self.sizes();
        let mut majorant = Majorant {
            chords,
            log_l,
            place: 1.0,
            form: Vec::new(),
        };
        majorant.put((low + high) / 2.0);
        majorant
    }

    /// The fewest and the most rows in all, at least 1.
    pub(super) fn sizes(&self) -> (f64, f64) {
        let (low, high) = self
            .0
            .iter()
            .fold((0, 0), |sum, range| (sum.0 + range.0, sum.1 + range.1));
        ((low as f64).max(1.0), high as f64)
    }

    /// The lower end of each.
    pub(super) fn lowest(&self) -> Vec<u64> {
        self.0.iter().map(|range| range.0).collect()
    }

    /// Two parts that contain all of these counts, divided where the form is most wrong about the
    /// given ones; `None` if all ranges are one number.
    pub(super) fn divide(&self, majorant: &Majorant, counts: &[u64]) -> Option<[Ranges; 2]> {
        let wide = (0..self.0.len()).filter(|&value| self.0[value].0 < self.0[value].1);
        let gap = |value: &usize| majorant.gap(*value, counts[*value]);
        let value = wide.max_by(|a, b| gap(a).total_cmp(&gap(b)))?;
        let (low, high) = self.0[value];
        let (below, above) = match counts[value] {
            here if low < here && here < high => (here, here),
            _ if high - low == 1 => (low, high),
            _ => (low + (high - low) / 2, low + (high - low) / 2),
        };
        let mut other = self.0.clone();
        let mut ranges = self.0.clone();
        ranges[value].1 = below;
        other[value].0 = above;
        Some([Ranges(ranges), Ranges(other)])
    }
}

impl Majorant {
    /// Puts the tangent elsewhere.
    pub(super) fn put(&mut self, place: f64) {
        self.place = place;
        let tangent = self.log_l - 1.0 - place.ln();
        self.form.clear();
        self.form
            .extend(self.chords.iter().map(|&(slope, _)| slope + tangent));
    }

    pub(super) fn place(&self) -> f64 {
        self.place
    }

    /// By value the coefficient of its count.
    pub(super) fn form(&self) -> &[f64] {
        &self.form
    }

    pub(super) fn constant(&self) -> f64 {
        self.place + self.chords.iter().map(|chord| chord.1).sum::<f64>()
    }

    /// How far the chord is above f.
    fn gap(&self, value: usize, count: u64) -> f64 {
        let (slope, offset) = self.chords[value];
        slope * count as f64 + offset - f(count as f64)
    }
}

fn chord(low: f64, high: f64) -> (f64, f64) {
    // above a single number any line through it will do: the tangent, and something steep at 0
    let slope = if low < high {
        (f(high) - f(low)) / (high - low)
    } else {
        1.0 + high.max(0.1).ln()
    };
    (slope, f(high) - slope * high)
}

fn f(x: f64) -> f64 {
    if x > 0.0 { x * x.ln() } else { 0.0 }
}
