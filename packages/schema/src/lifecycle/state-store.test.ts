// SPDX-License-Identifier: Apache-2.0
import { of, type Type } from "@tenon/cty";
import { test } from "vitest";
import { createNotebook, replacing, wordSchema } from "../../test/notebook-provider.ts";
import { errorDiagnostic, warningDiagnostic } from "../diagnostic.ts";
import { impliedType } from "../model/implied-type.ts";
import type { ReadStateBytesChunk, StateChunk } from "../messages/state-store.ts";
import type { Provider } from "../provider/provider.ts";
import { stateStoreType } from "./resource-type.ts";
import { openStateStore, proposedChunkSize, type OpenStateStoreOutcome } from "./state-store.ts";

const config = of<Type>(impliedType(wordSchema.block), { of: "the day", word: null });

async function open(parts: Partial<Provider> = {}): Promise<OpenStateStoreOutcome> {
  const { provider } = createNotebook();
  const schema = await provider.getProviderSchema({});
  const type = await stateStoreType(
    replacing(provider, {
      getProviderSchema: () => Promise.resolve({ ...schema, stateStores: new Map([["shelf", wordSchema]]) }),
      validateStateStoreConfig: () => Promise.resolve({ diagnostics: [] }),
      configureStateStore: () => Promise.resolve({ diagnostics: [], chunkSize: 4 }),
      ...parts,
    }),
    "shelf",
  );
  return await openStateStore(type, config);
}

const chunk = (text: string, start: number, totalLength: number): ReadStateBytesChunk => {
  const bytes = Buffer.from(text);
  return { bytes, totalLength, start, end: start + bytes.length - 1, diagnostics: [] };
};

const reading = (...chunks: readonly ReadStateBytesChunk[]): Partial<Provider> => ({
  async *readStateBytes() {
    yield* chunks;
  },
});

test("opens a store with the chunk size that the provider chooses", async ({ expect }) => {
  let proposed = 0;
  const { store } = await open({
    configureStateStore: async ({ chunkSize }) => {
      proposed = chunkSize;
      return { diagnostics: [], chunkSize: 7 };
    },
  });
  expect([proposed, store?.chunkSize]).toEqual([proposedChunkSize, 7]);
  for (const chunkSize of [0, -1, Number.NaN, 2 ** 30]) {
    const { store: refused, diagnostics } = await open({ configureStateStore: async () => ({ diagnostics: [], chunkSize }) });
    expect([refused, diagnostics[0]?.summary]).toEqual([undefined, "Invalid chunk size"]);
  }
});

test("does not open a store whose configuration has errors", async ({ expect }) => {
  const diagnostics = [errorDiagnostic("No", "")];
  expect(
    await open({
      validateStateStoreConfig: async () => ({ diagnostics }),
      configureStateStore: () => Promise.reject(new Error("unexpected call")),
    }),
  ).toEqual({
    diagnostics,
  });
  expect(await open({ configureStateStore: async () => ({ diagnostics, chunkSize: 4 }) })).toEqual({ diagnostics });
});

test("writes chunks, of which the last may be shorter, and refuses an empty state", async ({ expect }) => {
  const sent: StateChunk[] = [];
  const { store } = await open({
    async writeStateBytes({ chunks }) {
      for await (const piece of chunks) sent.push(piece);
      return { diagnostics: [] };
    },
  });
  expect(await store!.write("s", Buffer.from("abcdefghij"))).toEqual([]);
  expect(sent.map(({ bytes, ...where }) => [Buffer.from(bytes).toString(), where])).toEqual([
    ["abcd", { totalLength: 10, start: 0, end: 3 }],
    ["efgh", { totalLength: 10, start: 4, end: 7 }],
    ["ij", { totalLength: 10, start: 8, end: 9 }],
  ]);
  expect(await store!.write("s", new Uint8Array())).toMatchObject([{ summary: "Cannot write an empty state" }]);
});

test("reads chunks of any size, and returns no state for one that does not exist", async ({ expect }) => {
  const { store } = await open(reading(chunk("abcdef", 0, 7), chunk("g", 6, 7)));
  expect(Buffer.from((await store!.read("s")).state!).toString()).toBe("abcdefg");
  const { store: empty } = await open(reading());
  expect(await empty!.read("s")).toEqual({ diagnostics: [] });
  const only = { ...chunk("", 0, 0), end: 0, diagnostics: [warningDiagnostic("Old", "")] };
  const { store: warned } = await open(reading(only));
  expect(await warned!.read("s")).toEqual({ diagnostics: only.diagnostics });
  const { store: failing } = await open(reading({ ...only, diagnostics: [errorDiagnostic("No", "")] }));
  expect(await failing!.read("s")).toEqual({ diagnostics: [errorDiagnostic("No", "")] });
});

test.for<readonly [string, readonly ReadStateBytesChunk[]]>([
  ["a gap", [chunk("ab", 0, 6), chunk("ef", 4, 6)]],
  ["too few bytes", [chunk("ab", 0, 6)]],
  ["too many bytes", [chunk("abcd", 0, 3)]],
  ["two lengths", [chunk("ab", 0, 4), chunk("cd", 2, 5)]],
  ["a wrong end", [{ ...chunk("ab", 0, 2), end: 2 }]],
])("reports a state with %s as a fault of the provider", async ([, chunks], { expect }) => {
  const { store } = await open(reading(...chunks));
  expect(await store!.read("s")).toMatchObject({ diagnostics: [{ summary: "Invalid state" }] });
});

test("stateStoreType rejects an unknown state store type", async ({ expect }) => {
  await expect(stateStoreType(createNotebook().provider, "shelf")).rejects.toMatchObject({ code: "INVALID_REQUEST" });
});
