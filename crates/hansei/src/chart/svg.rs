//! SVG, written by hand: the few shapes that a chart is made of.

use std::fmt::Write as _;

/// The colour of text and axes.
pub const INK: &str = "#222222";
/// The colour of what is only there to be compared with.
pub const FAINT: &str = "#bbbbbb";
/// The colour of what was measured.
pub const MEASURED: &str = "#2166ac";
/// The colour of what must not be crossed.
pub const THRESHOLD: &str = "#b2182b";

/// Which end of a text stands at its place.
#[derive(Debug, Clone, Copy)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

/// A drawing in the making.
#[derive(Debug)]
pub struct Svg {
    width: f64,
    height: f64,
    title: String,
    shapes: String,
}

impl Svg {
    /// An empty white drawing. The title is for those who cannot see it.
    pub fn new(width: f64, height: f64, title: &str) -> Self {
        Self { width, height, title: escaped(title), shapes: String::new() }
    }

    /// A line from one point to another.
    pub fn line(&mut self, from: [f64; 2], to: [f64; 2], colour: &str, width: f64) {
        self.shape(&format!(
            r#"<line x1="{}" y1="{}" x2="{}" y2="{}" stroke="{colour}" stroke-width="{}"/>"#,
            place(from[0]),
            place(from[1]),
            place(to[0]),
            place(to[1]),
            place(width)
        ));
    }

    /// A line through all of these points.
    pub fn path(&mut self, points: &[[f64; 2]], colour: &str) {
        let points: Vec<String> =
            points.iter().map(|[x, y]| format!("{},{}", place(*x), place(*y))).collect();
        let points = points.join(" ");
        self.shape(&format!(
            r#"<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2" stroke-linejoin="round"/>"#
        ));
    }

    /// A filled rectangle, by its upper left corner and its size.
    pub fn rectangle(&mut self, corner: [f64; 2], size: [f64; 2], colour: &str) {
        self.shape(&format!(
            r#"<rect x="{}" y="{}" width="{}" height="{}" fill="{colour}"/>"#,
            place(corner[0]),
            place(corner[1]),
            place(size[0].max(0.0)),
            place(size[1].max(0.0))
        ));
    }

    /// A dot.
    pub fn dot(&mut self, at: [f64; 2], colour: &str) {
        self.shape(&format!(
            r#"<circle cx="{}" cy="{}" r="3.5" fill="{colour}"/>"#,
            place(at[0]),
            place(at[1])
        ));
    }

    /// A text, whoever wrote it.
    pub fn text(&mut self, at: [f64; 2], text: &str, anchor: Anchor) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        self.shape(&format!(
            r#"<text x="{}" y="{}" text-anchor="{anchor}" fill="{INK}">{}</text>"#,
            place(at[0]),
            place(at[1]),
            escaped(text)
        ));
    }

    /// The whole file.
    pub fn file(&self) -> String {
        let (width, height) = (place(self.width), place(self.height));
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" \
             height=\"{height}\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
             <title>{}</title>\n<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n{}</svg>\n",
            self.title, self.shapes
        )
    }

    fn shape(&mut self, shape: &str) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.shapes, "{shape}");
    }
}

/// A place to a hundredth of a pixel. What is no number is drawn at the corner.
fn place(value: f64) -> String {
    let value = if value.is_finite() { value } else { 0.0 };
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// `text` as it may stand in XML: its signs replaced, and control characters, which XML has no way to write, made visible.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in crate::terminal::one_line(text).chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            _ => escaped.push(c),
        }
    }
    escaped
}
