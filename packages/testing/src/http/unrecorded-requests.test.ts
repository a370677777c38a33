// SPDX-License-Identifier: Apache-2.0
// A cassette refuses what it cannot record, in a recording and in a replay: a test must not send unrecorded requests.
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import http, { createServer, type Server } from "node:http";
import http2 from "node:http2";
import https from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import tls from "node:tls";
import { createCertificate } from "@tenon/protocol/certificate";
import * as undici from "undici";
import { afterAll, beforeAll, beforeEach, describe, test } from "vitest";
import type { CassetteMode } from "./cassette.ts";
import { withCassette } from "./with-cassette.ts";

// Kept as by a module that was loaded before the first cassette.
const keptFetch = globalThis.fetch;
let server: Server;
let origin = "";
let folder = "";
let file = "";
let cassettes = 0;
let tunnels = 0;
const sockets = new Set<Socket>();

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === "/trailers") {
      response.writeHead(200, { trailer: "x-checksum" }).write("body");
      response.addTrailers({ "x-checksum": "1" });
      response.end();
    } else response.end("answer");
  });
  server.on("connection", (socket) => void sockets.add(socket));
  server.on("upgrade", (_, socket) => void socket.end("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: echo\r\n\r\n"));
  server.on("connect", (_, socket) => {
    tunnels += 1;
    socket.end("HTTP/1.1 200 Connection established\r\n\r\n");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  folder = mkdtempSync(join(tmpdir(), "unrecorded-"));
});
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
  rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  file = join(folder, `${cassettes++}.json`);
  await withCassette(file, () => {}, { mode: "record" });
});

const modes: readonly CassetteMode[] = ["record", "replay"];

/** Sends a request of `node:http` and returns how it ends: an event of the request with its status, or its error. */
function send(
  path: string,
  options: http.RequestOptions = {},
  prepare: (request: http.ClientRequest) => void = () => {},
): Promise<unknown> {
  return new Promise((resolve) => {
    const request = http.request(origin + path, options);
    for (const event of ["response", "upgrade", "connect"] as const) {
      request.on(event, (response: http.IncomingMessage) => {
        response.resume();
        resolve(`${event} ${response.statusCode}`);
      });
    }
    request.on("error", resolve);
    prepare(request);
    request.end();
  });
}

const upgrade = (): Promise<unknown> => send("/socket", { headers: { connection: "Upgrade", upgrade: "echo" } });
const tunnel = async (): Promise<unknown> => send("", { method: "CONNECT", path: "db.example:443" });

describe.for(modes)("a cassette in the mode %s", (mode) => {
  test.for<[string, () => Promise<unknown>, RegExp]>([
    ["an upgrade of node:http", upgrade, /^the upgrade of http:\/\/127.0.0.1:\d+\/socket to echo cannot be recorded/],
    ["a tunnel of node:http", tunnel, /^the tunnel through 127.0.0.1:\d+ cannot be recorded/],
    ["a connection of HTTP/2", async () => http2.connect(origin), /^the HTTP\/2 connection to http:\/\/127.0.0.1:\d+ cannot be recorded/],
    [
      "a connection of HTTP/2 to an object",
      async () => http2.connect({ protocol: "http:", hostname: "127.0.0.1", port: 8443 } as unknown as URL),
      /^the HTTP\/2 connection to http:\/\/127.0.0.1:8443 cannot be recorded/,
    ],
    ["a fetch that a module kept", () => keptFetch(`${origin}/kept`), /^GET http:\/\/127.0.0.1:\d+\/kept bypassed the cassette/],
    [
      "a request of the package undici",
      () => undici.request(`${origin}/direct`),
      /^GET http:\/\/127.0.0.1:\d+\/direct bypassed the cassette/,
    ],
    [
      "a WebSocket",
      () => closed(new WebSocket(origin.replace("http", "ws"))),
      /bypassed the cassette: it was sent by the package undici, by a WebSocket/,
    ],
    [
      "a request with trailers",
      () => send("/", { method: "POST", headers: { trailer: "x-sum" } }, (request) => request.addTrailers({ "x-sum": "1" })),
      /^the request POST .* has trailers, which cannot be recorded: x-sum/,
    ],
  ])("refuses %s, also if the tested code ignores it", async ([, call, message], { expect }) => {
    const before = tunnels;
    const run = withCassette(file, () => call().catch(() => {}), { mode });
    await expect(run).rejects.toMatchObject({ code: "REQUEST_UNSUPPORTED", message: expect.stringMatching(message) as string });
    expect(tunnels).toBe(before);
  });

  test("lets them pass by choice", async ({ expect }) => {
    const passThrough = (url: URL): boolean => url.hostname === "127.0.0.1" || url.hostname === "db.example";
    const program = async (): Promise<unknown> => [
      await upgrade(),
      await tunnel(),
      await (await keptFetch(`${origin}/kept`)).text(),
      await send("/trailers"),
      http2
        .connect(origin)
        .on("error", () => {})
        .destroy() !== undefined,
    ];
    expect(await withCassette(file, program, { mode, passThrough })).toEqual([
      "upgrade 101",
      "connect 200",
      "answer",
      "response 200",
      false,
    ]);
  });

  test.for<[client: string, call: () => Promise<unknown>]>([
    ["the package undici", () => undici.request(`${origin}/package`)],
    ["fetch", () => fetch(`${origin}/fetch`)],
    ["node:http", () => send("/http")],
  ])(
    "fails with the error of the option passThrough for a request of %s, also if the tested code ignores it",
    async ([, call], { expect }) => {
      const passThrough = (): boolean => {
        throw new Error("no list of servers");
      };
      const program = async (): Promise<void> => void (await call().catch(() => {}));
      await expect(withCassette(file, program, { mode, passThrough })).rejects.toMatchObject({
        code: "REQUEST_UNSUPPORTED",
        message: expect.stringMatching(/^the option passThrough threw an error for http:.*: no list of servers/) as string,
        cause: { message: "no list of servers" },
      });
    },
  );

  test("lets HTTP/2 run over a connection of the caller, as providers are called", async ({ expect }) => {
    const program = async (): Promise<boolean> => {
      const { hostname, port } = new URL(origin);
      const session = http2.connect("http://localhost", { createConnection: () => connect(Number(port), hostname) });
      session.on("error", () => {}).destroy();
      return session.destroyed;
    };
    expect(await withCassette(file, program, { mode })).toBe(true);
  });
});

test("a recording refuses a response with trailers, and is not written", async ({ expect }) => {
  rmSync(file);
  await expect(withCassette(file, () => send("/trailers"), { mode: "record" })).rejects.toMatchObject({
    code: "REQUEST_UNSUPPORTED",
    message: expect.stringMatching(/^the response to GET .*\/trailers has trailers, which cannot be recorded: x-checksum/) as string,
  });
  expect(existsSync(file)).toBe(false);
});

test("requests of a WebSocket and of HTTP/2 are as before without a cassette", async ({ expect }) => {
  expect(await (await keptFetch(`${origin}/kept`)).text()).toBe("answer");
  const { hostname, port } = new URL(origin);
  for (const authority of [origin, { protocol: "http:", hostname, port } as unknown as URL]) {
    const session = http2.connect(authority);
    session.on("error", () => {}).destroy();
    expect(session.destroyed).toBe(true);
  }
});

describe("a server with TLS", () => {
  const { certificatePem, privateKeyPem } = createCertificate();
  let secure: https.Server;
  let url = "";
  let served = 0;
  beforeAll(async () => {
    secure = https.createServer({ key: privateKeyPem, cert: certificatePem }, (request, response) => {
      served += 1;
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ path: request.url, sni: (request.socket as tls.TLSSocket).servername }));
    });
    secure.listen(0, "127.0.0.1");
    await once(secure, "listening");
    url = `https://localhost:${(secure.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    secure.closeAllConnections();
    secure.close();
  });

  const get = (options: https.RequestOptions): Promise<unknown> =>
    new Promise((resolve, reject) => {
      https
        .get(
          `${url}/zones`,
          options,
          (response) => void response.toArray().then((parts) => resolve(JSON.parse(Buffer.concat(parts as Buffer[]).toString())), reject),
        )
        .on("error", reject);
    });

  test("is recorded and replayed by node:https, with its own certificate authority", async ({ expect }) => {
    const program = (): Promise<unknown> => get({ ca: certificatePem });
    const first = await withCassette(file, program, { mode: "record" });
    expect(first).toEqual({ path: "/zones", sni: "localhost" });
    const before = served;
    expect(await withCassette(file, program)).toEqual(first);
    expect(served).toBe(before);
    expect(readFileSync(file, "utf8")).not.toContain("CERTIFICATE");
  });

  test("is refused without it, and the replay fails in the same way", async ({ expect }) => {
    const program = (): Promise<unknown> => get({}).catch((error: NodeJS.ErrnoException) => error.code);
    const first = await withCassette(file, program, { mode: "record" });
    expect(first).toBe("DEPTH_ZERO_SELF_SIGNED_CERT");
    expect(await withCassette(file, program)).toBe(first);
  });

  test("is recorded and replayed by fetch", async ({ expect }) => {
    const authorities = tls.getCACertificates("default");
    tls.setDefaultCACertificates([...authorities, certificatePem]);
    try {
      const program = async (): Promise<unknown> => (await fetch(`${url}/zones`)).json();
      const first = await withCassette(file, program, { mode: "record" });
      expect(first).toEqual({ path: "/zones", sni: "localhost" });
      const before = served;
      expect(await withCassette(file, program)).toEqual(first);
      expect(served).toBe(before);
    } finally {
      tls.setDefaultCACertificates(authorities);
    }
  });
});

/** Waits for the end of a WebSocket. */
function closed(socket: WebSocket): Promise<unknown> {
  return new Promise((resolve) => {
    socket.addEventListener("close", resolve);
    socket.addEventListener("error", resolve);
  });
}
