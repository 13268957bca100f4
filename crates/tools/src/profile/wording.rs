//! Hints in the words of the system that is stood in for: its names of tools and parameters, and nothing that it lacks.

use std::{collections::BTreeSet, ops::Range};

use super::{Means, Param, Profile, ProfileTool};
use crate::{
    machinery::{
        error::{Hint, ToolError},
        schema,
        tool::Entry,
    },
    tools::TOOLS,
};

/// What a caller of a profile's tool can be told.
pub(crate) struct Wording {
    profile: &'static Profile,
    tool: &'static ProfileTool,
    own: &'static Entry,
    /// The names of our tool's parameters.
    params: BTreeSet<String>,
}

/// Which tool tells nearly the same as another that is not listed, the nearest first.
const INSTEAD: &[(&str, &str, &str)] = &[
    ("find_file", "list_files", "lists the files"),
    ("find_file", "map_code", "shows which files there are"),
    ("find_file", "search_code", "finds files by what they are about"),
    (
        "list_sessions",
        "manage_workspace",
        "with operation list shows what there is",
    ),
    ("find_symbol", "search_code", "finds names that are spelled like it"),
];

/// What one of our names is for such a caller.
enum Known {
    As(&'static str),
    /// It has nothing of the kind.
    Missing,
    /// It is no name of ours.
    Word,
}

impl Wording {
    pub fn new(profile: &'static Profile, tool: &'static ProfileTool, own: &'static Entry) -> Wording {
        let params = schema::properties(&own.schema().input).into_iter().flatten();
        Wording {
            profile,
            tool,
            own,
            params: params.map(|(name, _)| name.clone()).collect(),
        }
    }

    /// A failure as this caller can read it.
    pub fn error(&self, error: ToolError) -> ToolError {
        let message = self.text(&error.message);
        let hint = match &error.hint {
            Hint::SeeSchema => Hint::SeeSchema,
            hint => self.hint(&hint.to_string()),
        };
        ToolError { message, hint, ..error }
    }

    fn hint(&self, hint: &str) -> Hint {
        match self.lacks(hint, is_marked) {
            false => self.renamed(hint, is_marked).into(),
            true => self.instead(hint),
        }
    }

    /// How to ask for less, if that can be asked for: nothing but names of parameters and words between them.
    pub fn narrower(&self, text: &str) -> String {
        match self.lacks(text, |_, _| true) {
            true => String::new(),
            false => self.renamed(text, |_, _| true),
        }
    }

    /// What one of our parameters is called here, if it is there.
    pub fn name_of(&self, param: &str) -> Option<&'static str> {
        let params = self.tool.params.iter();
        params
            .filter(|known| self.ours(known) == param)
            .map(|known| known.name)
            .next()
    }

    /// Lines of an answer: clauses that ask for what is not there are left out.
    pub fn text(&self, text: &str) -> String {
        let mut kept = without_clauses(text, |clause| self.lacks(clause, is_marked));
        // A name in a list of what can be done.
        for entry in TOOLS
            .iter()
            .filter(|entry| matches!(self.known(entry.name), Known::Missing))
        {
            kept = kept.replace(&format!(", {} or ", entry.name), " or ");
        }
        let kept = match self.takes("line") {
            true => kept,
            false => kept.replace("with file and line", "with its place, `path:line`"),
        };
        self.renamed(&kept, is_marked)
    }

    /// What can be done here where a hint asks for a parameter or a tool that there is not.
    fn instead(&self, hint: &str) -> Hint {
        if self.takes("symbol") && hint.contains("`line`") {
            return "name it with its place: `path#Name`, or `path:line`".into();
        }
        let asked = INSTEAD.iter().filter(|(tool, ..)| hint.contains(tool));
        let mut listed = asked.filter_map(|(_, other, what)| {
            let tool = self.profile.tools.iter().find(|tool| tool.alias.to == *other)?;
            Some(format!("`{}` {what}", tool.alias.name))
        });
        let listed = listed.next();
        listed.map_or(Hint::SeeSchema, Hint::from)
    }

    /// Whether there is one of our parameters, whatever it is called.
    fn takes(&self, name: &str) -> bool {
        self.tool.params.iter().any(|param| self.ours(param) == name)
    }

    fn lacks(&self, text: &str, is_name: impl Fn(&str, &str) -> bool) -> bool {
        let mut words = words(text);
        words.any(|at| is_name(&text[..at.start], &text[at.clone()]) && matches!(self.known(&text[at]), Known::Missing))
    }

    fn renamed(&self, text: &str, is_name: impl Fn(&str, &str) -> bool) -> String {
        let mut renamed = String::new();
        let mut end = 0;
        for at in words(text) {
            if let Known::As(name) = self.known(&text[at.clone()])
                && is_name(&text[..at.start], &text[at.clone()])
            {
                renamed.push_str(&text[end..at.start]);
                renamed.push_str(name);
                end = at.end;
            }
        }
        renamed.push_str(&text[end..]);
        renamed
    }

    fn known(&self, word: &str) -> Known {
        if TOOLS.iter().any(|entry| entry.name == word) {
            let tools = self.profile.tools.iter();
            let mut same = tools.filter(|tool| tool.alias.to == word).map(|tool| tool.alias.name);
            return same.next().map_or(Known::Missing, Known::As);
        }
        if !self.params.contains(word) {
            return Known::Word;
        }
        let mut same = self.tool.params.iter().filter(|param| self.ours(param) == word);
        match same.next() {
            Some(param) => Known::As(param.name),
            None if word == "cursor" && self.own.paged => Known::As("cursor"),
            None => Known::Missing,
        }
    }

    /// Our name of a parameter.
    fn ours(&self, param: &Param) -> String {
        self.tool.ours(param, self.own)
    }
}

impl ProfileTool {
    /// Our name of a parameter.
    pub(super) fn ours(&self, param: &Param, own: &Entry) -> String {
        if param.means == Means::Directory {
            return "workspace".to_owned();
        }
        let renamed = self.alias.rename.iter().find(|(name, _)| *name == param.name);
        let name = renamed.map_or(param.name, |(_, ours)| ours);
        let mut snake = String::new();
        for c in name.chars() {
            if c.is_uppercase() {
                snake.push('_');
            }
            snake.extend(c.to_lowercase());
        }
        let alias = own.aliases.iter().find(|(other, _)| *other == snake);
        alias.map_or(snake, |(_, ours)| (*ours).to_owned())
    }
}

/// Names of several words are written as they are, others between back quotes.
fn is_marked(before: &str, word: &str) -> bool {
    before.ends_with('`') || word.contains('_')
}

/// A text without the clauses behind `; ` or `, or ` that `is_vain` names.
fn without_clauses(text: &str, is_vain: impl Fn(&str) -> bool) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some(at) = [rest.find("; "), rest.find(", or ")].into_iter().flatten().min() {
        kept.push_str(&rest[..at]);
        let end = rest[at + 2..].find([';', '(', ')', '\n']);
        let (clause, behind) = rest[at..].split_at(end.map_or(rest.len() - at, |end| end + 2));
        if !is_vain(clause) {
            kept.push_str(clause);
        }
        rest = behind;
    }
    kept.push_str(rest);
    kept
}

/// Where words are that stand alone: no parts of a path, of a qualified name or of code.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let is_inside = |c: char| c.is_alphanumeric() || c == '_';
    let mut end = 0;
    std::iter::from_fn(move || {
        let start = end + text[end..].find(is_inside)?;
        end = text[start..]
            .find(|c| !is_inside(c))
            .map_or(text.len(), |length| start + length);
        Some(start..end)
    })
    .filter(|at| {
        let before = text[..at.start].chars().next_back();
        let after = text[at.end..].chars().next();
        !matches!(before, Some('.' | '/' | '\\' | ':' | '#' | '-')) && !matches!(after, Some('/' | '\\' | '#' | '('))
    })
}
