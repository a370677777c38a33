// SPDX-License-Identifier: Apache-2.0
import { object, of, same, string, toJs, unknown } from "@tenon/cty";
import { describe, test } from "vitest";
import { createNotebook, noteIdentityValue, noteValue, replacing, type Notebook } from "../../test/notebook-provider.ts";
import type { Provider } from "../provider/provider.ts";
import { moveObject } from "./move-object.ts";
import type { ResourceObject } from "./resource-object.ts";
import { resourceType, type ResourceType } from "./resource-type.ts";
import { decodeObject, encodeObject } from "./stored-object.ts";
import { storedObject, upgradeObject, type StoredObject } from "./upgrade-object.ts";

async function noteTypeOf(parts: Partial<Provider> = {}): Promise<{ readonly type: ResourceType; readonly notebook: Notebook }> {
  const notebook = createNotebook();
  const type = await resourceType(replacing(notebook.provider, parts), "note");
  notebook.calls.length = 0;
  return { type, notebook };
}

function stored(schemaVersion: number, state: string, more: Partial<StoredObject> = {}): StoredObject {
  return { schemaVersion, state: { json: new TextEncoder().encode(state) }, private: new Uint8Array([7]), status: "tainted", ...more };
}

const note: ResourceObject = {
  value: noteValue({ id: "note-1", title: "a", pages: 12345678901234567890n }),
  private: new Uint8Array([0, 255]),
  identity: noteIdentityValue("note-1"),
  status: "tainted",
  schemaVersion: 2,
};

describe("upgradeObject", () => {
  test("has the provider upgrade an older state", async ({ expect }) => {
    const { type, notebook } = await noteTypeOf();
    const { object: upgraded, diagnostics } = await upgradeObject(type, stored(1, '{"id":"note-1","name":"old","gone":1}'));
    expect(diagnostics).toEqual([]);
    expect(toJs(upgraded!.value)).toMatchObject({ id: "note-1", title: "old" });
    expect(upgraded).toMatchObject({ private: new Uint8Array([7]), status: "tainted", schemaVersion: 2 });
    expect(notebook.calls).toEqual(['upgradeResourceState 1 {"id":"note-1","name":"old","gone":1}']);
  });

  test("removes attributes that the schema lacks from a state of the same version", async ({ expect }) => {
    const { type, notebook } = await noteTypeOf();
    await upgradeObject(type, stored(2, '{"id":"note-1","title":"a","gone":{"x":1}}'));
    expect(notebook.calls).toEqual(['upgradeResourceState 2 {"id":"note-1","title":"a"}']);
  });

  test("keeps the digits of numbers when it removes attributes", async ({ expect }) => {
    let seen: string | undefined;
    const { type } = await noteTypeOf({
      upgradeResourceState: ({ rawState }) => {
        seen = new TextDecoder().decode(rawState.json);
        return Promise.resolve({ upgradedState: noteValue({}), diagnostics: [] });
      },
    });
    await upgradeObject(type, stored(2, '{"gone":1,"pages":12345678901234567890.10}'));
    expect(seen).toBe('{"pages":12345678901234567890.10}');
  });

  test("refuses a state of a newer schema version", async ({ expect }) => {
    const { type, notebook } = await noteTypeOf();
    const { object: refused, diagnostics } = await upgradeObject(type, stored(3, "{}"));
    expect(refused).toBeUndefined();
    expect(diagnostics).toMatchObject([{ summary: "Resource instance managed by newer provider version" }]);
    expect(notebook.calls).toEqual([]);
  });

  test("upgrades the identity where its version differs", async ({ expect }) => {
    const { type, notebook } = await noteTypeOf();
    const identity = new TextEncoder().encode('{"id":"note-9"}');
    const same = await upgradeObject(type, stored(2, '{"title":"a"}', { identity, identitySchemaVersion: 1 }));
    expect(same.object?.identity).toEqual(noteIdentityValue("note-9"));
    notebook.calls.length = 0;
    const older = await upgradeObject(type, stored(2, '{"title":"a"}', { identity }));
    expect(older.object?.identity).toEqual(noteIdentityValue("note-1"));
    expect(notebook.calls).toContain("upgradeResourceIdentity 0");
    const newer = await upgradeObject(type, stored(2, '{"title":"a"}', { identity, identitySchemaVersion: 2 }));
    expect(newer).toMatchObject({ diagnostics: [{ summary: "Resource identity managed by newer provider version" }] });
  });

  test("reports a state of another type as a fault of the provider", async ({ expect }) => {
    const { type } = await noteTypeOf({
      upgradeResourceState: () => Promise.resolve({ upgradedState: of(object({ id: string }), { id: "x" }), diagnostics: [] }),
    });
    const { diagnostics } = await upgradeObject(type, stored(2, "{}"));
    expect(diagnostics[0]).toMatchObject({ summary: "Invalid resource state transformation" });
  });
});

test("moveObject moves an object of another type", async ({ expect }) => {
  const { type, notebook } = await noteTypeOf();
  const { moveResourceState } = type.provider;
  const targetTypes: string[] = [];
  const recording = {
    moveResourceState: (request: Parameters<typeof moveResourceState>[0]) => (
      targetTypes.push(request.targetTypeName),
      moveResourceState(request)
    ),
  };
  const source = { providerAddress: "example.com/test/other", typeName: "page", stored: stored(5, '{"id":"x"}', { status: "ready" }) };
  const { object: moved, diagnostics } = await moveObject({ ...type, provider: replacing(type.provider, recording) }, source);
  expect(diagnostics).toEqual([]);
  expect(moved).toMatchObject({ status: "ready", schemaVersion: 2, identity: noteIdentityValue("note-1") });
  expect([notebook.calls, targetTypes]).toEqual([["moveResourceState page"], ["note"]]);
});

describe("encodeObject and decodeObject", () => {
  test("return the same object after a round trip through JSON", async ({ expect }) => {
    const { type } = await noteTypeOf();
    const encoded = JSON.parse(JSON.stringify(encodeObject(type, note))) as ReturnType<typeof encodeObject>;
    expect(encoded).toEqual({
      schemaVersion: 2,
      value: '{"id":"note-1","pages":12345678901234567890,"pin":null,"shelf":null,"title":"a"}',
      private: "AP8=",
      status: "tainted",
      identity: '{"id":"note-1"}',
      identitySchemaVersion: 1,
    });
    const decoded = decodeObject(type, encoded);
    expect(same(decoded.value, note.value)).toBe(true);
    expect({ ...decoded, value: note.value }).toEqual(note);
  });

  test("refuse an object of another version, which upgradeObject accepts", async ({ expect }) => {
    const { type } = await noteTypeOf();
    const encoded = { ...encodeObject(type, note), schemaVersion: 1, value: '{"id":"note-1","name":"old"}' };
    expect(() => decodeObject(type, encoded)).toThrow(expect.objectContaining({ code: "INVALID_REQUEST" }));
    const { object: upgraded } = await upgradeObject(type, storedObject(encoded));
    expect(toJs(upgraded!.value)).toMatchObject({ title: "old" });
    expect(upgraded).toMatchObject({ status: "tainted", identity: note.identity, private: note.private });
  });

  test("refuse an object that is not wholly known", async ({ expect }) => {
    const { type } = await noteTypeOf();
    expect(() => encodeObject(type, { ...note, value: noteValue({ id: unknown(string) }) })).toThrow("value is not known");
  });
});
