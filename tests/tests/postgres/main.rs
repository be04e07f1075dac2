//! The store's SQL is written to run on PostgreSQL too: a throw-away server takes every migration and prepares every
//! statement, as they stand in the source.
//!
//! Where PostgreSQL is not installed the test says so and passes; with `CI` set it fails.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "the helpers of tests stand outside the tests themselves"
)]

mod cluster;
mod statements;

use std::fmt::Write as _;
use std::path::Path;

use self::cluster::Cluster;

#[test]
fn every_statement_is_plain_enough_for_postgresql() {
    let store = Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime/src/store");
    let statements = statements::all(&store.join("sqlite"));
    assert!(statements.len() > 25, "only {} statements were found", statements.len());
    let mut migrations: Vec<_> =
        std::fs::read_dir(store.join("migrations")).unwrap().map(|entry| entry.unwrap().path()).collect();
    migrations.sort();
    let cluster = match Cluster::start() {
        Ok(cluster) => cluster,
        Err(missing) => {
            assert!(std::env::var_os("CI").is_none(), "{missing}");
            println!("not run: {missing}");
            return;
        }
    };
    let mut script = "CREATE TABLE schema_version (version BIGINT NOT NULL PRIMARY KEY);\n".to_owned();
    for path in &migrations {
        writeln!(script, "BEGIN;\n{}\nCOMMIT;", std::fs::read_to_string(path).unwrap()).unwrap();
    }
    for (number, statement) in statements.iter().enumerate() {
        writeln!(script, "PREPARE s{number} AS {};", statement.sql).unwrap();
    }
    if let Err(error) = cluster.run(&script) {
        let number =
            error.split("PREPARE s").nth(1).and_then(|rest| rest.split(' ').next()?.parse::<usize>().ok());
        let place = number.map_or("a migration", |number| statements[number].file.as_str());
        panic!("{place}: {error}");
    }
}
