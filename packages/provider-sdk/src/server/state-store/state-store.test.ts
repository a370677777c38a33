// SPDX-License-Identifier: Apache-2.0
import type { Provider, StateChunk } from "@tenon/schema";
import { describe, test } from "vitest";
import { configOf, texts } from "../../../test/resource-life.ts";
import { attr, createProvider, defineProvider } from "../../index.ts";
import type { StateStoreDefinition } from "../../definition/index.ts";

const vault = defineProvider({ name: "vault", version: "1.0.0" });
const schema = { bucket: attr.string({ required: true }) };
const typeName = "vault_bucket";

interface Store {
  readonly bucket: string;
  readonly states: Map<string, Uint8Array>;
  readonly locks: Map<string, string>;
}
type Definition = StateStoreDefinition<undefined, typeof schema, Store>;

function providerOf(more: Partial<Definition> = {}): Provider {
  const store = vault.stateStore("bucket", {
    schema,
    open: ({ config }): Store => ({ bucket: config.bucket, states: new Map(), locks: new Map() }),
    read: ({ store: { states }, stateId }) => states.get(stateId),
    write: ({ store: { states }, stateId, state }) => void states.set(stateId, Buffer.from(state)),
    list: ({ store: { states } }) => [...states.keys()],
    delete: ({ store: { states }, stateId }) => void states.delete(stateId),
    lock: ({ store: { locks }, stateId, operation }) => {
      if (locks.has(stateId)) throw new Error(`locked by ${locks.get(stateId)}`);
      locks.set(stateId, operation);
      return `lock of ${stateId}`;
    },
    unlock: ({ store: { locks }, stateId, lockId }) => {
      if (lockId !== `lock of ${stateId}`) throw new Error("no such lock");
      locks.delete(stateId);
    },
    ...more,
  });
  return createProvider(vault.with([store]));
}

async function open(more: Partial<Definition> = {}, chunkSize = 4): Promise<Provider> {
  const provider = providerOf(more);
  const config = configOf((await provider.getProviderSchema({})).stateStores.get(typeName)!.block, { bucket: "b" });
  const { diagnostics } = await provider.configureStateStore({ typeName, config, chunkSize });
  if (diagnostics.length > 0) throw new Error(texts(diagnostics).join());
  return provider;
}

async function* chunksOf(text: string, size: number, totalLength = text.length): AsyncGenerator<StateChunk> {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += size) {
    const piece = bytes.subarray(start, start + size);
    yield { bytes: piece, totalLength, start, end: start + piece.length - 1 };
  }
}

const write = async (provider: Provider, chunks: AsyncIterable<StateChunk>): Promise<readonly string[]> =>
  texts((await provider.writeStateBytes({ typeName, stateId: "default", chunks })).diagnostics);
const read = async (provider: Provider, stateId = "default"): Promise<string[]> => {
  const chunks = await Array.fromAsync(provider.readStateBytes({ typeName, stateId }));
  return chunks.map(({ bytes, start, end, totalLength, diagnostics }) =>
    diagnostics.length > 0 ? texts(diagnostics).join() : `${Buffer.from(bytes).toString()} ${start}-${end}/${totalLength}`,
  );
};

describe("a state store", () => {
  test("writes and reads a state in chunks", async ({ expect }) => {
    const provider = await open();
    expect(await write(provider, chunksOf("0123456789", 4))).toEqual([]);
    expect(await read(provider)).toEqual(["0123 0-3/10", "4567 4-7/10", "89 8-9/10"]);
    expect(await write(provider, chunksOf("01234567", 4))).toEqual([]);
    expect(await read(provider)).toEqual(["0123 0-3/8", "4567 4-7/8"]);
    expect(await provider.getStates({ typeName })).toEqual({ stateIds: ["default"], diagnostics: [] });
    expect((await provider.deleteState({ typeName, stateId: "default" })).diagnostics).toEqual([]);
    expect(await read(provider)).toEqual([]);
    expect((await provider.getMetadata({})).stateStores).toEqual([typeName]);
  });

  test.for<readonly [string, () => AsyncIterable<StateChunk>, string]>([
    ["no chunks", () => chunksOf("", 4), "there are no chunks"],
    ["too few bytes", () => chunksOf("01234567", 4, 9), "8 of 9 bytes arrived"],
    ["too many bytes", () => chunksOf("01234567", 4, 7), "chunk 2 exceeds the 7 bytes"],
    ["chunks that are too small", () => chunksOf("01234567", 3), "chunk 1 has 3 bytes, the negotiated size is 4"],
    ["chunks that are too large", () => chunksOf("01234567", 5), "chunk 1 has 5 bytes, the negotiated size is 4"],
    [
      "a gap",
      async function* gap() {
        for await (const piece of chunksOf("0123456789", 4)) if (piece.start !== 4) yield piece;
      },
      "chunk 2 has the range 8 to 9, expected 2 bytes from 4",
    ],
    [
      "two total lengths",
      async function* lengths() {
        for await (const piece of chunksOf("0123456789", 4)) yield { ...piece, totalLength: 10 + piece.start };
      },
      "chunk 2 gives the length of the state as 14 bytes, the first chunk as 10",
    ],
    [
      "an empty chunk",
      async function* empty() {
        yield { bytes: new Uint8Array(0), totalLength: 0, start: 0, end: 0 };
      },
      "chunk 1 is empty",
    ],
  ])("writes nothing of a state that arrived with %s", async ([, chunks, why], { expect }) => {
    const provider = await open();
    expect(await write(provider, chunks())).toEqual([expect.stringContaining(`It did not arrive completely: ${why}`)]);
    expect(await read(provider)).toEqual([]);
  });

  test("refuses to lock a locked state", async ({ expect }) => {
    const provider = await open();
    const lock = { typeName, stateId: "default", operation: "apply" };
    expect(await provider.lockState(lock)).toEqual({ lockId: "lock of default", diagnostics: [] });
    const second = await provider.lockState(lock);
    expect(texts(second.diagnostics)).toEqual(["error: Cannot lock state default: locked by apply"]);
    expect(texts((await provider.unlockState({ typeName, stateId: "default", lockId: "?" })).diagnostics)).toEqual([
      "error: Cannot unlock state default: no such lock",
    ]);
    expect((await provider.unlockState({ typeName, stateId: "default", lockId: "lock of default" })).diagnostics).toEqual([]);
    expect((await provider.lockState(lock)).diagnostics).toEqual([]);
  });

  test("negotiates the chunk size: the smaller of both sides", async ({ expect }) => {
    const negotiated = async (proposed: number, chunkSize?: number): Promise<number> => {
      const provider = providerOf(chunkSize === undefined ? {} : { chunkSize });
      const config = configOf((await provider.getProviderSchema({})).stateStores.get(typeName)!.block, { bucket: "b" });
      return (await provider.configureStateStore({ typeName, config, chunkSize: proposed })).chunkSize;
    };
    expect(await negotiated(100)).toBe(100);
    expect(await negotiated(100, 10)).toBe(10);
    expect(await negotiated(10, 100)).toBe(10);
    expect(await negotiated(0)).toBe(8 * 1024 * 1024);
  });

  test("reports that it is not configured, and a handler that fails", async ({ expect }) => {
    const closed = "error: State store not configured: vault_bucket cannot";
    const provider = providerOf();
    expect(await read(provider)).toEqual([expect.stringContaining(`${closed} read state "default"`)]);
    expect(await write(provider, chunksOf("x", 4))).toEqual([expect.stringContaining(`${closed} write state`)]);
    expect(texts((await provider.getStates({ typeName })).diagnostics)).toEqual([expect.stringContaining(`${closed} list states`)]);
    const failing = await open({
      read: () => {
        throw new Error("disk error 5");
      },
      list: () => [5] as never,
    });
    expect(await read(failing)).toEqual(["error: Cannot read state default: disk error 5"]);
    expect(texts((await failing.getStates({ typeName })).diagnostics)).toEqual([
      expect.stringContaining("must return an array of state ids"),
    ]);
    const unlocked = await open({ lock: undefined, unlock: undefined } as never);
    expect(await unlocked.lockState({ typeName, stateId: "default", operation: "plan" })).toEqual({ lockId: "", diagnostics: [] });
    const config = configOf((await provider.getProviderSchema({})).stateStores.get(typeName)!.block, {});
    expect(texts((await provider.validateStateStoreConfig({ typeName, config })).diagnostics)).toEqual([
      "error: Missing required attribute: bucket is required, but not set.",
    ]);
  });

  test("must have all handlers; lock and unlock only together", ({ expect }) => {
    expect(() => vault.stateStore("x", { open: () => 1 } as never)).toThrow("a state store must define read()");
    expect(() => providerOf({ unlock: undefined } as never)).toThrow("a state store must define both lock() and unlock(), or neither");
    expect(() => providerOf({ chunkSize: 0 })).toThrow("chunkSize must be a number of bytes");
  });
});
