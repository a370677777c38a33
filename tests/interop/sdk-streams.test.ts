// SPDX-License-Identifier: Apache-2.0
// Kinds of components that the CLIs in these tests do not call yet: our host calls our provider over the wire.
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { bool, number, of, toJs, unknown, type Value } from "@tenon/cty";
import { launchProvider, type LaunchedProvider } from "@tenon/plugin-host";
import { impliedType, type Diagnostic, type Schema, type StateChunk } from "@tenon/schema";
import { afterAll, beforeAll, describe, test } from "vitest";

const main = join(import.meta.dirname, "fixtures/streams-main.ts");
const start = (protocolVersion: 5 | 6): Promise<LaunchedProvider> =>
  launchProvider({ command: [process.execPath, main], name: "depot", protocolVersions: [protocolVersion] });

const texts = (diagnostics: readonly Diagnostic[]): readonly string[] =>
  diagnostics.map(({ severity, summary, detail }) => `${severity}: ${summary}: ${detail}`);

function config({ block }: Schema, given: Readonly<Record<string, unknown>>): Value {
  const nothing = Object.keys(block.attributes).map((name) => [name, null]);
  const noBlocks = Object.keys(block.blocks).map((name) => [name, []]);
  return of(impliedType(block), { ...Object.fromEntries([...nothing, ...noBlocks]), ...given });
}

describe.each([5, 6] as const)("over protocol %i", (version) => {
  let provider: LaunchedProvider;
  beforeAll(async () => {
    provider = await start(version);
  });
  afterAll(() => provider.close());

  describe("a list resource", () => {
    const request = async (
      attributes: Readonly<Record<string, unknown>>,
      limit: number,
    ): Promise<Parameters<LaunchedProvider["listResource"]>[0]> => {
      const schema = (await provider.getProviderSchema({})).listResources.get("depot_crate")!;
      return { typeName: "depot_crate", config: config(schema, attributes), includeResourceObject: true, limit };
    };

    test("streams its results up to the limit", async ({ expect }) => {
      const found = await Array.fromAsync(provider.listResource(await request({ prefix: "a" }, 1_000)));
      expect(found).toHaveLength(1_000);
      const { identity, resourceObject, displayName } = found.at(-1)!;
      expect(displayName).toBe("Crate 1000 of 1000");
      expect(toJs(identity as Value<never>)).toEqual({ id: "a-1000" });
      expect(toJs(resourceObject as Value<never>)).toMatchObject({ id: "a-1000" });
    });

    test("without an end stops when the client stops reading or cancels", async ({ expect }) => {
      for await (const { displayName } of provider.listResource(await request({ prefix: "endless" }, 0))) {
        if (displayName === "Crate 20 of all") break;
      }
      const controller = new AbortController();
      let count = 0;
      const read = async (): Promise<void> => {
        for await (const _ of provider.listResource(await request({ prefix: "given-up" }, 0), { signal: controller.signal })) {
          if (++count === 20) controller.abort();
        }
      };
      await expect(read()).rejects.toMatchObject({ code: "CANCELLED" });
      // The provider notices both: neither list continues.
      const left: string[] = [];
      while (left.length < 2) {
        await sleep(20);
        for await (const { diagnostics } of provider.listResource(await request({ prefix: "asking" }, 1))) {
          left.push(...diagnostics.map(({ detail }) => detail).filter((detail) => /endless|given-up/.test(detail)));
        }
      }
      expect(left.toSorted()).toEqual(["list of endless", "list of given-up"]);
    });

    test("that fails halfway returns the results before the failure", async ({ expect }) => {
      const found = await Array.fromAsync(provider.listResource(await request({ prefix: "broken" }, 0)));
      expect(found).toHaveLength(501);
      expect(texts(found.at(-1)!.diagnostics)).toEqual(["error: Cannot list depot_crate: shelf 500 has fallen over"]);
    });

    test("is validated", async ({ expect }) => {
      const { typeName, config: written } = await request({ filter: [{ text: null }] }, 0);
      const unknownLimit = { typeName, config: written, includeResourceObject: of(bool, false), limit: unknown(number) };
      expect(texts((await provider.validateListResourceConfig(unknownLimit)).diagnostics)).toEqual([
        "error: Missing required attribute: filter[0].text is required, but not set.",
      ]);
    });
  });

  describe("an action", () => {
    const request = async (
      attributes: Readonly<Record<string, unknown>>,
    ): Promise<{ readonly actionType: string; readonly config: Value }> => {
      const schema = (await provider.getProviderSchema({})).actions.get("depot_move")!;
      return { actionType: "depot_move", config: config(schema, attributes) };
    };
    const invoke = async (attributes: Readonly<Record<string, unknown>>): Promise<unknown[]> => {
      const events = await Array.fromAsync(provider.invokeAction(await request(attributes)));
      return events.map((event) => (event.kind === "progress" ? event.message : texts(event.diagnostics)));
    };

    test("streams its progress, then its result", async ({ expect }) => {
      expect(await invoke({ to: "yard", key: "1234" })).toEqual(["step 1 to yard", "step 2 to yard", "step 3 to yard", []]);
      expect((await invoke({ to: "yard" })).at(-1)).toEqual(["error: the gate stays shut: key: the gate stays shut"]);
      expect(texts((await provider.planAction(await request({ to: "nowhere" }))).diagnostics)).toEqual([
        "error: there is no such place: to: there is no such place",
      ]);
      expect((await provider.validateActionConfig(await request({}))).diagnostics).toHaveLength(1);
    });

    test("ends gracefully when the run is interrupted", async ({ expect }) => {
      const events: unknown[] = [];
      for await (const event of provider.invokeAction(await request({ to: "far" }))) {
        events.push(event.kind === "progress" ? event.message : texts(event.diagnostics));
        if (events.length === 1) await provider.stop({});
      }
      expect(events).toEqual(["step 1 to far", ["error: Cannot invoke depot_move: The operation was aborted: the run was interrupted"]]);
    });
  });
});

describe("a state store of protocol 6", () => {
  const typeName = "depot_shed";
  const stateId = "default";
  let provider: LaunchedProvider;
  beforeAll(async () => {
    provider = await start(6);
  });
  afterAll(() => provider.close());

  async function* pieces(state: Uint8Array, size: number): AsyncGenerator<StateChunk> {
    for (let from = 0; from < state.length; from += size) {
      const bytes = state.subarray(from, from + size);
      yield { bytes, totalLength: state.length, start: from, end: from + bytes.length - 1 };
    }
  }

  test("writes and reads states in chunks, and locks them", async ({ expect }) => {
    const schema = (await provider.getProviderSchema({})).stateStores.get(typeName)!;
    expect(texts((await provider.lockState({ typeName, stateId, operation: "plan" })).diagnostics)).toEqual([
      expect.stringContaining("State store not configured"),
    ]);
    const settled = await provider.configureStateStore({ typeName, config: config(schema, { name: "S" }), chunkSize: 8 << 20 });
    expect(settled).toEqual({ chunkSize: 1_000, diagnostics: [] });

    const state = Uint8Array.from({ length: 4_321 }, (_, index) => index % 251);
    expect(await provider.writeStateBytes({ typeName, stateId, chunks: pieces(state, 1_000) })).toEqual({ diagnostics: [] });
    const chunks = await Array.fromAsync(provider.readStateBytes({ typeName, stateId }));
    expect(chunks.map(({ start: from, end, totalLength }) => `${from}-${end}/${totalLength}`)).toEqual([
      "0-999/4321",
      "1000-1999/4321",
      "2000-2999/4321",
      "3000-3999/4321",
      "4000-4320/4321",
    ]);
    expect(Buffer.concat(chunks.map(({ bytes }) => bytes)).equals(state)).toBe(true);

    const wrong = await provider.writeStateBytes({ typeName, stateId, chunks: pieces(state, 999) });
    expect(texts(wrong.diagnostics)).toEqual([expect.stringContaining("chunk 1 has 999 bytes")]);
    expect(await Array.fromAsync(provider.readStateBytes({ typeName, stateId }))).toHaveLength(5);

    expect(await provider.lockState({ typeName, stateId, operation: "apply" })).toEqual({ lockId: "key-1", diagnostics: [] });
    expect(texts((await provider.lockState({ typeName, stateId, operation: "plan" })).diagnostics)).toEqual([
      "error: Cannot lock state default: S is locked for apply",
    ]);
    expect((await provider.unlockState({ typeName, stateId, lockId: "key-1" })).diagnostics).toEqual([]);
    expect(await provider.getStates({ typeName })).toEqual({ stateIds: [stateId], diagnostics: [] });
    expect((await provider.deleteState({ typeName, stateId })).diagnostics).toEqual([]);
    expect(await Array.fromAsync(provider.readStateBytes({ typeName, stateId }))).toEqual([]);
  });
});
