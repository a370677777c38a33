// SPDX-License-Identifier: Apache-2.0
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import http, { createServer, get, type IncomingMessage, type RequestOptions, type Server } from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, test } from "vitest";
import type { CassetteOptions } from "./cassette.ts";
import { withCassette } from "./with-cassette.ts";

const origin = "https://api.example";
const binary = Buffer.from([0, 255, 254, 1, 2, 3]);
let server: Server;
let real = "";
let requests = 0;
let folder = "";
let cassettes = 0;

beforeAll(async () => {
  server = createServer((request, response) => {
    requests++;
    const body: Buffer[] = [];
    request.on("data", (chunk: Buffer) => body.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(body).toString();
      const json = { "content-type": "application/json" };
      const { pathname } = new URL(`${origin}${request.url ?? "/"}`);
      if (pathname === "/json")
        response
          .writeHead(200, json)
          .end(`{"path":"${request.url}","sent":${text || "null"},"count":${requests},"id":12345678901234567890}`);
      else if (pathname === "/binary") response.end(binary);
      else if (pathname === "/gzip") response.writeHead(200, { ...json, "content-encoding": "gzip" }).end(gzipSync('{"zipped":true}'));
      else if (pathname === "/gzip-endless")
        response.writeHead(200, { ...json, "content-encoding": "gzip" }).write(gzipSync('{"token":"hidden-issued"}').subarray(0, 30));
      else if (pathname === "/odd") response.writeHead(200, { "content-encoding": "compress" }).end("x");
      else if (pathname === "/redirect") response.writeHead(302, { location: "/json?from=redirect" }).end();
      else if (pathname === "/empty") response.writeHead(204).end();
      else if (pathname === "/reset") request.socket.destroy();
      else if (pathname === "/broken") response.writeHead(200, { "content-length": "100" }).write("half", () => request.socket.destroy());
      else if (pathname === "/endless") response.writeHead(200, { "content-type": "text/plain" }).write("first\n");
      else if (pathname === "/secrets")
        response.writeHead(200, { ...json, "set-cookie": ["sid=hidden-cookie; Path=/", "b=hidden-second"] }).end(
          JSON.stringify({
            token: "hidden-issued",
            echo: `before hidden-issued after`,
            pin: 4711123,
            note: `${text} ${String(request.headers["authorization"])}`,
          }),
        );
      else response.writeHead(404, json).end('{"error":"not found"}');
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  real = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  folder = mkdtempSync(join(tmpdir(), "cassettes-"));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});
let file = "";
beforeEach(() => {
  file = join(folder, `${cassettes++}.json`);
});

/** Runs a program with a recording, and again with the cassette alone. */
async function runTwice<T>(program: () => Promise<T>, options: CassetteOptions = {}, path = file): Promise<readonly [T, T]> {
  const first = await withCassette(path, program, { ...options, mode: "record", origins: { [origin]: real } });
  const before = requests;
  const second = await withCassette(path, program, { ...options, mode: "replay" });
  if (requests !== before) throw new Error("the replay sent a request");
  return [first, second];
}

interface NodeResponse {
  readonly status: number | undefined;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

function send(module: typeof http | typeof https, url: string, options: RequestOptions = {}, body?: string): Promise<NodeResponse> {
  return new Promise((resolve, reject) => {
    const request = module.request(url, options, (response: IncomingMessage) => {
      response
        .toArray()
        .then(
          (parts) => resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(parts as Buffer[]) }),
          reject,
        );
    });
    request.on("error", reject);
    request.end(body);
  });
}

const nodeGet = (path: string): Promise<NodeResponse> => send(https, origin + path);
const withoutDate = ({ status, headers, body }: NodeResponse): unknown => [
  status,
  headers["content-type"],
  headers["content-encoding"],
  body.toString("latin1"),
];

describe("a cassette of fetch", () => {
  test("replays JSON, binary, compressed, empty and redirected responses", async ({ expect }) => {
    const [first, second] = await runTwice(async () => {
      const results: unknown[] = [];
      for (const path of ["/json?a=1", "/binary", "/gzip", "/redirect", "/empty", "/absent"]) {
        const response = await fetch(origin + path);
        const { status, statusText, redirected, headers } = response;
        results.push([
          status,
          statusText,
          redirected,
          headers.get("content-type"),
          Buffer.from(await response.arrayBuffer()).toString("latin1"),
        ]);
      }
      const sent = await fetch(new Request(`${origin}/json`, { method: "POST", body: '{"b": 2, "a": 1}' }));
      return [...results, await sent.json()];
    });
    expect(second).toEqual(first);
    expect(first[0]).toEqual([200, "OK", false, "application/json", expect.stringContaining("12345678901234567890")]);
    expect((first[3] as readonly unknown[]).slice(0, 3)).toEqual([200, "OK", true]);
    const text = readFileSync(file, "utf8");
    expect(text).toContain('"redirectedTo": "https://api.example/json?from=redirect"');
    expect(text).toContain('"id": 12345678901234567890');
    expect(text).toContain('"zipped": true');
    expect(text).not.toContain(real);
  });

  test("replays failed connections and bodies", async ({ expect }) => {
    const failure = async (path: string): Promise<unknown> => {
      try {
        return await (await fetch(origin + path)).text();
      } catch (error) {
        const { message, cause } = error as Error;
        return [message, (cause as NodeJS.ErrnoException | undefined)?.code];
      }
    };
    const [first, second] = await runTwice(async () => [await failure("/reset"), await failure("/broken")]);
    expect(first).toEqual([
      ["fetch failed", "UND_ERR_SOCKET"],
      ["terminated", "UND_ERR_SOCKET"],
    ]);
    expect(second).toEqual(first);
  });

  test("replays a stream that the client cancels, and requests that it aborts", async ({ expect }) => {
    const [first, second] = await runTwice(async () => {
      const abort = new AbortController();
      const response = await fetch(`${origin}/endless`, { signal: abort.signal });
      const reader = response.body!.getReader();
      const { value } = await reader.read();
      const next = reader.read().catch((error: Error) => error.name);
      abort.abort();
      return [Buffer.from(value!).toString(), await next];
    });
    expect(first).toEqual(["first\n", "AbortError"]);
    expect(second).toEqual(first);
  });

  test("compares JSON bodies as values, and keeps the order of equal requests", async ({ expect }) => {
    const post = async (body: string): Promise<number> =>
      ((await (await fetch(`${origin}/json`, { method: "POST", body })).json()) as { readonly count: number }).count;
    const first = await withCassette(
      file,
      async () => [await post('{"a":1,"b":[true]}'), await post('{"a":1,"b":[true]}'), await post("2")],
      {
        mode: "record",
        origins: { [origin]: real },
      },
    );
    const [one, two, three] = first;
    expect(
      await withCassette(file, async () => [await post("2"), await post('{"b": [true], "a": 1}'), await post('{"a":1,"b":[true]}')]),
    ).toEqual([three, one, two]);
  });

  test("records a response body that the test does not read", async ({ expect }) => {
    const [first, second] = await runTwice(async () => (await fetch(`${origin}/absent`)).status);
    expect([first, second]).toEqual([404, 404]);
  });
});

describe("a cassette of node:http and node:https", () => {
  test("replays JSON, binary, compressed, empty and redirect responses", async ({ expect }) => {
    const paths = ["/json?a=1", "/binary", "/gzip", "/redirect", "/empty", "/absent"];
    const [first, second] = await runTwice(async () => {
      const responses: unknown[] = [];
      for (const path of paths) responses.push(withoutDate(await nodeGet(path)));
      const sent = await send(https, `${origin}/json`, { method: "POST", headers: { "x-a": "1" } }, '{"a":1}');
      return [...responses, withoutDate(sent)];
    });
    expect(first[3]).toEqual([302, undefined, undefined, ""]);
    expect(first[2]).toEqual([200, "application/json", "gzip", expect.any(String)]);
    expect(second).toEqual(first);
  });

  test("keeps the host of a request whose path begins with two slashes", async ({ expect }) => {
    const [first, second] = await runTwice(async () => withoutDate(await nodeGet("//other.example/json")));
    expect(first).toEqual([404, "application/json", undefined, '{"error":"not found"}']);
    expect(second).toEqual(first);
    expect(readFileSync(file, "utf8")).toContain(`${origin}//other.example/json`);
  });

  test("replays failed connections and bodies", async ({ expect }) => {
    const failure = (path: string): Promise<unknown> => nodeGet(path).catch((error: NodeJS.ErrnoException) => error.code);
    const [first, second] = await runTwice(async () => [await failure("/reset"), await failure("/broken")]);
    expect(first).toEqual(["ECONNRESET", "ECONNRESET"]);
    expect(second).toEqual(first);
  });

  test("replays a stream that the client destroys", async ({ expect }) => {
    const [first, second] = await runTwice(async () => {
      const request = https.request(`${origin}/endless`).end();
      const [response] = (await once(request, "response")) as [IncomingMessage];
      const [chunk] = (await once(response, "data")) as [Buffer];
      request.destroy();
      await once(request, "close");
      return chunk.toString();
    });
    expect([first, second]).toEqual(["first\n", "first\n"]);
  });

  test("refuses a compressed body that ends early, because its secrets cannot be masked", async ({ expect }) => {
    const program = async (): Promise<void> => {
      const request = https.request(`${origin}/gzip-endless`).end();
      const [response] = (await once(request, "response")) as [IncomingMessage];
      await once(response, "data");
      request.destroy();
      await once(request, "close");
    };
    await expect(withCassette(file, program, { mode: "record", origins: { [origin]: real } })).rejects.toMatchObject({
      code: "REQUEST_UNSUPPORTED",
      message: expect.stringContaining("the content encoding gzip and ended early"),
    });
    expect(existsSync(file)).toBe(false);
  });

  test("sees names that were imported before, and a recording of fetch", async ({ expect }) => {
    await runTwice(async () => (await fetch(`${origin}/gzip`)).status);
    const body = await withCassette(file, async () => {
      const [response] = (await once(
        get({ protocol: "https:", agent: https.globalAgent, host: "api.example", path: "/gzip" } as RequestOptions),
        "response",
      )) as [IncomingMessage];
      return [response.headers["content-encoding"], Buffer.concat((await response.toArray()) as Buffer[]).length];
    }).catch((error: Error) => error.message);
    expect(body).toEqual(["gzip", gzipSync('{"zipped":true}').length]);
  });
});

describe("a cassette", () => {
  test("has no secret, wherever it occurs", async ({ expect }) => {
    const program = async (): Promise<unknown> => {
      const headers = {
        authorization: "Bearer hidden-bearer",
        "x-api-key": "hidden-key",
        cookie: "sid=hidden-cookie",
        "x-note": "about hidden-field",
      };
      await fetch(`${origin}/json?about=hidden-bearer&api_key=hidden%20query`);
      const response = await fetch(`${origin}/secrets`, {
        method: "POST",
        headers,
        body: JSON.stringify({ password: "hidden-field", nested: [{ pin: "hidden-pin" }], registered: "hidden&value" }),
      });
      const { token } = (await response.json()) as { readonly token: string };
      const form = new URLSearchParams({ grant_type: "password", password: "hidden form", again: token });
      await fetch(`${origin}/json`, { method: "PUT", body: form });
      await nodeGet(`/json?again=${encodeURIComponent("hidden&value")}&basic=${Buffer.from("hidden-bearer").toString("base64")}`);
      await send(
        https,
        `${origin}/json`,
        { method: "POST", auth: "user:hidden-basic" },
        JSON.stringify({ nested: JSON.stringify({ a: 'hidden "quoted"' }) }),
      );
      await fetch(`${origin}/binary`, { method: "POST", body: Buffer.concat([binary, Buffer.from("hidden-bearer")]) });
      return undefined;
    };
    const secrets = { names: ["pin"], values: { registered: "hidden&value", quoted: 'hidden "quoted"' } };
    await runTwice(program, { secrets });
    const text = readFileSync(file, "utf8");
    expect(text).not.toMatch(/hidden|4711123|aGlkZGVu/);
    const { exchanges } = JSON.parse(text) as {
      readonly exchanges: readonly {
        readonly request: { readonly headers: unknown; readonly body?: { base64?: string } };
        readonly response: unknown;
      }[];
    };
    expect(Buffer.from(exchanges.at(-1)!.request.body!.base64!, "base64").toString("latin1")).not.toContain("hidden");
    expect(exchanges[1]).toMatchObject({
      request: {
        headers: {
          authorization: "Bearer (sensitive authorization)",
          "x-api-key": "(sensitive x-api-key)",
          cookie: "sid=(sensitive sid)",
          "x-note": "about (sensitive password)",
        },
        body: { json: { password: "(sensitive password)", nested: [{ pin: "(sensitive pin)" }], registered: "(sensitive registered)" } },
      },
      response: {
        headers: { "set-cookie": ["sid=(sensitive sid); Path=/", "b=(sensitive b)"] },
        body: { json: { token: "(sensitive token)", echo: "before (sensitive token) after" } },
      },
    });
  });

  test("shows the nearest request and the differences for a request that it lacks", async ({ expect }) => {
    const call = (query: string, body: object, header = "1"): Promise<Response> =>
      fetch(`${origin}/json?page=${query}`, { method: "PUT", headers: { "x-version": header }, body: JSON.stringify(body) });
    await withCassette(file, async () => [await call("1", { name: "a", list: [1] }), await fetch(`${origin}/gzip`)], {
      mode: "record",
      origins: { [origin]: real },
    });
    const failed = await withCassette(file, () => call("2", { name: "b", list: [1], password: "hidden" }, "2"), {
      matchHeaders: ["X-Version"],
    }).catch((error: unknown) => error);
    expect(failed).toMatchObject({
      name: "TestingError",
      code: "REQUEST_NOT_RECORDED",
      message: `PUT https://api.example/json?page=2 is not in the cassette ${file}. The nearest recorded request is PUT https://api.example/json?page=1, and differs:
  query parameter page
    recorded:  1
    requested: 2
  header x-version
    recorded:  1
    requested: 2
  body.name
    recorded:  "a"
    requested: "b"
  body.password
    recorded:  absent
    requested: "(sensitive password)"
If the request is right, record the cassette again with TENON_HTTP=record.`,
    });
    await expect(
      withCassette(file, () => call("2", { name: "a", list: [1] }), { ignore: ["page"], allowUnused: true }),
    ).resolves.toMatchObject({ status: 200 });
  });

  test("fails for a request that the tested code ignores, by each client", async ({ expect }) => {
    await runTwice(async () => (await fetch(`${origin}/empty`)).status);
    for (const call of [() => fetch(`${origin}/other`), () => nodeGet("/other")])
      await expect(withCassette(file, async () => (await fetch(`${origin}/empty`), call().catch(() => {})))).rejects.toMatchObject({
        code: "REQUEST_NOT_RECORDED",
        message: expect.stringContaining("GET https://api.example/other is not in the cassette"),
      });
  });

  test("fails for requests that were not made, or made more often", async ({ expect }) => {
    const call = async (): Promise<number> => (await fetch(`${origin}/empty`)).status;
    await runTwice(async () => [await call(), await call()]);
    await expect(withCassette(file, call)).rejects.toMatchObject({
      code: "REQUEST_NOT_MADE",
      message: expect.stringContaining(`1 of the 2 requests in the cassette ${file} were not made:\n  GET https://api.example/empty`),
    });
    const three = async (): Promise<unknown> => [await call(), await call(), await call()];
    await expect(withCassette(file, three)).rejects.toMatchObject({
      code: "REQUEST_NOT_RECORDED",
      message: expect.stringContaining("once more: all 2 recorded responses to it have been used"),
    });
    expect(await withCassette(file, three, { repeatLast: true })).toEqual([204, 204, 204]);
    expect(await withCassette(file, call, { allowUnused: true })).toBe(204);
  });

  test("remembers values of the recording", async ({ expect }) => {
    let made = 0;
    const program = (): Promise<number> =>
      withCassette(file, ({ remember }) => Promise.resolve(remember("n", () => ++made)), { mode: made === 0 ? "record" : "replay" });
    expect([await program(), await program(), made]).toEqual([1, 1, 1]);
    await expect(withCassette(file, ({ remember }) => remember("other", () => 1))).rejects.toMatchObject({ code: "CASSETTE_INVALID" });
  });

  test("does not mix with those of concurrent tests, nor with tests without one", async ({ expect }) => {
    const paths = Array.from({ length: 8 }, (_, index) => `${file}.${index}`);
    const program = (index: number) => async (): Promise<unknown> => {
      const counts: unknown[] = [];
      for (let round = 0; round < 3; round++) {
        counts.push(await (await fetch(`${origin}/json?who=${index}`)).text(), (await nodeGet(`/json?who=${index}`)).body.toString());
        await new Promise((resolve) => setTimeout(resolve, index % 3));
      }
      return counts;
    };
    const recorded = Promise.all(
      paths.map((path, index) => withCassette(path, program(index), { mode: "record", origins: { [origin]: real } })),
    );
    expect((await fetch(`${real}/absent`)).status).toBe(404);
    const first = await recorded;
    const second = Promise.all(paths.map((path, index) => withCassette(path, program(index))));
    expect((await send(http, `${real}/absent`)).status).toBe(404);
    expect(await second).toEqual(first);
    for (const [index, path] of paths.entries())
      expect(new Set(readFileSync(path, "utf8").match(/who=\d/g))).toEqual(new Set([`who=${index}`]));
  });

  test("is written only if the test succeeds", async ({ expect }) => {
    const failing = async (): Promise<never> => {
      await fetch(`${origin}/empty`);
      throw new Error("no");
    };
    await expect(withCassette(file, failing, { mode: "record", origins: { [origin]: real } })).rejects.toThrow("no");
    expect(existsSync(file)).toBe(false);
    await expect(withCassette(file, () => {})).rejects.toMatchObject({
      code: "CASSETTE_INVALID",
      message: expect.stringContaining("does not exist: record it with TENON_HTTP=record"),
    });
    await expect(withCassette(file, () => nodeGet("/odd"), { mode: "record", origins: { [origin]: real } })).rejects.toMatchObject({
      code: "REQUEST_UNSUPPORTED",
    });
  });

  test("lets requests pass in the mode pass, and by choice", async ({ expect }) => {
    expect(await withCassette(file, async () => (await fetch(`${real}/absent`)).status, { mode: "pass" })).toBe(404);
    await withCassette(file, () => {}, { mode: "record" });
    const passThrough = (url: URL): boolean => url.origin === real;
    expect(
      await withCassette(file, async () => [(await fetch(`${real}/absent`)).status, (await send(http, `${real}/empty`)).status], {
        passThrough,
      }),
    ).toEqual([404, 204]);
  });

  test("refuses requests after its test", async ({ expect }) => {
    await withCassette(file, () => {}, { mode: "record" });
    const later = Promise.withResolvers<void>();
    let late: Promise<unknown> = Promise.resolve();
    await withCassette(file, () => {
      late = later.promise.then(() => fetch(`${origin}/empty`)).catch((error: unknown) => error);
    });
    later.resolve();
    expect(await late).toMatchObject({ code: "REQUEST_UNSUPPORTED", message: expect.stringContaining("after the test") });
  });
});
