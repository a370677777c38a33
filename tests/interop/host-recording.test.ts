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

/** What a program does with a provider, and everything it got to see. */
type Story = (client: ProviderClient) => Promise<unknown>;

/** Lets a story happen, and happen again from the recording of it. */
async function twice(
  name: string,
  open: ProviderFactory,
  config: Record<string, unknown>,
  story: Story,
): Promise<readonly [unknown, unknown]> {
  const file = join(folder, `${name}.recording`);
  const told = async (factory: ProviderFactory): Promise<unknown> => {
    await using client = await openProvider(factory, { config });
    return JSON.parse(JSON.stringify(await story(client))) as unknown;
  };
  const first = await told(async () => recording(await open(), file));
  return [first, await told(async () => replaying(file))];
}

describePeer(["provider-time"], "a recording of a Go provider of protocol 5", ({ "provider-time": peer }) => {
  test("replays a resource's life, functions, and what went wrong", async ({ expect }) => {
    const story: Story = async (time) => {
      const statics = time.resource("time_static");
      const made = await statics.create({ triggers: { a: "b" }, rfc3339: "2026-01-02T03:04:05Z" });
      const changed = await statics.update(made, { triggers: { a: "c" }, rfc3339: "2026-01-02T03:04:05Z" });
      const parsed = await Promise.all([2026, 2027, 2028].map((year) => time.function("rfc3339_parse", `${year}-01-02T03:04:05Z`)));
      const refused = await time.function("rfc3339_parse", "no time").catch((error: Error) => error.message);
      const imported = await statics.import("2026-01-02T03:04:05Z");
      await statics.delete(changed);
      return { made, changed, parsed, refused, imported, read: await statics.read(imported) };
    };
    const [first, second] = await twice("time", () => launchProvider({ command: peer.path }), {}, story);
    expect(second).toEqual(first);
    expect(readRecording(join(folder, "time.recording")).map(({ method }) => method)).toContain("applyResourceChange");
  });

  test("says where another run departs from it", async ({ expect }) => {
    const file = join(folder, "departs.recording");
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
        asked: 'cty.StringVal("c")',
      },
      message: expect.stringContaining(
        'at config.triggers["a"] it was recorded with cty.StringVal("b"), and is asked with cty.StringVal("c")',
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
  const story: Story = async (fw) => {
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

  test("replays everything that can be done, without a secret in it", async ({ expect }) => {
    const directory = mkdtempSync(join(folder, "records-"));
    const open: ProviderFactory = () => launchProvider({ command: peer.path });
    const [first, second] = await twice("framework", open, { directory, token: "hunter1" }, story);
    const bytes = readFileSync(join(folder, "framework.recording"), "latin1");
    for (const secret of ["hunter1", "hunter2", "hunter3", "hunter4"]) expect(bytes, secret).not.toContain(secret);
    expect(bytes).toContain("first");
    // What only the provider knows is not in the recording.
    expect((second as { token: unknown }).token).toMatchObject({ name: expect.stringContaining("(sensitive value") });
    expect({ ...(second as object), token: undefined }).toEqual({ ...(first as object), token: undefined });
  });

  test("keeps secrets where it is told to", async ({ expect }) => {
    const file = join(folder, "kept.recording");
    const directory = mkdtempSync(join(folder, "records-"));
    const run = async (factory: ProviderFactory): Promise<unknown> => {
      await using fw = await openProvider(factory, { config: { directory } });
      return JSON.parse(JSON.stringify(await story(fw))) as unknown;
    };
    const first = await run(async () => recording(await launchProvider({ command: peer.path }), file, { secrets: "keep" }));
    expect(readFileSync(file, "latin1")).toContain("hunter2");
    expect(await run(async () => replaying(file))).toEqual(first);
  });

  test("keeps concurrent calls apart, and those of a provider that died", async ({ expect }) => {
    const directory = mkdtempSync(join(folder, "records-"));
    const stories: Story = async (fw) => {
      const made = await Promise.all(
        Array.from({ length: 20 }, async (_, index) => {
          const record = await fw.resource("framework_record").create({ name: `record ${index}`, size: index, secret: `secret ${index}` });
          return [record.state["name"], record.state["size"], record.state["secret"]];
        }),
      );
      const died = await fw
        .resource("framework_trouble")
        .create({ name: "p", mode: "panic" })
        .catch((error: Error) => [error.name, error.message]);
      return { made, died };
    };
    const [first, second] = await twice("concurrent", () => launchProvider({ command: peer.path }), { directory }, stories);
    expect(second).toEqual(first);
    expect(first).toMatchObject({ died: ["ProviderError", expect.stringContaining("panic: trouble asked for")] });
  });
});

describe("a recording of a provider in this process", () => {
  test("replays", async ({ expect }) => {
    const story: Story = async (client) => {
      const notes = client.resource("notebook_note");
      const made = await notes.create({ title: "first", tags: { a: "b" } });
      const read = await notes.read(made);
      return { made, read, slug: await client.function("slug", "A Title") };
    };
    const [first, second] = await twice("notebook", async () => createProvider(notebook), { path: join(folder, "notes.db") }, story);
    expect(isDeepStrictEqual(first, second)).toBe(true);
  });
});
