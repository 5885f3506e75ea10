//! Where people of Los Angeles were born: 113 places in six regions.

/// Part of the world.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Region {
    California,
    UnitedStates,
    LatinAmerica,
    Asia,
    Europe,
    Elsewhere,
}

pub(super) const REGIONS: usize = 6;

use Region::{Asia, California, Elsewhere, Europe, LatinAmerica, UnitedStates};

impl Region {
    /// Its name in the hierarchy.
    pub(super) fn name(self) -> &'static str {
        match self {
            California => "in California",
            UnitedStates => "Other states",
            LatinAmerica => "Latin America",
            Asia => "in Asia",
            Europe => "in Europe",
            Elsewhere => "Elsewhere",
        }
    }
}

/// Name, region, and weight within the region.
#[rustfmt::skip]
pub(super) const PLACES: [(&str, Region, u64); 113] = [
    ("California", California, 1),
    ("United States, n.s.", UnitedStates, 3_400), ("Illinois", UnitedStates, 2_600), ("New York", UnitedStates, 2_500),
    ("Texas", UnitedStates, 2_300), ("Missouri", UnitedStates, 1_400), ("Ohio", UnitedStates, 1_400),
    ("Pennsylvania", UnitedStates, 1_300), ("Michigan", UnitedStates, 1_100), ("Oklahoma", UnitedStates, 1_000),
    ("Iowa", UnitedStates, 1_000), ("Kansas", UnitedStates, 900), ("Louisiana", UnitedStates, 850),
    ("Nebraska", UnitedStates, 800), ("Minnesota", UnitedStates, 800), ("Arkansas", UnitedStates, 700),
    ("Massachusetts", UnitedStates, 700), ("Wisconsin", UnitedStates, 700), ("Indiana", UnitedStates, 650),
    ("Arizona", UnitedStates, 650), ("Utah", UnitedStates, 600), ("New Mexico", UnitedStates, 600),
    ("Colorado", UnitedStates, 550), ("Mississippi", UnitedStates, 550), ("Washington", UnitedStates, 500),
    ("Tennessee", UnitedStates, 500), ("New Jersey", UnitedStates, 450), ("Alabama", UnitedStates, 430),
    ("Kentucky", UnitedStates, 350), ("Oregon", UnitedStates, 320), ("North Dakota", UnitedStates, 300),
    ("West Virginia", UnitedStates, 290), ("Montana", UnitedStates, 280), ("South Dakota", UnitedStates, 250),
    ("North Carolina", UnitedStates, 240), ("Hawaii", UnitedStates, 240), ("Georgia", UnitedStates, 230),
    ("Connecticut", UnitedStates, 230), ("South Carolina", UnitedStates, 190), ("Florida", UnitedStates, 170),
    ("Virginia", UnitedStates, 160), ("Idaho", UnitedStates, 150), ("Maryland", UnitedStates, 150),
    ("Wyoming", UnitedStates, 140), ("District of Columbia", UnitedStates, 130), ("Rhode Island", UnitedStates, 120),
    ("Maine", UnitedStates, 90), ("Nevada", UnitedStates, 90), ("New Hampshire", UnitedStates, 60),
    ("Delaware", UnitedStates, 50), ("Vermont", UnitedStates, 50), ("Alaska", UnitedStates, 40),
    ("Mexico", LatinAmerica, 2_000), ("Cuba", LatinAmerica, 320), ("Puerto Rico", LatinAmerica, 160),
    ("El Salvador", LatinAmerica, 120), ("Guatemala", LatinAmerica, 110), ("Argentina", LatinAmerica, 100),
    ("Colombia", LatinAmerica, 90), ("Nicaragua", LatinAmerica, 70), ("Ecuador", LatinAmerica, 60),
    ("Costa Rica", LatinAmerica, 50), ("Peru", LatinAmerica, 50), ("Jamaica", LatinAmerica, 40),
    ("China", Asia, 280), ("Japan", Asia, 270), ("Philippines", Asia, 120), ("Korea", Asia, 100),
    ("Hong Kong", Asia, 80), ("Vietnam", Asia, 60), ("India", Asia, 50), ("Iran", Asia, 50), ("Israel", Asia, 50),
    ("Turkey", Asia, 50), ("Lebanon", Asia, 40), ("Syria", Asia, 40), ("Taiwan", Asia, 40), ("Thailand", Asia, 35),
    ("Jordan", Asia, 30),
    ("England", Europe, 540), ("Germany", Europe, 500), ("Russia", Europe, 420), ("Poland", Europe, 210),
    ("Italy", Europe, 200), ("Yugoslavia", Europe, 130), ("Scotland", Europe, 130), ("Netherlands", Europe, 120),
    ("Norway", Europe, 90), ("Hungary", Europe, 90), ("France", Europe, 80), ("Austria", Europe, 70),
    ("Ireland", Europe, 70), ("Sweden", Europe, 70), ("Greece", Europe, 60), ("Lithuania", Europe, 60),
    ("Romania", Europe, 50), ("Czechoslovakia", Europe, 50), ("Denmark", Europe, 45), ("Spain", Europe, 40),
    ("Belgium", Europe, 35), ("Switzerland", Europe, 35), ("Wales", Europe, 30), ("Latvia", Europe, 30),
    ("Finland", Europe, 30), ("Portugal", Europe, 30),
    ("Canada", Elsewhere, 800), ("At sea or unknown", Elsewhere, 340), ("Africa", Elsewhere, 110),
    ("Australia", Elsewhere, 60), ("Guam", Elsewhere, 45), ("Samoa", Elsewhere, 40), ("Virgin Islands", Elsewhere, 35),
    ("New Zealand", Elsewhere, 30),
];
