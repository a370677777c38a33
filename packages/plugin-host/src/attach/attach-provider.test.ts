// SPDX-License-Identifier: Apache-2.0
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ReattachProvider } from "@tenon/protocol/reattach";
import { afterAll, describe, test } from "vitest";
import { isRunning } from "../../test/processes.ts";
import { attachProvider, reattachProviders } from "./attach-provider.ts";

const fixture = join(import.meta.dirname, "../../test/fixtures/terraform-provider-working.ts");
const folder = mkdtempSync(join(tmpdir(), "attach-"));
const started: ChildProcess[] = [];
afterAll(() => {
  for (const process of started) process.kill("SIGKILL");
  rmSync(folder, { recursive: true });
});

/** Starts a provider as a debugger does, and returns its reattach entry. */
async function start(test: boolean): Promise<ReattachProvider & { readonly process: ChildProcess; readonly exited: Promise<unknown[]> }> {
  const path = join(folder, `s${started.length}`);
  const provider = spawn(process.execPath, [fixture, "attach", path], { stdio: ["ignore", "pipe", "inherit"] });
  started.push(provider);
  const exited = once(provider, "exit");
  await once(provider.stdout, "data");
  return { protocolVersion: 6, pid: provider.pid!, test, address: { network: "unix", path }, process: provider, exited };
}

describe("reattachProviders", () => {
  test("reads TF_REATTACH_PROVIDERS", ({ expect }) => {
    expect(reattachProviders({})).toEqual(new Map());
    expect(reattachProviders({ TF_REATTACH_PROVIDERS: "" })).toEqual(new Map());
    const variable = '{"me/notes":{"Protocol":"grpc","ProtocolVersion":6,"Pid":7,"Test":true,"Addr":{"Network":"unix","String":"/run/n"}}}';
    expect(reattachProviders({ TF_REATTACH_PROVIDERS: variable }).get("me/notes")).toEqual({
      protocolVersion: 6,
      pid: 7,
      test: true,
      address: { network: "unix", path: "/run/n" },
    });
    expect(() => reattachProviders({ TF_REATTACH_PROVIDERS: "[" })).toThrow(expect.objectContaining({ code: "REATTACH_MALFORMED" }));
  });
});

describe("an attached provider", () => {
  test("keeps running after close when its entry says test: true, and can be attached to again (pitfall 25)", async ({ expect }) => {
    const entry = await start(true);
    for (const name of ["first", "second"]) {
      const provider = await attachProvider(entry, { name });
      expect(provider).toMatchObject({ name, protocolVersion: 6, pid: entry.pid });
      expect(await provider.getMetadata({})).toMatchObject({ diagnostics: [] });
      await provider.close();
      await expect(provider.getMetadata({})).rejects.toMatchObject({ code: "CLOSED" });
    }
    expect(isRunning(entry.pid)).toBe(true);
  });

  test("is shut down on close when its entry says test: false", async ({ expect }) => {
    const entry = await start(false);
    const provider = await attachProvider(entry);
    await provider.close();
    await provider.close();
    // A process that has ended has no exit code before its parent has handled the event.
    expect(await entry.exited).toEqual([0, null]);
  });

  test("becomes unavailable when its connection closes or its process exits (pitfall 36)", async ({ expect }) => {
    const entry = await start(true);
    const provider = await attachProvider(entry);
    entry.process.kill("SIGKILL");
    await entry.exited;
    await expect
      .poll(() => provider.getMetadata({}).catch((error: unknown) => error), { timeout: 10_000 })
      .toMatchObject({ code: "UNAVAILABLE" });

    const serving = await start(true);
    const supervised = await attachProvider({ ...serving, pid: entry.pid }, { name: "supervised" });
    const gone = { code: "UNAVAILABLE", message: expect.stringContaining(`its process ${entry.pid} is no longer running`) };
    await expect.poll(() => supervised.getMetadata({}).catch((error: unknown) => error), { timeout: 30_000 }).toMatchObject(gone);
    await Promise.all([provider.close(), supervised.close()]);
  });

  test("is rejected when its protocol is unsupported or nothing serves at its address", async ({ expect }) => {
    const entry = await start(true);
    await expect(attachProvider({ ...entry, protocolVersion: 4 })).rejects.toMatchObject({ code: "PROTOCOL_UNSUPPORTED" });
    const nowhere: ReattachProvider = { ...entry, address: { network: "unix", path: join(folder, "nowhere") } };
    await expect(attachProvider(nowhere)).rejects.toMatchObject({
      code: "CONNECTION_FAILED",
      message: expect.stringContaining(`process ${entry.pid} is running, but does not serve there`),
    });
  });
});
