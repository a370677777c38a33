// SPDX-License-Identifier: Apache-2.0
// The PostgreSQL store with a real server, which tofu uses too: states, locks and workspaces.
import { createLockInfo, defaultWorkspace, postgresState, type PostgresStateOptions, type StateStore } from "@tenon/engine/state/stores";
import { describePeer } from "@tenon/peers/vitest";
import pg from "pg";
import { afterAll, beforeAll, test } from "vitest";
import { describePostgres, PostgresServer } from "./postgres-server.ts";
import { shareWithTofu, TofuFolder, useBackendBlock } from "./tofu-folder.ts";

describePostgres("the PostgreSQL store", (programs) => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start(programs);
  });
  afterAll(() => server?.[Symbol.asyncDispose]());

  async function withStore<T>(given: PostgresStateOptions, use: (store: StateStore) => Promise<T>): Promise<T> {
    const store = postgresState({ connectionString: server.connectionString, variables: {}, ...given });
    try {
      return await use(store);
    } finally {
      await store.close!();
    }
  }

  /** Queries the database with a connection of its own. */
  async function query(text: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const client = new pg.Client({ host: server.folder, user: "tenon", database: "postgres" });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  }

  test("writes only over the expected version", async ({ expect }) => {
    await withStore({ schemaName: "versions" }, async (store) => {
      const state = store.workspace(defaultWorkspace);
      expect(await state.read()).toBeUndefined();
      const first = await state.write(Buffer.from('{"a":"ü"}'), { expected: undefined });
      await expect(state.write(Buffer.from("2"), { expected: undefined })).rejects.toMatchObject({ code: "STATE_CONFLICT" });
      const second = await state.write(Buffer.from("2"), { expected: first });
      await expect(state.write(Buffer.from("3"), { expected: first })).rejects.toMatchObject({ code: "STATE_CONFLICT" });
      expect(await state.read()).toEqual({ content: new Uint8Array(Buffer.from("2")), version: second });
      const writes = ["3", "4", "5"].map((content) => state.write(Buffer.from(content), { expected: second }));
      const results = await Promise.allSettled(writes);
      expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    });
  });

  test("accepts only the first of several concurrent writes under the lock", async ({ expect }) => {
    await withStore({ schemaName: "versions" }, async (store) => {
      const state = store.workspace("locked");
      const lock = await state.lock(createLockInfo("OperationTypeApply"));
      const writes = ["3", "4", "5"].map((content) => state.write(Buffer.from(content), { expected: undefined }));
      const results = await Promise.allSettled(writes);
      expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
      expect(Buffer.from((await state.read())!.content).toString()).toBe("3");
      await lock.unlock();
    });
  });

  test("locks workspaces with a row and workspaces without one, each for a single run", async ({ expect }) => {
    const options = { schemaName: "locks" };
    const plan = createLockInfo("OperationTypePlan");
    await withStore(options, (mine) =>
      withStore(options, async (theirs) => {
        const [ours, other] = [mine.workspace("blue"), theirs.workspace("blue")];
        const creating = await ours.lock(createLockInfo("OperationTypeApply"));
        await expect(ours.lock(plan)).rejects.toMatchObject({ code: "STATE_LOCKED", lock: { ID: creating.info.ID } });
        await expect(other.lock(plan)).rejects.toMatchObject({ code: "STATE_LOCKED", lock: undefined });
        // The creations of all workspaces share one lock, because a workspace without a row has no number to lock.
        await expect(theirs.workspace("green").lock(plan)).rejects.toMatchObject({ code: "STATE_LOCKED" });
        const version = await ours.write(Buffer.from("{}"), { expected: undefined });
        await expect(other.lock(plan)).rejects.toMatchObject({ message: expect.stringContaining("creating a workspace") });
        await creating.unlock();
        await creating.unlock();

        const held = await ours.lock(createLockInfo("OperationTypeApply"));
        await expect(other.lock(plan)).rejects.toMatchObject({ code: "STATE_LOCKED" });
        await theirs
          .workspace("green")
          .lock(plan)
          .then((lock) => lock.unlock());
        await expect(ours.forceUnlock("another")).rejects.toMatchObject({ code: "STATE_LOCKED" });
        await ours.forceUnlock(held.info.ID);
        await (await other.lock(plan)).unlock();
        await ours.write(Buffer.from("{ }"), { expected: version });
      }),
    );
  });

  test("rejects a write after the connection with the lock was lost", async ({ expect }) => {
    await withStore({ schemaName: "lost" }, async (store) => {
      const state = store.workspace(defaultWorkspace);
      const version = await state.write(Buffer.from("1"), { expected: undefined });
      const lock = await state.lock(createLockInfo("OperationTypeApply"));
      await query("SELECT pg_terminate_backend(pid, 60000) FROM pg_locks WHERE locktype = 'advisory'");
      await expect(state.write(Buffer.from("2"), { expected: version })).rejects.toMatchObject({ code: "STORE_FAILED" });
      await expect(lock.unlock()).rejects.toMatchObject({ code: "STORE_FAILED" });
      expect(Buffer.from((await state.read())!.content).toString()).toBe("1");
    });
  });

  test("creates the schema, the table and the index unless the options skip that", async ({ expect }) => {
    const names = { schemaName: 'a "b"', tableName: "t-1", indexName: "i 1" };
    const skipping = { skipSchemaCreation: true, skipTableCreation: true, skipIndexCreation: true };
    await withStore({ ...names, ...skipping }, async (store) => {
      await expect(store.workspaces()).rejects.toMatchObject({ code: "STORE_FAILED", message: expect.stringContaining("does not exist") });
    });
    await withStore(names, async (store) => {
      await store.workspace("x").write(Buffer.from("{}"), { expected: undefined });
    });
    await withStore({ ...names, ...skipping }, async (store) => expect(await store.workspaces()).toEqual([defaultWorkspace, "x"]));
    const indexes = await query(`SELECT indexname FROM pg_indexes WHERE schemaname = 'a "b"' ORDER BY indexname`);
    expect(indexes.map(({ indexname }) => indexname)).toContain("i 1");
  });

  test("lists and deletes workspaces", async ({ expect }) => {
    await withStore({ schemaName: "workspaces" }, async (store) => {
      for (const name of ["green", "blue"]) await store.workspace(name).write(Buffer.from("{}"), { expected: undefined });
      expect(await store.workspaces()).toEqual([defaultWorkspace, "blue", "green"]);
      await store.deleteWorkspace("blue");
      await expect(store.deleteWorkspace("blue")).rejects.toMatchObject({ code: "WORKSPACE_NOT_FOUND" });
      await expect(store.deleteWorkspace(defaultWorkspace)).rejects.toMatchObject({ code: "INVALID_OPTIONS" });
      expect(await store.workspaces()).toEqual([defaultWorkspace, "green"]);
    });
  });

  test("reports a server that it cannot reach, without the password", async ({ expect }) => {
    const connectionString = `postgres://u:secret@/db?host=${server.folder}/absent&sslmode=disable`;
    await withStore({ connectionString }, async (store) => {
      const failure = await store.workspaces().catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: "STORE_FAILED" });
      expect(String(failure)).not.toContain("secret");
    });
  });

  describePeer(["tofu"], "shared with tofu", ({ tofu }) => {
    test("shares states, locks and workspaces", { timeout: 120_000 }, async ({ expect }) => {
      const backend = `terraform {\n  backend "pg" {\n    conn_str = "${server.connectionString}"\n  }\n}\n`;
      using folder = new TofuFolder(tofu.path, backend);
      await withStore({}, async (store) => {
        // The server does not know who holds a lock.
        await shareWithTofu(folder, store, expect, { describesHolder: false });
        expect((await folder.run("workspace", "new", "blue")).code).toBe(0);
        expect(await store.workspaces()).toEqual([defaultWorkspace, "blue"]);
        const content = (await store.workspace(defaultWorkspace).read())!.content;
        await store.workspace("green").write(content, { expected: undefined });
        expect((await folder.run("workspace", "list")).output).toMatch(/default\n\* blue\n {2}green\n/);
        const selected = await folder.run("workspace", "select", "green");
        expect(selected.code, selected.output).toBe(0);
        expect((await folder.run("state", "list")).output).toContain('terraform_data.a["10"]');
        await store.deleteWorkspace("blue");
        expect((await folder.run("workspace", "list")).output).not.toContain("blue");
        // While the engine creates a workspace, tofu cannot create one.
        const creating = await store.workspace("red").lock(createLockInfo("OperationTypeApply"));
        const refused = await folder.run("workspace", "new", "yellow");
        expect(refused.code).toBe(1);
        expect(refused.output).toContain("Already locked for workspace creation");
        await creating.unlock();
      });
      expect((await folder.run("workspace", "select", "default")).code).toBe(0);
      expect((await folder.run("apply", "-auto-approve")).code).toBe(0);
      await useBackendBlock(folder, `backend = "pg"\nconfig = {\n  conn_str = "${server.connectionString}"\n}`, expect);
    });
  });
});
