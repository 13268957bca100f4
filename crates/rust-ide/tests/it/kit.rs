//! Fixtures in, answers out.

use rust_ide::{Analysis, Meaning, Outside};
use test_fixture::{File, Fixture};

const MARK: &str = "$0";

/// Paths with texts, and with offsets.
type Texts = Vec<(String, String)>;
type Places = Vec<(String, u32)>;

/// Files without their marks, and the places that were marked.
pub fn unmarked(files: &[File]) -> (Texts, Places) {
    let (mut texts, mut places) = (Vec::new(), Vec::new());
    for file in files {
        let mut text = String::new();
        for (number, piece) in file.text.split(MARK).enumerate() {
            if number > 0 {
                places.push((file.path.clone(), text.len() as u32));
            }
            text.push_str(piece);
        }
        texts.push((file.path.clone(), text));
    }
    (texts, places)
}

pub fn load(fixture: &str, outside: &Outside) -> (Analysis, String) {
    let fixture = Fixture::parse(fixture);
    let (texts, places) = unmarked(&fixture.revisions[0]);
    let analysis = Analysis::load(texts.clone(), outside);
    let answers = answers(&analysis, &texts, &places);
    (analysis, answers)
}

pub fn meanings(fixture: &str) -> String {
    load(fixture, &Outside::default()).1
}

/// What the name at one place means.
pub fn meaning(analysis: &Analysis, path: &str, at: u32) -> Meaning {
    analysis.meanings(path, &[at]).expect("nothing stops it").remove(0)
}

/// A line for each place: where it is, the name, and the line that its definition is in.
pub fn answers(analysis: &Analysis, texts: &[(String, String)], places: &[(String, u32)]) -> String {
    let text_of = |path: &str| texts.iter().find(|(one, _)| one == path).map_or("", |(_, text)| text);
    let line_of = |path: &str, at: u32| text_of(path)[..at as usize].matches('\n').count();
    let mut found = String::new();
    for (path, at) in places {
        let text = text_of(path);
        let name: String = text[*at as usize..]
            .chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect();
        let meant = match meaning(analysis, path, *at) {
            Meaning::Definitions(places) => {
                let shown = places.iter().map(|place| {
                    let line = line_of(&place.path, place.at);
                    let text = text_of(&place.path).lines().nth(line).unwrap_or_default();
                    format!("{}:{} {}", place.path, line + 1, text.trim())
                });
                shown.collect::<Vec<_>>().join(" | ")
            }
            Meaning::Elsewhere => "elsewhere".to_owned(),
            Meaning::Unknown => "unknown".to_owned(),
        };
        found.push_str(&format!("{path}:{} {name} = {meant}\n", line_of(path, *at) + 1));
    }
    found
}
