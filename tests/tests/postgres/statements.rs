//! The SQL of the store, read out of its source: the texts given to `query`, `query_scalar` and `query_as`, and those that
//! `select!` puts together.

use std::collections::BTreeMap;
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};

pub(crate) struct Statement {
    pub(crate) file: String,
    pub(crate) sql: String,
}

/// Every statement of the files in a folder but SQLite's own questions (PRAGMA).
pub(crate) fn all(folder: &Path) -> Vec<Statement> {
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "rs") && !path.ends_with("tests.rs"));
    files.sort();
    let read = |path: &Path| -> Vec<TokenTree> {
        std::fs::read_to_string(path).unwrap().parse::<TokenStream>().unwrap().into_iter().collect()
    };
    let mut prefixes = BTreeMap::new();
    for path in &files {
        selects(&read(path), &mut prefixes);
    }
    let mut found = Vec::new();
    for path in &files {
        let file = path.file_name().unwrap().to_str().unwrap().to_owned();
        let mut texts = Vec::new();
        queries(&read(path), &prefixes, &mut texts);
        texts.retain(|sql| !sql.starts_with("PRAGMA"));
        found.extend(texts.into_iter().map(|sql| Statement { file: file.clone(), sql }));
    }
    found
}

/// What `select!` puts before the rest, by its first word: the arms `(word, …) => { concat!("…", …) }`.
fn selects(tokens: &[TokenTree], prefixes: &mut BTreeMap<String, String>) {
    for window in tokens.windows(4) {
        if let [TokenTree::Group(pattern), TokenTree::Punct(_), TokenTree::Punct(_), TokenTree::Group(body)] =
            window
            && let Some(TokenTree::Ident(word)) = pattern.stream().into_iter().next()
        {
            let body: Vec<TokenTree> = body.stream().into_iter().collect();
            if let [TokenTree::Ident(concat), _, TokenTree::Group(parts)] = &body[..]
                && concat == "concat"
            {
                prefixes.insert(word.to_string(), parts.stream().into_iter().filter_map(literal).collect());
            }
        }
    }
    for token in tokens {
        if let TokenTree::Group(group) = token {
            selects(&group.stream().into_iter().collect::<Vec<_>>(), prefixes);
        }
    }
}

fn queries(tokens: &[TokenTree], prefixes: &BTreeMap<String, String>, found: &mut Vec<String>) {
    for window in tokens.windows(2) {
        if let [TokenTree::Ident(name), TokenTree::Group(arguments)] = window
            && ["query", "query_scalar", "query_as"].iter().any(|known| name == known)
        {
            let arguments: Vec<TokenTree> = arguments.stream().into_iter().collect();
            match &arguments[..] {
                [TokenTree::Literal(_), ..] => found.extend(literal(arguments[0].clone())),
                [TokenTree::Ident(select), TokenTree::Punct(_), TokenTree::Group(parts), ..]
                    if select == "select" =>
                {
                    let parts: Vec<TokenTree> = parts.stream().into_iter().collect();
                    let prefix = &prefixes[&parts[0].to_string()];
                    found.push(prefix.clone() + &literal(parts[2].clone()).unwrap());
                }
                other => panic!("this test cannot read what {name} is given: {other:?}"),
            }
        }
    }
    for token in tokens {
        if let TokenTree::Group(group) = token {
            queries(&group.stream().into_iter().collect::<Vec<_>>(), prefixes, found);
        }
    }
}

/// A string's text, line breaks that are escaped left out with the blanks behind them.
fn literal(token: TokenTree) -> Option<String> {
    let TokenTree::Literal(literal) = token else { return None };
    let text = literal.to_string();
    let text = text.strip_prefix('"')?.strip_suffix('"')?;
    let mut lines = text.split("\\\n");
    let first = lines.next()?.to_owned();
    let whole = lines.fold(first, |whole, line| whole + line.trim_start());
    Some(whole.replace("\\\"", "\""))
}
