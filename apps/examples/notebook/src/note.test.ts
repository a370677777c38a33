// SPDX-License-Identifier: Apache-2.0
// The acceptance tests of the note. They run in process; with TENON_TEST_RUNNER=tofu or terraform, the same file runs on a real core.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  addressOf,
  configStep,
  expectKnownValue,
  expectResourceAction,
  expectSensitiveValue,
  expectUnknownValue,
  importStep,
  runTestCase,
  type TestCase,
} from "@tenon/testing";
import { afterEach, beforeEach, describe, test } from "vitest";
import { note } from "./note.ts";
import { provider } from "./provider.ts";
import { Notebook } from "./store.ts";

const providers = { notebook: provider };
const bread = addressOf(note, "bread");

describe("notebook_note", () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "notebook-"));
    file = join(folder, "notes.db");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const config = (attributes: string): string => `
    provider "notebook" {
      path = "${file}"
    }
    resource "notebook_note" "bread" {
      ${attributes}
    }`;
  const inNotebook = async <T>(use: (notebook: Notebook) => T | Promise<T>): Promise<T> => {
    const notebook = new Notebook(file);
    try {
      return await use(notebook);
    } finally {
      notebook.close();
    }
  };
  const checkDestroy: TestCase["checkDestroy"] = async () => {
    const left = await inNotebook((notebook) => notebook.searchNotes("", null));
    if (left.length > 0) throw new Error(`notes still exist: ${left.map(({ title }) => title).join(", ")}`);
  };

  test("is created, changed in place and imported", (context) =>
    runTestCase(context, {
      providers,
      checkDestroy,
      steps: [
        configStep(config('title = "Bread"'), {
          planChecks: [expectResourceAction(bread, "Create"), expectUnknownValue(bread, "id")],
          stateChecks: [expectKnownValue(bread, "folder", "inbox"), expectKnownValue(bread, "revision", 1)],
        }),
        configStep(config('title = "Rye bread"\n tags = { rise = "slow" }'), {
          planChecks: [expectResourceAction(bread, "Update")],
          stateChecks: [expectKnownValue(bread, ["tags", "rise"], "slow"), expectKnownValue(bread, "revision", 2)],
        }),
        importStep(bread),
        importStep(bread, { kind: "block" }),
      ],
    }));

  test("is replaced when its folder changes", (context) =>
    runTestCase(context, {
      providers,
      checkDestroy,
      steps: [
        configStep(config('title = "Bread"')),
        configStep(config('title = "Bread"\n folder = "recipes"'), { planChecks: [expectResourceAction(bread, "Replace")] }),
      ],
    }));

  test("hides its passphrase", (context) =>
    runTestCase(context, {
      providers,
      steps: [
        configStep(config('title = "Bread"\n passphrase = "open sesame"'), { stateChecks: [expectSensitiveValue(bread, "passphrase")] }),
      ],
    }));

  test("needs a title", (context) =>
    runTestCase(context, { providers, steps: [configStep(config('title = ""'), { expectError: /title/ })] }));

  test("is created again after it was removed outside", (context) =>
    runTestCase(context, {
      providers,
      checkDestroy,
      steps: [
        configStep(config('title = "Bread"')),
        configStep(config('title = "Bread"'), {
          preConfig: () => inNotebook((notebook) => Promise.all(notebook.searchNotes("", null).map(({ id }) => notebook.removeNote(id)))),
          planChecks: [expectResourceAction(bread, "Create")],
        }),
      ],
    }));
});
