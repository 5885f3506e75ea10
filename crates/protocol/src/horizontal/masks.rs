//! Masks: what every pair of providers adds and takes away, so that only the sum is readable.
//!
//! Each provider has an X25519 key for this run alone. A pair derives its stream by HKDF from their
//! shared secret, with the hash of the transcript as salt and the number of the query and the two
//! seats as label. Without the seats, a third provider that announces another one's key in other
//! words (the unused bit set, or a point of small order added) would make both of their pairs with a
//! provider between them derive one stream, which that provider adds and takes away: its counts
//! would be sent as they are. Such a key is refused as well, by the secret that it gives. The
//! provider of the lower seat adds the stream to its vector, the other one takes it away; in the sum
//! of all n vectors all masks are gone. Whoever was shown another transcript derives other masks,
//! and what comes out is noise.
//!
//! As long as two providers do not collude, the vectors of these two are uniform but for their sum.
//! Cost: one block of HMAC per eight numbers and pair.

use super::hkdf::DerivedKey;
use crate::entropy::Entropy;
use crate::error::Violation;
use curve25519_dalek::montgomery::MontgomeryPoint;
use curve25519_dalek::scalar::Scalar;
use subtle::ConstantTimeEq;
use zeroize::{Zeroize, Zeroizing};

/// A provider's secret for masks.
pub(crate) struct MaskSecret(Zeroizing<[u8; 32]>);

impl MaskSecret {
    pub(crate) fn random(entropy: &mut dyn Entropy) -> MaskSecret {
        let mut bytes = Zeroizing::new([0; 32]);
        entropy.fill(&mut bytes[..]);
        MaskSecret(bytes)
    }

    /// What the others are told.
    pub(crate) fn public(&self) -> [u8; 32] {
        MontgomeryPoint::mul_base_clamped(*self.0).to_bytes()
    }

    fn shared(&self, theirs: &[u8; 32]) -> Result<Zeroizing<[u8; 32]>, Violation> {
        let point = MontgomeryPoint(*theirs).mul_clamped(*self.0);
        let secret = Zeroizing::new(point.to_bytes());
        // points of small order give zero with every key
        if bool::from(secret[..].ct_eq(&[0; 32])) {
            return Err(Violation::WeakKey);
        }
        Ok(secret)
    }
}

/// One provider's secrets with all others.
pub(crate) struct PairSecrets {
    seat: usize,
    /// By seat; nothing at one's own.
    shared: Vec<Option<Zeroizing<[u8; 32]>>>,
}

/// Which vector is masked: after which conversation, and the how-manieth.
#[derive(Clone, Copy)]
pub(crate) struct MaskedQuery<'a> {
    pub(crate) transcript: &'a [u8; 32],
    pub(crate) number: u64,
}

impl PairSecrets {
    /// From everybody's public keys in seat order; an error names the seat.
    pub(crate) fn agree(
        secret: &MaskSecret,
        seat: usize,
        publics: &[[u8; 32]],
    ) -> Result<PairSecrets, (usize, Violation)> {
        let mut shared = Vec::with_capacity(publics.len());
        for (other, public) in publics.iter().enumerate() {
            if other == seat {
                shared.push(None);
                continue;
            }
            if publics[..other].contains(public) || *public == publics[seat] {
                return Err((other, Violation::Copied));
            }
            let own = secret.shared(public).map_err(|fault| (other, fault))?;
            // one key has many encodings; the secret tells
            if shared.iter().flatten().any(|earlier| *earlier == own) {
                return Err((other, Violation::Copied));
            }
            shared.push(Some(own));
        }
        Ok(PairSecrets { seat, shared })
    }

    /// The stream of each pair, and whether this provider adds it.
    fn streams(&self, query: MaskedQuery<'_>, name: &[u8]) -> Vec<MaskStream> {
        let mut streams = Vec::new();
        for (other, shared) in self.shared.iter().enumerate() {
            if let Some(shared) = shared {
                streams.push(MaskStream {
                    adds: self.seat < other,
                    key: DerivedKey::extract(query.transcript, &shared[..]),
                    label: label(name, query.number, [self.seat, other]),
                });
            }
        }
        streams
    }

    /// A key for everybody who takes part, wrapped for each of them by what only the two know.
    pub(crate) fn wrap(&self, transcript: &[u8; 32], key: &[u8; 32]) -> Vec<u8> {
        let mut wrapped = Vec::with_capacity(32 * self.shared.len());
        for shared in &self.shared {
            match shared {
                None => wrapped.extend_from_slice(&[0; 32]),
                Some(shared) => wrapped.extend(xor(key, &wrapping(transcript, &shared[..]))),
            }
        }
        wrapped
    }

    /// The key that the provider of a seat wrapped for this one.
    pub(crate) fn unwrap(
        &self,
        transcript: &[u8; 32],
        from: usize,
        wrapped: &[u8],
    ) -> Result<Zeroizing<[u8; 32]>, Violation> {
        let malformed = Violation::Malformed { kind: "keys" };
        let (slots, rest) = wrapped.as_chunks::<32>();
        if slots.len() != self.shared.len() || !rest.is_empty() {
            return Err(malformed);
        }
        let Some(shared) = &self.shared[from] else {
            return Err(malformed);
        };
        let wrapping = wrapping(transcript, &shared[..]);
        Ok(Zeroizing::new(xor(&slots[self.seat], &wrapping)))
    }

    /// Masks a vector modulo 2^64.
    pub(crate) fn mask(&self, query: MaskedQuery<'_>, values: &mut [u64]) {
        for stream in self.streams(query, SUMS) {
            for (number, chunk) in values.chunks_mut(8).enumerate() {
                let mut block = stream.block(number);
                for (value, mask) in chunk.iter_mut().zip(block.as_chunks::<8>().0) {
                    let mask = u64::from_le_bytes(*mask);
                    *value = if stream.adds {
                        value.wrapping_add(mask)
                    } else {
                        value.wrapping_sub(mask)
                    };
                }
                block.zeroize();
            }
        }
    }

    /// Masks modulo the order of the group, which add up to zero over all providers.
    pub(crate) fn scalars(&self, query: MaskedQuery<'_>, count: usize) -> Vec<Scalar> {
        let mut masks = vec![Scalar::ZERO; count];
        for stream in self.streams(query, PLAINTEXTS) {
            for (number, mask) in masks.iter_mut().enumerate() {
                let mut block = stream.block(number);
                let scalar = Scalar::from_bytes_mod_order_wide(&block);
                block.zeroize();
                if stream.adds {
                    *mask += scalar;
                } else {
                    *mask -= scalar;
                }
            }
        }
        masks
    }
}

fn wrapping(transcript: &[u8; 32], shared: &[u8]) -> [u8; 64] {
    DerivedKey::extract(transcript, shared).block(b"mingle wrapped key\0", 0)
}

fn xor(key: &[u8; 32], with: &[u8; 64]) -> [u8; 32] {
    let mut bytes = *key;
    for (byte, other) in bytes.iter_mut().zip(with) {
        *byte ^= other;
    }
    bytes
}

const SUMS: &[u8] = b"mingle mask of sums\0";
const PLAINTEXTS: &[u8] = b"mingle mask of plaintexts\0";

/// What a pair adds and takes away.
struct MaskStream {
    adds: bool,
    key: DerivedKey,
    label: Vec<u8>,
}

impl MaskStream {
    fn block(&self, number: usize) -> [u8; 64] {
        self.key.block(&self.label, number as u64)
    }
}

fn label(name: &[u8], query: u64, mut pair: [usize; 2]) -> Vec<u8> {
    pair.sort_unstable();
    let [low, high] = pair.map(|seat| (seat as u64).to_be_bytes());
    [name, &query.to_be_bytes(), &low, &high].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entropy::OperatingSystem;

    fn providers(n: usize) -> Vec<PairSecrets> {
        let secrets: Vec<MaskSecret> = (0..n)
            .map(|_| MaskSecret::random(&mut OperatingSystem))
            .collect();
        let publics: Vec<[u8; 32]> = secrets.iter().map(MaskSecret::public).collect();
        let agree = |(seat, secret)| {
            PairSecrets::agree(secret, seat, &publics).unwrap_or_else(|_| panic!("keys"))
        };
        secrets.iter().enumerate().map(agree).collect()
    }

    #[test]
    fn masks_add_up_to_nothing() {
        for n in [3, 4, 7] {
            let pairs = providers(n);
            let query = MaskedQuery {
                transcript: &[7; 32],
                number: 3,
            };
            let mut sum = [0u64; 21];
            let mut scalars = [Scalar::ZERO; 5];
            for pair in &pairs {
                let mut values = [0u64; 21];
                pair.mask(query, &mut values);
                assert!(values.iter().all(|&value| value != 0));
                for (sum, value) in sum.iter_mut().zip(values) {
                    *sum = sum.wrapping_add(value);
                }
                for (sum, mask) in scalars.iter_mut().zip(pair.scalars(query, 5)) {
                    assert_ne!(mask, Scalar::ZERO);
                    *sum += mask;
                }
            }
            assert_eq!((sum, scalars), ([0; 21], [Scalar::ZERO; 5]));
        }
    }

    #[test]
    fn other_transcripts_and_queries_give_other_masks() {
        let pairs = providers(3);
        let masked = |transcript: u8, number| {
            let mut values = [0u64; 4];
            pairs[0].mask(
                MaskedQuery {
                    transcript: &[transcript; 32],
                    number,
                },
                &mut values,
            );
            values
        };
        assert_eq!(masked(1, 1), masked(1, 1));
        assert_ne!(masked(1, 1), masked(2, 1));
        assert_ne!(masked(1, 1), masked(1, 2));
    }

    /// With the shares of all but two taken out, what is left of one of the two is uniform: every
    /// bit comes up half of the time, whatever the counts.
    #[test]
    fn without_all_but_two_the_rest_is_uniform() {
        let pairs = providers(5);
        let mut ones = [0u32; 64];
        let queries = 4000;
        for number in 0..queries {
            let query = MaskedQuery {
                transcript: &[9; 32],
                number,
            };
            // the coalition {2, 3, 4} takes its own masks out of what provider 0 sent
            let mut sent = [12u64];
            pairs[0].mask(query, &mut sent);
            for (at, colluder) in pairs[2..].iter().enumerate() {
                let key = colluder.shared[0].as_ref().expect("a pair");
                let key = DerivedKey::extract(query.transcript, &key[..]);
                let block = key.block(&label(SUMS, number, [0, at + 2]), 0);
                let mask = u64::from_le_bytes(*block.first_chunk::<8>().expect("eight bytes"));
                sent[0] = sent[0].wrapping_sub(mask);
            }
            for (bit, ones) in ones.iter_mut().enumerate() {
                *ones += (sent[0] >> bit & 1) as u32;
            }
        }
        // six deviations of a binomial with 4,000 draws
        assert!(ones.iter().all(|&n| n.abs_diff(2000) < 190), "{ones:?}");
    }

    #[test]
    fn a_wrapped_key_is_for_those_who_take_part() {
        let pairs = providers(4);
        let wrapped = pairs[0].wrap(&[1; 32], &[9; 32]);
        for other in &pairs[1..] {
            assert_eq!(
                other.unwrap(&[1; 32], 0, &wrapped).as_deref().ok(),
                Some(&[9; 32])
            );
            assert_ne!(
                other.unwrap(&[2; 32], 0, &wrapped).as_deref().ok(),
                Some(&[9; 32])
            );
        }
        assert!(!wrapped.windows(32).any(|window| window == [9; 32]));
        assert!(pairs[1].unwrap(&[1; 32], 0, &wrapped[1..]).is_err());
    }

    #[test]
    fn weak_and_copied_keys_are_refused() {
        let secret = MaskSecret::random(&mut OperatingSystem);
        let other = MaskSecret::random(&mut OperatingSystem).public();
        let agree = |third| PairSecrets::agree(&secret, 0, &[secret.public(), other, third]).err();
        assert_eq!(agree([0; 32]), Some((2, Violation::WeakKey)));
        let mut one = [0; 32];
        one[0] = 1;
        assert_eq!(agree(one), Some((2, Violation::WeakKey)));
        assert_eq!(agree(other), Some((2, Violation::Copied)));
        assert_eq!(agree(secret.public()), Some((2, Violation::Copied)));
    }

    /// The key of another in other words: the same secrets, for whoever shares one with both.
    fn in_other_words(key: &[u8; 32]) -> [u8; 32] {
        let mut same = *key;
        same[31] |= 0x80;
        same
    }

    #[test]
    fn a_key_in_other_words_is_a_copy() {
        let secrets: Vec<MaskSecret> = (0..3)
            .map(|_| MaskSecret::random(&mut OperatingSystem))
            .collect();
        let first = secrets[0].public();
        let publics = [first, secrets[1].public(), in_other_words(&first)];
        let refused = PairSecrets::agree(&secrets[1], 1, &publics).err();
        assert_eq!(refused, Some((2, Violation::Copied)));
    }

    /// Even if it were taken, a provider between the two would not send its counts as they are.
    #[test]
    fn one_secret_with_two_providers_masks_nevertheless() {
        let pairs = providers(3);
        let mut middle = PairSecrets {
            seat: 1,
            shared: pairs[1].shared.clone(),
        };
        middle.shared[2] = middle.shared[0].clone();
        let query = MaskedQuery {
            transcript: &[7; 32],
            number: 3,
        };
        let counts = [5u64, 6, 7];
        let mut sent = counts;
        middle.mask(query, &mut sent);
        assert!(sent.iter().zip(counts).all(|(&sent, count)| sent != count));
        assert!(
            middle
                .scalars(query, 3)
                .iter()
                .all(|mask| *mask != Scalar::ZERO)
        );
    }
}
