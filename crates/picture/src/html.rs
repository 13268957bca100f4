//! The drawing as a page of its own, to be moved, zoomed and clicked. It loads nothing, and may not.

use base64::{Engine, engine::general_purpose::STANDARD};
use sha2::{Digest, Sha256};

use crate::{
    drawing::{Drawing, rounded},
    svg::STYLE,
    xml::escaped,
};

/// Moving, zooming and highlighting, for this page and for others that show a drawing.
pub(crate) const VIEWER: &str = include_str!("viewer.js");
const PAGE_STYLE: &str = include_str!("page.css");
const START: &str = "pictureViewer(document.querySelector('svg.picture'));\n";

impl Drawing {
    pub fn to_html(&self) -> String {
        let style = format!("{STYLE}{PAGE_STYLE}");
        let script = format!("{VIEWER}{START}");
        // Only these two texts: what a name could smuggle in is neither.
        let policy = format!(
            "default-src 'none'; style-src '{}'; script-src '{}'; base-uri 'none'; form-action 'none'",
            hash(&style),
            hash(&script)
        );
        let title = escaped(&self.title);
        let notes: String = self
            .notes
            .iter()
            .map(|note| format!("<span>{}</span> ", escaped(note)))
            .collect();
        let legend: String = self
            .legend
            .iter()
            .map(|(class, text)| {
                let swatch = "<svg width=\"20\" height=\"14\" aria-hidden=\"true\">";
                let mark = match *class {
                    "guess" => "<path class=\"edge guess\" d=\"M0 7H20\"/>".to_owned(),
                    class => {
                        format!("<rect class=\"box {class}\" x=\"1\" y=\"1\" width=\"13\" height=\"12\" rx=\"3\"/>")
                    }
                };
                format!("<li>{swatch}{mark}</svg>{}</li>\n", escaped(text))
            })
            .collect();
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
             <title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n<header>\n<h1>{title}</h1>\n<p>{notes}</p>\n</header>\n\
             <main>\n<svg class=\"picture\" xmlns=\"http://www.w3.org/2000/svg\" data-width=\"{}\" data-height=\"{}\" \
             role=\"group\" aria-label=\"{title}\">\n<g class=\"view\">\n{}</g>\n</svg>\n\
             <div class=\"zoom\" role=\"toolbar\" aria-label=\"Zoom\"><button data-zoom=\"in\" title=\"Zoom in (+)\">+</button>\
             <button data-zoom=\"out\" title=\"Zoom out (-)\">−</button><button data-zoom=\"fit\" title=\"Show all (0)\">⤢</button></div>\n\
             </main>\n<footer><ul class=\"legend\">\n{legend}</ul>\n\
             <p>Drag to move, scroll to zoom, click a box for its neighbours; Tab and Enter, + - 0 and Escape do the same.</p></footer>\n\
             <script>{script}</script>\n</body>\n</html>\n",
            rounded(self.width),
            rounded(self.height),
            self.graph_elements(),
        )
    }
}

fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text.as_bytes())))
}
