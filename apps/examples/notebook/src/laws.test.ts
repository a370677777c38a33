// SPDX-License-Identifier: Apache-2.0
// What holds for every resource, held against generated notes and pages.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkResource } from "@tenon/testing/laws";
import { afterEach, beforeEach, describe, test } from "vitest";
import { note } from "./note.ts";
import { page } from "./page.ts";
import { provider } from "./provider.ts";
import { Notebook } from "./store.ts";

describe("the resources of the notebook follow the laws", () => {
  let folder: string;
  let path: string;
  let notebook: Notebook;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "notebook-"));
    path = join(folder, "notes.db");
    notebook = new Notebook(path);
  });
  afterEach(() => {
    notebook.close();
    rmSync(folder, { recursive: true });
  });

  test("notebook_note", async () => {
    await checkResource(provider, note, {
      config: { path },
      remaining: () => notebook.searchNotes("", null),
    });
  });

  test("notebook_page", async () => {
    const { id } = await notebook.createNote({ title: "Bread", folder: "recipes", body: null, tags: null, passphrase: null });
    await checkResource(provider, page, {
      config: { path },
      values: { note_id: [id] },
      // The database refuses some labels after it has created the page, which the provider must not forget then.
      allowErrors: /labels are lower case/,
    });
  });
});
