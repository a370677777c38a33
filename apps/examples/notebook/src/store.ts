// SPDX-License-Identifier: Apache-2.0
// The remote system of this example: notes and pages in one SQLite file. It does not depend on Tenon.
import { DatabaseSync, type SQLOutputValue } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";

export interface NoteFields {
  readonly title: string;
  readonly folder: string;
  readonly body: string | null;
  readonly tags: Readonly<Record<string, string>> | null;
  readonly passphrase: string | null;
}

export interface Note extends NoteFields {
  readonly id: string;
  /** Number of the revision, from 1. */
  readonly revision: number;
}

export interface PageFields {
  readonly note_id: string;
  readonly text: string;
  readonly layout: Layout | null;
  readonly labels: readonly string[] | null;
}

export interface Layout {
  readonly columns: number;
  readonly paper: string;
}

export interface Page extends PageFields {
  readonly id: string;
}

export interface NotebookOptions {
  /** Milliseconds to wait before each write, to simulate a network. */
  readonly latencyMs?: number;
}

const tables = `
  CREATE TABLE IF NOT EXISTS note (
    id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL, folder TEXT NOT NULL, body TEXT, tags TEXT, passphrase TEXT, revision INTEGER NOT NULL
  );
  CREATE TABLE IF NOT EXISTS page (
    id INTEGER PRIMARY KEY AUTOINCREMENT, note_id INTEGER NOT NULL REFERENCES note (id) ON DELETE CASCADE, text TEXT NOT NULL, layout TEXT
  );
  CREATE TABLE IF NOT EXISTS label (
    page_id INTEGER NOT NULL REFERENCES page (id) ON DELETE CASCADE,
    name TEXT NOT NULL CONSTRAINT "labels are lower case" CHECK (name = lower(name)),
    PRIMARY KEY (page_id, name)
  );`;

/** A notebook in a SQLite file. Several processes may open it; each write is a transaction. */
export class Notebook {
  readonly #database: DatabaseSync;
  readonly #latencyMs: number;

  /** Opens the file; creates it when it does not exist. */
  constructor(path: string, options: NotebookOptions = {}) {
    this.#database = new DatabaseSync(path, { timeout: 5_000 });
    this.#database.exec("PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON;");
    // In one transaction, because each one waits for the disk.
    this.#database.exec(`BEGIN; ${tables} COMMIT;`);
    this.#latencyMs = options.latencyMs ?? 0;
  }

  close(): void {
    this.#database.close();
  }

  async createNote(fields: NoteFields, signal?: AbortSignal): Promise<Note> {
    await this.#delay(signal);
    const { lastInsertRowid } = this.#database
      .prepare("INSERT INTO note (title, folder, body, tags, passphrase, revision) VALUES (?, ?, ?, ?, ?, 1)")
      .run(fields.title, fields.folder, fields.body, json(fields.tags), fields.passphrase);
    return { ...fields, id: String(lastInsertRowid), revision: 1 };
  }

  findNote(id: string): Note | undefined {
    const row = this.#database.prepare("SELECT * FROM note WHERE id = ?").get(id);
    return row === undefined ? undefined : noteOf(row);
  }

  async changeNote(id: string, fields: NoteFields, signal?: AbortSignal): Promise<Note> {
    await this.#delay(signal);
    const row = this.#database
      .prepare(
        "UPDATE note SET title = ?, folder = ?, body = ?, tags = ?, passphrase = ?, revision = revision + 1 WHERE id = ? RETURNING *",
      )
      .get(fields.title, fields.folder, fields.body, json(fields.tags), fields.passphrase, id);
    if (row === undefined) throw new Error(`note ${id} is no longer in the notebook`);
    return noteOf(row);
  }

  async removeNote(id: string, signal?: AbortSignal): Promise<void> {
    await this.#delay(signal);
    this.#database.prepare("DELETE FROM note WHERE id = ?").run(id);
  }

  /** Finds the notes whose title contains `text`, oldest first. */
  searchNotes(text: string, folder: string | null): readonly Note[] {
    const rows = this.#database
      .prepare("SELECT * FROM note WHERE instr(lower(title), lower(?)) > 0 AND (? IS NULL OR folder = ?) ORDER BY id")
      .all(text, folder, folder);
    return rows.map(noteOf);
  }

  /** Creates a page without labels. Labels are separate rows, which the database may reject. */
  async createPage(fields: Omit<PageFields, "labels">, signal?: AbortSignal): Promise<string> {
    await this.#delay(signal);
    const { lastInsertRowid } = this.#database
      .prepare("INSERT INTO page (note_id, text, layout) VALUES (?, ?, ?)")
      .run(fields.note_id, fields.text, json(fields.layout));
    return String(lastInsertRowid);
  }

  /** @throws Error when the database rejects a label. */
  labelPage(id: string, labels: readonly string[]): void {
    this.#database.exec("BEGIN");
    try {
      this.#database.prepare("DELETE FROM label WHERE page_id = ?").run(id);
      const insert = this.#database.prepare("INSERT INTO label (page_id, name) VALUES (?, ?)");
      for (const label of labels) insert.run(id, label);
      this.#database.exec("COMMIT");
    } catch (error) {
      this.#database.exec("ROLLBACK");
      throw error;
    }
  }

  findPage(id: string): Page | undefined {
    const row = this.#database.prepare("SELECT * FROM page WHERE id = ?").get(id);
    if (row === undefined) return undefined;
    const labels = this.#database.prepare("SELECT name FROM label WHERE page_id = ? ORDER BY name").all(id);
    return {
      id: String(row["id"]),
      note_id: String(row["note_id"]),
      text: String(row["text"]),
      layout: parsed<Layout>(row["layout"]),
      labels: labels.length === 0 ? null : labels.map(({ name }) => String(name)),
    };
  }

  async changePage(id: string, fields: Omit<PageFields, "labels">, signal?: AbortSignal): Promise<void> {
    await this.#delay(signal);
    const { changes } = this.#database
      .prepare("UPDATE page SET text = ?, layout = ? WHERE id = ?")
      .run(fields.text, json(fields.layout), id);
    if (changes === 0) throw new Error(`page ${id} is no longer in the notebook`);
  }

  async removePage(id: string, signal?: AbortSignal): Promise<void> {
    await this.#delay(signal);
    this.#database.prepare("DELETE FROM page WHERE id = ?").run(id);
  }

  async #delay(signal: AbortSignal | undefined): Promise<void> {
    if (this.#latencyMs > 0) await wait(this.#latencyMs, undefined, signal === undefined ? {} : { signal });
  }
}

type Row = Record<string, SQLOutputValue>;

function noteOf(row: Row): Note {
  return {
    id: String(row["id"]),
    title: String(row["title"]),
    folder: String(row["folder"]),
    body: textOf(row["body"]),
    tags: parsed<Record<string, string>>(row["tags"]),
    passphrase: textOf(row["passphrase"]),
    revision: Number(row["revision"]),
  };
}

function textOf(column: SQLOutputValue | undefined): string | null {
  return typeof column === "string" ? column : null;
}

function json(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}

function parsed<T>(column: SQLOutputValue | undefined): T | null {
  return typeof column === "string" ? (JSON.parse(column) as T) : null;
}
