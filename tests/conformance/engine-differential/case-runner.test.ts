// SPDX-License-Identifier: Apache-2.0
// A case whose provider does not answer runs once more, with new processes.
import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { describePeer } from "@tenon/peers/vitest";
import { afterEach, beforeEach, test } from "vitest";
import { CaseRunner } from "./case-runner.ts";
import { differentialPeers, peerProviderPaths } from "./peer-providers.ts";
import { framed, pickedTypes } from "./picked/configuration.ts";

const steps = [framed('resource "framework_record" "a" {\n name = "a"\n}\n')];

/** A program that prints how to attach to a provider once the provider has ended. */
const endedProvider = (path: string): string => `#!${process.execPath}
import { spawn } from "node:child_process";
import { once } from "node:events";

const child = spawn(${JSON.stringify(path)}, process.argv.slice(2), { stdio: ["ignore", "pipe", "ignore"] });
let output = "";
for await (const chunk of child.stdout.setEncoding("utf8")) {
  output += chunk;
  if (/TF_REATTACH_PROVIDERS='.*'/.test(output)) break;
}
const ended = once(child, "exit");
child.kill("SIGKILL");
await ended;
process.stdout.write(output);
setInterval(() => undefined, 60_000);
`;

describePeer(differentialPeers, "a runner of cases", (peers) => {
  let folder: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "tenon-case-runner-")));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test("runs a case again with new processes when a provider does not answer", { timeout: 120_000 }, async ({ expect }) => {
    const providers = peerProviderPaths((name) => peers[name].path);
    using runner = await CaseRunner.start({ tofu: peers.tofu.path, providers }, pickedTypes);
    const first = runner.sides;
    first[Symbol.dispose]();
    const reports = await runner.run(steps, { again: false });
    expect(reports?.map(({ differences }) => differences)).toEqual([[]]);
    expect(reports![0]!.theirs.applyDiagnostics).toEqual([]);
    expect(runner.sides).not.toBe(first);
  });

  test("returns undefined when a provider does not answer with new processes, either", { timeout: 120_000 }, async ({ expect }) => {
    const providers = peerProviderPaths((name) => {
      const { path } = peers[name];
      if (name !== "framework-provider") return path;
      const program = join(folder, `${basename(path)}.mjs`);
      writeFileSync(program, endedProvider(path));
      chmodSync(program, 0o755);
      return program;
    });
    using runner = await CaseRunner.start({ tofu: peers.tofu.path, providers }, pickedTypes);
    const first = runner.sides;
    expect(await runner.run(steps, { again: false })).toBeUndefined();
    expect(runner.sides).not.toBe(first);
  });
});
