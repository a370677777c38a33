// SPDX-License-Identifier: Apache-2.0
// Pitfalls of plugins that need a real core: package hashes and attaching.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describePeer } from "@tenon/peers/vitest";
import { afterAll, beforeAll, test, vi } from "vitest";
import { CliWorkspace } from "./cli-workspace.ts";
import { onOneLine } from "./conformance-run.ts";
import { packageExample, type PackagedProvider } from "./packaged-provider.ts";

// Each step starts real processes, which takes longer on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const address = "example.com/tenon/textfile";
const main = "apps/examples/textfile/main.ts";
const required = `terraform {\n  required_providers {\n    textfile = { source = "${address}" }\n  }\n}\n`;

for (const cli of ["tofu", "terraform"] as const) {
  describePeer([cli], `a provider under ${cli}`, (peers) => {
    let packaged: PackagedProvider;
    beforeAll(() => {
      packaged = packageExample(main, "--name", "textfile", "--version", "1.0.0", "--address", address, "--mirror");
    });
    afterAll(() => packaged[Symbol.dispose]());

    test("has the same hash as a packed and as an unpacked package (pitfall 30)", async ({ expect }) => {
      const hashesOf = async (mirror: string): Promise<readonly string[]> => {
        using workspace = new CliWorkspace(peers[cli].path, { kind: "filesystemMirror", folder: join(packaged.folder, mirror) });
        workspace.write({ "main.tf": required });
        await workspace.must(["init", "-input=false"]);
        return readFileSync(join(workspace.folder, ".terraform.lock.hcl"), "utf8").match(/h1:[^"]+/g) ?? [];
      };
      const unpacked = await hashesOf("mirror");
      expect(unpacked).toHaveLength(1);
      expect(await hashesOf("packed-mirror")).toEqual(unpacked);
    });

    test("serves a core that attaches to it, and separates two configurations (pitfalls 35 and 36)", async ({ expect }) => {
      // The announced process id is that of the server, so that the host notices its exit.
      const debugged = spawn(process.execPath, [join(import.meta.dirname, "../..", main), "--debug"], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      try {
        let printed = "";
        while (!/TF_REATTACH_PROVIDERS='[^']+'/.test(printed)) printed += String((await once(debugged.stdout, "data"))[0]);
        const [, variable = ""] = /TF_REATTACH_PROVIDERS='([^']+)'/.exec(printed) ?? [];
        const [[, entry] = []] = Object.entries(JSON.parse(variable) as Readonly<Record<string, { readonly Pid: number }>>);
        expect(entry?.Pid).toBe(debugged.pid);
        // The example has no address; the core attaches to it by the configured address.
        const env = { TF_REATTACH_PROVIDERS: JSON.stringify({ [address]: entry }) };
        using workspace = new CliWorkspace(peers[cli].path, { kind: "filesystemMirror", folder: "/nowhere" });
        const file = (alias: string): string => `
          provider "textfile" {
            alias  = "${alias}"
            folder = "\${abspath(path.module)}/${alias}"
          }
          resource "textfile_file" "${alias}" {
            provider = textfile.${alias}
            name     = "note"
            text     = "in ${alias}"
          }`;
        for (const alias of ["a", "b"]) mkdirSync(join(workspace.folder, alias));
        workspace.write({ "main.tf": `${required}${file("a")}${file("b")}` });
        await workspace.must(["init", "-input=false"], { env });
        await workspace.must(["apply", "-auto-approve", "-input=false"], { env });
        for (const alias of ["a", "b"]) expect(readFileSync(join(workspace.folder, alias, "note"), "utf8")).toBe(`in ${alias}`);
        await workspace.must(["destroy", "-auto-approve", "-input=false"], { env });
        expect([debugged.exitCode, existsSync(join(workspace.folder, "a", "note"))]).toEqual([null, false]);
        debugged.kill("SIGINT");
        expect(await once(debugged, "exit")).toEqual([0, null]);
        const { code, stdout, stderr } = await workspace.run(["plan", "-input=false", "-no-color"], { env });
        expect([code, onOneLine(stdout + stderr)]).toEqual([1, expect.stringMatching(/reattachment process not found/i)]);
      } finally {
        debugged.kill("SIGKILL");
      }
    });
  });
}
