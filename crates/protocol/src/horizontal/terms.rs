//! What n providers agree on before a byte that depends on data is sent.

use super::buckets::BucketDealing;
use super::capping::{Caps, capped_threshold, least_total};
use super::shared::SharedSchema;
use crate::error::Error;
use crate::terms::to_text;
use mingle_dp::share::{ShareBudget, ShareHolders, SharePlan};
use mingle_dp::{Amount, Epsilon};
use mingle_privacy::{Attribute, K, L, M, Promise};

/// Seats are numbered in 16 bits and everybody talks to everybody.
pub const MOST_PROVIDERS: usize = 1000;

/// A test of more ciphertexts than this does not fit into a message.
pub(crate) const MOST_CIPHERTEXTS: usize = 1 << 17;

/// What everybody learns during the run. There is no default: the policy must say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RevealLevel {
    /// Noisy cut histograms, and per proposed side one bit for k and the number of thin buckets
    /// for l.
    Bits,
    /// Exact totals, capped totals and numbers of holders of every proposed cell, also of rejected
    /// ones.
    Sums,
}

impl RevealLevel {
    /// Both.
    pub const ALL: [RevealLevel; 2] = [RevealLevel::Bits, RevealLevel::Sums];

    /// The word used in the policy and in manifests.
    pub fn name(self) -> &'static str {
        match self {
            RevealLevel::Bits => "bits",
            RevealLevel::Sums => "sums",
        }
    }

    /// The level of that name.
    pub fn parse(name: &str) -> Option<RevealLevel> {
        RevealLevel::ALL.into_iter().find(|l| l.name() == name)
    }
}

/// Where cells are cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CutRule {
    /// In their middles: public, nothing is learnt. `epsilon_cuts = 0`.
    Middles,
    /// Near the median of a histogram with shares of noise, for so many levels; then in middles.
    Noisy {
        /// ε of all histograms together, against the largest coalition.
        epsilon: Epsilon,
        /// δ
        delta: Amount,
        /// Levels with a histogram.
        levels: u32,
    },
    /// At the median of an exact histogram; only at level `sums`.
    Exact,
}

impl CutRule {
    /// Its words in terms and manifests.
    pub fn describe(&self) -> String {
        match self {
            CutRule::Middles => "middles".to_owned(),
            CutRule::Noisy {
                epsilon,
                delta,
                levels,
            } => format!("epsilon_cuts {epsilon}, delta {delta}, {levels} levels"),
            CutRule::Exact => "exact medians".to_owned(),
        }
    }
}

/// The parameters of a run. All providers state them; they must be equal.
#[derive(Clone)]
pub struct HorizontalTerms {
    /// SHA-256 of the policy as all providers have it.
    pub policy: [u8; 32],
    /// What is promised: k, and distinct l against m; everything else against outsiders.
    pub promises: Vec<Promise>,
    /// The largest coalition.
    pub m: M,
    /// How many contributors a group needs beyond m: 1, or 2 where the rest must not be one site's.
    pub site_diversity: u64,
    /// What is revealed.
    pub level: RevealLevel,
    /// Which caps are tried for k.
    pub caps: Caps,
    /// Where cells are cut.
    pub cuts: CutRule,
    /// No cell is cut more often.
    pub depth: u32,
}

/// Terms that make sense for a schema and a number of providers.
#[derive(Clone)]
pub(crate) struct Rules {
    pub(crate) k: K,
    pub(crate) m: M,
    pub(crate) providers: usize,
    pub(crate) caps: Vec<u64>,
    /// No group of fewer rows passes.
    pub(crate) least_total: u64,
    /// Per promised l: about which column, and how its values are dealt.
    pub(crate) diversity: Vec<Diversity>,
    /// The number of contributors to ask for, where k does not imply it.
    pub(crate) holders: Option<u64>,
    pub(crate) depth: u32,
    pub(crate) histograms: Histograms,
}

/// Which levels have histograms, and with how much noise.
#[derive(Clone)]
pub(crate) enum Histograms {
    None,
    Noisy(SharePlan),
    Exact,
}

/// A promised distinct l.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Diversity {
    pub(crate) attribute: Attribute,
    pub(crate) l: L,
    pub(crate) dealing: BucketDealing,
}

impl HorizontalTerms {
    /// The agreed k.
    pub fn k(&self) -> Option<K> {
        self.promises
            .iter()
            .find_map(|promise| promise.rule.as_k_anonymity())
    }

    /// Terms of a run that makes no groups.
    pub(crate) fn without_groups(policy: [u8; 32], m: M) -> HorizontalTerms {
        HorizontalTerms {
            policy,
            promises: Vec::new(),
            m,
            site_diversity: 1,
            // sums with noise are all that is opened, and need no key
            level: RevealLevel::Sums,
            caps: Caps::Single,
            cuts: CutRule::Middles,
            depth: 0,
        }
    }

    /// Whether so many providers withstand the largest coalition.
    pub(crate) fn coalition(&self, providers: usize) -> Result<(), Error> {
        if providers < 3 {
            return Err(Error::TooFewProviders { providers });
        }
        if providers > MOST_PROVIDERS {
            return Err(Error::TooManyProviders {
                most: MOST_PROVIDERS,
            });
        }
        if self.m.0.saturating_add(1) >= providers as u64 {
            return Err(Error::CoalitionTooLarge {
                m: self.m.0,
                providers,
            });
        }
        Ok(())
    }

    /// Whether they make sense, for n providers and their schema.
    pub(crate) fn rules(&self, schema: &SharedSchema, providers: usize) -> Result<Rules, Error> {
        let k = self.k().ok_or(Error::NoK)?;
        self.coalition(providers)?;
        if self.level == RevealLevel::Bits && self.cuts == CutRule::Exact {
            return Err(Error::Promise(
                "exact medians are learnt only at level sums; name epsilon_cuts, or 0 for middles"
                    .to_owned(),
            ));
        }
        for promise in &self.promises {
            promise.rule.check()?;
        }
        let caps = self.caps.list(k, providers, self.m);
        let largest = caps.iter().max().copied().unwrap_or(0);
        if capped_threshold(k, self.m, largest) > MOST_CIPHERTEXTS as u64 {
            return Err(Error::Promise(format!(
                "k = {} with m = {} is too large for a test of a secret sum",
                k.0, self.m.0
            )));
        }
        let holders = match self.site_diversity {
            0 | 1 => None,
            more => Some(self.m.0.saturating_add(more)),
        };
        if holders.is_some_and(|holders| holders > providers as u64) {
            return Err(Error::Promise(format!(
                "{} contributors per group are asked for, and there are {providers} providers",
                holders.unwrap_or(0)
            )));
        }
        Ok(Rules {
            k,
            m: self.m,
            providers,
            least_total: least_total(&caps, k, self.m),
            caps,
            diversity: self.diversity(schema)?,
            holders,
            depth: self.depth,
            histograms: self.histograms(providers)?,
        })
    }

    fn diversity(&self, schema: &SharedSchema) -> Result<Vec<Diversity>, Error> {
        let mut diversity = Vec::new();
        for promise in &self.promises {
            let Some(l) = promise.rule.as_distinct_diversity() else {
                continue;
            };
            let attribute = promise.attribute.unwrap_or(Attribute::Joint);
            let values = match attribute {
                Attribute::Joint => schema.combinations(),
                Attribute::Column(at) => match schema.sensitive().get(at) {
                    Some(column) => column.domain.len(),
                    None => return Err(Error::Defect("a promise about no column")),
                },
            };
            let Some(dealing) = BucketDealing::new(l, values as u64) else {
                return Err(Error::Promise(format!(
                    "{values} values are declared where l = {} different ones are promised",
                    l.0
                )));
            };
            diversity.push(Diversity {
                attribute,
                l,
                dealing,
            });
        }
        Ok(diversity)
    }

    fn histograms(&self, providers: usize) -> Result<Histograms, Error> {
        match self.cuts {
            CutRule::Middles => Ok(Histograms::None),
            CutRule::Exact => Ok(Histograms::Exact),
            CutRule::Noisy {
                epsilon,
                delta,
                levels,
            } => {
                let budget = ShareBudget {
                    epsilon,
                    delta,
                    weights: level_weights(levels.min(self.depth)),
                    coordinates: super::cell::MOST_BINS,
                };
                let holders = ShareHolders {
                    parties: providers,
                    colluding: self.m.0 as usize,
                };
                let plan = SharePlan::new(&budget, holders).map_err(|_| {
                    Error::Promise(
                        "epsilon_cuts is too small for any histogram; 0 cuts in middles".to_owned(),
                    )
                })?;
                Ok(Histograms::Noisy(plan))
            }
        }
    }

    /// What travels and is compared, each with a name for whoever has to find the difference.
    pub(crate) fn stated(&self) -> Vec<(String, String)> {
        let mut promises = Vec::new();
        for promise in &self.promises {
            let about = match promise.attribute {
                None => String::new(),
                Some(Attribute::Joint) => " of all sensitive columns".to_owned(),
                Some(Attribute::Column(at)) => format!(" of sensitive column {}", at + 1),
            };
            promises.push(to_text(&promise.rule) + &about);
        }
        let policy: String = self.policy.iter().map(|b| format!("{b:02x}")).collect();
        let pairs = [
            ("what is promised", promises.join(", ")),
            ("m", self.m.0.to_string()),
            ("site_diversity", self.site_diversity.to_string()),
            ("level", self.level.name().to_owned()),
            ("caps", self.caps.describe()),
            ("cuts", self.cuts.describe()),
            ("depth", self.depth.to_string()),
            // last: where the policies differ, the parameter says more than the digest
            ("policy", policy),
        ];
        pairs.map(|(name, value)| (name.to_owned(), value)).into()
    }
}

/// How the budget of cuts is divided: lower levels have smaller cells, in which the same noise does
/// more harm. Equal relative error would ask for four times as much a level and leave nothing for
/// the first cuts; half as much again each is between that and equal parts.
fn level_weights(levels: u32) -> Vec<u64> {
    let mut weights = Vec::new();
    let mut weight = 1000u64;
    for _ in 0..levels {
        weights.push(weight);
        weight = weight.saturating_mul(3) / 2;
    }
    weights
}
