//! Search over one index reader: the query language, ranked retrieval, exact scanning, path filters.
//!
//! Nothing here opens a file: what scanning needs comes through `Contents`.

mod candidates;
mod declared;
mod filter;
mod keyword;
mod lengths;
mod parameters;
mod places;
mod platform;
mod query;
mod rank;
mod scan;
mod symbol;

pub use filter::{Filter, FilterSpec, is_of_lang};
pub use keyword::{Hit, Hits, KeywordError, keyword};
pub use parameters::Parameters;
pub use places::{FilePlaces, PLACE_FEATURES, Place, PlaceFeatures, PlaceFile, places};
pub use query::{Expr, Field, Leaf, QueryError, check, parse};
pub use rank::{
    FEATURES, Features, Fitting, Question, Ranked, RankedFiles, Versions, asks_tests, beside, is_called, rank,
};
pub use scan::{Contents, FileMatches, LineMatch, Pattern, PatternError, scan};
pub use symbol::{KindFilter, Likeness, NameMatch, SymbolName, similar_names, symbol_names, unmarked};
