//! How the command is used.

pub(super) const SHORT: &str =
    "usage: cargo spec <check | build | explain | model | emit> [options]; `cargo spec --help` tells more";

pub(super) const LONG: &str = "\
Compiles the spec: the JSON below specs/ into the files below generated/.

usage: cargo spec <command> [options]

  check                 says everything that is wrong with the spec; writes nothing
  build                 compiles, and brings generated/ up to date
    --check             writes nothing; fails where a file is not what the specs say
    --dry-run           writes nothing; says what would be written and removed
  explain [RULE]        why a rule exists and how to mend a break of it; without one, lists all rules
  model                 prints the checked spec as one JSON value, which templates are filled from
  emit                  fills templates of your own (docs/templates.md); takes --check and --dry-run as build does
    --templates DIR     the folder with them
    --out DIR           the folder to bring up to date

  --format FORMAT       human (default), json (an object a line), github (workflow commands)
  --specs DIR           the folder with loop.json; default: specs/ here or in the nearest folder above
  --generated DIR       the folder to bring up to date; default: generated/ beside the specs
  -h, --help            this text
  -V, --version         the compiler's version

exit codes: 0 fine; 1 the spec has faults, or generated/ is stale; 2 a command line not understood, or a file that
could not be read or written
";
