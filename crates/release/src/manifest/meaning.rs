//! What a public manifest means to the rooms that check it.

use super::{PublicManifest, StatedKnowledge, StatedSemantics};
use crate::promise_entry::promise_of;
use mingle_model::Missing;
use mingle_privacy::{Insiders, Knows, M, Promise};

/// The statements of a manifest as something that can be verified.
pub trait ManifestMeaning {
    /// The texts that mean a missing value in this release.
    fn missing(&self) -> Missing;

    /// The promises, ready to be verified; `None` if one of them is not understood.
    fn promises(&self) -> Option<Vec<Promise>>;

    /// Against whom the promises are to hold; `None` if that is not understood.
    fn insiders(&self) -> Option<Insiders>;
}

impl ManifestMeaning for PublicManifest {
    fn missing(&self) -> Missing {
        Missing::new(self.missing.iter().cloned().collect())
    }

    fn promises(&self) -> Option<Vec<Promise>> {
        let sensitive = self.sensitive();
        let mut promises = Vec::with_capacity(self.promises.len());
        for entry in &self.promises {
            promises.push(promise_of(entry, &sensitive)?);
        }
        Some(promises)
    }

    fn insiders(&self) -> Option<Insiders> {
        let insiders = match (self.semantics, self.site_diversity) {
            (StatedSemantics::Victim, None) => Insiders::victim(M(self.m)),
            (StatedSemantics::Strict, Some(site_diversity @ 1..)) => {
                Insiders::strict(M(self.m), site_diversity)
            }
            _ => return None,
        };
        let knows = match self.people.map(|people| people.knows) {
            None | Some(StatedKnowledge::People) => Knows::People,
            Some(StatedKnowledge::Rows) => Knows::Rows,
        };
        Some(insiders.knowing(knows))
    }
}
