//! Secret sums and whether they reach a threshold: lifted ElGamal in ristretto255, n of n.
//!
//! Each provider has y_i = x_i G with a proof that it knows x_i, bound to the transcript and its
//! seat; Y = Σ y_i. A number s is encrypted as (t G, t Y + s G); adding ciphertexts adds numbers.
//!
//! *Is S < T?* The ciphertexts of S - i for i = 0 … T-1 are a **bag**: it has an encryption of zero
//! iff S < T. In turn every provider multiplies each ciphertext by a fresh scalar that is not zero,
//! re-randomizes it and shuffles the bag. A zero stays a zero; everything else becomes uniform, as
//! long as one provider is honest. Then all decrypt together and count zeros.
//!
//! Secret scalars are multiplied in constant time and wiped. Cost per ciphertext: four
//! multiplications (two of them by tables) to pass on, one to decrypt in part, and a decoding for each
//! part when combining.

use crate::entropy::{Entropy, shuffled};
use crate::error::Violation;
use curve25519_dalek::constants::RISTRETTO_BASEPOINT_TABLE;
use curve25519_dalek::ristretto::{CompressedRistretto, RistrettoBasepointTable, RistrettoPoint};
use curve25519_dalek::scalar::Scalar;
use curve25519_dalek::traits::IsIdentity;
use rayon::prelude::*;
use sha2::{Digest, Sha512};
use zeroize::Zeroize;

/// Bytes of an encoded ciphertext.
pub(crate) const CIPHERTEXT: usize = 64;

/// Bytes of an encoded point.
pub(crate) const POINT: usize = 32;

/// Bytes of a public key share with its proof.
pub(crate) const KEY: usize = 96;

/// Ciphertexts that are worked on together.
const BATCH: usize = 64;

/// A ciphertext; anybody may add and subtract.
#[derive(Clone, Copy)]
pub(crate) struct Ciphertext {
    a: RistrettoPoint,
    b: RistrettoPoint,
}

impl Ciphertext {
    pub(crate) fn sum<'a>(all: impl Iterator<Item = &'a Ciphertext>) -> Ciphertext {
        let mut sum = Ciphertext {
            a: RistrettoPoint::default(),
            b: RistrettoPoint::default(),
        };
        for ciphertext in all {
            sum.a += ciphertext.a;
            sum.b += ciphertext.b;
        }
        sum
    }

    /// The ciphertexts of S - i, i = 0 … threshold-1.
    pub(crate) fn below(self, threshold: u64, bag: &mut Vec<Ciphertext>) {
        let one = RISTRETTO_BASEPOINT_TABLE.basepoint();
        let mut at = self;
        for _ in 0..threshold {
            bag.push(at);
            at.b -= one;
        }
    }

    /// The ciphertext of S minus a public number.
    pub(crate) fn minus(self, number: u64) -> Ciphertext {
        let shift = RISTRETTO_BASEPOINT_TABLE * &Scalar::from(number);
        Ciphertext {
            a: self.a,
            b: self.b - shift,
        }
    }
}

fn random_scalar(entropy: &mut dyn Entropy) -> Scalar {
    loop {
        let mut wide = [0; 64];
        entropy.fill(&mut wide);
        let scalar = Scalar::from_bytes_mod_order_wide(&wide);
        wide.zeroize();
        if scalar != Scalar::ZERO {
            return scalar;
        }
    }
}

/// One provider's part of the key.
pub(crate) struct KeyShare {
    secret: Scalar,
}

impl Drop for KeyShare {
    fn drop(&mut self) {
        self.secret.zeroize();
    }
}

impl KeyShare {
    pub(crate) fn random(entropy: &mut dyn Entropy) -> KeyShare {
        KeyShare {
            secret: random_scalar(entropy),
        }
    }

    /// The public share with a proof of knowledge (Schnorr), for this transcript and seat.
    pub(crate) fn public(
        &self,
        transcript: &[u8; 32],
        seat: usize,
        entropy: &mut dyn Entropy,
    ) -> [u8; KEY] {
        let mut nonce = random_scalar(entropy);
        let share = (RISTRETTO_BASEPOINT_TABLE * &self.secret).compress();
        let commitment = (RISTRETTO_BASEPOINT_TABLE * &nonce).compress();
        let challenge = challenge(transcript, seat, &share, &commitment);
        let response = nonce + challenge * self.secret;
        nonce.zeroize();
        let mut key = [0; KEY];
        key[..32].copy_from_slice(share.as_bytes());
        key[32..64].copy_from_slice(commitment.as_bytes());
        key[64..].copy_from_slice(response.as_bytes());
        key
    }

    /// Partial decryptions of a bag: x a of each ciphertext.
    pub(crate) fn decrypt(&self, bag: &[Ciphertext]) -> Vec<u8> {
        let mut half = self.secret * Scalar::from(2u8).invert();
        let batch = |ciphertexts: &[Ciphertext]| {
            let parts: Vec<RistrettoPoint> = ciphertexts.iter().map(|c| c.a * half).collect();
            RistrettoPoint::double_and_compress_batch(&parts)
        };
        let parts: Vec<CompressedRistretto> = bag.par_chunks(BATCH).flat_map_iter(batch).collect();
        half.zeroize();
        let mut bytes = Vec::with_capacity(parts.len() * POINT);
        for part in &parts {
            bytes.extend_from_slice(part.as_bytes());
        }
        bytes
    }
}

fn challenge(
    transcript: &[u8; 32],
    seat: usize,
    share: &CompressedRistretto,
    commitment: &CompressedRistretto,
) -> Scalar {
    let hash = Sha512::new_with_prefix(b"mingle proof of a key share\0")
        .chain_update(transcript)
        .chain_update((seat as u64).to_le_bytes())
        .chain_update(share.as_bytes())
        .chain_update(commitment.as_bytes())
        .finalize();
    Scalar::from_bytes_mod_order_wide(&hash.into())
}

/// Checks a public share and its proof.
fn check_share(
    transcript: &[u8; 32],
    seat: usize,
    key: &[u8; KEY],
) -> Result<RistrettoPoint, Violation> {
    let part = |at: usize| {
        let mut bytes = [0; 32];
        bytes.copy_from_slice(&key[at..at + 32]);
        bytes
    };
    let (share, commitment) = (CompressedRistretto(part(0)), CompressedRistretto(part(32)));
    let point = decode_point(share.as_bytes())?;
    let announced = commitment.decompress().ok_or(Violation::BadPoint)?;
    let response = Option::<Scalar>::from(Scalar::from_canonical_bytes(part(64)));
    let response = response.ok_or(Violation::BadProof)?;
    let challenge = challenge(transcript, seat, &share, &commitment);
    if RISTRETTO_BASEPOINT_TABLE * &response == announced + point * challenge {
        Ok(point)
    } else {
        Err(Violation::BadProof)
    }
}

/// Everybody's key together.
pub(crate) struct JointKey {
    table: RistrettoBasepointTable,
}

impl JointKey {
    /// From all public shares in seat order; an error names the seat.
    pub(crate) fn new(
        transcript: &[u8; 32],
        shares: &[[u8; KEY]],
    ) -> Result<JointKey, (usize, Violation)> {
        let mut sum = RistrettoPoint::default();
        for (seat, share) in shares.iter().enumerate() {
            if shares[..seat]
                .iter()
                .any(|other| other[..32] == share[..32])
            {
                return Err((seat, Violation::Copied));
            }
            sum += check_share(transcript, seat, share).map_err(|fault| (seat, fault))?;
        }
        if sum.is_identity() {
            return Err((shares.len() - 1, Violation::IdentityPoint));
        }
        Ok(JointKey {
            table: RistrettoBasepointTable::create(&sum),
        })
    }

    /// Encrypts numbers modulo the order of the group.
    pub(crate) fn encrypt(&self, numbers: &[Scalar], entropy: &mut dyn Entropy) -> Vec<u8> {
        let half = Scalar::from(2u8).invert();
        let mut points = Vec::with_capacity(numbers.len() * 2);
        for number in numbers {
            let mut t = random_scalar(entropy) * half;
            points.push(RISTRETTO_BASEPOINT_TABLE * &t);
            points.push(&self.table * &t + RISTRETTO_BASEPOINT_TABLE * &(number * half));
            t.zeroize();
        }
        encode(&RistrettoPoint::double_and_compress_batch(&points))
    }

    /// Passes bags on: every ciphertext multiplied by a fresh scalar, re-randomized, each bag
    /// shuffled.
    pub(crate) fn pass_on(&self, bags: &[Vec<Ciphertext>], entropy: &mut dyn Entropy) -> Vec<u8> {
        let half = Scalar::from(2u8).invert();
        let mut jobs: Vec<(Ciphertext, Scalar, Scalar)> = Vec::new();
        for bag in bags {
            // the order in which they leave is drawn first, so that the work can be shared out
            for at in shuffled(bag.len(), entropy) {
                let factor = random_scalar(entropy) * half;
                let t = random_scalar(entropy) * half;
                jobs.push((bag[at as usize], factor, t));
            }
        }
        let batch = |jobs: &[(Ciphertext, Scalar, Scalar)]| {
            let mut points = Vec::with_capacity(jobs.len() * 2);
            for (ciphertext, factor, t) in jobs {
                points.push(ciphertext.a * factor + RISTRETTO_BASEPOINT_TABLE * t);
                points.push(ciphertext.b * factor + &self.table * t);
            }
            RistrettoPoint::double_and_compress_batch(&points)
        };
        let points: Vec<CompressedRistretto> =
            jobs.par_chunks(BATCH).flat_map_iter(batch).collect();
        for (_, factor, t) in &mut jobs {
            factor.zeroize();
            t.zeroize();
        }
        encode(&points)
    }
}

fn encode(points: &[CompressedRistretto]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(points.len() * POINT);
    for point in points {
        bytes.extend_from_slice(point.as_bytes());
    }
    bytes
}

fn decode_point(bytes: &[u8; POINT]) -> Result<RistrettoPoint, Violation> {
    let point = CompressedRistretto(*bytes)
        .decompress()
        .ok_or(Violation::BadPoint)?;
    if point.is_identity() {
        return Err(Violation::IdentityPoint);
    }
    Ok(point)
}

/// Reads exactly so many ciphertexts; none may have the identity in it.
pub(crate) fn decode(bytes: &[u8], count: usize) -> Result<Vec<Ciphertext>, Violation> {
    if bytes.len() != count * CIPHERTEXT {
        return Err(Violation::WrongCount {
            expected: count * CIPHERTEXT,
            found: bytes.len(),
        });
    }
    let (points, _) = bytes.as_chunks::<POINT>();
    let decoded: Result<Vec<RistrettoPoint>, Violation> = points
        .par_iter()
        .with_min_len(BATCH)
        .map(decode_point)
        .collect();
    let mut ciphertexts = Vec::with_capacity(count);
    for pair in decoded?.as_chunks::<2>().0 {
        ciphertexts.push(Ciphertext {
            a: pair[0],
            b: pair[1],
        });
    }
    Ok(ciphertexts)
}

/// Counts the zeros of each bag from everybody's partial decryptions, in seat order. An error names
/// the seat.
pub(crate) fn zeros(
    bags: &[Vec<Ciphertext>],
    parts: &[Vec<u8>],
) -> Result<Vec<u64>, (usize, Violation)> {
    let count: usize = bags.iter().map(Vec::len).sum();
    for (seat, part) in parts.iter().enumerate() {
        if part.len() != count * POINT {
            let (expected, found) = (count * POINT, part.len());
            return Err((seat, Violation::WrongCount { expected, found }));
        }
    }
    let all: Vec<&Ciphertext> = bags.iter().flatten().collect();
    let is_zero = |(at, ciphertext): (usize, &&Ciphertext)| {
        let mut sum = RistrettoPoint::default();
        for (seat, part) in parts.iter().enumerate() {
            let bytes = &part.as_chunks::<POINT>().0[at];
            sum += decode_point(bytes).map_err(|fault| (seat, fault))?;
        }
        Ok(sum == ciphertext.b)
    };
    let found: Result<Vec<bool>, (usize, Violation)> = all
        .par_iter()
        .with_min_len(BATCH)
        .enumerate()
        .map(is_zero)
        .collect();
    let found = found?;
    let mut zeros = Vec::with_capacity(bags.len());
    let mut rest = &found[..];
    for bag in bags {
        let (own, others) = rest.split_at(bag.len());
        zeros.push(own.iter().filter(|&&zero| zero).count() as u64);
        rest = others;
    }
    Ok(zeros)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entropy::OperatingSystem;

    struct Keys {
        shares: Vec<KeyShare>,
        joint: JointKey,
    }

    fn keys(n: usize) -> Keys {
        let os = &mut OperatingSystem;
        let shares: Vec<KeyShare> = (0..n).map(|_| KeyShare::random(os)).collect();
        let public =
            |(seat, share): (usize, &KeyShare)| share.public(&[1; 32], seat, &mut OperatingSystem);
        let publics: Vec<[u8; KEY]> = shares.iter().enumerate().map(public).collect();
        let joint = JointKey::new(&[1; 32], &publics).unwrap_or_else(|_| panic!("keys"));
        Keys { shares, joint }
    }

    fn encrypted(keys: &Keys, numbers: &[u64]) -> Vec<Ciphertext> {
        let scalars: Vec<Scalar> = numbers.iter().map(|&n| Scalar::from(n)).collect();
        let bytes = keys.joint.encrypt(&scalars, &mut OperatingSystem);
        decode(&bytes, numbers.len()).expect("ciphertexts")
    }

    fn passed_on(keys: &Keys, bags: Vec<Vec<Ciphertext>>) -> Vec<Vec<Ciphertext>> {
        let sizes: Vec<usize> = bags.iter().map(Vec::len).collect();
        let mut bags = bags;
        for _ in &keys.shares {
            let bytes = keys.joint.pass_on(&bags, &mut OperatingSystem);
            let mut all = decode(&bytes, sizes.iter().sum())
                .expect("ciphertexts")
                .into_iter();
            bags = sizes
                .iter()
                .map(|&n| all.by_ref().take(n).collect())
                .collect();
        }
        bags
    }

    #[test]
    fn bags_tell_whether_a_sum_is_below() {
        let keys = keys(3);
        let mut bags = Vec::new();
        let cases = [(5, 6), (5, 5), (0, 1), (7, 3), (2, 9)];
        for (sum, threshold) in cases {
            let parts = encrypted(&keys, &[sum / 2, sum - sum / 2]);
            let mut bag = Vec::new();
            Ciphertext::sum(parts.iter()).below(threshold, &mut bag);
            bags.push(bag);
        }
        let bags = passed_on(&keys, bags);
        let parts: Vec<Vec<u8>> = keys
            .shares
            .iter()
            .map(|s| s.decrypt(&bags.concat()))
            .collect();
        let found = zeros(&bags, &parts).expect("parts");
        for ((sum, threshold), zeros) in cases.into_iter().zip(found) {
            assert_eq!(zeros, u64::from(sum < threshold), "{sum} {threshold}");
        }
        // without one share nothing is told
        let found = zeros(&bags, &parts[..2]).expect("parts");
        assert!(found.iter().all(|&zeros| zeros == 0));
    }

    /// Whether a way to pass a bag on hides which ciphertext was which: the zero comes out at every
    /// place, and what is not zero is no small number.
    fn hides(keys: &Keys, pass: impl Fn(Vec<Ciphertext>) -> Vec<Ciphertext>) -> bool {
        let secret: Scalar = keys.shares.iter().map(|share| share.secret).sum();
        let one = RISTRETTO_BASEPOINT_TABLE.basepoint();
        let mut places = [0; 4];
        for _ in 0..80 {
            let mut bag = Vec::new();
            encrypted(keys, &[2])[0].below(4, &mut bag);
            for (place, ciphertext) in pass(bag).iter().enumerate() {
                let plaintext = ciphertext.b - ciphertext.a * secret;
                if plaintext.is_identity() {
                    places[place] += 1;
                } else if [one, one + one, -one].contains(&plaintext) {
                    return false;
                }
            }
        }
        // a fair place has 20 of 80; 60 is ten deviations away
        places.iter().all(|&times| times < 60) && places.iter().sum::<i32>() == 80
    }

    /// Planted protocols that forget to shuffle or to blind are found by the same test.
    #[test]
    fn forgetting_to_shuffle_or_to_blind_is_found() {
        let keys = keys(2);
        let decoded = |bytes: Vec<u8>| decode(&bytes, 4).expect("ciphertexts");
        let pass = |bag: Vec<Ciphertext>| decoded(keys.joint.pass_on(&[bag], &mut OperatingSystem));
        assert!(hides(&keys, pass));
        let unshuffled = |bag: Vec<Ciphertext>| {
            let single: Vec<Vec<Ciphertext>> = bag.into_iter().map(|c| vec![c]).collect();
            decoded(keys.joint.pass_on(&single, &mut OperatingSystem))
        };
        assert!(!hides(&keys, unshuffled));
        let unblinded = |bag: Vec<Ciphertext>| {
            let zeros = encrypted(&keys, &[0; 4]);
            let order = shuffled(4, &mut OperatingSystem);
            let fresh = |(zero, &at): (&Ciphertext, &u32)| {
                Ciphertext::sum([zero, &bag[at as usize]].into_iter())
            };
            zeros.iter().zip(&order).map(fresh).collect()
        };
        assert!(!hides(&keys, unblinded));
    }

    #[test]
    fn proofs_are_for_one_seat_and_transcript() {
        let share = KeyShare::random(&mut OperatingSystem);
        let key = share.public(&[1; 32], 2, &mut OperatingSystem);
        assert!(check_share(&[1; 32], 2, &key).is_ok());
        assert_eq!(
            check_share(&[1; 32], 1, &key).err(),
            Some(Violation::BadProof)
        );
        assert_eq!(
            check_share(&[2; 32], 2, &key).err(),
            Some(Violation::BadProof)
        );
        let other =
            KeyShare::random(&mut OperatingSystem).public(&[1; 32], 0, &mut OperatingSystem);
        let copied = JointKey::new(&[1; 32], &[other, other]).err();
        assert_eq!(copied, Some((1, Violation::Copied)));
    }

    #[test]
    fn bad_lists_are_refused() {
        let keys = keys(2);
        let good = keys
            .joint
            .encrypt(&[Scalar::ONE, Scalar::ONE], &mut OperatingSystem);
        assert!(decode(&good, 2).is_ok());
        assert!(matches!(
            decode(&good, 3),
            Err(Violation::WrongCount { .. })
        ));
        let mut bad = good.clone();
        bad[64..96].copy_from_slice(&[0xff; 32]);
        assert_eq!(decode(&bad, 2).err(), Some(Violation::BadPoint));
        bad[64..96].copy_from_slice(&[0; 32]);
        assert_eq!(decode(&bad, 2).err(), Some(Violation::IdentityPoint));
    }
}
