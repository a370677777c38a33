// SPDX-License-Identifier: Apache-2.0
// The tests of a provider: a case of steps for what a person sees, and the laws for everything else. They run in process; with TENON_TEST_RUNNER=tofu
// or terraform, the case runs on a real core.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { configStep, expectKnownValue, expectResourceAction, importStep, runTestCase } from "@tenon/testing";
import { checkResource } from "@tenon/testing/laws";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { provider } from "./provider.ts";

describe("textfile_file", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "textfile-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const config = (name: string, text: string): string => `
    provider "textfile" {
      folder = "${folder}"
    }
    resource "textfile_file" "a" {
      name = "${name}"
      text = "${text}"
    }`;
  const file = "textfile_file.a";

  test("is created, changed in place, imported, renamed and removed", (context) =>
    runTestCase(context, {
      providers: { textfile: provider },
      checkDestroy: () => expect(readdirSync(folder)).toEqual([]),
      steps: [
        configStep(config("hello.txt", "Hello"), {
          planChecks: [expectResourceAction(file, "Create")],
          stateChecks: [expectKnownValue(file, "text", "Hello")],
        }),
        configStep(config("hello.txt", "Good morning"), { planChecks: [expectResourceAction(file, "Update")] }),
        importStep(file, { id: "hello.txt" }),
        configStep(config("bye.txt", "Good morning"), { planChecks: [expectResourceAction(file, "Replace")] }),
      ],
    }));

  test("is repaired after somebody has changed it", (context) =>
    runTestCase(context, {
      providers: { textfile: provider },
      steps: [
        configStep(config("hello.txt", "Hello")),
        configStep(config("hello.txt", "Hello"), {
          preConfig: () => writeFileSync(join(folder, "hello.txt"), "Go away"),
          planChecks: [expectResourceAction(file, "Update")],
          stateChecks: [() => expect(readFileSync(join(folder, "hello.txt"), "utf8")).toBe("Hello")],
        }),
      ],
    }));

  test("follows the laws", async () => {
    await checkResource(provider, "textfile_file", {
      config: { folder },
      // Not every text is the name of a file.
      values: { name: ["a.txt", "b.txt"] },
      importId: ({ name }) => String(name),
      remaining: () => readdirSync(folder),
    });
  });
});
