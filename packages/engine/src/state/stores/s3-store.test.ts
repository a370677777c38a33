// SPDX-License-Identifier: Apache-2.0
// The requests of the s3 store, as a server sees them. The store over real servers is in tests/interop/engine-stores-s3.test.ts.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { describe, test } from "vitest";
import { createLockInfo, formatLockInfo } from "./lock-info.ts";
import type { S3StateOptions } from "./s3-options.ts";
import { s3State } from "./s3-store.ts";
import { defaultWorkspace, type StateStore } from "./state-store.ts";

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface ServedStore extends AsyncDisposable {
  readonly store: StateStore;
  /** The requests so far. */
  readonly requests: { readonly method: string; readonly url: string; readonly headers: IncomingMessage["headers"] }[];
}

/** A store over a server with the given answers. */
async function serve(answer: (request: IncomingMessage) => Answer, options: Partial<S3StateOptions> = {}): Promise<ServedStore> {
  const requests: ServedStore["requests"] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    await buffer(request);
    requests.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers });
    const { status, headers, body = "" } = answer(request);
    response.writeHead(status, headers).end(body);
  };
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const store = s3State({
    bucket: "b",
    key: "k",
    region: "us-east-1",
    credentials: { accessKeyId: "a", secretAccessKey: "s" },
    endpoints: { s3: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
    usePathStyle: true,
    variables: {},
    ...options,
  });
  return {
    store,
    requests,
    [Symbol.asyncDispose]: async () => {
      await store.close?.();
      server.closeAllConnections();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}

const written: Answer = { status: 200, headers: { etag: '"1"' } };

describe("s3 store", () => {
  const key = Buffer.alloc(32, 7).toString("base64");
  test.for<[string, Partial<S3StateOptions>, Readonly<Record<string, string>>]>([
    ["AES256", { encrypt: true }, { "x-amz-server-side-encryption": "AES256" }],
    [
      "a KMS key",
      { encrypt: true, kmsKeyId: "alias/state" },
      { "x-amz-server-side-encryption": "aws:kms", "x-amz-server-side-encryption-aws-kms-key-id": "alias/state" },
    ],
    [
      "a customer key",
      { encrypt: true, sseCustomerKey: key },
      { "x-amz-server-side-encryption-customer-algorithm": "AES256", "x-amz-server-side-encryption-customer-key": key },
    ],
  ])("asks the server to encrypt with %s", async ([, options, headers], { expect }) => {
    await using served = await serve(() => written, options);
    await served.store.workspace(defaultWorkspace).write(Buffer.from("{}"), { expected: undefined });
    expect(served.requests).toHaveLength(1);
    expect(served.requests[0]).toMatchObject({ method: "PUT", url: "/b/k?x-id=PutObject", headers: { ...headers, "if-none-match": "*" } });
  });

  test("sends a checksum, unless it is switched off", async ({ expect }) => {
    for (const skipChecksum of [false, true]) {
      await using served = await serve(() => written, { skipChecksum, acl: "bucket-owner-full-control" });
      await served.store.workspace(defaultWorkspace).write(Buffer.from("{}"), { expected: undefined });
      const { headers } = served.requests[0]!;
      expect(headers["x-amz-checksum-sha256"]).toBe(skipChecksum ? undefined : "RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o=");
      expect(headers["x-amz-acl"]).toBe("bucket-owner-full-control");
    }
  });

  test("retries a request that failed on the server", async ({ expect }) => {
    let failures = 2;
    await using served = await serve(() =>
      failures-- > 0 ? { status: 503 } : { status: 404, body: "<Error><Code>NoSuchKey</Code></Error>" },
    );
    expect(await served.store.workspace(defaultWorkspace).read()).toBeUndefined();
    expect(served.requests).toHaveLength(3);
  });

  test("compares versions itself if the server does not support conditional writes", async ({ expect }) => {
    let content = "1";
    await using served = await serve(({ method, headers }) => {
      if (method === "GET") return { status: 200, headers: { etag: `"${content}"` }, body: content };
      if (headers["if-match"] !== undefined) return { status: 501, body: "<Error><Code>NotImplemented</Code></Error>" };
      content = "2";
      return { status: 200, headers: { etag: '"2"' } };
    });
    const state = served.store.workspace(defaultWorkspace);
    const { version } = (await state.read())!;
    const next = await state.write(Buffer.from("2"), { expected: version });
    await expect(state.write(Buffer.from("3"), { expected: version })).rejects.toMatchObject({ code: "STATE_CONFLICT" });
    expect(await state.read()).toEqual({ content: new Uint8Array(Buffer.from("2")), version: next });
  });

  test.for<[string, Partial<S3StateOptions>]>([
    ["an empty bucket", { bucket: "" }],
    ["an empty key", { key: "" }],
    ["a key that ends with a slash", { key: "a/" }],
  ])("rejects %s", ([, options], { expect }) => {
    const open = (): StateStore => s3State({ bucket: "b", key: "k", ...options });
    expect(open).toThrow(expect.objectContaining({ code: "INVALID_OPTIONS" }));
  });

  test("rejects a customer key of another length without naming it", async ({ expect }) => {
    const store = s3State({ bucket: "b", key: "k", region: "us-east-1", sseCustomerKey: "c2VjcmV0", encrypt: true });
    const failure = await store
      .workspace(defaultWorkspace)
      .read()
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "INVALID_OPTIONS" });
    expect(String(failure)).not.toContain("c2VjcmV0");
  });
});

test("formatLockInfo writes the bytes of Go's encoding/json", ({ expect }) => {
  const info = { ...createLockInfo("OperationTypeApply", "<a&b>"), ID: "1", Who: "u@h", Version: "1", Created: "2026-01-02T03:04:05.100Z" };
  expect(formatLockInfo(info)).toBe(
    String.raw`{"ID":"1","Operation":"OperationTypeApply","Info":"\u003ca\u0026b\u003e","Who":"u@h","Version":"1","Created":"2026-01-02T03:04:05.1Z","Path":""}`,
  );
  expect(formatLockInfo({ ...info, Created: "2026-01-02T03:04:00.000Z" })).toContain('"2026-01-02T03:04:00Z"');
});
