//! Where the risk comes from: few columns that single out, and a population that the table is a
//! sample of.

use mingle_assess::risk::subsets::{of_original, of_release};
use mingle_assess::risk::superpopulation::{ClassSizes, population_uniques};
use mingle_model::{Cube, Published};
use mingle_record::answer::{PopulationEstimate, SubsetSinglingOut};
use mingle_record::{Problem, ProblemCode};

/// The most subsets that are told.
const MOST: usize = 10;

/// The subsets of the original that leave most rows alone, with what the release makes of them.
pub fn subsets(cube: &Cube, published: &Published) -> Vec<SubsetSinglingOut> {
    let released = of_release(published);
    let mut told = Vec::new();
    for subset in of_original(cube).into_iter().take(MOST) {
        let mut names = Vec::new();
        let mut places = Vec::new();
        for &column in &subset.columns {
            let name = &cube.quasi_identifiers()[column].name;
            places.extend(published.columns().iter().position(|c| c.name == *name));
            names.push(name.clone());
        }
        places.sort_unstable();
        let Some(made) = released.iter().find(|made| made.columns == places) else {
            continue;
        };
        told.push(SubsetSinglingOut {
            columns: names,
            original_alone: subset.alone,
            original_smallest: subset.smallest,
            released_smallest: made.smallest,
        });
    }
    told
}

/// How many people of a population are alone, as the original lets models guess.
pub fn in_population(
    cube: &Cube,
    published: &Published,
    population: u64,
) -> Result<PopulationEstimate, Problem> {
    if cube.people().is_some() {
        let text = "--population: people have several rows here, and the models take each row for one person";
        let hint = "measure a table with one row for each person";
        return Err(Problem::new(ProblemCode::PersonRefused, text, hint));
    }
    let sizes = (0..cube.tuples()).map(|tuple| cube.weight(tuple));
    let sample = ClassSizes::new(sizes, population).map_err(|error| {
        let hint = "give the number of people from whom the table was drawn";
        Problem::new(ProblemCode::Usage, format!("--population: {error}"), hint)
    })?;
    let found = population_uniques(&sample);
    let groups = 0..published.groups();
    Ok(PopulationEstimate {
        population,
        sampling_fraction: sample.sampling_fraction(),
        sample_uniques: sample.sample_uniques(),
        pitman: found.pitman,
        snb: found.snb,
        zayatz: found.zayatz,
        decided: found.decided,
        released_uniques: groups.filter(|&group| published.size(group) == 1).count() as u64,
    })
}
