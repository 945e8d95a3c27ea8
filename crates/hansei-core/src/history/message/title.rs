//! A commit's title, and the number of the request that it came with.

/// The title: the subject, or for a merge of a request the title of that request, with which the body begins.
pub(super) fn of(subject: &str, body: &str) -> String {
    if merged_request(subject).is_some() {
        // Some write the request's title behind its number.
        if let Some((_, title)) =
            subject.split_once(": ").filter(|(head, _)| head.ends_with(|last: char| last.is_ascii_digit()))
        {
            return title.trim().to_owned();
        }
        let lines = body.lines().map(str::trim);
        if let Some(first) = lines.into_iter().find(|line| !line.is_empty() && !is_trailer(line)) {
            return first.to_owned();
        }
    }
    subject.to_owned()
}

/// A title as it is compared with another: without the numbers of requests at its end, in one case, with single spaces.
pub fn title_key(title: &str) -> String {
    let spaced = title.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let mut key = spaced.as_str();
    while let Some((head, _)) = key.rsplit_once(" (").filter(|(_, number)| is_number(number)) {
        key = head.trim_end();
    }
    key.to_owned()
}

/// The request that a commit came with: in a merge's subject, behind a squashed commit's subject, or in a trailer.
pub fn pull_request_of(subject: &str, body: &str) -> Option<u64> {
    merged_request(subject)
        .or_else(|| {
            let (_, last) = subject.trim_end().rsplit_once(" (")?;
            is_number(last).then(|| last.trim_matches(['#', '!', ')']).parse().ok())?
        })
        .or_else(|| {
            let trailer = body.lines().rev().find(|line| !line.trim().is_empty())?;
            let address = trailer.trim().strip_prefix("See merge request ")?;
            address.rsplit_once('!').and_then(|(_, number)| number.parse().ok())
        })
}

/// `#123)` or `!123)`.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(['#', '!']).and_then(|text| text.strip_suffix(')'));
    digits.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The request that a merge commit was made for, in the words of those who make them.
fn merged_request(subject: &str) -> Option<u64> {
    for opening in
        ["Merge pull request #", "Auto merge of #", "Merge PR #", "Merge #", "Merged pull request #"]
    {
        if let Some(rest) = subject.strip_prefix(opening) {
            let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
            return digits.parse().ok();
        }
    }
    // `Merge owner/repository#123: title`.
    if let Some((repository, rest)) = subject.strip_prefix("Merge ").and_then(|rest| rest.split_once('#'))
        && repository.contains('/')
        && !repository.contains(char::is_whitespace)
    {
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        return digits.parse().ok();
    }
    let (_, rest) = subject.strip_prefix("Merged in ")?.split_once("(pull request #")?;
    rest.split_once(')')?.0.parse().ok()
}

fn is_trailer(line: &str) -> bool {
    line.split_once(": ").is_some_and(|(key, _)| key.contains('-') && !key.contains(' '))
}
