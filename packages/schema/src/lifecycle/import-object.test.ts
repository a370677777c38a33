// SPDX-License-Identifier: Apache-2.0
import { toJs } from "@tenon/cty";
import { test } from "vitest";
import { createNotebook, noteIdentityValue, noteValue, replacing } from "../../test/notebook-provider.ts";
import type { ImportedResource, ImportResourceStateResponse } from "../messages/managed-resource.ts";
import { importObject, type ImportOutcome, type ImportTarget } from "./import-object.ts";
import { resourceType } from "./resource-type.ts";

async function imported(
  target: ImportTarget,
  change: (response: ImportResourceStateResponse) => Partial<ImportResourceStateResponse> = () => ({}),
): Promise<ImportOutcome> {
  const { provider, notes } = createNotebook();
  notes.set("note-1", { id: "note-1", title: "found", shelf: null, pages: 3, pin: null });
  const importing = replacing(provider, {
    importResourceState: async (request) => {
      const response = await provider.importResourceState(request);
      return { ...response, ...change(response) };
    },
  });
  return await importObject(await resourceType(importing, "note"), target, { address: "note.example" });
}

const firstWith = (response: ImportResourceStateResponse, parts: Partial<ImportedResource>): ImportedResource => ({
  ...response.importedResources[0]!,
  ...parts,
});

test.for([{ id: "note-1" }, { identity: noteIdentityValue("note-1") }])("imports and reads the object %j", async (target, { expect }) => {
  const { status, object, diagnostics } = await imported(target);
  expect(diagnostics).toEqual([]);
  expect(status).toBe("imported");
  expect(toJs(object!.value)).toEqual({ id: "note-1", title: "found", shelf: null, pages: 3, pin: null });
  expect(object).toMatchObject({ status: "ready", identity: noteIdentityValue("note-1"), schemaVersion: 2 });
  expect(new TextDecoder().decode(object!.private)).toBe("imported");
});

test.for<readonly [string, (response: ImportResourceStateResponse) => Partial<ImportResourceStateResponse>]>([
  ["Import returned no resources", () => ({ importedResources: [] })],
  ["Multiple import states not supported", (response) => ({ importedResources: [firstWith(response, {}), firstWith(response, {})] })],
  ["Import returned another resource type", (response) => ({ importedResources: [firstWith(response, { typeName: "" })] })],
  ["Import returned another resource type", (response) => ({ importedResources: [firstWith(response, { typeName: "page" })] })],
  ["Import returned null resource", (response) => ({ importedResources: [firstWith(response, { state: noteValue(null) })] })],
])("reports an invalid import response: %s", async ([summary, change], { expect }) => {
  const { status, object, diagnostics } = await imported({ id: "note-1" }, change);
  expect([status, object]).toEqual(["failed", undefined]);
  expect(diagnostics.map((diagnostic) => diagnostic.summary)).toEqual([summary]);
});

test("reports an object that does not exist", async ({ expect }) => {
  const { status, object, diagnostics } = await imported({ id: "note-7" });
  expect([status, object]).toEqual(["notFound", undefined]);
  expect(diagnostics).toMatchObject([
    { summary: "Cannot import non-existent remote object", detail: expect.stringContaining('ID "note-7"') as string },
  ]);
});
