//! The reports of a release: made while it is published, made anew, and compared with what is there.

use mingle_release::Reports;
use std::path::Path;

/// Makes both reports of a release that is not in its place yet. Each reads what it may know and no more, so they are
/// made side by side.
pub fn render(release: &Path) -> Result<Reports, String> {
    let public = || mingle_report::public(&release.join("public")).map_err(|e| e.to_string());
    let private = || mingle_report::private(release).map_err(|e| e.to_string());
    let (public, private) = rayon::join(public, private);
    Ok(Reports { public: public?, private: private? })
}
