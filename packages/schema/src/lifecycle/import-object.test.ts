// SPDX-License-Identifier: Apache-2.0
import { toJs } from "@tenon/cty";
import { test } from "vitest";
import { createNotebook, noteIdentityValue, noteValue, replacing } from "../../test/notebook-provider.ts";
import type { ImportedResource, ImportResourceStateResponse } from "../messages/managed-resource.ts";
import { importObject, type ImportOutcome, type ImportTarget } from "./import-object.ts";
import { resourceType } from "./resource-type.ts";

async function imported(
  target: ImportTarget,
  change: (answer: ImportResourceStateResponse) => Partial<ImportResourceStateResponse> = () => ({}),
): Promise<ImportOutcome> {
  const { provider, notes } = createNotebook();
  notes.set("note-1", { id: "note-1", title: "found", shelf: null, pages: 3, pin: null });
  const importing = replacing(provider, {
    importResourceState: async (request) => {
      const answer = await provider.importResourceState(request);
      return { ...answer, ...change(answer) };
    },
  });
  return await importObject(await resourceType(importing, "note"), target, { address: "note.example" });
}

const with0 = (answer: ImportResourceStateResponse, parts: Partial<ImportedResource>): ImportedResource => ({
  ...answer.importedResources[0]!,
  ...parts,
});

test.for([{ id: "note-1" }, { identity: noteIdentityValue("note-1") }])("finds and reads %j", async (target, { expect }) => {
  const { object, diagnostics } = await imported(target);
  expect(diagnostics).toEqual([]);
  expect(toJs(object!.value)).toEqual({ id: "note-1", title: "found", shelf: null, pages: 3, pin: null });
  expect(object).toMatchObject({ status: "ready", identity: noteIdentityValue("note-1"), schemaVersion: 2 });
  expect(new TextDecoder().decode(object!.private)).toBe("imported");
});

test.for<readonly [string, (answer: ImportResourceStateResponse) => Partial<ImportResourceStateResponse>]>([
  ["Import returned no resources", () => ({ importedResources: [] })],
  ["Multiple import states not supported", (answer) => ({ importedResources: [with0(answer, {}), with0(answer, {})] })],
  ["Import returned another resource type", (answer) => ({ importedResources: [with0(answer, { typeName: "" })] })],
  ["Import returned another resource type", (answer) => ({ importedResources: [with0(answer, { typeName: "page" })] })],
  ["Import returned null resource", (answer) => ({ importedResources: [with0(answer, { state: noteValue(null) })] })],
])("%s", async ([summary, change], { expect }) => {
  const { object, diagnostics } = await imported({ id: "note-1" }, change);
  expect(object).toBeUndefined();
  expect(diagnostics.map((diagnostic) => diagnostic.summary)).toEqual([summary]);
});

test("what is not there cannot be imported", async ({ expect }) => {
  const { object, diagnostics } = await imported({ id: "note-7" });
  expect(object).toBeUndefined();
  expect(diagnostics).toMatchObject([
    { summary: "Cannot import non-existent remote object", detail: expect.stringContaining('ID "note-7"') as string },
  ]);
});
