// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { attributeStep, formatPath, mark, string, toJs, unknown, type Value } from "@tenon/cty";
import { errorDiagnostic, ProviderError, type Provider, type ReadResourceResponse } from "@tenon/schema";
import { afterAll, describe, test } from "vitest";
import { chunkOf, safeValue, smallProvider } from "../../test/fixtures/small-provider.ts";
import { readRecording } from "./read-recording.ts";
import { recording } from "./recording.ts";
import { replaying } from "./replaying.ts";
import type { ValuePlace } from "./secrets.ts";

const folder = mkdtempSync(join(tmpdir(), "recording-"));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;
function newFile(): string {
  return join(folder, `${files++}.recording`);
}

const nothing = new Uint8Array();
/** A provider whose read returns the state of the request. */
const echo: Partial<Provider> = {
  readResource: async ({ currentState }) => ({ newState: currentState, diagnostics: [], private: nothing }),
};

function read(provider: Provider, currentState: Value): Promise<ReadResourceResponse> {
  return provider.readResource({ typeName: "safe", currentState, private: nothing });
}

/** Records the calls that `makeCalls` makes, and returns the file and its replay. */
async function recordAndReplay(
  calls: Partial<Provider>,
  makeCalls: (provider: Provider) => Promise<unknown>,
): Promise<{ readonly file: string; readonly replay: Provider }> {
  const file = newFile();
  {
    await using provider = recording(smallProvider(calls), file);
    await makeCalls(provider);
  }
  return { file, replay: replaying(file) };
}

describe("a recording", () => {
  const everywhere = {
    name: "known",
    secret: "hunter1",
    codes: ["hunter2"],
    any: { deep: [1n, true, null] },
    doors: [
      { key: "a", secret: "hunter3" },
      { key: "b", secret: null },
    ],
    keys: [{ key: "hunter4", secret: "hunter5" }],
    lock: [{ key: "c", secret: "hunter1" }],
    plain: ["x", "y"],
  };

  test("contains no value that the schema marks as sensitive", async ({ expect }) => {
    const { file, replay } = await recordAndReplay(echo, (provider) => read(provider, safeValue(everywhere)));
    expect(readFileSync(file, "latin1")).not.toContain("hunter");
    const entry = readRecording(file).find(({ method }) => method === "readResource");
    expect(toJs((entry!.request as { readonly currentState: Value }).currentState)).toMatchObject({
      name: "known",
      secret: "(sensitive value 4)",
      codes: [],
      doors: [
        { key: "a", secret: "(sensitive value 2)" },
        { key: "b", secret: null },
      ],
      keys: [],
      lock: [{ key: "c", secret: "(sensitive value 4)" }],
      plain: ["x", "y"],
    });
    // The replay takes the secrets from the request.
    expect(toJs((await read(replay, safeValue(everywhere))).newState)).toEqual(toJs(safeValue(everywhere)));
  });

  test("matches a request with the same sensitive value, and no other", async ({ expect }) => {
    const { replay } = await recordAndReplay(echo, async (provider) => {
      await read(provider, safeValue({ secret: "one" }));
      await read(provider, safeValue({ secret: "two" }));
      await read(provider, safeValue({ secret: "one", name: "again" }));
    });
    await read(replay, safeValue({ secret: "uno" }));
    await expect(read(replay, safeValue({ secret: "due", name: "again" }))).rejects.toMatchObject({ code: "REPLAY_MISMATCH" });
    await read(replay, safeValue({ secret: "due" }));
    const wrong = read(replay, safeValue({ secret: "due", name: "again" }));
    await expect(wrong).rejects.toMatchObject({
      difference: { field: "currentState.secret", recorded: "(sensitive value)", requested: "(another sensitive value)" },
    });
    await read(replay, safeValue({ secret: "uno", name: "again" }));
  });

  test("contains unknown values, paths and deferred reasons unchanged", async ({ expect }) => {
    const state = safeValue({ name: unknown(string, { prefix: "ab" }), secret: unknown(string), any: null });
    const diagnostics = [errorDiagnostic("No", "Because of hunter1.", [attributeStep("name")])];
    const { file, replay } = await recordAndReplay(
      {
        readResource: async ({ currentState }) => ({
          newState: currentState,
          diagnostics,
          private: new Uint8Array([1]),
          deferred: { reason: "unknown" },
        }),
      },
      async (provider) => {
        await read(provider, safeValue({ secret: "hunter1" }));
        await read(provider, state);
      },
    );
    expect(readFileSync(file, "latin1")).not.toContain("hunter1");
    const response = await read(replay, state);
    expect(response).toEqual({
      newState: state,
      diagnostics: [{ ...diagnostics[0], detail: "Because of (sensitive value 1)." }],
      private: new Uint8Array([1]),
      deferred: { reason: "unknown" },
    });
  });

  test("masks states of older schema versions and of state stores", async ({ expect }) => {
    const calls: Partial<Provider> = {
      upgradeResourceState: async () => ({ upgradedState: safeValue({ secret: "hunter3" }), diagnostics: [] }),
      async *readStateBytes() {
        yield { ...chunkOf("hunter2"), diagnostics: [] };
      },
      writeStateBytes: async ({ chunks }) => {
        for await (const _ of chunks);
        return { diagnostics: [] };
      },
    };
    const rawState = { json: new TextEncoder().encode('{"secret":"hunter1"}') };
    const makeCalls = async (provider: Provider): Promise<unknown> => {
      await provider.upgradeResourceState({ typeName: "safe", version: 0, rawState });
      await provider.upgradeResourceState({ typeName: "safe", version: 0, rawState: { flatmap: { b: "1", secret: "hunter4" } } });
      await provider.writeStateBytes({ typeName: "vault", stateId: "s", chunks: streamOf(chunkOf("hunter2"), chunkOf("more")) });
      return await Array.fromAsync(provider.readStateBytes({ typeName: "vault", stateId: "s" }));
    };
    const { file, replay } = await recordAndReplay(calls, makeCalls);
    expect(readFileSync(file, "latin1")).not.toContain("hunter");
    expect(await makeCalls(replay)).toEqual([{ ...chunkOf("hunter2"), diagnostics: [] }]);
    const other = replaying(file).writeStateBytes({ typeName: "vault", stateId: "s", chunks: streamOf(chunkOf("hunter2")) });
    await expect(other).rejects.toMatchObject({ code: "REPLAY_MISMATCH" });
  });

  test("masks secrets quoted in messages: as plain text, as JSON, in a URL, and those of a stored state", async ({ expect }) => {
    const quoting = (text: string): Partial<Provider> => ({
      upgradeResourceState: async () => ({ diagnostics: [errorDiagnostic("Refused", text)] }),
      readResource: async () => {
        throw new ProviderError("UNAVAILABLE", text);
      },
    });
    const text = String.raw`no hunter1, "say \"hunter2\"", hunter%203 & hunter1 and more, 42424242, nor hunter5`;
    const rawState = { json: new TextEncoder().encode('{"a":[{"pin":42424242}],"b":"hunter5"}') };
    const { file } = await recordAndReplay(quoting(text), async (provider) => {
      await provider.upgradeResourceState({ typeName: "safe", version: 0, rawState });
      const codes = ["hunter1", 'say "hunter2"', "hunter 3", "hunter1 and more"];
      await read(provider, safeValue({ codes })).catch(() => {});
    });
    expect(readFileSync(file, "latin1")).toContain("(sensitive value");
    const [upgrade, failed] = readRecording(file);
    expect(JSON.stringify(upgrade!.response)).not.toMatch(/42424242|hunter5/);
    expect(failed!.error!.message.replaceAll(/\(sensitive value \d+\)/g, "***")).toBe('no ***, "***", *** & ***, ***, nor ***');
  });

  test("contains keys that are special in JavaScript or in the format unchanged", async ({ expect }) => {
    const flatmap = Object.fromEntries(["$value", "$$", "__proto__", "constructor", ""].map((key) => [key, "x"]));
    const calls: Partial<Provider> = { upgradeResourceState: async () => ({ diagnostics: [] }) };
    const file = newFile();
    const upgrade = (provider: Provider) => provider.upgradeResourceState({ typeName: "safe", version: 0, rawState: { flatmap } });
    {
      await using provider = recording(smallProvider(calls), file, { secrets: "keep" });
      await upgrade(provider);
    }
    const [entry] = readRecording(file);
    const kept = (entry!.request as { readonly rawState: { readonly flatmap: object } }).rawState.flatmap;
    expect(Object.entries(kept)).toEqual(Object.entries(flatmap));
    expect(await upgrade(replaying(file))).toEqual({ diagnostics: [] });
  });

  test("contains no value of a provider whose schema cannot be read", async ({ expect }) => {
    const getProviderSchema = async (): Promise<never> => {
      throw new ProviderError("INTERNAL", "no schema");
    };
    const { file } = await recordAndReplay({ ...echo, getProviderSchema }, (provider) => read(provider, safeValue({ name: "hunter1" })));
    expect(readFileSync(file, "latin1")).not.toContain("hunter1");
  });

  test("replays streams that ended, that failed, and that their consumer cancelled", async ({ expect }) => {
    const event = (displayName: string) => ({ displayName, diagnostics: [] });
    const calls: Partial<Provider> = {
      async *listResource({ limit }) {
        yield event("one");
        if (limit === 2) throw new ProviderError("UNAVAILABLE", "crashed", { requestSent: false });
        yield event("two");
      },
    };
    const list = (provider: Provider, limit: number) =>
      provider.listResource({ typeName: "safe", config: safeValue({}), includeResourceObject: false, limit });
    const { replay } = await recordAndReplay(calls, async (provider) => {
      await Array.fromAsync(list(provider, 0));
      await Array.fromAsync(list(provider, 2)).catch(() => {});
      for await (const _ of list(provider, 1)) break;
    });
    expect(await Array.fromAsync(list(replay, 0))).toEqual([event("one"), event("two")]);
    await expect(Array.fromAsync(list(replay, 2))).rejects.toMatchObject({ code: "UNAVAILABLE", message: "crashed", requestSent: false });
    await expect(Array.fromAsync(list(replay, 1))).rejects.toMatchObject({
      code: "REPLAY_MISMATCH",
      message: expect.stringContaining("cancelled by its consumer; number of its elements: 1"),
    });
  });

  test("does not overwrite another recording unless the caller allows it", async ({ expect }) => {
    const { file } = await recordAndReplay(echo, (provider) => read(provider, safeValue({})));
    expect(() => recording(smallProvider(echo), file)).toThrow(expect.objectContaining({ code: "RECORDING_FAILED" }));
    await recording(smallProvider(echo), file, { overwrite: true }).close();
    expect(readRecording(file)).toEqual([]);
    expect(() => recording(smallProvider(echo), join(folder, "no/such/folder"))).toThrow(
      expect.objectContaining({ code: "RECORDING_FAILED" }),
    );
  });

  test("that cannot be written returns the current response and rejects later calls", async ({ expect }) => {
    let calls = 0;
    // Marks have no encoding, and are invalid in a response.
    const marked: Partial<Provider> = {
      readResource: async () => {
        calls++;
        return { newState: mark(safeValue({}), "mine"), diagnostics: [], private: nothing };
      },
    };
    const provider = recording(smallProvider(marked), newFile());
    await read(provider, safeValue({}));
    await expect(read(provider, safeValue({}))).rejects.toMatchObject({
      code: "RECORDING_FAILED",
      message: expect.stringContaining("cannot be continued"),
    });
    expect(calls).toBe(1);
  });

  test("is not started on a full disk", { skip: process.platform !== "linux" }, ({ expect }) => {
    const begin = (): Provider => recording(smallProvider(echo), "/dev/full", { overwrite: true });
    expect(begin).toThrow(expect.objectContaining({ code: "RECORDING_FAILED", message: expect.stringContaining("ENOSPC") }));
  });

  test("is complete up to the moment its process is killed", async ({ expect }) => {
    const file = newFile();
    const program = `
      import { recording } from ${JSON.stringify(join(import.meta.dirname, "recording.ts"))};
      import { smallProvider } from ${JSON.stringify(join(import.meta.dirname, "../../test/fixtures/small-provider.ts"))};
      const provider = recording(smallProvider({ getMetadata: async () => ({ resources: ["a"] }), getFunctions: () => new Promise(() => {}) }), ${JSON.stringify(file)});
      await provider.getMetadata({});
      void provider.getFunctions({});
      setImmediate(() => process.kill(process.pid, "SIGKILL"));
    `;
    expect(() => execFileSync(process.execPath, ["--input-type=module", "-e", program], { stdio: "pipe" })).toThrow();
    const replay = replaying(file);
    expect(await replay.getMetadata({})).toEqual({ resources: ["a"] });
    await expect(replay.getFunctions({})).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringContaining("ends before the response to this getFunctions"),
    });
  });
});

describe("a malformed recording", () => {
  test("reports where it is truncated, and with allowTruncated is replayed up to there", async ({ expect }) => {
    const { file } = await recordAndReplay(echo, async (provider) => {
      await read(provider, safeValue({ name: "one" }));
      await read(provider, safeValue({ name: "two" }));
    });
    const whole = readFileSync(file);
    const messages = new Set<string>();
    for (let length = 0; length < whole.length; length++) {
      writeFileSync(file, whole.subarray(0, length));
      try {
        replaying(file);
      } catch (error) {
        const { code, message } = error as { readonly code: string; readonly message: string };
        expect(code, message).toBe(length === 0 ? "RECORDING_MALFORMED" : "RECORDING_TRUNCATED");
        messages.add(message.replace(file, "FILE"));
      }
    }
    expect([...messages].at(-1)).toMatch(
      /^the recording FILE is truncated at byte \d+, after 2 calls, the last of them readResource; each has a response/,
    );
    expect(
      [...messages].some((message) =>
        message.includes("after 1 calls, the last of them readResource; there is no response to readResource"),
      ),
    ).toBe(true);
    // After a power failure, a file may have its full length but not its last bytes.
    writeFileSync(file, Buffer.from(whole).fill(0, whole.length - 3));
    expect(() => replaying(file)).toThrow(expect.objectContaining({ code: "RECORDING_TRUNCATED" }));
    writeFileSync(file, whole);
    truncateSync(file, whole.length - 30);
    expect((await read(replaying(file, { allowTruncated: true }), safeValue({ name: "one" }))).diagnostics).toEqual([]);
  });

  test("is rejected with the reason", async ({ expect }) => {
    const { file } = await recordAndReplay(echo, (provider) => read(provider, safeValue({ name: "one" })));
    const whole = readFileSync(file);
    const errorOf = (change: (bytes: Buffer) => Buffer): string => {
      writeFileSync(file, change(Buffer.from(whole)));
      try {
        replaying(file);
      } catch (error) {
        const { code, message } = error as { readonly code: string; readonly message: string };
        return `${code}: ${message.replace(file, "FILE")}`;
      }
      return "nothing";
    };
    expect(errorOf(() => Buffer.from("something else"))).toBe(
      "RECORDING_MALFORMED: the recording FILE does not begin with the bytes of this format",
    );
    expect(errorOf((bytes) => bytes.fill(0xff, 20, 21))).toMatch(/^RECORDING_MALFORMED: the recording FILE is damaged at byte 8,/);
    const otherVersion = recordingOfVersion(2);
    expect(errorOf(() => otherVersion)).toBe(
      "RECORDING_MALFORMED: the recording FILE has version 2 of the format, and only 1 is supported",
    );
    rmSync(file);
    expect(() => replaying(file)).toThrow(
      expect.objectContaining({ code: "RECORDING_MALFORMED", message: expect.stringContaining("cannot be read") }),
    );
  });
});

describe("secrets that only the caller knows", () => {
  const isSecret = (text: string): boolean => text.includes("hunter") || text === "42";
  const stored = new TextEncoder().encode(JSON.stringify({ name: "hunter7" }));
  const useSecrets = async (provider: Provider, state: Value): Promise<void> => {
    await read(provider, state);
    await provider.readResource({ typeName: "safe", currentState: safeValue({ name: "x" }), private: Buffer.from('{"key":"hunter6"}') });
    await provider.upgradeResourceState({ typeName: "safe", version: 1, rawState: { json: stored } });
  };

  test("are masked in values, sets, stored states and private data, and other values are not", async ({ expect }) => {
    const file = newFile();
    const state = safeValue({ name: "a hunter1", codes: ["hunter2"], plain: ["x", "hunter3"], any: { deep: [42n, "open"] } });
    const calls: Partial<Provider> = { ...echo, upgradeResourceState: async () => ({ upgradedState: state, diagnostics: [] }) };
    {
      await using provider = recording(smallProvider(calls), file, { isSecret });
      await useSecrets(provider, state);
    }
    const text = readFileSync(file, "latin1");
    expect(text).not.toMatch(/hunter|aHVudGVy/);
    expect(text).toContain("open");
    await using replay = replaying(file);
    const { newState } = await read(replay, state);
    expect(toJs(newState!)).toMatchObject({ name: "a hunter1", any: { deep: [42, "open"] } });
    await expect(read(replay, safeValue({ name: "plain" }))).rejects.toThrow("differs from the recording");
  });
});

describe("secrets in places that only the caller knows", () => {
  const places: string[] = [];
  const isSecretAt = ({ method, message, field, typeName, path, isLeaf }: ValuePlace): boolean => {
    if (isLeaf) places.push(`${method} ${message} ${field} ${typeName}${formatPath(path)}`);
    return isLeaf && /^\.any\.(?:on|size)$/.test(formatPath(path));
  };
  const state = safeValue({ name: "x", any: { on: true, off: false, size: 7n } });

  test("are masked there and nowhere else, and a replay restores them", async ({ expect }) => {
    const file = newFile();
    {
      await using provider = recording(smallProvider(echo), file, { isSecretAt });
      await read(provider, state);
    }
    expect(places).toContain("readResource request currentState safe.any.on");
    expect(places).toContain("readResource response newState safe.any.size");
    const { request } = readRecording(file).find(({ method }) => method === "readResource")!;
    const recorded = (request as { readonly currentState: Value }).currentState;
    expect(toJs(recorded)).toMatchObject({ name: "x", any: { on: false, off: false, size: 0 } });
    await using replay = replaying(file);
    const { newState } = await read(replay, state);
    expect(toJs(newState!)).toMatchObject({ any: { on: true, off: false, size: 7 } });
    await expect(read(replay, safeValue({ name: "x", any: { on: true, off: true, size: 7n } }))).rejects.toThrow(
      "differs from the recording",
    );
  });

  test("are distinguished by the numbers of the caller", async ({ expect }) => {
    const file = newFile();
    {
      // As in a log, all placeholders are the same.
      await using provider = recording(smallProvider(echo), file, {
        isSecretAt: ({ path, isLeaf }) => (isLeaf && [".any.on", ".any.off"].indexOf(formatPath(path)) + 1) || false,
      });
      await read(provider, safeValue({ name: "x", any: { on: false, off: false } }));
    }
    await using replay = replaying(file);
    const { newState } = await read(replay, safeValue({ name: "x", any: { on: true, off: false } }));
    expect(toJs(newState!)).toMatchObject({ any: { on: true, off: false } });
  });
});

/** A recording in another version of the format, as a later version of this package might write it. */
function recordingOfVersion(version: number): Buffer {
  const payload = Buffer.from([0x93, 0xa6, ...Buffer.from("header"), version, 0xa4, ...Buffer.from("mask")]);
  const header = Buffer.alloc(8);
  header.writeUInt32BE(payload.length, 0);
  header.writeUInt32BE(crc32(payload), 4);
  return Buffer.concat([Buffer.from("TENONREC"), header, payload]);
}

async function* streamOf<T>(...items: readonly T[]): AsyncGenerator<T, void> {
  yield* items;
}
