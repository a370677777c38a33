// SPDX-License-Identifier: Apache-2.0
// The s3 store with a real server of the S3 protocol, which tofu uses too: states, locks, checksums and workspaces.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GetItemCommand, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { GetObjectCommand, ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3";
import { createLockInfo, defaultWorkspace, s3State, type S3StateOptions, type StateStore } from "@tenon/engine/state/stores";
import { describePeer } from "@tenon/peers/vitest";
import { afterAll, beforeAll, describe, test } from "vitest";
import { DynamodbServer, S3Server, s3Keys, s3Region } from "./s3-server.ts";
import { excludeEachOther, shareWithTofu, TofuFolder, useBackendBlock } from "./tofu-folder.ts";

describePeer(["versitygw"], "the s3 store", ({ versitygw }) => {
  let server: S3Server;
  let database: DynamodbServer;
  beforeAll(async () => {
    server = await S3Server.start(versitygw.path, ["states"]);
    database = await DynamodbServer.start(["locks"]);
  });
  afterAll(async () => {
    await database?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });

  function options(key: string, further: Partial<S3StateOptions> = {}): S3StateOptions {
    const endpoints = { s3: server.url, dynamodb: database.url };
    return { bucket: "states", key, region: s3Region, credentials: s3Keys, endpoints, usePathStyle: true, variables: {}, ...further };
  }

  async function withStore<T>(given: S3StateOptions, use: (store: StateStore) => Promise<T>): Promise<T> {
    const store = s3State(given);
    try {
      return await use(store);
    } finally {
      await store.close!();
    }
  }

  /** The keys of the objects with a prefix. */
  async function keys(prefix: string): Promise<readonly (string | undefined)[]> {
    const client = new S3Client({ region: s3Region, endpoint: server.url, credentials: s3Keys, forcePathStyle: true });
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: "states", Prefix: prefix }));
    client.destroy();
    return Contents.map(({ Key }) => Key);
  }

  const locks = {
    "a lock object": { useLockfile: true },
    "a DynamoDB table": { dynamodbTable: "locks" },
    both: { useLockfile: true, dynamodbTable: "locks" },
  } satisfies Readonly<Record<string, Partial<S3StateOptions>>>;

  describe.for(Object.entries(locks))("with %s", ([name, lock]) => {
    const key = `own/${name.replaceAll(" ", "-")}/state.json`;

    test("writes only over the expected version", async ({ expect }) => {
      await withStore(options(key, lock), async (store) => {
        const state = store.workspace(defaultWorkspace);
        expect(await state.read()).toBeUndefined();
        const first = await state.write(Buffer.from("1"), { expected: undefined });
        await expect(state.write(Buffer.from("2"), { expected: undefined })).rejects.toMatchObject({ code: "STATE_CONFLICT" });
        const second = await state.write(Buffer.from("2"), { expected: first });
        await expect(state.write(Buffer.from("3"), { expected: first })).rejects.toMatchObject({ code: "STATE_CONFLICT" });
        expect(await state.read()).toEqual({ content: new Uint8Array(Buffer.from("2")), version: second });
        // A repeated write succeeds if the object has its content already, as after a retry.
        expect(await state.write(Buffer.from("2"), { expected: first })).toBe(second);
      });
    });

    test("excludes a second run, and releases a lock only by its ID", async ({ expect }) => {
      await withStore(options(key, lock), async (store) => {
        const state = store.workspace(defaultWorkspace);
        const held = await state.lock(createLockInfo("OperationTypeApply", "<&>"));
        expect(held.info.Path).toBe(`states/${key}`);
        await withStore(options(key, lock), async (other) => {
          const theirs = other.workspace(defaultWorkspace);
          const failure = await theirs.lock(createLockInfo("OperationTypePlan")).catch((error: unknown) => error);
          expect(failure).toMatchObject({ code: "STATE_LOCKED", lock: { ID: held.info.ID, Info: "<&>" } });
          await expect(theirs.forceUnlock("another")).rejects.toMatchObject({ code: "STATE_LOCKED" });
          await theirs.forceUnlock(held.info.ID);
          await theirs.forceUnlock(held.info.ID);
          const next = await theirs.lock(createLockInfo("OperationTypePlan"));
          // The first run no longer has the lock, so it releases nothing.
          await held.unlock();
          await expect(state.lock(createLockInfo("OperationTypePlan"))).rejects.toMatchObject({ code: "STATE_LOCKED" });
          await next.unlock();
        });
      });
    });
  });

  test("removes the lock object when the lock in the table is taken", async ({ expect }) => {
    const key = "own/half-locked.json";
    await withStore(options(key, { dynamodbTable: "locks" }), async (table) => {
      const held = await table.workspace(defaultWorkspace).lock(createLockInfo("OperationTypeApply"));
      await withStore(options(key, locks.both), async (store) => {
        await expect(store.workspace(defaultWorkspace).lock(createLockInfo("OperationTypePlan"))).rejects.toMatchObject({
          code: "STATE_LOCKED",
        });
      });
      expect(await keys(key)).toEqual([]);
      await held.unlock();
    });
  });

  test("lists and deletes workspaces of several pages and prefixes", async ({ expect }) => {
    const key = "many/state.json";
    await withStore(options(key, { workspaceKeyPrefix: "teams" }), async (store) => {
      for (const name of ["green", "blue"]) await store.workspace(name).write(Buffer.from("{}"), { expected: undefined });
      expect(await keys("teams/")).toEqual([`teams/blue/${key}`, `teams/green/${key}`]);
      expect(await store.workspaces()).toEqual([defaultWorkspace, "blue", "green"]);
      await store.deleteWorkspace("blue");
      await expect(store.deleteWorkspace("blue")).rejects.toMatchObject({ code: "WORKSPACE_NOT_FOUND" });
      await expect(store.deleteWorkspace(defaultWorkspace)).rejects.toMatchObject({ code: "INVALID_OPTIONS" });
      expect(await store.workspaces()).toEqual([defaultWorkspace, "green"]);
      expect(() => store.workspace("../x")).toThrow(expect.objectContaining({ code: "INVALID_OPTIONS" }));
    });
  });

  test("rejects a state that does not match the checksum, with OpenTofu's text", async ({ expect }) => {
    const key = "own/checksum.json";
    await withStore(options(key, { dynamodbTable: "locks", consistencyTimeoutMs: 0 }), async (store) => {
      const state = store.workspace(defaultWorkspace);
      await state.write(Buffer.from("{}"), { expected: undefined });
      const client = database.client();
      const digest = { LockID: { S: `states/${key}-md5` }, Digest: { S: "0".repeat(32) } };
      await client.send(new PutItemCommand({ TableName: "locks", Item: digest }));
      const failure = await state.read().catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: "STORE_FAILED" });
      expect(String(failure)).toContain("state data in S3 does not have the expected content.");
      expect(String(failure)).toContain("DynamoDB table to the following value: 99914b932bd37a50b983c5e7c90ae93b");
      client.destroy();
    });
  });

  test("reports an absent bucket, refused credentials and an absent table", async ({ expect }) => {
    const read = (given: S3StateOptions): Promise<unknown> =>
      withStore(given, (store) =>
        store
          .workspace(defaultWorkspace)
          .read()
          .catch((error: unknown) => error),
      );
    const absent = await read(options("a", { bucket: "absent" }));
    expect(absent).toMatchObject({ code: "STORE_FAILED", message: expect.stringContaining("S3 bucket does not exist.") });
    const refused = await read(options("a", { credentials: { ...s3Keys, secretAccessKey: "wrong-secret" } }));
    expect(refused).toMatchObject({ code: "STORE_FAILED", message: expect.stringContaining("SignatureDoesNotMatch") });
    expect(String(refused)).not.toContain("wrong-secret");
    await withStore(options("a", { dynamodbTable: "absent" }), async (store) => {
      const locking = store.workspace(defaultWorkspace).lock(createLockInfo("OperationTypePlan"));
      await expect(locking).rejects.toMatchObject({
        code: "STORE_FAILED",
        message: expect.stringContaining("lock the state in the DynamoDB table absent: ResourceNotFoundException"),
      });
    });
  });

  test("takes the keys from the environment and from profiles of shared files", async ({ expect }) => {
    const folder = mkdtempSync(join(tmpdir(), "tenon-aws-"));
    try {
      const [other, good] = [join(folder, "other"), join(folder, "good")];
      writeFileSync(other, "[unrelated]\naws_access_key_id = a\naws_secret_access_key = b\n");
      writeFileSync(good, `[team]\naws_access_key_id = ${s3Keys.accessKeyId}\naws_secret_access_key = ${s3Keys.secretAccessKey}\n`);
      const { credentials: _, ...bare } = options("own/credentials.json");
      const wrong = { AWS_ACCESS_KEY_ID: "x", AWS_SECRET_ACCESS_KEY: "y" };
      const right = { AWS_ACCESS_KEY_ID: s3Keys.accessKeyId, AWS_SECRET_ACCESS_KEY: s3Keys.secretAccessKey };
      const sources: readonly Partial<S3StateOptions>[] = [
        { variables: right },
        { credentials: async () => s3Keys },
        { profile: "team", sharedCredentialsFiles: [good, other], variables: wrong },
        { variables: { AWS_PROFILE: "team", AWS_SHARED_CREDENTIALS_FILE: good } },
      ];
      for (const source of sources) {
        await withStore({ ...bare, ...source }, async (store) => {
          expect(await store.workspace(defaultWorkspace).read()).toBeUndefined();
        });
      }
      await withStore({ ...bare, profile: "absent", sharedCredentialsFiles: [good], variables: right }, async (store) => {
        await expect(store.workspace(defaultWorkspace).read()).rejects.toMatchObject({ code: "STORE_FAILED" });
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("sends tags, and cancels requests", async ({ expect }) => {
    const key = "own/tags.json";
    await withStore(options(key, { stateTags: { team: "a b", "cost+": "1" }, acl: "private" }), async (store) => {
      const state = store.workspace(defaultWorkspace);
      await state.write(Buffer.from("{}"), { expected: undefined });
      const client = new S3Client({ region: s3Region, endpoint: server.url, credentials: s3Keys, forcePathStyle: true });
      const { TagCount, ContentType } = await client.send(new GetObjectCommand({ Bucket: "states", Key: key }));
      expect({ TagCount, ContentType }).toEqual({ TagCount: 2, ContentType: "application/json" });
      client.destroy();
      const reason = new Error("enough");
      await expect(state.read({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    });
  });

  describePeer(["tofu"], "shared with tofu", ({ tofu }) => {
    /** The arguments of the backend, as lines of HCL. */
    function argumentsOf(key: string): string {
      return `
    bucket                      = "states"
    key                         = "${key}"
    region                      = "${s3Region}"
    access_key                  = "${s3Keys.accessKeyId}"
    secret_key                  = "${s3Keys.secretAccessKey}"
    endpoints                   = { s3 = "${server.url}", dynamodb = "${database.url}" }
    use_path_style              = true
    skip_credentials_validation = true
    skip_requesting_account_id  = true
    skip_metadata_api_check     = true
    skip_region_validation      = true
`;
    }

    function folderOf(key: string, further: string): TofuFolder {
      return new TofuFolder(tofu.path, `terraform {\n  backend "s3" {${argumentsOf(key)}${further}\n  }\n}\n`);
    }

    test("shares states, locks and workspaces by a lock object", { timeout: 120_000 }, async ({ expect }) => {
      const key = "tofu/lock-object.json";
      using folder = folderOf(key, "use_lockfile = true");
      await withStore(options(key, locks["a lock object"]), async (store) => {
        await shareWithTofu(folder, store, expect);
        expect((await folder.run("workspace", "new", "blue")).code).toBe(0);
        expect(await store.workspaces()).toEqual([defaultWorkspace, "blue"]);
        const blue = store.workspace("blue");
        const { version } = (await blue.read())!;
        await blue.write((await store.workspace(defaultWorkspace).read())!.content, { expected: version });
        expect((await folder.run("state", "list")).output).toContain('terraform_data.a["10"]');
        await store.workspace("green").write((await blue.read())!.content, { expected: undefined });
        expect((await folder.run("workspace", "list")).output).toMatch(/default\n\* blue\n {2}green\n/);
        expect((await folder.run("workspace", "delete", "-force", "green")).code).toBe(0);
        expect(await store.workspaces()).toEqual([defaultWorkspace, "blue"]);
        await store.deleteWorkspace("blue");
        expect(await keys("env:/")).toEqual([]);
      });
      expect((await folder.run("workspace", "select", "default")).code).toBe(0);
      expect((await folder.run("apply", "-auto-approve")).code).toBe(0);
      await useBackendBlock(folder, `backend = "s3"\nconfig = {${argumentsOf(key)}}`, expect);
    });

    test("shares states, checksums and locks by a DynamoDB table", { timeout: 120_000 }, async ({ expect }) => {
      const key = "tofu/table.json";
      using folder = folderOf(key, 'dynamodb_table = "locks"');
      await withStore(options(key, locks["a DynamoDB table"]), async (store) => {
        await shareWithTofu(folder, store, expect);
        // tofu removes a lock only if the table has the text that it would write itself.
        const created = { ...createLockInfo("OperationTypeApply", "<&>"), Created: "2026-01-02T03:04:05.100Z" };
        const held = await store.workspace(defaultWorkspace).lock(created);
        const broken = await folder.run("force-unlock", "-force", held.info.ID);
        expect(broken.code, broken.output).toBe(0);
        const client = database.client();
        const stored = await client.send(new GetItemCommand({ TableName: "locks", Key: { LockID: { S: `states/${key}` } } }));
        expect(stored.Item).toBeUndefined();
        client.destroy();
      });
    });

    test("excludes tofu with both locks", { timeout: 120_000 }, async ({ expect }) => {
      const key = "tofu/both.json";
      using folder = folderOf(key, 'use_lockfile = true\n    dynamodb_table = "locks"');
      expect((await folder.run("init")).code).toBe(0);
      expect((await folder.run("apply", "-auto-approve")).code).toBe(0);
      await withStore(options(key, locks.both), (store) => excludeEachOther(folder, store.workspace(defaultWorkspace), expect));
    });
  });
});
