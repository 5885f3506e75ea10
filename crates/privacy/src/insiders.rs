//! Insiders: providers who know their own rows and take them out of what is published.
//!
//! m-privacy (Goryczka, Xiong and Fung 2011, Definition 2.1) with the meaning fixed where the paper
//! leaves it open. A group G with contributing providers P_G withstands m insiders iff, for every
//! coalition of at most m of them that leaves out at least one contributor (the victim), every set
//! of rows between "all of the others" and "all of G" satisfies the constraint: **victim
//! semantics**. A coalition that contributed the whole group has nobody to learn about. **Strict
//! semantics** asks in addition that a group has at least m + l' contributors (site diversity), so
//! that no group gives away which site it comes from; with l' = 1 this is Definition 2.1 read
//! literally.
//!
//! Where people have several rows, a coalition leaves out some of the people it [knows](Knows), and
//! the victim is somebody whom it does not know: a coalition that knows everybody in a group has
//! nobody to learn about.
//!
//! Only coalitions of min(m, n_G - 1) providers matter: a larger one reaches everything a smaller
//! one does. That is so unless people are shared between providers: then a larger coalition may know
//! everybody, and all sizes matter. Not protected here: against rows that a provider knows though it did not contribute
//! them, and against what nodes of hierarchies and elements of sets give away beside the counts of a
//! group, unless labels are public. Ends of ranges are looked at, see [`NarrowEnd`](crate::NarrowEnd).

/// The largest coalition that is withstood, m; 0 is the outsider.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct M(pub u64);

/// How many providers may collude, and what that means. How it is decided is another question: see
/// [`Strategy`](crate::Strategy).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Insiders {
    /// The largest coalition.
    pub m: M,
    /// What a group with few contributors counts as.
    pub semantics: Semantics,
    /// What they know of people who have several rows.
    pub knows: Knows,
    /// What the labels of groups may tell them.
    pub labels: LabelPromise,
}

/// What is promised of the labels of groups.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LabelPromise {
    /// Against m > 0 insiders, an end of a range that no more than m providers attain lies on the column's
    /// grid. An end that more attain, and an element of a set, is told: some victim has it.
    #[default]
    FewAttainNoEnd,
    /// Every label is one of those that the policy fixes, whoever attains what.
    Public,
}

/// What a coalition knows of people who have several rows. With one row a person both are the same;
/// otherwise neither is simply stronger: the first assumes the shared patient away as a victim, the
/// second protects her.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Knows {
    /// Whoever has one row of a person recognises all her rows, wherever they come from.
    #[default]
    People,
    /// A coalition knows the people all of whose rows its members contributed; of the others it may
    /// take out its own rows.
    Rows,
}

impl Knows {
    /// Both, the default first.
    pub const ALL: [Knows; 2] = [Knows::People, Knows::Rows];

    /// The word used in the policy file and in manifests.
    pub fn name(self) -> &'static str {
        match self {
            Knows::People => "people",
            Knows::Rows => "rows",
        }
    }

    /// What the policy calls so.
    pub fn parse(name: &str) -> Option<Knows> {
        Knows::ALL.into_iter().find(|knows| knows.name() == name)
    }
}

/// What a group with few contributors counts as.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Semantics {
    /// A coalition leaves out at least one contributor.
    #[default]
    Victim,
    /// And a group has at least m + `site_diversity` contributors.
    Strict {
        /// l', at least 1.
        site_diversity: u64,
    },
}

impl Semantics {
    /// The word used in the policy file and in manifests.
    pub fn name(self) -> &'static str {
        match self {
            Semantics::Victim => "victim",
            Semantics::Strict { .. } => "strict",
        }
    }

    /// How many contributors a group needs beyond m, where that is asked.
    pub fn site_diversity(self) -> Option<u64> {
        match self {
            Semantics::Victim => None,
            Semantics::Strict { site_diversity } => Some(site_diversity),
        }
    }
}

impl Insiders {
    /// The name of the promise that strict semantics adds.
    pub const SITE_DIVERSITY: &str = "site-diversity";

    /// Nobody: the reader holds no rows of the table.
    pub const NONE: Insiders = Insiders::victim(M(0));

    /// Up to `m` colluding providers, victim semantics.
    pub const fn victim(m: M) -> Insiders {
        Insiders {
            m,
            semantics: Semantics::Victim,
            knows: Knows::People,
            labels: LabelPromise::FewAttainNoEnd,
        }
    }

    /// The same with strict semantics.
    pub const fn strict(m: M, site_diversity: u64) -> Insiders {
        Insiders {
            m,
            semantics: Semantics::Strict { site_diversity },
            knows: Knows::People,
            labels: LabelPromise::FewAttainNoEnd,
        }
    }

    /// The same with other knowledge of people.
    pub const fn knowing(self, knows: Knows) -> Insiders {
        Insiders { knows, ..self }
    }

    /// The same with another promise about labels.
    pub const fn reading(self, labels: LabelPromise) -> Insiders {
        Insiders { labels, ..self }
    }

    /// How many contributors a group needs at least.
    pub fn fewest_providers(&self) -> u64 {
        match self.semantics {
            Semantics::Victim => 1,
            Semantics::Strict { site_diversity } => self.m.0.saturating_add(site_diversity).max(1),
        }
    }

    /// Whether rows must be counted by provider at all.
    pub fn need_providers(&self) -> bool {
        self.m > M(0) || self.fewest_providers() > 1
    }
}
