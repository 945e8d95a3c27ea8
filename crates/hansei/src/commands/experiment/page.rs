//! What an experiment tells beyond its figure, for people: as text for a terminal or as Markdown.

use comfy_table::{Table, presets};

use crate::terminal::one_line;

/// The parts, in order.
#[derive(Debug, Default)]
pub struct Page(Vec<Part>);

#[derive(Debug)]
enum Part {
    Words(String),
    Table { head: Vec<String>, rows: Vec<Vec<String>> },
    Drawing(String),
}

impl Page {
    /// Adds a paragraph.
    pub fn say(&mut self, words: impl Into<String>) {
        self.0.push(Part::Words(words.into()));
    }

    /// Adds a table. Texts of others may stand in it: every cell is made safe to print.
    pub fn table<const N: usize>(&mut self, head: [&str; N], rows: Vec<[String; N]>) {
        self.0.push(Part::Table {
            head: head.iter().map(|&cell| cell.to_owned()).collect(),
            rows: rows.into_iter().map(|row| row.iter().map(|cell| one_line(cell)).collect()).collect(),
        });
    }

    /// Adds a drawing made of characters, which keeps its spaces.
    pub fn draw(&mut self, drawing: impl Into<String>) {
        self.0.push(Part::Drawing(drawing.into()));
    }

    /// For a terminal.
    pub fn text(&self) -> String {
        let parts = self.0.iter().map(|part| match part {
            Part::Words(words) => words.clone(),
            Part::Table { head, rows } => {
                let mut table = Table::new();
                table.load_style(presets::NOTHING);
                table.set_header(head.iter().map(|cell| cell.to_uppercase()));
                table.add_rows(rows);
                table.to_string()
            }
            Part::Drawing(drawing) => drawing.clone(),
        });
        parts.collect::<Vec<_>>().join("\n\n")
    }

    /// For a document.
    pub fn markdown(&self) -> String {
        let row = |cells: &[String]| {
            let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
            format!("| {} |", cells.join(" | "))
        };
        let parts = self.0.iter().map(|part| match part {
            Part::Words(words) => words.clone(),
            Part::Table { head, rows } => {
                let lines = [row(head), format!("|{}", " --- |".repeat(head.len()))];
                lines.into_iter().chain(rows.iter().map(|cells| row(cells))).collect::<Vec<_>>().join("\n")
            }
            Part::Drawing(drawing) => format!("```\n{}\n```", drawing.trim_end()),
        });
        parts.collect::<Vec<_>>().join("\n\n")
    }
}
