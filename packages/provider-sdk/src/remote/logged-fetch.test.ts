// SPDX-License-Identifier: Apache-2.0
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, test } from "vitest";
import { createLog, type LogEntry } from "../logger.ts";
import { loggedFetch, type LoggedFetchOptions } from "./logged-fetch.ts";

let server: Server;
let address = "";
beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume();
    response.setHeader("content-type", "application/json");
    response.setHeader("set-cookie", "sid=hidden-cookie");
    response.end(JSON.stringify({ name: "n", accessToken: "hidden-token", nested: [{ password: "hidden-word" }] }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

function logging(options: Omit<LoggedFetchOptions, "log"> = {}): { readonly send: typeof fetch; readonly lines: readonly LogEntry[] } {
  const lines: LogEntry[] = [];
  const log = createLog(
    (entry) => void lines.push(entry),
    {},
    (value) => value,
  );
  return { send: loggedFetch({ ...options, log: () => log }), lines };
}

test("logs a request and its response with the same id", async ({ expect }) => {
  const { send, lines } = logging();
  const response = await send(`${address}/notes?page=2`, { method: "POST", body: '{"a":1}' });
  expect(await response.json()).toMatchObject({ name: "n" });
  expect(lines).toMatchObject([
    { level: "debug", fields: { tf_http_op_type: "request", tf_http_req_method: "POST", tf_http_req_uri: `${address}/notes?page=2` } },
    { level: "debug", fields: { tf_http_op_type: "response", tf_http_res_status_code: 200 } },
  ]);
  expect(lines[0]?.fields["tf_http_trans_id"]).toBe(lines[1]?.fields["tf_http_trans_id"]);
});

test("masks secrets in headers, query, user and bodies", async ({ expect }) => {
  const { send, lines } = logging({ bodies: 1000, secrets: ["X-Custom", "pin"] });
  const headers = { authorization: "Bearer hidden-bearer", "x-custom": "hidden-custom", "x-plain": "shown" };
  const body = JSON.stringify({ client_secret: "hidden-secret", pin: 1234567, title: "shown" });
  const url = new URL(`${address}/?api_key=hidden-key&page=3`);
  const response = await send(url, { method: "POST", headers, body });
  await response.text();
  await send(new Request(address, { method: "POST", body: "grant_type=shown&password=hidden-form" }));
  const all = JSON.stringify(lines);
  expect(all).not.toMatch(/hidden|1234567/);
  expect(all).toContain("page=3");
  expect(lines.map(({ level }) => level)).toEqual(["debug", "trace", "debug", "trace", "debug", "debug", "trace"]);
});

test("does not consume the body of a request", async ({ expect }) => {
  const sent: string[] = [];
  const { send } = logging({ fetch: async (input) => (sent.push(await (input as Request).text()), new Response()) });
  await send(new Request(address, { method: "POST", body: "whole" }));
  expect(sent).toEqual(["whole"]);
});

test("truncates long bodies, and logs and throws a failure", async ({ expect }) => {
  const { send, lines } = logging({ bodies: 10 });
  await send(address);
  expect(lines.at(-1)?.fields["tf_http_res_body"]).toMatch(/^.{10}… \(\d+ characters\)$/);
  await expect(send("http://127.0.0.1:1/")).rejects.toThrow("fetch failed");
  expect(lines.at(-1)).toMatchObject({ level: "warn", message: "HTTP request failed" });
});
