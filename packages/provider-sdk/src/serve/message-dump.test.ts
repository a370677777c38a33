// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "vitest";
import { object, string } from "@tenon/cty";
import { decode } from "@tenon/cty/msgpack";
import { fixture, host } from "../../test/hosted-process.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tenon-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("writes every value in its wire encoding to TF_LOG_SDK_PROTO_DATA_DIR, readable only by the owner", async ({ expect }) => {
  await using hosted = await host(fixture("main.ts"), { environment: { TF_LOG_SDK_PROTO_DATA_DIR: folder } });
  await hosted.create("dumped");
  await hosted.shutDown();
  const files = readdirSync(folder);
  const of = (rpc: string): readonly string[] =>
    files.filter((file) => file.includes(`_${rpc}_`)).map((file) => file.replace(/^\d{13}_/, ""));
  expect(of("ConfigureProvider")).toEqual(["ConfigureProvider_Request_Config.msgpack"]);
  expect(of("ApplyResourceChange").toSorted()).toEqual([
    "ApplyResourceChange_Request_Config.msgpack",
    "ApplyResourceChange_Request_PlannedState.msgpack",
    "ApplyResourceChange_Request_PriorState.msgpack",
    "ApplyResourceChange_Response_NewState.msgpack",
  ]);
  const response = join(
    folder,
    files.find((file) => file.endsWith("Response_NewState.msgpack"))!,
  );
  const type = object({ behavior: string, secret: string, result: string });
  expect(decode(readFileSync(response), type)).toMatchObject({ payload: ["dumped", "dumped by default", null] });
  expect(statSync(response).mode & 0o777).toBe(0o600);
});

test("logs a missing folder, and the call succeeds", async ({ expect }) => {
  const environment = { TF_LOG_SDK_PROTO_DATA_DIR: join(folder, "missing"), TF_LOG: "ERROR" };
  await using hosted = await host(fixture("main.ts"), { environment });
  expect((await hosted.create("dumped")).diagnostics).toEqual([]);
  await hosted.process.waitForOutput("Cannot write protocol data");
});
