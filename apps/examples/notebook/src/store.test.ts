// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "vitest";
import { Notebook } from "./store.ts";

const fields = { title: "Bread", folder: "recipes", body: null, tags: { rise: "slow" }, passphrase: null };

describe("Notebook", () => {
  let folder: string;
  let notebook: Notebook;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "notebook-"));
    notebook = new Notebook(join(folder, "notes.db"));
  });
  afterEach(() => {
    notebook.close();
    rmSync(folder, { recursive: true });
  });

  test("stores a note and increments its revision with each change", async ({ expect }) => {
    const note = await notebook.createNote(fields);
    expect(notebook.findNote(note.id)).toEqual({ ...fields, id: note.id, revision: 1 });
    expect(await notebook.changeNote(note.id, { ...fields, title: "Rye" })).toMatchObject({ title: "Rye", revision: 2 });
    expect(notebook.searchNotes("ry", null).map(({ id }) => id)).toEqual([note.id]);
    await notebook.removeNote(note.id);
    expect(notebook.findNote(note.id)).toBeUndefined();
  });

  test("keeps a page's labels when the database rejects a new one", async ({ expect }) => {
    const note = await notebook.createNote(fields);
    const id = await notebook.createPage({ note_id: note.id, text: "Flour", layout: null });
    notebook.labelPage(id, ["warm"]);
    expect(() => notebook.labelPage(id, ["cold", "LOUD"])).toThrow("labels are lower case");
    expect(notebook.findPage(id)?.labels).toEqual(["warm"]);
  });

  test("changes nothing when a write is aborted before it starts", async ({ expect }) => {
    const slow = new Notebook(join(folder, "notes.db"), { latencyMs: 60_000 });
    await expect(slow.createNote(fields, AbortSignal.timeout(20))).rejects.toThrow("aborted");
    expect(slow.searchNotes("", null)).toEqual([]);
    slow.close();
  });
});
