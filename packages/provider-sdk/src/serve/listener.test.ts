// SPDX-License-Identifier: Apache-2.0
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, test } from "vitest";
import { listen, type Listener } from "./listener.ts";

describe.skipIf(process.platform === "win32")("a unix socket", () => {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "tenon-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const listenIn = async (...socketFolders: string[]): Promise<Listener & { readonly path: string }> => {
    const listener = await listen({ network: "unix", socketFolders, ports: [0, 0] });
    if (listener.address.network !== "unix") throw new Error("no unix socket");
    return { ...listener, path: listener.address.path };
  };

  test("is private to this user, and is removed when the listener closes", async ({ expect }) => {
    const before = process.umask();
    const listener = await listenIn(folder);
    expect(listener.path.startsWith(join(folder, "plugin"))).toBe(true);
    expect(statSync(listener.path).mode & 0o077).toBe(0);
    expect(process.umask()).toBe(before);
    listener.close();
    expect(existsSync(listener.path)).toBe(false);
  });

  test("is created in the next folder when the first folder's path is too long", async ({ expect }) => {
    const long = join(folder, "x".repeat(90));
    mkdirSync(long);
    const listener = await listenIn(long, folder);
    expect(listener.path.startsWith(join(folder, "plugin"))).toBe(true);
    expect(Buffer.byteLength(listener.path)).toBeLessThanOrEqual(103);
    listener.close();
  });

  test("has a path within the limit of macOS, although Linux allows four bytes more (pitfall 11)", async ({ expect }) => {
    const name = `/plugin${process.pid}12345678`;
    const long = join(folder, "x".repeat(106 - name.length - folder.length - 1));
    mkdirSync(long);
    const listener = await listenIn(long, folder);
    expect(dirname(listener.path)).toBe(folder);
    listener.close();
  });

  test("is created in the next folder when the first folder does not exist", async ({ expect }) => {
    const listener = await listenIn(join(folder, "absent"), folder);
    expect(listener.path.startsWith(join(folder, "plugin"))).toBe(true);
    listener.close();
  });

  test("fails with every folder it tried when none is usable", async ({ expect }) => {
    await expect(listenIn(join(folder, "absent"), join(folder, "y".repeat(100)))).rejects.toThrow(
      /absent \(listen .*y{100} \(its path is too long.*TMPDIR/,
    );
  });

  test("is accessible to the group that the host names", async ({ expect }) => {
    const gid = process.getgid?.() ?? 0;
    const listener = await listen({ network: "unix", socketFolders: [folder], socketGroup: `${gid}`, ports: [0, 0] });
    const { path } = listener.address as { path: string };
    expect(statSync(path).mode & 0o777).toBe(0o660);
    expect(statSync(path).gid).toBe(gid);
    listener.close();
    const unknown = listen({ network: "unix", socketFolders: [folder], socketGroup: "no-such-group", ports: [0, 0] });
    await expect(unknown).rejects.toThrow(/no-such-group/);
  });

  test("keeps early connections and their data until they are handed over", async ({ expect }) => {
    const listener = await listenIn(folder);
    const early = connect(listener.path).on("error", () => {});
    early.write("early data");
    await new Promise((resolve) => early.once("connect", resolve));
    // Give the connection time to arrive before it is handed over.
    await new Promise((resolve) => setTimeout(resolve, 50));
    const received: string[] = [];
    const taken = Promise.withResolvers<void>();
    const accept = (socket: Socket): void => {
      socket.setEncoding("utf8").on("data", (text: string) => {
        received.push(text);
        if (received.length === 2) taken.resolve();
      });
    };
    listener.handOver(accept);
    const late = connect(listener.path).on("error", () => {});
    late.write("late data");
    await taken.promise;
    expect(received.toSorted()).toEqual(["early data", "late data"]);
    early.destroy();
    late.destroy();
    listener.close();
  });
});

describe("a TCP port", () => {
  test("is free, in the host's range, and on the loopback interface (pitfall 38)", async ({ expect }) => {
    const other = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => other.once("listening", resolve));
    const { port: taken } = other.address() as AddressInfo;
    const listener = await listen({ network: "tcp", socketFolders: [], ports: [taken, taken + 20] });
    if (listener.address.network !== "tcp") throw new Error("no port");
    expect(listener.address.host).toBe("127.0.0.1");
    expect(listener.address.port).toBeGreaterThan(taken);
    expect(listener.address.port).toBeLessThanOrEqual(taken + 20);
    await expect(listen({ network: "tcp", socketFolders: [], ports: [taken, taken] })).rejects.toThrow("couldn't bind plugin TCP listener");
    listener.close();
    other.close();
  });
});
