//! `handset person` and `handset token`: people and their devices, by the operator.
//!
//! What a script would take on goes to standard output; what a person is told beside it, to standard error.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use reqwest::Method;
use serde_json::{Value, json};

use super::house::House;

/// Which server is managed.
#[derive(Debug, Args)]
pub(super) struct Where {
    /// The server's data folder
    #[arg(long, value_name = "DIR", env = "HANDSET_DATA", default_value = "data")]
    data: PathBuf,
}

#[derive(Debug, Subcommand)]
pub(super) enum Person {
    /// Add a person, and print a link that signs them in: once, within 15 minutes
    Add {
        /// What they are called
        name: String,
        #[command(flatten)]
        link: LinkArgs,
    },
    /// Print a link that signs a person in: once, within 15 minutes
    Link {
        /// What they are called
        name: String,
        #[command(flatten)]
        link: LinkArgs,
    },
    /// List the people of this server
    List {
        #[command(flatten)]
        of: Where,
    },
}

#[derive(Debug, Args)]
pub(super) struct LinkArgs {
    #[command(flatten)]
    of: Where,
    /// The server's address as the person reaches it, for the link
    #[arg(long, value_name = "URL", env = "HANDSET_ADDRESS")]
    address: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(super) enum Token {
    /// Add a device and print its token; it is shown this once
    Add {
        /// What the device is called
        name: String,
        #[command(flatten)]
        whose: Whose,
    },
    /// List the devices
    List {
        #[command(flatten)]
        whose: Whose,
    },
    /// Take a device's token away: it is not known any more, and its open streams end
    Revoke {
        /// What the device is called
        name: String,
        #[command(flatten)]
        whose: Whose,
    },
}

#[derive(Debug, Args)]
pub(super) struct Whose {
    #[command(flatten)]
    of: Where,
    /// Whose device it is; without it, the operator's
    #[arg(long, value_name = "NAME")]
    person: Option<String>,
}

pub(super) async fn person(command: Person, out: &mut dyn Write) -> Result<(), String> {
    match command {
        Person::Add { name, link } => {
            let house = House::open(&link.of.data).await?;
            let added = house.ask(Method::POST, "/api/people", Some(json!({ "name": name }))).await?;
            print_link(&house, &added, link.address.as_deref(), out).await?;
            house.close().await
        }
        Person::Link { name, link } => {
            let house = House::open(&link.of.data).await?;
            let person = find(&house, Some(&name)).await?;
            print_link(&house, &person, link.address.as_deref(), out).await?;
            house.close().await
        }
        Person::List { of } => {
            let house = House::open(&of.data).await?;
            let people = house.ask(Method::GET, "/api/people", None).await?;
            for person in list(&people, "people") {
                line(out, &format!("{}  {}", text(person, "created_at"), text(person, "name")))?;
            }
            house.close().await
        }
    }
}

pub(super) async fn token(command: Token, out: &mut dyn Write) -> Result<(), String> {
    match command {
        Token::Add { name, whose } => {
            let house = House::open(&whose.of.data).await?;
            let person = find(&house, whose.person.as_deref()).await?;
            let device = json!({ "name": name, "person": text(&person, "id") });
            let added = house.ask(Method::POST, "/api/devices", Some(device)).await?;
            line(out, text(&added, "token"))?;
            house.close().await
        }
        Token::List { whose } => {
            let house = House::open(&whose.of.data).await?;
            let people = match &whose.person {
                Some(name) => vec![find(&house, Some(name)).await?],
                None => list(&house.ask(Method::GET, "/api/people", None).await?, "people").to_vec(),
            };
            for person in people {
                for device in devices(&house, &person).await? {
                    let seen = device["last_seen_at"].as_str().unwrap_or("never");
                    let (name, owner) = (text(&device, "name"), text(&person, "name"));
                    line(out, &format!("{owner}  {name}  {}  {seen}", text(&device, "kind")))?;
                }
            }
            house.close().await
        }
        Token::Revoke { name, whose } => {
            let house = House::open(&whose.of.data).await?;
            let person = find(&house, whose.person.as_deref()).await?;
            let devices = devices(&house, &person).await?;
            let device = devices.iter().find(|device| text(device, "name") == name).ok_or_else(|| {
                let names: Vec<&str> = devices.iter().map(|device| text(device, "name")).collect();
                let owner = text(&person, "name");
                format!("{owner} has no device called {name:?}. There is: {}", names.join(", "))
            })?;
            let path = format!("/api/devices/{}?person={}", text(device, "id"), text(&person, "id"));
            house.ask(Method::DELETE, &path, None).await?;
            house.close().await
        }
    }
}

/// The person of a name; without one, the operator.
async fn find(house: &House, name: Option<&str>) -> Result<Value, String> {
    let people = house.ask(Method::GET, "/api/people", None).await?;
    let everybody = list(&people, "people");
    let found = everybody.iter().find(|person| match name {
        Some(name) => text(person, "name").to_lowercase() == name.trim().to_lowercase(),
        None => person["id"] == people["you"],
    });
    found.cloned().ok_or_else(|| {
        let names: Vec<&str> = everybody.iter().map(|person| text(person, "name")).collect();
        format!("nobody here is called {:?}. There is: {}", name.unwrap_or_default(), names.join(", "))
    })
}

async fn devices(house: &House, person: &Value) -> Result<Vec<Value>, String> {
    let path = format!("/api/devices?person={}", text(person, "id"));
    Ok(list(&house.ask(Method::GET, &path, None).await?, "devices").to_vec())
}

async fn print_link(
    house: &House,
    person: &Value,
    address: Option<&str>,
    out: &mut dyn Write,
) -> Result<(), String> {
    let path = format!("/api/people/{}/links", text(person, "id"));
    let link = house.ask(Method::POST, &path, None).await?;
    let base = address.unwrap_or_else(|| house.address()).trim_end_matches('/');
    let note = format!(
        "{} signs in with this link, once, until {}:",
        text(person, "name"),
        text(&link, "expires_at")
    );
    // Without standard error there is nobody left to tell.
    let _ = writeln!(std::io::stderr(), "{note}");
    line(out, &format!("{base}{}", text(&link, "path")))
}

fn list<'a>(answer: &'a Value, key: &str) -> &'a [Value] {
    answer[key].as_array().map_or(&[], Vec::as_slice)
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

fn line(out: &mut dyn Write, text: &str) -> Result<(), String> {
    writeln!(out, "{text}").map_err(|error| format!("standard output failed: {error}"))
}
