// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { provider as notebook } from "@tenon/example-notebook";
import { describePeer } from "@tenon/peers/vitest";
import { launchProvider, openProvider, type ProviderClient } from "@tenon/plugin-host";
import { readRecording, recording, replaying } from "@tenon/plugin-host/record";
import { createProvider } from "@tenon/provider-sdk";
import type { ProviderFactory } from "@tenon/schema";
import { afterAll, describe, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "host-recording-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Calls a provider, and returns the results of all calls. */
type Program = (client: ProviderClient) => Promise<unknown>;

/** Runs a program while it is recorded, and again with the recording. Returns the results of both runs. */
async function runTwice(
  name: string,
  open: ProviderFactory,
  config: Record<string, unknown>,
  program: Program,
): Promise<readonly [unknown, unknown]> {
  const file = join(folder, `${name}.recording`);
  const run = async (factory: ProviderFactory): Promise<unknown> => {
    await using client = await openProvider(factory, { config });
    return JSON.parse(JSON.stringify(await program(client))) as unknown;
  };
  const first = await run(async () => recording(await open(), file));
  return [first, await run(async () => replaying(file))];
}

describePeer(["provider-time"], "a recording of a Go provider of protocol 5", ({ "provider-time": peer }) => {
  test("replays the calls of a resource, functions, and errors", async ({ expect }) => {
    const program: Program = async (time) => {
      const statics = time.resource("time_static");
      const made = await statics.create({ triggers: { a: "b" }, rfc3339: "2026-01-02T03:04:05Z" });
      const changed = await statics.update(made, { triggers: { a: "c" }, rfc3339: "2026-01-02T03:04:05Z" });
      const parsed = await Promise.all([2026, 2027, 2028].map((year) => time.function("rfc3339_parse", `${year}-01-02T03:04:05Z`)));
      const refused = await time.function("rfc3339_parse", "not a time").catch((error: Error) => error.message);
      const imported = await statics.import("2026-01-02T03:04:05Z");
      await statics.delete(changed);
      return { made, changed, parsed, refused, imported, read: await statics.read(imported) };
    };
    const [first, second] = await runTwice("time", () => launchProvider({ command: peer.path }), {}, program);
    expect(second).toEqual(first);
    expect(readRecording(join(folder, "time.recording")).map(({ method }) => method)).toContain("applyResourceChange");
  });

  test("reports the first difference of another run", async ({ expect }) => {
    const file = join(folder, "difference.recording");
    {
      await using time = await openProvider(async () => recording(await launchProvider({ command: peer.path }), file));
      await time.resource("time_static").create({ triggers: { a: "b" }, rfc3339: "2026-01-02T03:04:05Z" });
    }
    await using time = await openProvider(replaying(file));
    const statics = time.resource("time_static");
    await expect(statics.create({ triggers: { a: "c" }, rfc3339: "2026-01-02T03:04:05Z" })).rejects.toMatchObject({
      code: "REPLAY_MISMATCH",
      difference: {
        method: "validateResourceConfig",
        field: 'config.triggers["a"]',
        recorded: 'cty.StringVal("b")',
        requested: 'cty.StringVal("c")',
      },
      message: expect.stringContaining(
        'at config.triggers["a"] the recorded value is cty.StringVal("b"), the requested one cty.StringVal("c")',
      ),
    });
    await expect(time.function("rfc3339_parse", "2026")).rejects.toMatchObject({
      code: "REPLAY_MISMATCH",
      difference: undefined,
      message: expect.stringContaining("no such call was recorded"),
    });
    await statics.create({ triggers: { a: "b" }, rfc3339: "2026-01-02T03:04:05Z" });
    await expect(statics.create({ triggers: { a: "b" }, rfc3339: "2026-01-02T03:04:05Z" })).rejects.toMatchObject({
      message: expect.stringContaining("1 such calls were recorded, and all of them have been made"),
    });
  });
});

describePeer(["framework-provider"], "a recording of a Go provider of protocol 6", ({ "framework-provider": peer }) => {
  const config = {
    name: "first",
    secret: "hunter2",
    password: "hunter3",
    tags: ["a"],
    members: [{ key: "m" }],
    anything: { deep: [1, "two"] },
  };
  const program: Program = async (fw) => {
    const records = fw.resource("framework_record");
    const made = await records.create(config);
    const found = await fw.data("framework_lookup", { id: made.state["id"] });
    const listed = await Array.fromAsync(fw.list("framework_record", {}, { includeState: true }));
    const half = await fw
      .resource("framework_trouble")
      .create({ name: "h", mode: "half" })
      .catch((error: unknown) => error);
    await using token = await fw.ephemeral("framework_token", { name: "t" });
    for await (const _ of fw.list("framework_record", {})) break;
    const imported = await records.import({ identity: { id: made.state["id"] } });
    await records.delete(await records.update(imported, { ...config, secret: "hunter4", flag: true }));
    return { made, found, listed, half, token: token.state, imported, joined: await fw.function("join", "-", "a", "b") };
  };

  test("replays every kind of call, and contains no secret", async ({ expect }) => {
    const directory = mkdtempSync(join(folder, "records-"));
    const open: ProviderFactory = () => launchProvider({ command: peer.path });
    const [first, second] = await runTwice("framework", open, { directory, token: "hunter1" }, program);
    const bytes = readFileSync(join(folder, "framework.recording"), "latin1");
    for (const secret of ["hunter1", "hunter2", "hunter3", "hunter4"]) expect(bytes, secret).not.toContain(secret);
    expect(bytes).toContain("first");
    // A secret that only the provider knows is a placeholder in the replay.
    expect((second as { token: unknown }).token).toMatchObject({ name: expect.stringContaining("(sensitive value") });
    expect({ ...(second as object), token: undefined }).toEqual({ ...(first as object), token: undefined });
  });

  test("contains secrets with the option keep", async ({ expect }) => {
    const file = join(folder, "kept.recording");
    const directory = mkdtempSync(join(folder, "records-"));
    const run = async (factory: ProviderFactory): Promise<unknown> => {
      await using fw = await openProvider(factory, { config: { directory } });
      return JSON.parse(JSON.stringify(await program(fw))) as unknown;
    };
    const first = await run(async () => recording(await launchProvider({ command: peer.path }), file, { secrets: "keep" }));
    expect(readFileSync(file, "latin1")).toContain("hunter2");
    expect(await run(async () => replaying(file))).toEqual(first);
  });

  test("replays concurrent calls, and the error of a provider that crashed", async ({ expect }) => {
    const directory = mkdtempSync(join(folder, "records-"));
    const program: Program = async (fw) => {
      const made = await Promise.all(
        Array.from({ length: 20 }, async (_, index) => {
          const record = await fw.resource("framework_record").create({ name: `record ${index}`, size: index, secret: `secret ${index}` });
          return [record.state["name"], record.state["size"], record.state["secret"]];
        }),
      );
      const crashed = await fw
        .resource("framework_trouble")
        .create({ name: "p", mode: "panic" })
        .catch((error: Error) => [error.name, error.message]);
      return { made, crashed };
    };
    const [first, second] = await runTwice("concurrent", () => launchProvider({ command: peer.path }), { directory }, program);
    expect(second).toEqual(first);
    expect(first).toMatchObject({ crashed: ["ProviderError", expect.stringContaining("panic: trouble asked for")] });
  });
});

describe("a recording of a provider in this process", () => {
  test("replays the same results", async ({ expect }) => {
    const program: Program = async (client) => {
      const notes = client.resource("notebook_note");
      const made = await notes.create({ title: "first", tags: { a: "b" } });
      const read = await notes.read(made);
      return { made, read, slug: await client.function("slug", "A Title") };
    };
    const [first, second] = await runTwice("notebook", async () => createProvider(notebook), { path: join(folder, "notes.db") }, program);
    expect(isDeepStrictEqual(first, second)).toBe(true);
  });
});
