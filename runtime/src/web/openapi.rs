//! `/api/openapi.json`: what there is to ask for, as an OpenAPI 3.1 document. The compiler makes it from the same table as the
//! clients; the tests hold that table against what the server sends.

use std::sync::OnceLock;

use axum::http::{HeaderMap, Response};

use super::page::{File, Served};

/// The document, as a file that a client may keep and ask again for by its tag.
pub(super) async fn show(headers: HeaderMap) -> Response<axum::body::Body> {
    static SERVED: OnceLock<Served> = OnceLock::new();
    let file = || File {
        path: "/api/openapi.json",
        kind: "application/json",
        bytes: handset_spec::OPENAPI.as_bytes(),
    };
    SERVED.get_or_init(|| Served::new(&file(), handset_spec::VERSION)).answer(&headers)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::super::{Access, ROUTES};

    fn document() -> Value {
        serde_json::from_str(handset_spec::OPENAPI).unwrap()
    }

    #[test]
    fn the_document_has_the_version_that_runs() {
        let document = document();
        assert_eq!(document["info"]["version"], env!("CARGO_PKG_VERSION"));
        assert_eq!(document["x-spec-version"], handset_spec::VERSION);
    }

    /// Every route of the server, with who may ask, and none more.
    #[test]
    fn the_document_has_the_routes_of_the_server() {
        let document = document();
        let mut told = BTreeSet::new();
        for (path, item) in document["paths"].as_object().unwrap() {
            for (method, operation) in
                item.as_object().unwrap().iter().filter(|(key, _)| *key != "parameters")
            {
                let open = operation["security"].as_array().is_some_and(Vec::is_empty);
                let access = match (open, operation["x-operator"].as_bool()) {
                    (true, _) => Access::Open,
                    (false, Some(true)) => Access::Operator,
                    (false, _) => Access::Signed,
                };
                told.insert((path.clone(), method.to_uppercase(), format!("{access:?}")));
            }
        }
        let routes = ROUTES
            .iter()
            .map(|route| (route.path.to_owned(), route.method.to_owned(), format!("{:?}", route.access)));
        let routes: BTreeSet<_> = routes.collect();
        let missing: Vec<_> = routes.difference(&told).collect();
        let extra: Vec<_> = told.difference(&routes).collect();
        assert!(
            missing.is_empty() && extra.is_empty(),
            "not told: {missing:?}; told and not there: {extra:?}"
        );
    }
}
