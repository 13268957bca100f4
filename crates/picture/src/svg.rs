//! The drawing as SVG, on its own or for a page.

use std::fmt::Write;

use crate::{
    drawing::{DETAIL_LETTER, Drawing, NAME_LETTER, columns, rounded},
    xml::escaped,
};

pub(crate) const STYLE: &str = include_str!("picture.css");

const MARGIN: f64 = 24.0;
const LINE: f64 = 18.0;
const TITLE: f64 = 26.0;
const SWATCH: f64 = 14.0;

impl Drawing {
    /// A document of its own: with title, notes and legend.
    pub fn to_svg(&self) -> String {
        let mut lines = Vec::new();
        let mut y = MARGIN + TITLE - 8.0;
        lines.push(format!(
            "<text class=\"title\" x=\"{MARGIN}\" y=\"{y}\">{}</text>",
            escaped(&self.title)
        ));
        for note in &self.notes {
            y += LINE;
            lines.push(format!(
                "<text class=\"note\" x=\"{MARGIN}\" y=\"{y}\">{}</text>",
                escaped(note)
            ));
        }
        let top = y + 2.0 * LINE;
        y = top + self.height + 2.0 * LINE;
        for (class, text) in &self.legend {
            let swatch = match *class {
                "guess" => format!(
                    "<path class=\"edge guess\" d=\"M{MARGIN} {middle}H{end}\"/>",
                    middle = y - SWATCH / 2.0 + 1.0,
                    end = MARGIN + 1.6 * SWATCH
                ),
                class => format!(
                    "<rect class=\"box {class}\" x=\"{MARGIN}\" y=\"{}\" width=\"{SWATCH}\" height=\"{SWATCH}\" rx=\"3\"/>",
                    y - SWATCH + 2.0
                ),
            };
            let x = MARGIN + 2.2 * SWATCH;
            lines.push(format!(
                "{swatch}<text class=\"note\" x=\"{x}\" y=\"{y}\">{}</text>",
                escaped(text)
            ));
            y += LINE;
        }
        let texts = self.notes.iter().chain(self.legend.iter().map(|(_, text)| text));
        let widest = texts.map(|text| columns(text) as f64 * DETAIL_LETTER + 2.2 * SWATCH);
        let title = columns(&self.title) as f64 * NAME_LETTER * 1.4;
        let width = widest.chain([title, self.width]).fold(0.0, f64::max) + 2.0 * MARGIN;
        let (width, height) = (rounded(width), rounded(y + MARGIN - LINE));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" class=\"picture\">\n<title>{}</title>\n<style>\n{STYLE}</style>\n\
             <rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n{}\n<g transform=\"translate({MARGIN} {top})\">\n{}</g>\n\
             </svg>\n",
            escaped(&self.title),
            lines.join("\n"),
            self.graph_elements(),
        )
    }

    /// Arrows and boxes alone; the arrows first, so that boxes cover those that pass below them.
    pub(crate) fn graph_elements(&self) -> String {
        let mut out = String::from(
            "<defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"7.5\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" \
             markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path class=\"head\" d=\"M0 0.5L8 4L0 7.5Z\"/></marker></defs>\n",
        );
        for arrow in &self.arrows {
            let _ = writeln!(
                out,
                "<path class=\"{}\" data-from=\"{}\" data-to=\"{}\" d=\"{}\" stroke-width=\"{}\" \
                 marker-end=\"url(#head)\"><title>{}</title></path>",
                arrow.class,
                arrow.from,
                arrow.to,
                arrow.path,
                rounded(arrow.thickness),
                escaped(&arrow.tip)
            );
        }
        for (at, one) in self.boxes.iter().enumerate() {
            let _ = writeln!(
                out,
                "<g class=\"{}\" data-node=\"{at}\" transform=\"translate({} {})\"><title>{}</title>\
                 <rect class=\"box\" width=\"{}\" height=\"{}\" rx=\"6\"/><text class=\"name\" x=\"11\" y=\"18\">{}</text>\
                 <text class=\"detail\" x=\"11\" y=\"33\">{}</text></g>",
                one.class,
                rounded(one.x),
                rounded(one.y),
                escaped(&one.tip),
                rounded(one.width),
                rounded(one.height),
                escaped(&one.name),
                escaped(&one.detail)
            );
        }
        out
    }
}
