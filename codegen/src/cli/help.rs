//! How the command is used.

pub(super) const SHORT: &str = "usage: cargo spec <check | build | diff | watch | new | explain | model | emit> [options]; `cargo spec --help` tells more";

pub(super) const LONG: &str = "\
Compiles the spec: the JSON below specs/ into the files below generated/.

usage: cargo spec <command> [options]

  check                 says everything that is wrong with the spec; writes nothing
  build                 compiles, and brings generated/ up to date
    --check             writes nothing; fails where a file is not what the specs say
    --dry-run           writes nothing; says what would be written and removed
  diff                  what changed since HEAD: what it does to clients, stored data and models, and which version
                        it asks for; fails where something breaks that the version does not say
    --against OLD       a git revision, or a folder with the old specs
  watch                 checks on every save, and brings generated/ up to date
    --run [-- WORDS]    builds the server too, and starts it again with these words; a build that fails keeps the
                        server that runs
    --release           builds it as for use
  new action NAME [FIELD …]
                        adds an action with its conformance cases; a field is NAME, or NAME? where it is optional, with
                        :KIND and bounds where it is new and checked: times:integer=1..10 mode?:schema_enum=on,off
                        to|body means that one of the two is enough
  new knob SECTION.NAME [UNIT [DEFAULT [MIN..MAX]]]
  new text SECTION.NAME [WORDS …]
  new marker-name KIND NAME
  new tool NAME
  explain [RULE]        why a rule exists and how to mend a break of it, or what a change does;
                        without one, lists all
  model                 prints the checked spec as one JSON value, which templates are filled from
  emit                  fills templates of your own (docs/templates.md); takes --check and --dry-run as build does
    --templates DIR     the folder with them
    --out DIR           the folder to bring up to date

  --format FORMAT       human (default), json (an object a line), github (workflow commands)
  --specs DIR           the folder with loop.json; default: specs/ here or in the nearest folder above
  --generated DIR       the folder to bring up to date; default: generated/ beside the specs
  -h, --help            this text
  -V, --version         the compiler's version

exit codes: 0 fine; 1 the spec has faults, generated/ is stale, or a change breaks what the version does not say; 2 a
command line not understood, or a file that could not be read or written
";
