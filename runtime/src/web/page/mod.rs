//! The page: what a browser gets that opens the server's address. Plain files under `runtime/web/`, part of the binary.
//!
//! Nothing of it is anybody's: it asks the API for everything, with the token that its person signed in for. The texts in
//! it are the spec's section `page`, served beside the files.

mod files;
mod served;
mod words;

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Method, Response, StatusCode, Uri, header};
use axum::routing::get;

use self::files::{FILES, VIEWS};

pub(super) use self::files::File;
pub(super) use self::served::Served;

/// What a browser is shown at an address where nothing is: the page, which says so in words. Nothing for whoever asks for
/// something else than a document, and under `/api`, where a program is spoken to.
pub(super) fn lost(method: &Method, uri: &Uri, headers: &HeaderMap) -> Option<Response<Body>> {
    let accepts = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if method != Method::GET || !accepts.contains("text/html") || uri.path().starts_with("/api/") {
        return None;
    }
    let shell = FILES.iter().find(|file| file.path == files::SHELL)?;
    // The version of the page is the worker's to know.
    let mut response = Served::new(shell, "").answer(headers);
    if response.status() == StatusCode::OK {
        *response.status_mut() = StatusCode::NOT_FOUND;
    }
    Some(response)
}

/// The routes of the page. They stand beside the table of the API's routes: there is nothing of anybody's behind them.
pub(super) fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let version = served::version(FILES);
    let mut router = Router::new();
    for file in FILES {
        let served = Arc::new(Served::new(file, &version));
        let answer = move |headers: HeaderMap| async move { served.answer(&headers) };
        if file.path == files::SHELL {
            for view in VIEWS {
                router = router.route(view, get(answer.clone()));
            }
        }
        router = router.route(file.path, get(answer));
    }
    router
}
