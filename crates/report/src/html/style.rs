//! The style sheet: one palette for light, one for dark, and paper.
//!
//! Colours of charts are those of Okabe and Ito, darkened or lightened until they show on their
//! ground. That texts have a contrast of at least 4.5 to 1 on everything they stand on is tested.

use mingle_chart::inline;

/// Names and colours in the light.
pub const LIGHT: [(&str, &str); 19] = [
    ("ground", "#fdfdfc"),
    ("card", "#f4f5f4"),
    ("ink", "#1b1f23"),
    ("muted", "#555d66"),
    ("line", "#c9ced3"),
    ("grid", "#e0e3e6"),
    ("link", "#0b5394"),
    ("good", "#0b6b4d"),
    ("good-ground", "#e4f3ec"),
    ("bad", "#8f3d00"),
    ("bad-ground", "#fbeee2"),
    ("fail", "#9b1c1c"),
    ("fail-ground", "#fbe6e6"),
    ("series-0", "#0072b2"),
    ("series-1", "#b54900"),
    ("series-2", "#00795a"),
    ("series-3", "#a34d80"),
    ("heat", "#0072b2"),
    ("heat-ink", "#1b1f23"),
];

/// The same in the dark.
pub const DARK: [(&str, &str); 19] = [
    ("ground", "#14171a"),
    ("card", "#1d2125"),
    ("ink", "#eceff1"),
    ("muted", "#a9b1b9"),
    ("line", "#434a51"),
    ("grid", "#2b3036"),
    ("link", "#8fc3f0"),
    ("good", "#7fd6b3"),
    ("good-ground", "#14302a"),
    ("bad", "#f2b27a"),
    ("bad-ground", "#33240f"),
    ("fail", "#f4a3a3"),
    ("fail-ground", "#3a1818"),
    ("series-0", "#56b4e9"),
    ("series-1", "#f0904a"),
    ("series-2", "#3ec79c"),
    ("series-3", "#d99bbf"),
    ("heat", "#2f7fb5"),
    ("heat-ink", "#eceff1"),
];

const BODY: &str = "\
*{box-sizing:border-box}\
html{color-scheme:light dark;-webkit-text-size-adjust:100%}\
body{margin:0 auto;padding:1.5rem 1.25rem 4rem;max-width:64rem;background:var(--ground);color:var(--ink);\
font:16px/1.55 system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;overflow-wrap:break-word}\
h1{font-size:1.9rem;line-height:1.2;margin:.2rem 0 1rem}\
h2{font-size:1.35rem;margin:3.2rem 0 1rem;padding-bottom:.35rem;border-bottom:1px solid var(--line)}\
h3{font-size:1.05rem;margin:1.6rem 0 .6rem}\
p{max-width:44rem;margin:.6rem 0}\
a{color:var(--link)}\
a:focus-visible,summary:focus-visible,.scroll:focus-visible{outline:3px solid var(--link);outline-offset:2px}\
.skip{position:absolute;left:-100vw}.skip:focus{position:static}\
.kicker{color:var(--muted);margin:0;font-size:.9rem}\
.keep{background:var(--bad-ground);color:var(--bad);border-left:5px solid var(--bad);padding:.7rem 1rem;font-weight:600}\
.banner{border-radius:.5rem;padding:1rem 1.25rem;border-left:8px solid}\
.banner p{margin:.2rem 0;max-width:54rem}.banner .said{font-size:1.3rem;font-weight:650;line-height:1.3}\
.banner.holds,.banner.stated{background:var(--good-ground);border-color:var(--good)}\
.banner.holds .said,.banner.stated .said{color:var(--good)}\
.banner.part{background:var(--bad-ground);border-color:var(--bad)}.banner.part .said{color:var(--bad)}\
.banner.fails{background:var(--fail-ground);border-color:var(--fail)}.banner.fails .said{color:var(--fail)}\
.warnings{background:var(--bad-ground);border-left:8px solid var(--bad);border-radius:.5rem;padding:.7rem 1.25rem;margin:.75rem 0}\
.warnings h2{font-size:1.1rem;color:var(--bad);margin:0;padding:0;border:0}\
.warnings ul{margin:.3rem 0;padding-left:1.2rem}.warnings li{margin:.4rem 0;max-width:54rem}.warnings .hint{display:block;color:var(--muted)}\
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(9.5rem,1fr));gap:.75rem;margin:1.25rem 0}\
.tiles div{background:var(--card);border-radius:.5rem;padding:.8rem 1rem;display:flex;flex-direction:column-reverse;justify-content:flex-end}\
.tiles dt{color:var(--muted);font-size:.85rem;line-height:1.35}\
.tiles dd{margin:0;font-size:1.5rem;font-weight:600;font-variant-numeric:tabular-nums}\
nav ul{list-style:none;margin:1.5rem 0 0;padding:0;display:flex;flex-wrap:wrap;gap:.35rem 1.1rem;font-size:.92rem}\
.two{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,22rem),1fr));gap:1rem}\
.two>*{min-width:0}\
.card{border-radius:.5rem;padding:.4rem 1.25rem 1rem;background:var(--card);border-top:5px solid}\
.card.good{border-color:var(--good)}.card.bad{border-color:var(--bad)}\
.card.good h3{color:var(--good)}.card.bad h3{color:var(--bad)}\
.card h3{font-size:1.15rem;margin:.8rem 0 .4rem}\
dl.said{margin:0}dl.said div{margin:.8rem 0}dl.said dt{font-weight:600}dl.said dd{margin:0;max-width:44rem}\
.scroll{position:relative;overflow-x:auto;max-width:100%;margin:1rem 0}\
table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.92rem;min-width:50%}\
caption{text-align:left;color:var(--muted);padding-bottom:.4rem}\
th,td{text-align:right;padding:.35rem .8rem;border-bottom:1px solid var(--grid);vertical-align:top}\
th:first-child,td:first-child{text-align:left;padding-left:0}\
thead th{border-bottom:2px solid var(--line);font-weight:600;vertical-align:bottom}\
tbody th{font-weight:500}\
td{white-space:nowrap}.words td{text-align:left;white-space:normal}.words thead th{text-align:left}\
.role{display:inline-block;padding:.05rem .5rem;border-radius:1rem;border:1.5px solid;font-size:.85rem;white-space:nowrap}\
.role.quasi-identifier{color:var(--bad)}.role.sensitive{color:var(--fail)}.role.insensitive{color:var(--good)}\
figure{margin:1.2rem 0 1.8rem;min-width:0}figcaption{font-weight:600;margin-bottom:.5rem}\
figure.wide{max-width:46rem}\
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;margin:0 0 .6rem;padding:0;font-size:.88rem}\
.k0{color:var(--series-0)}.k1{color:var(--series-1)}.k2{color:var(--series-2)}.k3{color:var(--series-3)}\
details{margin:.4rem 0}summary{cursor:pointer;color:var(--link);font-size:.9rem;width:fit-content}\
.more,.quiet{color:var(--muted);font-size:.9rem}\
pre{background:var(--card);padding:1rem;border-radius:.5rem;overflow-x:auto;font-size:.85rem;line-height:1.45}\
code{font-size:.85em;overflow-wrap:anywhere}\
.heat td{text-align:center;min-width:3.4rem;border:1px solid var(--ground);color:var(--heat-ink);padding:.4rem .3rem;\
background:color-mix(in srgb,var(--heat) calc(var(--v)*1%),var(--ground))}\
.heat tbody th{white-space:nowrap;max-width:11rem;overflow:hidden;text-overflow:ellipsis}\
dl.cover{margin:0;max-width:54rem}dl.cover div{display:grid;grid-template-columns:minmax(8rem,13rem) 1fr;gap:1rem;padding:.45rem 0;border-bottom:1px solid var(--grid)}\
dl.cover dt{color:var(--muted)}dl.cover dd{margin:0}\
.blank{position:relative;display:inline-block;width:100%;min-width:7rem;min-height:1.4em;border-bottom:1px solid var(--muted)}\
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}\
.words tbody th{min-width:9rem;max-width:16rem}.words .why{min-width:14rem}.see{display:block;color:var(--muted);font-size:.9em}.box{font-size:1.3rem;text-align:center}\
.signatures td{min-width:9rem;padding-top:1.1rem}.signatures th{vertical-align:bottom}\
.lines{height:7rem;max-width:none;background:repeating-linear-gradient(transparent,transparent 2.2rem,var(--line) 2.2rem,var(--line) calc(2.2rem + 1px))}\
.banner .risk{font-weight:600}\
footer{margin-top:4rem;border-top:1px solid var(--line);color:var(--muted);font-size:.88rem}";

// Pages are numbered in the margin, which browsers have known since 2024; others print without.
// Rows, tiles and charts are not cut, a heading stays with what follows it, and a table that goes
// on repeats its heads. The numbers behind charts stay on the screen.
const PRINT: &str = "\
@page{size:A4;margin:18mm 16mm 20mm;@bottom-right{content:counter(page) ' / ' counter(pages);font:9pt sans-serif;color:#555d66}}\
@media print{:root{--ground:#ffffff}html,body{background:#fff}body{max-width:none;padding:0;font-size:10pt}nav,.skip,summary,figure details{display:none}\
details::details-content{content-visibility:visible;block-size:auto}details>*{display:block}details>summary{display:none}\
.two{grid-template-columns:1fr 1fr}.two:has(.heat){display:block}.heat{font-size:8pt;break-inside:avoid}.heat td{min-width:0}.words th,.words td:not(.box){overflow-wrap:break-word}.role{white-space:normal}\
h2{margin-top:2rem}h2,h3,figcaption,caption{break-after:avoid}thead{display:table-header-group;break-after:avoid}tbody tr:first-child{break-before:avoid}\
figure,.banner,.warnings li,.tiles,.tiles div,tr,dl.said div,dl.cover div,.signatures,.keep{break-inside:avoid}\
table{max-width:100%}.checklist{font-size:8.5pt}.checklist th,.checklist td{padding:.3rem .4rem}.words tbody th{min-width:0}.words .why{min-width:0}\
#sign-off,#checklist{break-before:page}p{orphans:3;widows:3}\
.scroll{overflow:visible}td{white-space:normal;overflow-wrap:anywhere}pre{white-space:pre-wrap;overflow-wrap:anywhere;font-size:8.5pt}a{color:inherit;text-decoration:none}\
.card,.banner,.warnings,.tiles div,.keep,.chart rect,.heat td,.lines{print-color-adjust:exact;-webkit-print-color-adjust:exact}}";

/// The whole sheet.
pub fn sheet() -> String {
    let set = |palette: &[(&str, &str)]| -> String {
        palette
            .iter()
            .map(|(name, colour)| format!("--{name}:{colour};"))
            .collect()
    };
    format!(
        ":root{{{}}}@media screen and (prefers-color-scheme:dark){{:root{{{}}}}}{BODY}{}{PRINT}",
        set(&LIGHT),
        set(&DARK),
        inline::CSS
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance and contrast as WCAG 2.1 defines them.
    fn luminance(colour: &str) -> f64 {
        let channel = |at: usize| {
            let value = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
            if value <= 0.04045 {
                value / 12.92
            } else {
                ((value + 0.055) / 1.055).powf(2.4)
            }
        };
        0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
    }

    fn contrast(a: &str, b: &str) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn texts_can_be_read_on_whatever_they_stand() {
        assert!((contrast("#000000", "#ffffff") - 21.0).abs() < 1e-9);
        let texts = [
            "ink", "muted", "link", "good", "bad", "fail", "series-0", "series-1", "series-2",
            "series-3",
        ];
        for palette in [LIGHT, DARK] {
            let of = |name: &str| palette.iter().find(|(n, _)| *n == name).unwrap().1;
            for text in texts {
                for ground in ["ground", "card"] {
                    let found = contrast(of(text), of(ground));
                    assert!(found >= 4.5, "{text} on {ground}: {found:.2}");
                }
            }
            for (text, ground) in [
                ("good", "good-ground"),
                ("bad", "bad-ground"),
                ("fail", "fail-ground"),
            ] {
                assert!(contrast(of(text), of(ground)) >= 4.5, "{text}");
                assert!(contrast(of("ink"), of(ground)) >= 4.5, "ink on {ground}");
            }
            // heat is mixed in up to that share
            let mixed = mixed(
                of("heat"),
                of("ground"),
                super::super::charts::HOTTEST / 100.0,
            );
            assert!(
                contrast(of("heat-ink"), &mixed) >= 4.5,
                "{}",
                contrast(of("heat-ink"), &mixed)
            );
        }
    }

    fn mixed(a: &str, b: &str, share: f64) -> String {
        let channel = |colour: &str, at: usize| {
            f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap())
        };
        let mix =
            |at: usize| (channel(a, at) * share + channel(b, at) * (1.0 - share)).round() as u8;
        format!("#{:02x}{:02x}{:02x}", mix(1), mix(3), mix(5))
    }
}
