//! `[protocol]`: how two sites publish together, for `mingle site run`.

use super::source::PlaceInPolicy;
use super::tree::Node;
use mingle_protocol::{Leak, Synchronizer};
use mingle_record::Problem;
use mingle_record::ProblemCode;

/// What the sites must agree on beside the promises.
#[derive(Clone, Debug)]
pub struct Protocol {
    /// How the sites' partitions become one.
    pub synchronizer: Synchronizer,
    /// The most that may be revealed on the way.
    pub accept_leak: Leak,
    /// How many identifiers each list looks like it has.
    pub padded_size: u32,
    /// Where the size is set, to point at when it is too small.
    pub padded_size_at: PlaceInPolicy,
}

const KEYS: &[&str] = &["synchronizer", "accept_leak", "padded_size"];

impl Protocol {
    /// Reads the section. Nothing in it has a default: what is revealed to a partner is somebody's
    /// decision.
    pub fn read(section: &Node) -> Result<Protocol, Problem> {
        let fields = section.fields(KEYS)?;
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
        Ok(Protocol {
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
