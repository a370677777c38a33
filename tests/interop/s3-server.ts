// SPDX-License-Identifier: Apache-2.0
// A server of the S3 protocol, and one of DynamoDB, on free ports.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, watch } from "node:fs";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CreateTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import dynalite from "dynalite";

/** The keys of the servers. */
export const s3Keys: { readonly accessKeyId: string; readonly secretAccessKey: string } = {
  accessKeyId: "tenon-access",
  secretAccessKey: "tenon-secret",
};

/** The region of the servers. */
export const s3Region = "us-east-1";

/**
 * A versitygw process over a temporary folder. It listens on a socket in that folder, because it cannot report a free port that it has
 * chosen; connections to the port of `url` are passed on.
 */
export class S3Server implements AsyncDisposable {
  readonly url: string;
  readonly #folder: string;
  readonly #child: ChildProcess;
  readonly #proxy: Server;
  readonly #sockets: Set<Socket>;

  private constructor(url: string, folder: string, child: ChildProcess, proxy: Server, sockets: Set<Socket>) {
    this.url = url;
    this.#folder = folder;
    this.#child = child;
    this.#proxy = proxy;
    this.#sockets = sockets;
  }

  static async start(program: string, buckets: readonly string[]): Promise<S3Server> {
    const folder = mkdtempSync(join(tmpdir(), "tenon-s3-"));
    const [root, sidecar, socket] = ["root", "sidecar", "socket"].map((name) => join(folder, name)) as [string, string, string];
    for (const path of [root, sidecar, ...buckets.map((bucket) => join(root, bucket))]) mkdirSync(path);
    const { accessKeyId, secretAccessKey } = s3Keys;
    const keys = ["--access", accessKeyId, "--secret", secretAccessKey, "--region", s3Region];
    const child = spawn(program, ["--quiet", "--port", socket, ...keys, "posix", "--sidecar", sidecar, root], {
      stdio: ["ignore", "ignore", "pipe"],
      cwd: folder,
    });
    await socketIn(folder, "socket", child);
    const sockets = new Set<Socket>();
    const proxy = createServer((incoming) => {
      const outgoing = connect(socket);
      for (const [from, to] of [
        [incoming, outgoing],
        [outgoing, incoming],
      ] as const) {
        sockets.add(from);
        from.pipe(to);
        from.on("error", () => to.destroy());
        from.on("close", () => {
          sockets.delete(from);
          to.destroy();
        });
      }
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    return new S3Server(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, folder, child, proxy, sockets);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = this.#child.exitCode === null ? once(this.#child, "close") : undefined;
    this.#child.kill("SIGKILL");
    await ended;
    this.#proxy.close();
    for (const socket of this.#sockets) socket.destroy();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Waits until a process has created its socket, and accepts connections. */
async function socketIn(folder: string, name: string, child: ChildProcess): Promise<void> {
  let errors = "";
  child.stderr?.on("data", (chunk) => (errors += String(chunk)));
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  child.once("exit", (code) => reject(new Error(`the server ended with ${code}: ${errors}`)));
  child.once("error", reject);
  const path = join(folder, name);
  const attempt = (): void => {
    if (!existsSync(path)) return;
    const socket = connect(path);
    // The socket exists before the server listens on it.
    socket.once("error", () => setImmediate(attempt));
    socket.once("connect", () => {
      socket.destroy();
      resolve();
    });
  };
  const watcher = watch(folder, attempt);
  attempt();
  try {
    await promise;
  } finally {
    watcher.close();
  }
}

/** A DynamoDB server in this process, with tables for locks. */
export class DynamodbServer implements AsyncDisposable {
  readonly url: string;
  readonly #server: Server;

  private constructor(url: string, server: Server) {
    this.url = url;
    this.#server = server;
  }

  static async start(tables: readonly string[]): Promise<DynamodbServer> {
    const server = dynalite({ createTableMs: 0 });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const started = new DynamodbServer(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, server);
    const client = started.client();
    for (const TableName of tables) {
      await client.send(
        new CreateTableCommand({
          TableName,
          KeySchema: [{ AttributeName: "LockID", KeyType: "HASH" }],
          AttributeDefinitions: [{ AttributeName: "LockID", AttributeType: "S" }],
          BillingMode: "PAY_PER_REQUEST",
        }),
      );
    }
    client.destroy();
    return started;
  }

  client(): DynamoDBClient {
    return new DynamoDBClient({ region: s3Region, endpoint: this.url, credentials: s3Keys });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    (this.#server as Server & { closeAllConnections?(): void }).closeAllConnections?.();
    await new Promise<void>((resolve) => void this.#server.close(() => resolve()));
  }
}
