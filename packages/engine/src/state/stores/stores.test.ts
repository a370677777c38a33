// SPDX-License-Identifier: Apache-2.0
// Tests that every store must pass, with real files and a real HTTP server; then tests of single stores.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { execFile } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { of, string } from "@tenon/cty";
import { describe, test } from "vitest";
import { opentofuVersion } from "../../opentofu-version.ts";
import { readStateFile } from "../read-state-file.ts";
import { StateDraft } from "../state-draft.ts";
import { StateManager } from "../state-manager.ts";
import { emptyState } from "../state.ts";
import { writeStateFile } from "../write-state-file.ts";
import { httpState } from "./http-store.ts";
import { localState } from "./local-store.ts";
import { acquireLock, createLockInfo } from "./lock-info.ts";
import { memoryState } from "./memory-store.ts";
import { defaultWorkspace, type StateStore } from "./state-store.ts";

interface OpenStore extends AsyncDisposable {
  readonly store: StateStore;
  /** Another object for the same stored states, as in another run. */
  readonly other: StateStore;
}

/** A server of the protocol of OpenTofu's `http` backend. */
async function httpServer(): Promise<{ readonly url: string; close(): Promise<void>; readonly requests: string[] }> {
  let content: Buffer | undefined;
  let lock: string | undefined;
  const requests: string[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    requests.push(`${request.method} ${request.url}`);
    const body = await buffer(request);
    const end = (status: number, text: string | Buffer = ""): void => void response.writeHead(status).end(text);
    if (request.method === "GET") return content === undefined ? end(404) : end(200, content);
    if (request.method === "POST") {
      content = body;
      return end(200);
    }
    if (request.method === "LOCK") {
      if (lock !== undefined) return end(423, lock);
      lock = body.toString();
      return end(200);
    }
    lock = undefined;
    return end(200);
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/state`,
    requests,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}

const kinds: Readonly<Record<string, () => Promise<OpenStore>>> = {
  memory: async () => {
    const store = memoryState();
    return { store, other: store, [Symbol.asyncDispose]: async () => {} };
  },
  local: async () => {
    const folder = mkdtempSync(join(tmpdir(), "tenon-store-"));
    const open = (): StateStore => localState({ path: join(folder, "terraform.tfstate") });
    return { store: open(), other: open(), [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true }) };
  },
  http: async () => {
    const server = await httpServer();
    const open = (): StateStore => httpState({ address: server.url, lockAddress: server.url, retryMax: 0 });
    return { store: open(), other: open(), [Symbol.asyncDispose]: () => server.close() };
  },
};

describe.for(Object.entries(kinds))("the %s store", ([kind, open]) => {
  test("stores a state, and does not write an unchanged one", async ({ expect }) => {
    await using opened = await open();
    const { store, other } = opened;
    const manager = await StateManager.open(store.workspace(defaultWorkspace), store.layout);
    expect(manager.file.serial).toBe(0);
    const draft = new StateDraft(manager.file.state);
    draft.setOutput("o", { value: of(string, "x"), sensitive: false });
    expect(await manager.save(draft.snapshot())).toBe(true);
    expect(await manager.save(draft.snapshot())).toBe(false);
    const again = await StateManager.open(other.workspace(defaultWorkspace), other.layout);
    expect(again.file).toMatchObject({ serial: 1, lineage: manager.file.lineage });
    expect(again.file.state.outputs.get("o")?.value).toEqual(of(string, "x"));
    const same = new StateDraft(again.file.state);
    same.setOutput("o", { value: of(string, "x"), sensitive: false });
    expect(await again.save(same.snapshot())).toBe(false);
    expect((await StateManager.open(store.workspace(defaultWorkspace), store.layout)).file.serial).toBe(1);
  });

  test("rejects a write if the stored state has another version", async ({ expect }) => {
    await using opened = await open();
    const [mine, theirs] = [opened.store.workspace(defaultWorkspace), opened.other.workspace(defaultWorkspace)];
    const version = await mine.write(Buffer.from("{}"), { expected: undefined });
    await expect(theirs.write(Buffer.from("[]"), { expected: undefined })).rejects.toMatchObject({ code: "STATE_CONFLICT" });
    await theirs.write(Buffer.from("[]"), { expected: version });
    await expect(mine.write(Buffer.from("{1}"), { expected: version })).rejects.toMatchObject({ code: "STATE_CONFLICT" });
    expect(Buffer.from((await mine.read())!.content).toString()).toBe("[]");
  });

  test("allows one run at a time to lock a state", async ({ expect }) => {
    await using opened = await open();
    const [mine, theirs] = [opened.store.workspace(defaultWorkspace), opened.other.workspace(defaultWorkspace)];
    const lock = await mine.lock(createLockInfo("OperationTypeApply"));
    const held = await theirs.lock(createLockInfo("OperationTypePlan")).catch((error: unknown) => error);
    expect(held).toMatchObject({ code: "STATE_LOCKED", lock: { ID: lock.info.ID, Operation: "OperationTypeApply" } });
    const waiting = acquireLock(theirs, createLockInfo("OperationTypePlan"), { timeoutMs: 60_000 });
    await lock.unlock();
    await lock.unlock();
    await (await waiting).unlock();
  });

  test("releases a lock only by its ID", async ({ expect }) => {
    await using opened = await open();
    const mine = opened.store.workspace(defaultWorkspace);
    const lock = await mine.lock(createLockInfo("OperationTypeApply"));
    await expect(mine.forceUnlock("another")).rejects.toMatchObject({ code: "STATE_LOCKED" });
    await mine.forceUnlock(lock.info.ID);
    await lock.unlock();
    const next = await opened.other.workspace(defaultWorkspace).lock(createLockInfo("OperationTypePlan"));
    await next.unlock();
  });

  test("lists and deletes workspaces, or rejects all but the default one", async ({ expect }) => {
    await using opened = await open();
    const { store } = opened;
    expect(await store.workspaces()).toEqual([defaultWorkspace]);
    await expect(store.deleteWorkspace(defaultWorkspace)).rejects.toMatchObject({ code: "INVALID_OPTIONS" });
    if (kind === "http") {
      expect(() => store.workspace("blue")).toThrow(expect.objectContaining({ code: "WORKSPACE_NOT_FOUND" }));
      return;
    }
    await store.workspace("green").write(Buffer.from("{}"), { expected: undefined });
    await store.workspace("blue").write(Buffer.from("{}"), { expected: undefined });
    expect(await store.workspaces()).toEqual([defaultWorkspace, "blue", "green"]);
    await store.deleteWorkspace("blue");
    expect(await store.workspaces()).toEqual([defaultWorkspace, "green"]);
    await expect(store.deleteWorkspace("blue")).rejects.toMatchObject({ code: "WORKSPACE_NOT_FOUND" });
  });

  test("reports a malformed state", async ({ expect }) => {
    await using opened = await open();
    await opened.store.workspace(defaultWorkspace).write(Buffer.from('{"version":9}'), { expected: undefined });
    const opening = StateManager.open(opened.other.workspace(defaultWorkspace), opened.other.layout);
    await expect(opening).rejects.toMatchObject({ code: "STATE_MALFORMED", message: expect.stringContaining("format version 9") });
  });
});

interface ShellWrite {
  /** The first content, which was written. */
  readonly written: string;
  /** The code and the text of the error of the second write. */
  readonly failure: string;
  /** Whether the copy of the second content is complete. */
  readonly copy: "whole" | "incomplete" | "absent";
}

/** Writes 4 KiB and then 60 KiB to a local store in a process that a shell command starts: `"$@"` is the process, `$0` the folder. */
async function writeInShell(command: string, folder: string): Promise<ShellWrite> {
  const script = `
    import { existsSync, readFileSync } from "node:fs";
    import { defaultWorkspace, localState } from "@tenon/engine/state/stores";
    const path = process.argv.at(-1) + "/terraform.tfstate";
    const workspace = localState({ path, backupPath: false }).workspace(defaultWorkspace);
    const [written, larger] = ["a".repeat(4096), "b".repeat(60 * 1024)];
    const expected = await workspace.write(Buffer.from(written), { expected: undefined });
    const failure = await workspace.write(Buffer.from(larger), { expected }).then(() => "none", (error) => error.code + " " + error.message);
    const tmp = path + "." + process.pid + ".tmp";
    const copy = !existsSync(tmp) ? "absent" : readFileSync(tmp, "utf8") === larger ? "whole" : "incomplete";
    console.log(JSON.stringify({ written, failure, copy }));
  `;
  const node = [process.execPath, "--input-type=module", "--eval", script, "--", folder];
  const { stdout } = await promisify(execFile)("sh", ["-c", command, folder, ...node], { cwd: import.meta.dirname });
  return JSON.parse(stdout) as ShellWrite;
}

describe("the local store", () => {
  test("writes a backup of the state before the first write", async ({ expect }) => {
    const folder = mkdtempSync(join(tmpdir(), "tenon-store-"));
    try {
      const path = join(folder, "deep/terraform.tfstate");
      const save = async (...values: readonly string[]): Promise<void> => {
        const store = localState({ path });
        const manager = await StateManager.open(store.workspace(defaultWorkspace), store.layout);
        for (const value of values) {
          const draft = new StateDraft(manager.file.state);
          draft.setOutput("o", { value: of(string, value), sensitive: false });
          await manager.save(draft.snapshot());
        }
      };
      await save("one");
      await save("two", "three");
      const read = (file: string): unknown => readStateFile(readFileSync(file)).file?.state.outputs.get("o")?.value.payload;
      expect(read(path)).toBe("three");
      expect(read(`${path}.backup`)).toBe("one");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  // A deleted file can be opened by its descriptor's path, but has no real path.
  test.runIf(process.platform === "linux")("closes the state file when locking it fails", async ({ expect }) => {
    const folder = mkdtempSync(join(tmpdir(), "tenon-store-"));
    const deleted = openSync(join(folder, "terraform.tfstate"), "w+");
    rmSync(folder, { recursive: true });
    try {
      const workspace = localState({ path: `/proc/self/fd/${deleted}` }).workspace(defaultWorkspace);
      const before = readdirSync("/proc/self/fd").length;
      for (let attempt = 0; attempt < 5; attempt++) {
        await expect(workspace.lock(createLockInfo("OperationTypeApply"))).rejects.toMatchObject({ code: "STORE_FAILED" });
      }
      expect(readdirSync("/proc/self/fd").length).toBeLessThan(before + 5);
    } finally {
      closeSync(deleted);
    }
  });

  test.runIf(process.platform !== "win32")("keeps the stored state when the new one cannot be written", async ({ expect }) => {
    const folder = mkdtempSync(join(tmpdir(), "tenon-store-"));
    try {
      const { written, failure } = await writeInShell('ulimit -f 32; exec "$@"', folder);
      expect(failure).toBe(`STORE_FAILED cannot write the state to ${folder}/terraform.tfstate: EFBIG: file too large, write`);
      expect(readdirSync(folder)).toEqual(["terraform.tfstate"]);
      expect(readFileSync(join(folder, "terraform.tfstate"), "utf8")).toBe(written);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test.runIf(process.platform === "linux")(
    "names the copy of the new state when the disk is full during the write",
    async ({ expect, skip }) => {
      const folder = mkdtempSync(join(tmpdir(), "tenon-store-"));
      try {
        const run = promisify(execFile);
        const inNamespace = ["--map-root-user", "--mount", "sh", "-c"];
        const mount = 'mount -t tmpfs -o size=96k tmpfs "$1" && shift && ';
        await run("unshare", [...inNamespace, `${mount} true`, "sh", folder]).catch(() => skip("this user cannot mount a file system"));
        const { failure, copy } = await writeInShell(`unshare ${inNamespace.join(" ")} '${mount} exec "$@"' sh "$0" "$@"`, folder);
        const [path, pid] = [`${folder}/terraform.tfstate`, /\.(\d+)\.tmp/.exec(failure)?.[1]];
        expect(failure).toBe(
          `STORE_FAILED cannot write the state to ${path}: ENOSPC: no space left on device, write. The file may be incomplete. The whole new state is in ${path}.${pid}.tmp, and the next run reads it from there`,
        );
        expect(copy).toBe("whole");
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  );

  describe("after a process was killed during a write", () => {
    const fileOf = (serial: number, lineage = "11111111-2222-3333-4444-555555555555"): string =>
      writeStateFile({ terraformVersion: opentofuVersion, serial, lineage, state: emptyState });
    const [older, newer, newest] = [fileOf(1), fileOf(2), fileOf(3)];
    const cases = [
      { name: "an empty file", file: "", copies: [newer], expected: newer, left: 0 },
      { name: "a file that is cut off", file: newer.slice(0, 40), copies: [newer], expected: newer, left: 0 },
      { name: "an untouched file", file: older, copies: [newer], expected: newer, left: 0 },
      { name: "copies of two processes", file: "", copies: [newer, newest], expected: newest, left: 0 },
      { name: "a copy that is cut off", file: older, copies: [newer.slice(0, 40)], expected: older, left: 0 },
      { name: "a copy that is older than the file", file: newest, copies: [newer], expected: newest, left: 0 },
      {
        name: "a copy of another lineage",
        file: older,
        copies: [fileOf(9, "66666666-2222-3333-4444-555555555555")],
        expected: older,
        left: 1,
      },
    ];
    test.for(cases)("the next lock restores the state from $name", async ({ file, copies, expected, left }, { expect }) => {
      const folder = mkdtempSync(join(tmpdir(), "tenon-store-"));
      try {
        const path = join(folder, "terraform.tfstate");
        writeFileSync(path, file);
        for (const [index, copy] of copies.entries()) writeFileSync(`${path}.${4_000_000 + index}.tmp`, copy);
        const store = localState({ path }).workspace(defaultWorkspace);
        if (file === "") expect((await store.read())?.content.toString()).toBe(expected);
        await (await store.lock(createLockInfo("test"))).unlock();
        expect(readFileSync(path, "utf8")).toBe(expected);
        expect(readdirSync(folder)).toHaveLength(1 + left);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  });

  test.for(["..", ".", "", "a/b", "../x"])("rejects the workspace name %j", (name, { expect }) => {
    expect(() => localState().workspace(name)).toThrow(expect.objectContaining({ code: "INVALID_OPTIONS" }));
  });
});

describe("the HTTP store", () => {
  test("retries failed requests, and reports the last failure without secrets", async ({ expect }) => {
    let requests = 0;
    const server = createServer((_, response) => void response.writeHead(++requests < 3 ? 503 : 204).end());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/state?token=secret`;
    const state = httpState({ address, retryWaitMinMs: 1 }).workspace(defaultWorkspace);
    expect(await state.read()).toBeUndefined();
    expect(requests).toBe(3);
    await new Promise<void>((resolve) => void server.close(() => resolve()));
    const failure = await httpState({ address, retryMax: 1, retryWaitMinMs: 1 })
      .workspace(defaultWorkspace)
      .read()
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "STORE_FAILED" });
    expect(String(failure)).not.toContain("secret");
  });

  test("rejects an address that is not an HTTP URL", ({ expect }) => {
    expect(() => httpState({ address: "file:///etc/passwd" })).toThrow(expect.objectContaining({ code: "INVALID_OPTIONS" }));
  });
});
