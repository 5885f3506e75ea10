//! A provider's disk: it survives crashes, and can be full.

use super::world::KnownSigner;
use mingle_protocol::horizontal::{
    CutCounts, JointCounts, JointVerification, KeptRecord, NoisyOutput, RunResult, RunVault,
    Signer, release_message,
};
use mingle_protocol::{OutputRecord, Standing};
use std::sync::{Arc, Mutex};

/// What is on it.
#[derive(Default)]
pub struct DiskState {
    pub kept: Vec<KeptRecord>,
    pub standing: Standing,
    pub signatures: Vec<[u8; 64]>,
    /// The finished table and how it came about.
    pub output: Option<(Vec<u8>, CutCounts)>,
    pub verification: Option<JointVerification>,
    pub counts: Option<JointCounts>,
    pub noisy: Option<NoisyOutput>,
    /// The ledger has nothing left: what noise costs cannot be charged.
    pub is_overdrawn: bool,
    /// Every digest that was ever public here.
    pub published: Vec<[u8; 32]>,
    /// Writes that will fail.
    pub failures: u32,
}

pub type Disk = Arc<Mutex<DiskState>>;

pub struct MemoryVault {
    disk: Disk,
    seat: usize,
}

impl MemoryVault {
    pub fn new(disk: Disk, seat: usize) -> MemoryVault {
        MemoryVault { disk, seat }
    }

    fn write(&self) -> Result<(), String> {
        let mut disk = self.disk.lock().expect("a disk");
        if disk.failures > 0 {
            disk.failures -= 1;
            return Err("the disk is full".to_owned());
        }
        Ok(())
    }
}

impl RunVault for MemoryVault {
    fn kept(&self) -> Vec<KeptRecord> {
        self.disk.lock().expect("a disk").kept.clone()
    }

    fn keep(&mut self, record: &KeptRecord) -> Result<(), String> {
        self.write()?;
        let mut disk = self.disk.lock().expect("a disk");
        if disk.is_overdrawn && *record == KeptRecord::NoiseSpent {
            return Err("the ledger does not pay".to_owned());
        }
        disk.kept.push(record.clone());
        Ok(())
    }

    fn standing(&self) -> Standing {
        self.disk.lock().expect("a disk").standing
    }

    fn prepare(&mut self, result: &RunResult) -> Result<OutputRecord, String> {
        self.write()?;
        let digest = result.digest();
        let record = OutputRecord {
            session: result.session(),
            digest,
            signature: KnownSigner::of_seat(self.seat).sign(&release_message(&digest)),
        };
        let mut disk = self.disk.lock().expect("a disk");
        disk.output = match result {
            RunResult::Table(output) => Some((output.table.canonical(), output.cuts)),
            _ => None,
        };
        match result {
            RunResult::Verification(verdict) => disk.verification = Some(verdict.clone()),
            RunResult::Counts(counts) => disk.counts = Some(counts.clone()),
            RunResult::Noisy(output) => disk.noisy = Some(NoisyOutput::clone(output)),
            RunResult::Table(_) => {}
        }
        disk.standing = Standing::Ready(record);
        Ok(record)
    }

    fn publish(&mut self, record: &OutputRecord, signatures: &[[u8; 64]]) -> Result<(), String> {
        self.write()?;
        let mut disk = self.disk.lock().expect("a disk");
        disk.standing = Standing::Published(*record);
        disk.signatures = signatures.to_vec();
        disk.published.push(record.digest);
        Ok(())
    }

    fn signatures(&self) -> Vec<[u8; 64]> {
        self.disk.lock().expect("a disk").signatures.clone()
    }

    fn discard(&mut self, _: &OutputRecord) -> Result<(), String> {
        self.write()?;
        self.disk.lock().expect("a disk").standing = Standing::Nothing;
        Ok(())
    }
}
