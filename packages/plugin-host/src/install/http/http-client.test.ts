// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, test } from "vitest";
import { HttpClient, type HttpRequest } from "./http-client.ts";

const body = Buffer.from("0123456789".repeat(20_000));
const request: HttpRequest = { retries: 2, maxRedirects: 0 };
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

async function serve(listener: RequestListener): Promise<AsyncDisposable & { readonly url: URL }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/file`),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function client(environment: Readonly<Record<string, string>> = {}, idleTimeoutMs = 10_000): HttpClient {
  return new HttpClient({ environment, idleTimeoutMs, signal: undefined });
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "tenon-http-"));
  folders.push(folder);
  return folder;
}

/** Sends the first half of the body and closes the connection. */
function sendHalf(response: ServerResponse, headers: Readonly<Record<string, string | number>> = {}): void {
  response.writeHead(200, { "content-length": body.length, ...headers });
  response.write(body.subarray(0, body.length / 2), () => response.destroy());
}

describe("a download", () => {
  test("resumes after a lost connection when the server supports ranges", async ({ expect }) => {
    const ranges: (string | undefined)[] = [];
    await using server = await serve(({ headers }: IncomingMessage, response) => {
      ranges.push(headers.range);
      const [, start] = /^bytes=(\d+)-/.exec(headers.range ?? "") ?? [];
      if (start === undefined) return sendHalf(response, { etag: '"1"' });
      const rest = body.subarray(Number(start));
      const range = `bytes ${start}-${body.length - 1}/${body.length}`;
      response.writeHead(206, { "content-length": rest.length, "content-range": range, etag: '"1"' }).end(rest);
    });
    await using http = client();
    const path = join(temporaryFolder(), "file");
    await http.download(server.url, request, path, body.length, () => {});
    expect(readFileSync(path).equals(body)).toBe(true);
    expect(ranges[0]).toBeUndefined();
    expect(ranges[1]).toMatch(/^bytes=\d+-/);
    expect(ranges).toHaveLength(2);
  });

  test("starts again after a lost connection when the server does not support ranges", async ({ expect }) => {
    let full = 0;
    await using server = await serve(({ headers }: IncomingMessage, response) => {
      if (headers.range !== undefined || full++ > 0) response.writeHead(200, { "content-length": body.length }).end(body);
      else sendHalf(response);
    });
    await using http = client();
    const path = join(temporaryFolder(), "file");
    await http.download(server.url, request, path, body.length, () => {});
    expect(readFileSync(path).equals(body)).toBe(true);
  });

  test("leaves no file when every attempt loses its connection", async ({ expect }) => {
    let requests = 0;
    await using server = await serve((_, response) => {
      requests++;
      sendHalf(response);
    });
    await using http = client();
    const folder = temporaryFolder();
    const downloaded = http.download(server.url, { ...request, retries: 0 }, join(folder, "file"), body.length, () => {});
    await expect(downloaded).rejects.toMatchObject({ code: "SOURCE_FAILED" });
    expect(readdirSync(folder)).toEqual([]);
    expect(requests).toBe(1);
  });

  test("fails when the server sends nothing for the idle timeout", async ({ expect }) => {
    await using server = await serve((_, response) => {
      response.writeHead(200, { "content-length": 100 }).write("a");
    });
    await using http = client({}, 500);
    const downloaded = http.download(server.url, { ...request, retries: 0 }, join(temporaryFolder(), "file"), 100, () => {});
    await expect(downloaded).rejects.toMatchObject({ code: "SOURCE_FAILED" });
  });
});

describe("a request", () => {
  test("is retried up to its limit, and then returns the last status", async ({ expect }) => {
    let requests = 0;
    await using server = await serve((_, response) => {
      requests++;
      response.writeHead(503, { "retry-after": "0" }).end("busy");
    });
    await using http = client();
    expect(await http.get(server.url, request, 100)).toMatchObject({ status: 503 });
    expect(requests).toBe(3);
  });

  test.for([404, 501])("is not retried after status %i", async (status, { expect }) => {
    let requests = 0;
    await using server = await serve((_, response) => {
      requests++;
      response.writeHead(status).end();
    });
    await using http = client();
    expect(await http.get(server.url, request, 100)).toMatchObject({ status });
    expect(requests).toBe(1);
  });

  test("rejects an invalid proxy address and a missing certificate file", async ({ expect }) => {
    const url = new URL("http://127.0.0.1:1/");
    for (const environment of [{ HTTP_PROXY: "socks5://127.0.0.1" }, { SSL_CERT_FILE: "/does/not/exist" }]) {
      await using http = client(environment);
      await expect(http.get(url, request, 100)).rejects.toMatchObject({ code: "INVALID_OPTIONS" });
    }
  });

  test("to http: uses HTTP_PROXY, also written without a scheme", async ({ expect }) => {
    const proxied: (string | undefined)[] = [];
    await using proxy = await serve(({ url }: IncomingMessage, response) => {
      proxied.push(url);
      response.end("proxied");
    });
    await using http = client({ http_proxy: proxy.url.host });
    const { body: text } = await http.get(new URL("http://registry.example/versions"), request, 100);
    expect(Buffer.from(text).toString()).toBe("proxied");
    expect(proxied).toEqual(["http://registry.example/versions"]);
  });
});

test("loading the package does not load undici", ({ expect }) => {
  const program = `
    import { registerHooks } from "node:module";
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    await import(${JSON.stringify(join(import.meta.dirname, "../index.ts"))});
    console.log(loaded.filter((url) => /undici/.test(url)).length, loaded.length > 10);
  `;
  expect(execFileSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" })).toBe("0 true\n");
});
