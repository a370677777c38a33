// SPDX-License-Identifier: Apache-2.0
// A provider in Python, with other libraries for gRPC, values and TLS. It follows the protocol, but not the conventions of HashiCorp's
// libraries.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describePeer } from "@tenon/peers/vitest";
import { launchProvider, type LogRecord, openProvider, PluginHostError } from "@tenon/plugin-host";
import { afterAll, test, vi } from "vitest";

// Python takes a second to start, and longer on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const note = {
  title: "first",
  size: 3,
  ratio: 0.25,
  pinned: true,
  tags: ["a", "b"],
  groups: ["y", "x"],
  labels: { k: "v" },
  secret: "hunter2",
  place: { host: "h", port: 8080 },
  line: [{ text: "l", mark: true }, { text: "m" }],
};

describePeer(["pyvider-provider"], "a provider on Pyvider", ({ "pyvider-provider": { path } }) => {
  const folder = mkdtempSync(join(tmpdir(), "host-pyvider-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  test("reports its schema, and handles calls of resources, data sources and functions", async ({ expect }) => {
    const directory = join(folder, "life");
    await using client = await openProvider(path, { config: { directory } });
    const { resources, dataSources, functions } = client.schema;
    expect([[...resources.keys()], [...dataSources.keys()], [...functions.keys()].sort()]).toEqual([
      ["pyvider_note"],
      ["pyvider_lookup"],
      ["repeat", "total"],
    ]);
    const notes = client.resource("pyvider_note");
    const plan = await notes.plan(note);
    expect(plan).toMatchObject({ action: "create", unknown: ["id"], after: { kind: "plain", revision: 1, groups: ["x", "y"] } });
    const made = (await plan.apply())!;
    const id = made.state["id"] as string;
    expect(made).toMatchObject({
      state: {
        ...note,
        groups: ["x", "y"],
        line: [
          { text: "l", mark: true },
          { text: "m", mark: null },
        ],
      },
    });
    expect(made.identity).toEqual({ id });
    expect((await notes.plan(note, { prior: made })).action).toBe("noOp");

    const updated = await notes.update(made, { ...note, title: "second", line: [], place: null });
    expect(updated.state).toMatchObject({ id, revision: 2, title: "second", line: [], place: null });
    const file = join(directory, `${id}.json`);
    writeFileSync(file, readFileSync(file, "utf8").replace('"second"', '"changed by another"'));
    const read = (await notes.read(updated))!;
    expect(read.state["title"]).toBe("changed by another");
    expect((await notes.plan({ ...note, title: "second" }, { prior: read })).action).toBe("update");

    const replacing = await notes.plan({ ...note, kind: "special" }, { prior: read });
    expect(replacing).toMatchObject({ action: "replace", requiresReplace: ["kind"] });
    const replaced = (await replacing.apply())!;
    const other = replaced.state["id"] as string;
    expect(readdirSync(directory)).toEqual([`${other}.json`]);
    for (const key of [other, { identity: replaced.identity! }]) {
      expect((await notes.import(key)).state).toEqual(replaced.state);
    }
    const kept = { typeName: "pyvider_note", schemaVersion: 1, private: "", status: "ready" as const };
    const old = await notes.fromJson({ ...kept, value: JSON.stringify({ name: "old", id: "plain-0", revision: 4 }) });
    expect(old.state).toMatchObject({ title: "old", revision: 4 });

    expect(await client.data("pyvider_lookup", { id: other })).toMatchObject({ title: "first", revision: 1 });
    expect(await client.function("repeat", "ab", 3)).toBe("ababab");
    expect(await client.function("total", 1, 2.5, 3)).toBe(6.5);
    await notes.delete(replaced);
    expect(readdirSync(directory)).toEqual([]);
    expect(await notes.read(replaced)).toBeUndefined();
  });

  test("rejects invalid calls of every kind with its diagnostics", async ({ expect }) => {
    const directory = join(folder, "refused");
    await expect(openProvider(path, { config: { directory, token: "wrong" } })).rejects.toMatchObject({
      code: "DIAGNOSTICS",
      message: expect.stringContaining("The token was refused."),
    });
    await using client = await openProvider(path, { config: { directory } });
    const notes = client.resource("pyvider_note");
    const refusals: readonly (readonly [() => Promise<unknown>, string])[] = [
      [() => notes.create({ title: "" }), "the title must not be empty"],
      [() => notes.create({ title: "t", trouble: "error" }), "There is trouble."],
      [() => notes.import("nobody"), "No pyvider_note was found for id 'nobody'"],
      [() => client.data("pyvider_lookup", { id: "nobody" }), "There is no note nobody."],
      [() => client.function("repeat", "ab", -1), "argument 2 (times): Function 'repeat' error: times must not be negative"],
    ];
    for (const [call, message] of refusals) {
      await expect(call()).rejects.toMatchObject({ code: "DIAGNOSTICS", message: expect.stringContaining(message) });
    }
    expect((await notes.create({ title: "still there", trouble: "print" })).state["revision"]).toBe(1);
  });

  test("ends its calls on a crash or a cancel, and itself on close", async ({ expect, onTestFinished }) => {
    const directory = join(folder, "ends");
    // The provider creates its socket here, because it ignores the variable for the socket folder.
    const temporary = mkdtempSync(join(tmpdir(), "py-"));
    vi.stubEnv("TMPDIR", temporary);
    onTestFinished(() => {
      vi.unstubAllEnvs();
      rmSync(temporary, { recursive: true });
    });
    const records: LogRecord[] = [];
    const crashing = await openProvider(
      { command: path, logLevel: "debug", onLog: (record) => records.push(record) },
      { config: { directory } },
    );
    const crash = await crashing
      .resource("pyvider_note")
      .create({ title: "c", trouble: "crash" })
      .catch((error: unknown) => error);
    expect(crash).toMatchObject({ code: "UNAVAILABLE", message: expect.stringContaining("exit code 3") });
    const cause = (crash as Error).cause as PluginHostError;
    expect(cause).toBeInstanceOf(PluginHostError);
    expect([cause.code, cause.process?.exit?.code, cause.process?.stderr]).toEqual([
      "PROVIDER_CRASHED",
      3,
      expect.stringContaining("Fatal Python error: enough"),
    ]);
    expect(records.map(({ message }) => message)).toContainEqual("Fatal Python error: enough");
    await crashing.close();
    expect(readdirSync(temporary)).toEqual([]);

    // On a busy machine, Python takes longer to exit than providers usually do.
    const provider = await launchProvider({ command: path, shutdownGraceMs: 60_000 });
    expect(provider.protocolVersion).toBe(6);
    await using client = await openProvider(async () => provider, { config: { directory } });
    const controller = new AbortController();
    const hanging = client.resource("pyvider_note").create({ title: "h", trouble: "hang" }, { signal: controller.signal });
    await sleep(300);
    controller.abort(new Error("cancelled"));
    await expect(hanging).rejects.toMatchObject({ code: "CANCELLED" });
    await client.close();
    // The provider exited by itself: it was not killed.
    expect(await provider.exited).toMatchObject({ code: 0, signal: null });
    expect(readdirSync(temporary)).toEqual([]);
  });
});
