// SPDX-License-Identifier: Apache-2.0
// Compares how the engine and OpenTofu read and write state files.
import { readStateFile, writeStateFile } from "@tenon/engine/state";
import { describePeer } from "@tenon/peers/vitest";
import { test, type ExpectStatic } from "vitest";
import { openOracle } from "../cty/oracle.ts";
import { randomFor } from "@tenon/testing/generate";
import type { DiagnosticNotation } from "./diagnostic-notation.ts";
import { stateFixtures } from "./opentofu-fixtures.ts";
import { pickedStates } from "./picked-states.ts";
import { stateText } from "./state-text.ts";

interface Rewritten {
  readonly text?: string;
  readonly diagnostics: readonly DiagnosticNotation[];
}

/** Diagnostics as texts, without the positions that OpenTofu reports within addresses. */
const shown = (
  diagnostics: readonly { readonly severity: string; readonly summary: string; readonly detail: string }[],
): readonly string[] => diagnostics.map(({ severity, summary, detail }) => `${severity}: ${summary}: ${detail}`).sort();

/** OpenTofu's diagnostics as texts, adjusted for the differences that packages/engine/docs/differences.md describes. */
function expectedOf(diagnostics: readonly DiagnosticNotation[]): readonly string[] {
  const comparable = diagnostics.filter(
    ({ detail }) =>
      // OpenTofu also searches malformed JSON for encryption, and reports that it could not.
      !detail.includes("can not be checked for presence of encryption") &&
      // See `invalid-instance-provider` in docs/differences.md.
      !detail.includes('"provider[%!q(PANIC='),
  );
  // See `unnamed-instance` in docs/differences.md.
  return shown(comparable).map((text) => text.replace("instance %!s(<nil>)", "an instance"));
}

/** OpenTofu's answers for state files, in the order of the files. */
async function rewritten(texts: readonly string[]): Promise<readonly Rewritten[]> {
  const oracle = await openOracle({ peer: "engine-oracle", repeats: 1 });
  try {
    const answers = await oracle.ask(texts.map((text) => ({ op: "statefile.rewrite", args: [text] })));
    return answers.map((answer, index) => {
      if (!("ok" in answer)) throw new Error(`the oracle failed: ${JSON.stringify(answer)}, for ${texts[index]}`);
      return answer.ok as unknown as Rewritten;
    });
  } finally {
    oracle.close();
  }
}

function expectSame(expect: ExpectStatic, text: string, theirs: Rewritten, about: string): void {
  const { file, diagnostics } = readStateFile(text);
  expect(shown(diagnostics), about).toEqual(expectedOf(theirs.diagnostics));
  // OpenTofu writes the text of a crash as the provider of a resource that has neither a provider nor instances. Tenon omits it.
  if (theirs.text?.includes("(PANIC=") === true) return;
  // OpenTofu writes two or more check results in random order; the files have one at most.
  expect(file && writeStateFile(file, "compact"), about).toEqual(theirs.text);
}

describePeer(["engine-oracle"], "state files beside OpenTofu", () => {
  test("have the same text and diagnostics", { timeout: 120_000 }, async ({ expect }) => {
    const seed = Math.floor(Math.random() * 2 ** 32);
    const texts = Array.from({ length: 2000 }, (_, index) => stateText(randomFor(seed, "state-file", index)));
    const answers = await rewritten(texts);
    for (const [index, theirs] of answers.entries())
      expectSame(expect, texts[index]!, theirs, `seed ${seed}, file ${index}: ${texts[index]}`);
    const unusable = answers.filter(({ text }) => text === undefined).length;
    expect(unusable).toBeGreaterThan(100);
    expect(unusable).toBeLessThan(1000);
  });

  test("have the same diagnostics when one instance has several errors", async ({ expect }) => {
    const texts = Object.entries(pickedStates);
    const answers = await rewritten(texts.map(([, text]) => text));
    for (const [index, [title, text]] of texts.entries()) {
      const theirs = answers[index]!;
      expect(theirs.diagnostics.length, title).toBeGreaterThan(0);
      expectSame(expect, text, theirs, title);
    }
  });

  test("have the same text and diagnostics for the state files in the tests of OpenTofu", async ({ expect, skip }) => {
    const fixtures = stateFixtures();
    if (fixtures === undefined) {
      skip("the module cache of Go does not have OpenTofu's source");
      return;
    }
    expect(fixtures.size).toBeGreaterThan(100);
    const answers = await rewritten([...fixtures.values()]);
    for (const [index, [path, text]] of [...fixtures].entries()) {
      // A store has no state where the file is empty.
      if (text.trim() === "") continue;
      if (/"version": *[1-3],/.test(text)) {
        // See `old-state-versions` in docs/differences.md.
        expect(
          readStateFile(text).diagnostics.map(({ summary }) => summary),
          path,
        ).toEqual(["Unsupported state file format"]);
      } else expectSame(expect, text, answers[index]!, path);
    }
  });
});
