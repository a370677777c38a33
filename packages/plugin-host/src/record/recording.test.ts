// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { attributeStep, mark, string, toJs, unknown, type Value } from "@tenon/cty";
import { errorDiagnostic, ProviderError, type Provider, type ReadResourceResponse } from "@tenon/schema";
import { afterAll, describe, test } from "vitest";
import { chunkOf, safeValue, smallProvider } from "../../test/fixtures/small-provider.ts";
import { readRecording } from "./read-recording.ts";
import { recording } from "./recording.ts";
import { replaying } from "./replaying.ts";

const folder = mkdtempSync(join(tmpdir(), "recording-"));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;
function newFile(): string {
  return join(folder, `${files++}.recording`);
}

const nothing = new Uint8Array();
/** A read that answers with what it was given. */
const echo: Partial<Provider> = {
  readResource: async ({ currentState }) => ({ newState: currentState, diagnostics: [], private: nothing }),
};

function read(provider: Provider, currentState: Value): Promise<ReadResourceResponse> {
  return provider.readResource({ typeName: "safe", currentState, private: nothing });
}

/** Records what happens with a provider, and gives a replay of it. */
async function recorded(
  calls: Partial<Provider>,
  story: (provider: Provider) => Promise<unknown>,
): Promise<{ readonly file: string; readonly replay: Provider }> {
  const file = newFile();
  {
    await using provider = recording(smallProvider(calls), file);
    await story(provider);
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

  test("holds no secret, wherever the schema says there is one", async ({ expect }) => {
    const { file, replay } = await recorded(echo, (provider) => read(provider, safeValue(everywhere)));
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
    // Told again by the request, they are in the answer.
    expect(toJs((await read(replay, safeValue(everywhere))).newState)).toEqual(toJs(safeValue(everywhere)));
  });

  test("tells whether a secret is the same, and takes no other for it", async ({ expect }) => {
    const { replay } = await recorded(echo, async (provider) => {
      await read(provider, safeValue({ secret: "one" }));
      await read(provider, safeValue({ secret: "two" }));
      await read(provider, safeValue({ secret: "one", name: "again" }));
    });
    await read(replay, safeValue({ secret: "uno" }));
    await expect(read(replay, safeValue({ secret: "due", name: "again" }))).rejects.toMatchObject({ code: "REPLAY_MISMATCH" });
    await read(replay, safeValue({ secret: "due" }));
    const wrong = read(replay, safeValue({ secret: "due", name: "again" }));
    await expect(wrong).rejects.toMatchObject({
      difference: { field: "currentState.secret", recorded: "(sensitive value)", asked: "(another sensitive value)" },
    });
    await read(replay, safeValue({ secret: "uno", name: "again" }));
  });

  test("keeps unknown values, marks of absence and paths", async ({ expect }) => {
    const state = safeValue({ name: unknown(string, { prefix: "ab" }), secret: unknown(string), any: null });
    const diagnostics = [errorDiagnostic("No", "Because of hunter1.", [attributeStep("name")])];
    const { file, replay } = await recorded(
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
    const answer = await read(replay, state);
    expect(answer).toEqual({
      newState: state,
      diagnostics: [{ ...diagnostics[0], detail: "Because of (sensitive value 1)." }],
      private: new Uint8Array([1]),
      deferred: { reason: "unknown" },
    });
  });

  test("keeps states of older versions, and of state stores, out as a whole", async ({ expect }) => {
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
    const story = async (provider: Provider): Promise<unknown> => {
      await provider.upgradeResourceState({ typeName: "safe", version: 0, rawState });
      await provider.upgradeResourceState({ typeName: "safe", version: 0, rawState: { flatmap: { b: "1", secret: "hunter4" } } });
      await provider.writeStateBytes({ typeName: "vault", stateId: "s", chunks: streamOf(chunkOf("hunter2"), chunkOf("more")) });
      return await Array.fromAsync(provider.readStateBytes({ typeName: "vault", stateId: "s" }));
    };
    const { file, replay } = await recorded(calls, story);
    expect(readFileSync(file, "latin1")).not.toContain("hunter");
    expect(await story(replay)).toEqual([{ ...chunkOf("hunter2"), diagnostics: [] }]);
    const other = replaying(file).writeStateBytes({ typeName: "vault", stateId: "s", chunks: streamOf(chunkOf("hunter2")) });
    await expect(other).rejects.toMatchObject({ code: "REPLAY_MISMATCH" });
  });

  test("keeps secrets out of what quotes them: inside of others, as JSON, in a URL, out of a stored state", async ({ expect }) => {
    const quoting = (text: string): Partial<Provider> => ({
      upgradeResourceState: async () => ({ diagnostics: [errorDiagnostic("Refused", text)] }),
      readResource: async () => {
        throw new ProviderError("UNAVAILABLE", text);
      },
    });
    const text = String.raw`no hunter1, "say \"hunter2\"", hunter%203 & hunter1 and more, 42424242, nor hunter5`;
    const rawState = { json: new TextEncoder().encode('{"a":[{"pin":42424242}],"b":"hunter5"}') };
    const { file } = await recorded(quoting(text), async (provider) => {
      await provider.upgradeResourceState({ typeName: "safe", version: 0, rawState });
      const codes = ["hunter1", 'say "hunter2"', "hunter 3", "hunter1 and more"];
      await read(provider, safeValue({ codes })).catch(() => {});
    });
    expect(readFileSync(file, "latin1")).toContain("(sensitive value");
    const [upgrade, failed] = readRecording(file);
    expect(JSON.stringify(upgrade!.response)).not.toMatch(/42424242|hunter5/);
    expect(failed!.error!.message.replaceAll(/\(sensitive value \d+\)/g, "***")).toBe('no ***, "***", *** & ***, ***, nor ***');
  });

  test("keeps keys that mean something to JavaScript, or to the format", async ({ expect }) => {
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

  test("holds no value of a provider that cannot say what is secret", async ({ expect }) => {
    const getProviderSchema = async (): Promise<never> => {
      throw new ProviderError("INTERNAL", "no schema today");
    };
    const { file } = await recorded({ ...echo, getProviderSchema }, (provider) => read(provider, safeValue({ name: "hunter1" })));
    expect(readFileSync(file, "latin1")).not.toContain("hunter1");
  });

  test("keeps streams that end, that fail, and that nobody wanted to the end", async ({ expect }) => {
    const event = (displayName: string) => ({ displayName, diagnostics: [] });
    const calls: Partial<Provider> = {
      async *listResource({ limit }) {
        yield event("one");
        if (limit === 2) throw new ProviderError("UNAVAILABLE", "it died");
        yield event("two");
      },
    };
    const list = (provider: Provider, limit: number) =>
      provider.listResource({ typeName: "safe", config: safeValue({}), includeResourceObject: false, limit });
    const { replay } = await recorded(calls, async (provider) => {
      await Array.fromAsync(list(provider, 0));
      await Array.fromAsync(list(provider, 2)).catch(() => {});
      for await (const _ of list(provider, 1)) break;
    });
    expect(await Array.fromAsync(list(replay, 0))).toEqual([event("one"), event("two")]);
    await expect(Array.fromAsync(list(replay, 2))).rejects.toMatchObject({ code: "UNAVAILABLE", message: "it died" });
    await expect(Array.fromAsync(list(replay, 1))).rejects.toMatchObject({
      code: "REPLAY_MISMATCH",
      message: expect.stringContaining("no more than 1 elements"),
    });
  });

  test("is not written over another one, unless that is wanted", async ({ expect }) => {
    const { file } = await recorded(echo, (provider) => read(provider, safeValue({})));
    expect(() => recording(smallProvider(echo), file)).toThrow(expect.objectContaining({ code: "RECORDING_FAILED" }));
    await recording(smallProvider(echo), file, { overwrite: true }).close();
    expect(readRecording(file)).toEqual([]);
    expect(() => recording(smallProvider(echo), join(folder, "no/such/folder"))).toThrow(
      expect.objectContaining({ code: "RECORDING_FAILED" }),
    );
  });

  test("that cannot go on keeps no answer back, and lets no call pass unrecorded", async ({ expect }) => {
    let calls = 0;
    // Marks have no encoding, and do not belong in an answer.
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

  test("on a full disk is not begun", { skip: process.platform !== "linux" }, ({ expect }) => {
    const begin = (): Provider => recording(smallProvider(echo), "/dev/full", { overwrite: true });
    expect(begin).toThrow(expect.objectContaining({ code: "RECORDING_FAILED", message: expect.stringContaining("ENOSPC") }));
  });

  test("is whole up to the moment its process is killed", async ({ expect }) => {
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
      message: expect.stringContaining("ends before this getFunctions"),
    });
  });
});

describe("a recording that is not what it should be", () => {
  test("says where it breaks off, and is replayed as far as it goes where that is wanted", async ({ expect }) => {
    const { file } = await recorded(echo, async (provider) => {
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
      /^the recording FILE breaks off at byte \d+, after 2 calls, the last of them readResource; each of them was answered/,
    );
    expect(
      [...messages].some((message) => message.includes("after 1 calls, the last of them readResource; without an answer to readResource")),
    ).toBe(true);
    // A machine that went down may have kept the length of a file, and not what was written last.
    writeFileSync(file, Buffer.from(whole).fill(0, whole.length - 3));
    expect(() => replaying(file)).toThrow(expect.objectContaining({ code: "RECORDING_TRUNCATED" }));
    writeFileSync(file, whole);
    truncateSync(file, whole.length - 30);
    expect((await read(replaying(file, { allowTruncated: true }), safeValue({ name: "one" }))).diagnostics).toEqual([]);
  });

  test("is refused", async ({ expect }) => {
    const { file } = await recorded(echo, (provider) => read(provider, safeValue({ name: "one" })));
    const whole = readFileSync(file);
    const refusal = (change: (bytes: Buffer) => Buffer): string => {
      writeFileSync(file, change(Buffer.from(whole)));
      try {
        replaying(file);
      } catch (error) {
        const { code, message } = error as { readonly code: string; readonly message: string };
        return `${code}: ${message.replace(file, "FILE")}`;
      }
      return "nothing";
    };
    expect(refusal(() => Buffer.from("something else"))).toBe(
      "RECORDING_MALFORMED: the recording FILE is none: its first bytes are others",
    );
    expect(refusal((bytes) => bytes.fill(0xff, 20, 21))).toMatch(/^RECORDING_MALFORMED: the recording FILE is damaged at byte 8,/);
    const otherVersion = recordingOfVersion(2);
    expect(refusal(() => otherVersion)).toBe("RECORDING_MALFORMED: the recording FILE is of version 2 of the format, and 1 is understood");
    rmSync(file);
    expect(() => replaying(file)).toThrow(
      expect.objectContaining({ code: "RECORDING_MALFORMED", message: expect.stringContaining("cannot be read") }),
    );
  });
});

/** What a later version of this package might write. */
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
