// SPDX-License-Identifier: Apache-2.0
// What goes wrong with plugins, and has to be looked at with a real core: packages and their hashes, and attaching.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describePeer } from "@tenon/peers/vitest";
import { afterAll, beforeAll, test, vi } from "vitest";
import { CliWorkspace } from "./cli-workspace.ts";
import { told } from "./conformance-run.ts";
import { packageExample, type PackagedProvider } from "./packaged-provider.ts";

// Each step starts real processes: on a machine that is busy that takes a while.
vi.setConfig({ testTimeout: 90_000 });

const address = "example.com/tenon/textfile";
const main = "apps/examples/textfile/main.ts";
const required = `terraform {\n  required_providers {\n    textfile = { source = "${address}" }\n  }\n}\n`;

for (const cli of ["tofu", "terraform"] as const) {
  describePeer([cli], `served to ${cli}`, (peers) => {
    let packaged: PackagedProvider;
    beforeAll(() => {
      packaged = packageExample(main, "--name", "textfile", "--version", "1.0.0", "--address", address, "--mirror");
    });
    afterAll(() => packaged[Symbol.dispose]());

    test("a package has one hash, packed or not (pitfall 30)", async ({ expect }) => {
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

    test("a running provider is attached to, and keeps two configurations apart (pitfalls 35 and 36)", async ({ expect }) => {
      // The process that a host is told of is the one that serves: its end is seen.
      const debugged = spawn(process.execPath, [join(import.meta.dirname, "../..", main), "--debug"], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      try {
        let printed = "";
        while (!/TF_REATTACH_PROVIDERS='[^']+'/.test(printed)) printed += String((await once(debugged.stdout, "data"))[0]);
        const [, variable = ""] = /TF_REATTACH_PROVIDERS='([^']+)'/.exec(printed) ?? [];
        const [[, entry] = []] = Object.entries(JSON.parse(variable) as Readonly<Record<string, { readonly Pid: number }>>);
        expect(entry?.Pid).toBe(debugged.pid);
        // The example says no address: a core that is to attach finds it by the one it knows.
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
        expect([code, told(stdout + stderr)]).toEqual([1, expect.stringMatching(/reattachment process not found/i)]);
      } finally {
        debugged.kill("SIGKILL");
      }
    });
  });
}
