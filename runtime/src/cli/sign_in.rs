//! `handset sign-in`: redeems a sign-in link for a token.

use std::io::Write;

use clap::Args;
use reqwest::Method;
use serde_json::json;

use super::api::Api;
use crate::ids::secret;

#[derive(Debug, Args)]
pub(super) struct SignIn {
    /// The link, as it was given: http://HOST:PORT/sign-in#CODE
    link: String,
    /// What this device is to be called
    #[arg(long, value_name = "NAME", default_value = "terminal")]
    name: String,
}

/// Prints the token that the link gives.
pub(super) async fn run(args: SignIn, out: &mut dyn Write) -> Result<(), String> {
    let (address, code) = args
        .link
        .trim()
        .split_once("/sign-in#")
        .ok_or("this is no sign-in link; it is one like http://127.0.0.1:8787/sign-in#CODE")?;
    let api = Api::new(address, None)?;
    let client_id = secret().map_err(|error| error.to_string())?;
    let body = json!({ "code": code, "name": args.name, "client_id": client_id });
    let mut answer = api.ask(Method::POST, "/api/sign-in", Some(&body)).await;
    if answer.as_ref().is_err_and(super::api::Fault::may_pass) {
        // The answer may have been lost on the way: the same request gives the same token.
        answer = api.ask(Method::POST, "/api/sign-in", Some(&body)).await;
    }
    let answer = answer.map_err(|error| error.to_string())?;
    let person = answer["person"]["name"].as_str().unwrap_or_default();
    let device = answer["device"]["name"].as_str().unwrap_or_default();
    let token = answer["token"].as_str().ok_or("the server gave no token")?;
    // Without standard error there is nobody left to tell.
    let _ = writeln!(std::io::stderr(), "Signed in as {person}; this device is called {device}. Its token:");
    writeln!(out, "{token}").map_err(|error| format!("standard output failed: {error}"))
}
