// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describePeer } from "@tenon/peers/vitest";
import { test } from "vitest";

const readme = join(import.meta.dirname, "../../packages/plugin-host/README.md");

describePeer(["provider-time"], "the plugin host's README", ({ "provider-time": peer }) => {
  test("opens with a program that runs", ({ expect }) => {
    const [, program] = /```ts\n(.*?)```/s.exec(readFileSync(readme, "utf8")) ?? [];
    const output = execFileSync(process.execPath, ["--input-type=module-typescript", "-e", program!], {
      cwd: import.meta.dirname,
      env: { ...process.env, PATH: dirname(peer.path) },
      encoding: "utf8",
    });
    expect(output).toMatch(/^it has time_/);
    expect(output).toMatch(/# time_static will be created\n {2}\+ resource "time_static" {\n/);
    expect(output).toContain("unix time 1767323045");
  });
});
