// SPDX-License-Identifier: Apache-2.0
// State stores of providers: a store written with provider-sdk, in this process and in a launched one.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openWorkspace } from "@tenon/engine";
import { objectFiles } from "@tenon/engine/configuration";
import { createLockInfo, defaultWorkspace, providerState, type ProviderStateOptions, type StateStore } from "@tenon/engine/state/stores";
import { launchProvider } from "@tenon/plugin-host";
import { createProvider } from "@tenon/provider-sdk";
import type { ProviderFactory } from "@tenon/schema";
import { describe, test } from "vitest";
import { provider as shelves } from "./fixtures/shelves.ts";

const main = join(import.meta.dirname, "fixtures/shelves-main.ts");

const providers: Readonly<Record<string, ProviderFactory>> = {
  "in this process": async () => createProvider(shelves),
  launched: () => launchProvider({ command: [process.execPath, main], name: "shelves", protocolVersions: [6] }),
};

describe.for(Object.entries(providers))("the store of a provider %s", ([, provider]) => {
  async function withStore<T>(config: ProviderStateOptions["config"], use: (store: StateStore) => Promise<T>): Promise<T> {
    const store = providerState({ provider, type: "shelves_shelf", ...(config && { config }) });
    try {
      return await use(store);
    } finally {
      await store.close!();
    }
  }

  async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
    const folder = mkdtempSync(join(tmpdir(), "tenon-shelves-"));
    try {
      return await use(folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  test("keeps the state of a workspace, in chunks", async ({ expect }) => {
    await inFolder((folder) =>
      withStore({ folder }, async (state) => {
        const value = "x".repeat(5_000);
        const configuration = objectFiles({ "main.tf": `output "o" {\n  value = "${value}"\n}\n` });
        const workspace = openWorkspace({ configuration, providers: {}, state });
        await (await workspace.plan()).apply();
        await withStore({ folder }, async (other) => {
          const reading = openWorkspace({ configuration, providers: {}, state: other });
          expect((await reading.outputs()).get("o")?.value.payload).toBe(value);
          await using again = await reading.plan();
          expect(again.hasChanges).toBe(false);
          await expect(workspace.plan()).rejects.toMatchObject({
            code: "STATE_LOCKED",
            message: expect.stringContaining("locked for plan"),
          });
        });
      }),
    );
  });

  test("writes only over the expected version, and lists and deletes workspaces", async ({ expect }) => {
    await inFolder((folder) =>
      withStore({ folder }, async (store) => {
        const state = store.workspace("blue");
        expect(await state.read()).toBeUndefined();
        const version = await state.write(Buffer.from("1"), { expected: undefined });
        await expect(state.write(Buffer.from("2"), { expected: undefined })).rejects.toMatchObject({ code: "STATE_CONFLICT" });
        await state.write(Buffer.from("2"), { expected: version });
        await store.workspace(defaultWorkspace).write(Buffer.from("{}"), { expected: undefined });
        expect(await store.workspaces()).toEqual([defaultWorkspace, "blue"]);
        await store.deleteWorkspace("blue");
        await expect(store.deleteWorkspace("blue")).rejects.toMatchObject({ code: "WORKSPACE_NOT_FOUND" });
        expect(await store.workspaces()).toEqual([defaultWorkspace]);
      }),
    );
  });

  test("releases a lock of another run only by its ID", async ({ expect }) => {
    await inFolder((folder) =>
      withStore({ folder }, (mine) =>
        withStore({ folder }, async (theirs) => {
          const [ours, other] = [mine.workspace("blue"), theirs.workspace("blue")];
          const lock = await ours.lock(createLockInfo("OperationTypeApply"));
          await expect(other.forceUnlock("another")).rejects.toMatchObject({ code: "STORE_FAILED" });
          await other.forceUnlock(lock.info.ID);
          const next = await other.lock(createLockInfo("OperationTypePlan"));
          await expect(ours.lock(createLockInfo("OperationTypePlan"))).rejects.toMatchObject({ code: "STATE_LOCKED" });
          await next.unlock();
          await next.unlock();
        }),
      ),
    );
  });

  test("reports an invalid configuration, and errors of the provider", async ({ expect }) => {
    await withStore({}, async (store) => {
      await expect(store.workspaces()).rejects.toMatchObject({ code: expect.stringMatching(/INVALID_OPTIONS|STORE_FAILED/) });
    });
    const absent = providerState({ provider, type: "shelves_none" });
    await expect(absent.workspaces()).rejects.toMatchObject({ code: "INVALID_OPTIONS" });
    await withStore({ folder: "/absent/folder" }, async (store) => {
      const reading = store.workspace("blue").write(Buffer.from("1"), { expected: undefined });
      await expect(reading).rejects.toMatchObject({ code: "STORE_FAILED", message: expect.stringContaining("ENOENT") });
    });
  });
});
