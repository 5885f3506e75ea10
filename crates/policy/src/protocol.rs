//! `[protocol]`: how sites publish together, for `mingle site run`. Two sites that hold other columns
//! about the same people name a `synchronizer`; n providers that hold rows of the same table name
//! the `level` of what they show each other, or beside `[dp]` the coalition `m` that its promise must
//! withstand.

use super::source::PlaceInPolicy;
use super::tree::Node;
use mingle_dp::{Amount, Epsilon};
use mingle_privacy::M;
use mingle_protocol::horizontal::{Caps, CutRule, RevealLevel};
use mingle_protocol::{Leak, Synchronizer};
use mingle_record::Problem;
use mingle_record::ProblemCode;

/// What sites agree on beside the promises.
#[derive(Clone, Debug)]
pub enum Protocol {
    /// Two sites with other columns about the same people.
    Columns(SynchronizedSites),
    /// n providers with rows of the same table.
    Rows(SummingProviders),
    /// n providers with rows of the same table, who publish sums with noise.
    Noise(NoisyProviders),
}

/// What n providers who publish with noise must agree on beside `[dp]`.
#[derive(Clone, Debug)]
pub struct NoisyProviders {
    /// The largest coalition that the promise must withstand.
    pub m: M,
}

const NOISE_KEYS: &[&str] = &["m"];

/// What two sites must agree on.
#[derive(Clone, Debug)]
pub struct SynchronizedSites {
    /// How the sites' partitions become one.
    pub synchronizer: Synchronizer,
    /// The most that may be revealed on the way.
    pub accept_leak: Leak,
    /// How many identifiers each list looks like it has.
    pub padded_size: u32,
    /// Where the size is set, to point at when it is too small.
    pub padded_size_at: PlaceInPolicy,
}

const SITES_KEYS: &[&str] = &["synchronizer", "accept_leak", "padded_size"];
const PROVIDERS_KEYS: &[&str] = &[
    "level",
    "epsilon_cuts",
    "delta",
    "noisy_levels",
    "depth",
    "caps",
    "accept_repeated_totals",
];

/// What n providers must agree on.
#[derive(Clone, Debug)]
pub struct SummingProviders {
    /// What everybody learns on the way.
    pub level: RevealLevel,
    /// Where cells are cut.
    pub cuts: CutRule,
    /// No cell is cut more often.
    pub depth: u32,
    /// Which caps are tried for k.
    pub caps: Caps,
    /// Whether another run with other rows or providers may open exact totals again, though the
    /// difference of the two tells about the rows that changed.
    pub accept_repeated_totals: bool,
}

/// A cell of a billion billion rows is cut into single rows by fewer.
const DEEPEST: u64 = 64;

impl SummingProviders {
    fn read(section: &Node) -> Result<SummingProviders, Problem> {
        let fields = section.fields(PROVIDERS_KEYS)?;
        let node = fields.require(
            "level",
            "level = \"bits\" or \"sums\": what all providers learn on the way; see the guide",
        )?;
        let level = node.choice(&RevealLevel::ALL.map(|level| (level.name(), level)))?;
        let epsilon = fields.require(
            "epsilon_cuts",
            "epsilon_cuts = 1, the noise of the histograms that choose cuts; 0 cuts in the middle of cells",
        )?;
        let noise = amount(epsilon)?;
        let small = |key: &str, least: u64, unless_said: u64| -> Result<u32, Problem> {
            let Some(node) = fields.get(key) else {
                return Ok(unless_said as u32);
            };
            let number = node.whole(least)?;
            if number > DEEPEST {
                let text = format!("`{}` must be at most {DEEPEST}", node.path);
                return Err(node.problem(ProblemCode::OutOfRange, text, "take a smaller number"));
            }
            Ok(number as u32)
        };
        let depth = small("depth", 1, 20)?;
        let levels = small("noisy_levels", 1, 12)?;
        let cuts = if noise == Amount::ZERO {
            for key in ["delta", "noisy_levels"] {
                if let Some(node) = fields.get(key) {
                    let text = format!("`{}` without noise: epsilon_cuts is 0", node.path);
                    return Err(node.problem(ProblemCode::Contradiction, text, "take it out"));
                }
            }
            CutRule::Middles
        } else {
            let node = fields.require("delta", "delta = 1e-9, beside epsilon_cuts")?;
            let delta = amount(node)?;
            if delta == Amount::ZERO || delta.to_f64() >= 1.0 {
                let text = format!("`{}` must be above 0 and below 1", node.path);
                return Err(node.problem(ProblemCode::OutOfRange, text, "write 1e-9"));
            }
            CutRule::Noisy {
                epsilon: Epsilon(noise),
                delta,
                levels: levels.min(depth),
            }
        };
        let caps = match fields.get("caps") {
            None => Caps::Single,
            Some(node) => node.choice(&[("single", Caps::Single), ("exact", Caps::Exact)])?,
        };
        let accepted = fields.get("accept_repeated_totals");
        Ok(SummingProviders {
            level,
            cuts,
            depth,
            caps,
            accept_repeated_totals: accepted.map_or(Ok(false), Node::boolean)?,
        })
    }
}

fn amount(node: &Node) -> Result<Amount, Problem> {
    let unusable = || {
        let text = format!("`{}` must be a number, 0 or above", node.path);
        node.problem(ProblemCode::WrongValue, text, "write 1 or 0.5")
    };
    Amount::parse(node.digits()?).ok_or_else(unusable)
}

impl Protocol {
    /// Reads the section. What is revealed to a partner is somebody's decision and has no default.
    pub fn read(section: &Node) -> Result<Protocol, Problem> {
        let known = [SITES_KEYS, PROVIDERS_KEYS, NOISE_KEYS].concat();
        let fields = section.fields(&known)?;
        if let Some(node) = fields.get("m") {
            let others = SITES_KEYS.iter().chain(PROVIDERS_KEYS);
            if let Some(other) = others.filter_map(|key| fields.get(key)).next() {
                let text = format!(
                    "`{}` is for releases with noise, and `{}` is not",
                    node.path, other.path
                );
                let hint = "beside [dp] name m alone; beside [privacy] m belongs into that section";
                return Err(node.problem(ProblemCode::Contradiction, text, hint));
            }
            return Ok(Protocol::Noise(NoisyProviders {
                m: M(node.whole(0)?),
            }));
        }
        let of_providers = PROVIDERS_KEYS.iter().find_map(|key| fields.get(key));
        let of_sites = SITES_KEYS.iter().find_map(|key| fields.get(key));
        match (of_sites, of_providers) {
            (Some(node), Some(_)) => {
                let text = format!(
                    "`{}` is for two sites with other columns, and [protocol] has a key for providers with rows of one table",
                    node.path
                );
                let hint = "keep synchronizer, accept_leak and padded_size, or level, epsilon_cuts and what belongs to it";
                Err(node.problem(ProblemCode::Contradiction, text, hint))
            }
            (None, Some(_)) => SummingProviders::read(section).map(Protocol::Rows),
            _ => SynchronizedSites::read(section).map(Protocol::Columns),
        }
    }
}

impl SynchronizedSites {
    fn read(section: &Node) -> Result<SynchronizedSites, Problem> {
        let fields = section.fields(SITES_KEYS)?;
        let node = fields.require(
            "synchronizer",
            "synchronizer = \"merge\", or another; see the guide for partners",
        )?;
        let synchronizer = node.choice(&Synchronizer::ALL.map(|s| (s.name(), s)))?;
        let leak = synchronizer.leak();
        let example = format!(
            "accept_leak = \"{}\", which is what {} reveals",
            leak.name(),
            synchronizer.name()
        );
        let accepted = fields.require("accept_leak", &example)?;
        let accept_leak = accepted.choice(&Leak::ALL.map(|leak| (leak.name(), leak)))?;
        if leak > accept_leak {
            let (name, found, most) = (synchronizer.name(), leak.name(), accept_leak.name());
            let text = format!(
                "{name} reveals {found}, and `{}` accepts {most} at most",
                accepted.path
            );
            let hint = format!(
                "accept {found}, or use a synchronizer that reveals less: {}",
                no_more_than(accept_leak)
            );
            return Err(accepted.problem(ProblemCode::LeakNotAccepted, text, hint));
        }
        let size = fields.require(
            "padded_size",
            "padded_size, at least the number of rows of the larger site",
        )?;
        let too_large = || {
            let text = format!("`{}` must be at most {}", size.path, u32::MAX);
            size.problem(
                ProblemCode::OutOfRange,
                text,
                "a little above the number of rows of the larger site is enough",
            )
        };
        let padded_size = u32::try_from(size.whole(1)?).map_err(|_| too_large())?;
        Ok(SynchronizedSites {
            synchronizer,
            accept_leak,
            padded_size,
            padded_size_at: size.place.clone(),
        })
    }
}

/// The synchronizers that reveal no more than this.
fn no_more_than(leak: Leak) -> String {
    let names: Vec<&str> = Synchronizer::ALL
        .iter()
        .filter(|s| s.leak() <= leak)
        .map(|s| s.name())
        .collect();
    names.join(", ")
}
