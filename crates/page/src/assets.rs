//! The page itself, as it was built from `web/`: a table of files that are part of the program.
//! Addresses are looked up in it, never turned into paths. It holds no secret, so that it needs no
//! key.

/// A file of the page.
pub(crate) struct Asset {
    /// Where it is asked for.
    pub(crate) path: &'static str,
    /// Its type.
    pub(crate) kind: &'static str,
    /// Its bytes.
    pub(crate) bytes: &'static [u8],
}

/// All of them.
pub(crate) const ASSETS: [Asset; 3] = [
    Asset {
        path: "/",
        kind: "text/html; charset=utf-8",
        bytes: include_bytes!("../web/dist/index.html"),
    },
    Asset {
        path: "/page.js",
        kind: "text/javascript; charset=utf-8",
        bytes: include_bytes!("../web/dist/page.js"),
    },
    Asset {
        path: "/page.css",
        kind: "text/css; charset=utf-8",
        bytes: include_bytes!("../web/dist/page.css"),
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_asks_for_nothing_that_is_not_there() {
        let shell = std::str::from_utf8(ASSETS[0].bytes).unwrap();
        let mut asked = 0;
        for attribute in ["src=\"", "href=\""] {
            for address in shell
                .split(attribute)
                .skip(1)
                .map(|rest| rest.split('"').next().unwrap())
            {
                let known = ASSETS.iter().any(|asset| {
                    asset.path.trim_start_matches('/') == address.trim_start_matches(['.', '/'])
                });
                assert!(known || address.starts_with("data:"), "{address}");
                asked += 1;
            }
        }
        assert!(asked >= 2, "script and style are asked for");
        assert!(
            !shell.contains("<script>") && !shell.contains("<style") && !shell.contains(" style="),
            "the policy forbids it"
        );
    }
}
