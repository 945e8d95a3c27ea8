//! P1 for people.

use super::details::{CalibrationDetails, Group, ReliabilityBin};
use super::figures::Figures;
use super::intake::By;
use crate::chart::blocks;
use crate::commands::experiment::page::Page;

/// How many groups are listed.
const MOST_GROUPS: usize = 20;

/// The page.
pub fn page(details: &CalibrationDetails) -> Page {
    let mut page = Page::default();
    for warning in &details.warnings {
        page.say(format!("warning  {warning}"));
    }
    page.table(["figure", "all", "confident", "what it says"], figures(details.high, &details.figures));
    if details.reliability.iter().any(|bin| bin.n > 0) {
        page.say("Confidence and the share that was right; the mark is where the confidence lies.");
        page.draw(reliability(&details.reliability));
    }
    if let Some(curve) = &details.risk_coverage {
        page.say(format!(
            "The share of wrong answers, from relying on the most confident alone to relying on all (area {:.3}).",
            curve.area
        ));
        page.draw(blocks::columns(curve.points.iter().step_by(2).map(|point| point.risk)));
    }
    if let Some(by) = details.by {
        groups(&mut page, by, &details.groups);
    }
    page
}

fn figures(high: f64, figures: &Figures) -> Vec<[String; 4]> {
    let row =
        |name: &str, all: String, confident: String, says: String| [name.to_owned(), all, confident, says];
    let none = String::new;
    vec![
        row(
            "answers",
            (figures.right + figures.wrong).to_string(),
            figures.n_high.to_string(),
            format!("confident: {high} or more"),
        ),
        row("right", figures.right.to_string(), figures.right_high.to_string(), none()),
        row(
            "AUC",
            with_interval(figures.auc, figures.auc_interval),
            with_interval(figures.auc_high, figures.auc_high_interval),
            "how often a right one had more confidence than a wrong one".to_owned(),
        ),
        row(
            "lift",
            none(),
            number(figures.lift),
            "how much more often the confident ones were right".to_owned(),
        ),
        row(
            "Brier",
            number(figures.brier),
            none(),
            "0 is perfect; 0.25 is always saying one half".to_owned(),
        ),
        row(
            "ECE",
            number(figures.ece),
            none(),
            debiased("equal width", figures.ece_bias, figures.ece_debiased),
        ),
        row(
            "ECE",
            number(figures.ece_equal_mass),
            none(),
            debiased("equal mass", figures.ece_equal_mass_bias, figures.ece_equal_mass_debiased),
        ),
        row(
            "too sure by",
            number(figures.overconfidence),
            none(),
            "confidence less the share right".to_owned(),
        ),
    ]
}

fn debiased(bins: &str, by_chance: Option<f64>, without: Option<f64>) -> String {
    format!("ten bins of {bins}; by chance {}, without that {}", number(by_chance), number(without))
}

fn reliability(bins: &[ReliabilityBin]) -> String {
    let lines = bins.iter().map(|bin| {
        let range = format!("{:.1} to {:.1}", bin.low, bin.high);
        match (bin.confidence, bin.share_right, bin.interval) {
            (Some(confidence), Some(share), Some([low, high])) => format!(
                "{range}  {}  {share:.2} ({low:.2} to {high:.2})  n {}",
                blocks::bar(share, confidence),
                bin.n
            ),
            _ => format!("{range}  none"),
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn groups(page: &mut Page, by: By, groups: &[Group]) {
    let name = match by {
        By::Surface => "surface",
        By::Agent => "agent",
        By::Model => "model",
    };
    let row = |group: &Group| {
        [
            group.name.clone().unwrap_or_else(|| "-".to_owned()),
            group.n.to_string(),
            group.figures.right.to_string(),
            number(group.figures.auc),
            group.figures.n_high.to_string(),
            with_interval(group.figures.auc_high, group.figures.auc_high_interval),
            number(group.figures.brier),
            number(group.figures.ece),
        ]
    };
    let head = [name, "n", "right", "AUC", "confident", "AUC of those", "Brier", "ECE"];
    page.table(head, groups.iter().take(MOST_GROUPS).map(row).collect());
    if groups.len() > MOST_GROUPS {
        page.say(format!("and {} smaller ones: --json lists them", groups.len() - MOST_GROUPS));
    }
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.3}"))
}

fn with_interval(value: Option<f64>, interval: Option<[f64; 2]>) -> String {
    match interval {
        Some([low, high]) => format!("{} ({low:.3} to {high:.3})", number(value)),
        None => number(value),
    }
}
