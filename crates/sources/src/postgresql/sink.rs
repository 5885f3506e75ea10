//! A release in two schemas of a database: what is public in one, what is private in the other.
//!
//! Every table of the release is a table of texts there, and every file of it, manifests and
//! reports included, stands in pieces in `mingle_release` beside them, so that a release can be read
//! back and verified as one from a folder is. All of it is written in one transaction: readers see
//! the old release or the new one. Rows of an old release are deleted and not dropped where the
//! columns are the same, so that who reads at that moment, and views, are left alone.
//!
//! Grants are set and not added: roles that the policy names may read the public schema, nobody but
//! the owner anything of the private one. Superusers and members of `pg_read_all_data` read
//! everything; no grant changes that.

use super::connection::{connect, interruptible};
use super::failure::refused;
use super::name::{literal, quoted};
use super::rows::RowsDigest;
use super::settings::ConnectionSettings;
use super::stored_table::{StoredTable, escape};
use crate::stored::{ReleaseSchemas, StoredSide};
use bytes::Bytes;
use futures_util::{SinkExt, TryStreamExt};
use mingle_io::{DatabaseFlaw, Error, FileHash};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::atomic::AtomicBool;
use tokio_postgres::{Client, SimpleQueryMessage};

/// The table of files.
const FILES: &str = "mingle_release";
/// What a table of ours says about itself.
const MARK: &str = "part of a release of mingle";
/// Bytes of a file in a row.
const PIECE: usize = 4 << 20;
/// Bytes that are sent at once.
const SENT: usize = 1 << 20;

/// What is asked of the server.
const WRITING: &str = "writing";
const READING: &str = "reading";

/// A release in a folder, as it is stored.
pub(crate) struct StoredRelease {
    tables: Vec<StoredTable>,
    files: Vec<StoredFile>,
}

/// A file of a release.
struct StoredFile {
    side: StoredSide,
    name: String,
    path: PathBuf,
}

impl StoredRelease {
    /// Reads the tables of a release; its files are read when they are written.
    pub(crate) fn of_folder(folder: &Path) -> Result<StoredRelease, Error> {
        let mut release = StoredRelease {
            tables: Vec::new(),
            files: Vec::new(),
        };
        for side in StoredSide::ALL {
            let folder = folder.join(side.folder());
            let unreadable = |source| Error::Unreadable {
                file: folder.display().to_string(),
                source,
            };
            let mut paths = Vec::new();
            for entry in std::fs::read_dir(&folder).map_err(unreadable)? {
                paths.push(entry.map_err(unreadable)?.path());
            }
            paths.sort();
            for path in paths {
                if let Some(table) = StoredTable::read(side, &path)? {
                    release.tables.push(table);
                }
                let name = path.file_name().unwrap_or_default();
                release.files.push(StoredFile {
                    side,
                    name: name.to_string_lossy().into_owned(),
                    path,
                });
            }
        }
        Ok(release)
    }
}

/// A table whose rows are not those of its file, if there is one.
pub(crate) fn differing(
    folder: &Path,
    digests: &[(StoredSide, String, FileHash)],
) -> Result<Option<String>, Error> {
    let mut left: Vec<&(StoredSide, String, FileHash)> = digests.iter().collect();
    for side in StoredSide::ALL {
        let Ok(entries) = std::fs::read_dir(folder.join(side.folder())) else {
            continue;
        };
        for entry in entries.flatten() {
            let Some(table) = StoredTable::read(side, &entry.path())? else {
                continue;
            };
            let place = left
                .iter()
                .position(|(its, name, _)| *its == side && *name == table.name);
            match place {
                Some(place) if left[place].2 == table.digest() => drop(left.swap_remove(place)),
                _ => return Ok(Some(table.name)),
            }
        }
    }
    // a table that no file stands behind was never verified
    Ok(left.first().map(|(_, name, _)| name.clone()))
}

/// Works on a connection of its own until it is done, or somebody asks to stop.
fn work<T: Send>(
    schemas: &ReleaseSchemas,
    cancel: &AtomicBool,
    job: impl AsyncFnOnce(&Client) -> Result<T, DatabaseFlaw> + Send,
) -> Result<T, Option<DatabaseFlaw>> {
    let settings = ConnectionSettings::find(schemas.service.as_deref())?;
    // whoever calls may be in a runtime of its own
    std::thread::scope(|scope| {
        let thread = scope.spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_io()
                .enable_time()
                .build();
            let runtime = runtime.map_err(|_| DatabaseFlaw::Gone)?;
            runtime.block_on(interruptible(cancel, async {
                let client = connect(&settings).await?;
                job(&client).await
            }))
        });
        thread.join().unwrap_or(Err(Some(DatabaseFlaw::Gone)))
    })
}

/// Whether a release could be written now.
pub(crate) fn check(
    schemas: &ReleaseSchemas,
    replaces: bool,
    cancel: &AtomicBool,
) -> Result<(), Option<DatabaseFlaw>> {
    work(schemas, cancel, async |client| {
        let there = Occupied::look(client, schemas).await?;
        there.check(replaces)
    })
}

/// Writes a release, whole or not at all.
pub(crate) fn write(
    schemas: &ReleaseSchemas,
    replaces: bool,
    release: &StoredRelease,
    cancel: &AtomicBool,
) -> Result<(), Option<DatabaseFlaw>> {
    work(schemas, cancel, async |client| {
        let failed = |error| refused(WRITING, &error);
        let lock = format!(
            "BEGIN; SET LOCAL client_encoding = 'UTF8'; SET LOCAL lock_timeout = '30s'; \
             SET LOCAL standard_conforming_strings = on; \
             SELECT pg_advisory_xact_lock(hashtext({}))",
            literal(&format!("mingle {}", schemas.public))
        );
        client.batch_execute(&lock).await.map_err(failed)?;
        let there = Occupied::look(client, schemas).await?;
        there.check(replaces)?;
        let mut writer = ReleaseWriter {
            client,
            schemas,
            there,
        };
        writer.write_all(release).await?;
        client.batch_execute("COMMIT").await.map_err(|error| {
            // a server that is gone may have done it before it went
            match refused("the commit", &error) {
                DatabaseFlaw::Gone => DatabaseFlaw::CommitUnknown,
                other => other,
            }
        })
    })
}

/// Reads the files of a release into a folder, whose `public` and `private` are there, and gives the
/// digests of its tables. A private schema that may not be read is left out.
pub(crate) fn read(
    schemas: &ReleaseSchemas,
    folder: &Path,
    cancel: &AtomicBool,
) -> Result<Vec<(StoredSide, String, FileHash)>, Option<DatabaseFlaw>> {
    work(schemas, cancel, async |client| {
        let begin = "BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY; \
                     SET LOCAL client_encoding = 'UTF8'";
        let failed = |error| refused(READING, &error);
        client.batch_execute(begin).await.map_err(failed)?;
        let there = Occupied::look(client, schemas).await?;
        if !there.has_release() {
            return Err(DatabaseFlaw::NoRelease);
        }
        let mut digests = Vec::new();
        for side in StoredSide::ALL {
            let schema = of_side(schemas, side);
            let readable = format!(
                "SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
                 WHERE n.nspname = {} AND c.relname = {} AND has_schema_privilege(n.oid, 'USAGE') \
                 AND has_table_privilege(c.oid, 'SELECT')",
                literal(schema),
                literal(FILES)
            );
            if side == StoredSide::Private && answers(client, &readable).await?.is_empty() {
                continue;
            }
            let into = folder.join(side.folder());
            read_files(client, schema, &into).await?;
            for table in there.tables(side) {
                if table != FILES {
                    let digest = digest(client, schema, table).await?;
                    digests.push((side, table.clone(), digest));
                }
            }
        }
        Ok(digests)
    })
}

/// The schema of a side.
fn of_side(schemas: &ReleaseSchemas, side: StoredSide) -> &str {
    match side {
        StoredSide::Public => &schemas.public,
        StoredSide::Private => &schemas.private,
    }
}

/// What is in the two schemas.
struct Occupied {
    /// Our tables with their columns, by side and name.
    ours: BTreeMap<(StoredSide, String), Vec<String>>,
    /// Something else.
    other: Option<(String, String)>,
    /// Which schemas there are.
    schemas: Vec<StoredSide>,
    /// Whether whoever asks may make what is missing.
    may_write: bool,
}

impl Occupied {
    async fn look(client: &Client, schemas: &ReleaseSchemas) -> Result<Occupied, DatabaseFlaw> {
        let mut there = Occupied {
            ours: BTreeMap::new(),
            other: None,
            schemas: Vec::new(),
            may_write: true,
        };
        for side in StoredSide::ALL {
            let schema = of_side(schemas, side);
            let exists = format!(
                "SELECT 1 FROM pg_namespace WHERE nspname = {}",
                literal(schema)
            );
            let may = if answers(client, &exists).await?.is_empty() {
                "SELECT has_database_privilege(current_database(), 'CREATE')".to_owned()
            } else {
                there.schemas.push(side);
                format!("SELECT has_schema_privilege({}, 'CREATE')", literal(schema))
            };
            there.may_write &= answers(client, &may).await?.concat() == ["t"];
            let relations = format!(
                "SELECT c.relname, coalesce(obj_description(c.oid, 'pg_class') = {}, false) \
                 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
                 WHERE n.nspname = {} AND c.relkind IN ('r', 'p', 'f', 'm', 'S') \
                 ORDER BY c.relname COLLATE \"C\"",
                literal(MARK),
                literal(schema)
            );
            for row in answers(client, &relations).await? {
                let [name, is_ours] = two(row)?;
                if is_ours != "t" {
                    there.other = Some((schema.to_owned(), name));
                    continue;
                }
                let columns = format!(
                    "SELECT a.attname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid \
                     JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = {} \
                     AND c.relname = {} AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum",
                    literal(schema),
                    literal(&name)
                );
                let mut names = Vec::new();
                for row in answers(client, &columns).await? {
                    names.extend(row);
                }
                there.ours.insert((side, name), names);
            }
        }
        Ok(there)
    }

    fn has_release(&self) -> bool {
        self.ours
            .contains_key(&(StoredSide::Public, FILES.to_owned()))
    }

    fn check(&self, replaces: bool) -> Result<(), DatabaseFlaw> {
        if let Some((schema, object)) = &self.other {
            return Err(DatabaseFlaw::NotOurs {
                schema: schema.clone(),
                object: object.clone(),
            });
        }
        if !self.ours.is_empty() && !replaces {
            return Err(DatabaseFlaw::Exists);
        }
        if !self.may_write {
            return Err(DatabaseFlaw::Refused {
                what: WRITING,
                state: "42501".to_owned(),
                meaning: "permission denied",
                position: None,
            });
        }
        Ok(())
    }

    fn tables(&self, side: StoredSide) -> impl Iterator<Item = &String> {
        let of_side = self.ours.keys().filter(move |(its, _)| *its == side);
        of_side.map(|(_, name)| name)
    }
}

struct ReleaseWriter<'a> {
    client: &'a Client,
    schemas: &'a ReleaseSchemas,
    there: Occupied,
}

impl ReleaseWriter<'_> {
    async fn write_all(&mut self, release: &StoredRelease) -> Result<(), DatabaseFlaw> {
        let StoredRelease { tables, files } = release;
        for side in StoredSide::ALL {
            let schema = quoted(of_side(self.schemas, side));
            if !self.there.schemas.contains(&side) {
                self.execute(&format!("CREATE SCHEMA {schema}")).await?;
            }
            // before anything private is in it
            self.revoke(side).await?;
            let columns = ["file", "part", "content"].map(str::to_owned);
            let name = self.prepare(side, FILES, &columns).await?;
            for file in files.iter().filter(|file| file.side == side) {
                self.write_file(&name, file).await?;
            }
            for table in tables.iter().filter(|table| table.side == side) {
                let name = self.prepare(side, &table.name, &table.columns).await?;
                self.write_table(&name, table).await?;
            }
        }
        // what the old release had and the new one has not
        let left = std::mem::take(&mut self.there.ours);
        for (side, name) in left.into_keys() {
            let shown = format!("{}.{}", quoted(of_side(self.schemas, side)), quoted(&name));
            self.drop_table(&shown).await?;
        }
        for side in StoredSide::ALL {
            self.revoke(side).await?;
        }
        self.grant().await?;
        self.check_private().await
    }

    /// An empty table with these columns; returns its name.
    async fn prepare(
        &mut self,
        side: StoredSide,
        table: &str,
        columns: &[String],
    ) -> Result<String, DatabaseFlaw> {
        let name = format!("{}.{}", quoted(of_side(self.schemas, side)), quoted(table));
        match self.there.ours.remove(&(side, table.to_owned())) {
            Some(old) if old == columns => {
                self.execute(&format!("LOCK TABLE {name} IN SHARE ROW EXCLUSIVE MODE"))
                    .await?;
                self.execute(&format!("DELETE FROM {name}")).await?;
                return Ok(name);
            }
            Some(_) => self.drop_table(&name).await?,
            None => {}
        }
        let mut declared = Vec::with_capacity(columns.len());
        for column in columns {
            let column_type = match (table, column.as_str()) {
                (FILES, "part") => "integer",
                (FILES, "content") => "bytea",
                _ => "text",
            };
            declared.push(format!("{} {column_type} NOT NULL", quoted(column)));
        }
        self.execute(&format!("CREATE TABLE {name} ({})", declared.join(", ")))
            .await?;
        self.execute(&format!("COMMENT ON TABLE {name} IS {}", literal(MARK)))
            .await?;
        Ok(name)
    }

    async fn drop_table(&self, name: &str) -> Result<(), DatabaseFlaw> {
        let dropped = self.execute(&format!("DROP TABLE {name}")).await;
        dropped.map_err(|flaw| match flaw {
            DatabaseFlaw::Refused { state, .. } if state == "2BP01" => {
                DatabaseFlaw::Depended(name.to_owned())
            }
            other => other,
        })
    }

    async fn write_file(&self, table: &str, stored: &StoredFile) -> Result<(), DatabaseFlaw> {
        let unreadable = |_| DatabaseFlaw::SettingsFile(stored.path.display().to_string());
        let mut file = File::open(&stored.path).map_err(unreadable)?;
        let mut lines = CopyLines::start(self.client, table).await?;
        let mut part = 0u32;
        loop {
            let mut piece = Vec::new();
            let taken = (&mut file).take(PIECE as u64).read_to_end(&mut piece);
            taken.map_err(unreadable)?;
            // an empty file is one empty piece
            if piece.is_empty() && part > 0 {
                break;
            }
            let line = &mut lines.buffer;
            escape(&stored.name, line);
            line.extend_from_slice(format!("\t{part}\t\\\\x").as_bytes());
            for byte in &piece {
                line.extend_from_slice(&[hex(byte >> 4), hex(byte & 15)]);
            }
            line.push(b'\n');
            lines.send_if_full().await?;
            part += 1;
        }
        lines.finish().await
    }

    async fn write_table(&self, name: &str, table: &StoredTable) -> Result<(), DatabaseFlaw> {
        let mut lines = CopyLines::start(self.client, name).await?;
        for row in 0..table.rows {
            table.line(row, &mut lines.buffer);
            lines.send_if_full().await?;
        }
        lines.finish().await
    }

    /// Takes from everybody but the owners whatever was granted.
    async fn revoke(&self, side: StoredSide) -> Result<(), DatabaseFlaw> {
        let schema = of_side(self.schemas, side);
        for (role, _) in self.granted(schema).await? {
            let role = if role == "PUBLIC" {
                role
            } else {
                quoted(&role)
            };
            let schema = quoted(schema);
            self.execute(&format!(
                "REVOKE ALL ON SCHEMA {schema} FROM {role}; \
                 REVOKE ALL ON ALL TABLES IN SCHEMA {schema} FROM {role}"
            ))
            .await?;
        }
        Ok(())
    }

    /// Who beside the owners has some right, and on what.
    async fn granted(&self, schema: &str) -> Result<Vec<(String, String)>, DatabaseFlaw> {
        let query = format!(
            "WITH objects AS ( \
             SELECT nspname AS name, nspowner AS owner, nspacl AS acl FROM pg_namespace \
             WHERE nspname = {schema} \
             UNION ALL SELECT c.relname, c.relowner, c.relacl FROM pg_class c \
             JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = {schema} \
             UNION ALL SELECT c.relname, c.relowner, a.attacl FROM pg_attribute a \
             JOIN pg_class c ON c.oid = a.attrelid \
             JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = {schema}) \
             SELECT DISTINCT CASE g.grantee WHEN 0 THEN 'PUBLIC' \
             ELSE (SELECT rolname FROM pg_roles WHERE oid = g.grantee) END, o.name \
             FROM objects o, aclexplode(o.acl) g WHERE g.grantee <> o.owner",
            schema = literal(schema)
        );
        let mut granted = Vec::new();
        for row in answers(self.client, &query).await? {
            let [role, object] = two(row)?;
            granted.push((role, object));
        }
        Ok(granted)
    }

    async fn grant(&self) -> Result<(), DatabaseFlaw> {
        let schema = quoted(&self.schemas.public);
        for role in &self.schemas.readers {
            let role = quoted(role);
            self.execute(&format!(
                "GRANT USAGE ON SCHEMA {schema} TO {role}; \
                 GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO {role}"
            ))
            .await?;
        }
        Ok(())
    }

    async fn check_private(&self) -> Result<(), DatabaseFlaw> {
        match self.granted(&self.schemas.private).await?.pop() {
            Some((role, object)) => Err(DatabaseFlaw::PrivateGranted { role, object }),
            None => Ok(()),
        }
    }

    async fn execute(&self, statement: &str) -> Result<(), DatabaseFlaw> {
        let done = self.client.batch_execute(statement).await;
        done.map_err(|error| refused(WRITING, &error))
    }
}

/// Lines on their way into a table.
struct CopyLines {
    sink: std::pin::Pin<Box<tokio_postgres::CopyInSink<Bytes>>>,
    buffer: Vec<u8>,
}

impl CopyLines {
    async fn start(client: &Client, table: &str) -> Result<CopyLines, DatabaseFlaw> {
        let sink = client.copy_in(&format!("COPY {table} FROM STDIN")).await;
        let sink = sink.map_err(|error| refused(WRITING, &error))?;
        Ok(CopyLines {
            sink: Box::pin(sink),
            buffer: Vec::with_capacity(SENT + SENT / 4),
        })
    }

    async fn send_if_full(&mut self) -> Result<(), DatabaseFlaw> {
        if self.buffer.len() < SENT {
            return Ok(());
        }
        let piece = Bytes::from(std::mem::take(&mut self.buffer));
        let sent = self.sink.send(piece).await;
        sent.map_err(|error| refused(WRITING, &error))
    }

    async fn finish(mut self) -> Result<(), DatabaseFlaw> {
        let failed = |error| refused(WRITING, &error);
        if !self.buffer.is_empty() {
            let piece = Bytes::from(std::mem::take(&mut self.buffer));
            self.sink.send(piece).await.map_err(failed)?;
        }
        self.sink.as_mut().finish().await.map_err(failed)?;
        Ok(())
    }
}

/// The rows that a statement gives, as texts.
async fn answers(client: &Client, query: &str) -> Result<Vec<Vec<String>>, DatabaseFlaw> {
    let messages = client.simple_query(query).await;
    let messages = messages.map_err(|error| refused("a look at its schemas", &error))?;
    let mut rows = Vec::new();
    for message in messages {
        if let SimpleQueryMessage::Row(row) = message {
            let mut cells = Vec::with_capacity(row.len());
            for cell in 0..row.len() {
                cells.push(row.get(cell).unwrap_or_default().to_owned());
            }
            rows.push(cells);
        }
    }
    Ok(rows)
}

fn two(row: Vec<String>) -> Result<[String; 2], DatabaseFlaw> {
    row.try_into().map_err(|_| DatabaseFlaw::NotARow)
}

fn hex(half: u8) -> u8 {
    b"0123456789abcdef"[usize::from(half)]
}

/// Writes the files of a schema into a folder. Names are those of a release and nothing else, so
/// that none leads out of the folder.
async fn read_files(client: &Client, schema: &str, into: &Path) -> Result<(), DatabaseFlaw> {
    let failed = |error| refused(READING, &error);
    let query = format!(
        "SELECT file, content FROM {}.{} ORDER BY file COLLATE \"C\", part",
        quoted(schema),
        quoted(FILES)
    );
    let none: [&str; 0] = [];
    let rows = client.query_raw(&query, none).await.map_err(failed)?;
    let mut rows = pin!(rows);
    let mut open: Option<(String, File)> = None;
    while let Some(row) = rows.try_next().await.map_err(failed)? {
        let name: &str = row.try_get(0).map_err(|_| DatabaseFlaw::NotARow)?;
        let content: &[u8] = row.try_get(1).map_err(|_| DatabaseFlaw::NotARow)?;
        let unwritable = |_| DatabaseFlaw::SettingsFile(into.display().to_string());
        if open.as_ref().is_none_or(|(its, _)| its != name) {
            let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
            if name.is_empty() || name.starts_with('.') || !name.chars().all(is_plain) {
                return Err(DatabaseFlaw::NotARow);
            }
            let file = File::create_new(into.join(name)).map_err(unwritable)?;
            open = Some((name.to_owned(), file));
        }
        if let Some((_, file)) = &mut open {
            file.write_all(content).map_err(unwritable)?;
        }
    }
    Ok(())
}

/// The digest of the rows of a table.
async fn digest(client: &Client, schema: &str, table: &str) -> Result<FileHash, DatabaseFlaw> {
    let failed = |error| refused(READING, &error);
    let name = format!("{}.{}", quoted(schema), quoted(table));
    let statement = client
        .prepare(&format!("SELECT * FROM {name}"))
        .await
        .map_err(failed)?;
    let names = statement.columns().iter().map(|column| column.name());
    let mut digest = RowsDigest::of_names(names);
    let lines = client
        .copy_out(&format!("COPY {name} TO STDOUT"))
        .await
        .map_err(failed)?;
    let mut lines = pin!(lines);
    while let Some(line) = lines.try_next().await.map_err(failed)? {
        digest.add(line.strip_suffix(b"\n").unwrap_or(&line));
    }
    Ok(digest.finish())
}
