// SPDX-License-Identifier: Apache-2.0
// Runs the programs of the packages' READMEs with the sources of the packages. `npm run check` runs the first program of each README
// with the published form of the packages.
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { describePeer } from "@tenon/peers/vitest";
import { openProvider } from "@tenon/plugin-host";
import { describe, test } from "vitest";
import { Project } from "./project.ts";
import { expectedLines, readDocument, root, type Snippet, snippetsOf } from "./snippets.ts";

const blocksOf = (name: string, language: string): readonly string[] =>
  snippetsOf(readDocument(`packages/${name}/README.md`))
    .filter((snippet: Snippet) => snippet.language === language)
    .map(({ text }) => text);

const firstProgram = (name: string): string => blocksOf(name, "ts")[0] ?? "";

const packages = readdirSync(join(root, "packages")).toSorted();

describe("README", () => {
  test.for(packages)("of %s starts with a program of at most 16 lines", (name, { expect }) => {
    const program = firstProgram(name);
    expect(program).toMatch(/^import /);
    expect(program.trim().split("\n").length).toBeLessThanOrEqual(16);
  });

  test("programs compile", { timeout: 180_000 }, async ({ expect }) => {
    const programs = packages.flatMap((name) =>
      blocksOf(name, "ts").flatMap((text, index) => (text.startsWith("import ") ? [[`${name}-${index + 1}.ts`, text] as const] : [])),
    );
    // This program uses the provider and the configuration of the text above it.
    const fragments = ["schema-2.ts"];
    const complete = programs.filter(([file]) => !fragments.includes(file));
    expect(complete.length).toBeGreaterThanOrEqual(packages.length);
    using project = new Project(Object.fromEntries(complete));
    expect(await project.compile(complete.map(([file]) => file))).toEqual([]);
  });

  test("of cty prints Go's notation and JavaScript values", async ({ expect }) => {
    using project = new Project({ "program.ts": firstProgram("cty") });
    const { stdout, stderr } = await project.run(["program.ts"]);
    expect(stderr).toBe("");
    expect(stdout.split("\n").slice(-4)).toEqual(["web", "0.1", 'cty.StringVal("web").Mark("sensitive")', ""]);
  });

  test("of hcl prints the texts in its comments", async ({ expect }) => {
    const program = firstProgram("hcl");
    using project = new Project({ "program.ts": program });
    const { stdout, stderr } = await project.run(["program.ts"]);
    expect(stderr).toBe("");
    expect(stdout.trimEnd().split("\n")).toEqual([...program.matchAll(/ \/\/ (.+)$/gm)].map(([, printed]) => printed));
  });

  test("of hcl prints the text below its second program", async ({ expect }) => {
    const [, program = ""] = blocksOf("hcl", "ts");
    using project = new Project({ "main.tf": blocksOf("hcl", "hcl")[0] ?? "", "program.ts": program });
    expect(await project.run(["program.ts"])).toEqual({ stdout: `${blocksOf("hcl", "text")[0] ?? ""}\n`, stderr: "" });
  });

  test("of hcl has a spec file that hcldec decodes", async ({ expect }) => {
    const [, spec = ""] = blocksOf("hcl", "hcl");
    const { bin } = JSON.parse(readDocument("packages/hcl/package.json")) as { readonly bin: Readonly<Record<string, string>> };
    using project = new Project({ "servers.hcldec": spec, "main.hcl": 'server "web" {\n  size = 1 + 1\n}\n' });
    const hcldec = join(root, "packages/hcl", bin["tenon-hcldec"] ?? "");
    expect(await project.run([hcldec, "--spec=servers.hcldec", "main.hcl"])).toEqual({
      stdout: '{"server":{"web":{"size":2}}}\n',
      stderr: "",
    });
  });

  test("of engine prints the texts in its comments", async ({ expect }) => {
    const program = firstProgram("engine");
    using project = new Project({ "program.ts": program });
    expect(await project.run(["program.ts"])).toEqual({ stdout: `${expectedLines(program).join("\n")}\n`, stderr: "" });
  });

  test("of protocol prints the resource types of the provider it launches", async ({ expect }) => {
    using project = new Project({ "program.ts": firstProgram("protocol") });
    const { stdout } = await project.run(["program.ts", process.execPath, join(root, "apps/examples/textfile/main.ts")]);
    expect(stdout).toBe("[ 'textfile_file' ]\n");
  });

  test("of provider-sdk prints its provider's resource types", async ({ expect }) => {
    using project = new Project({ "program.ts": firstProgram("provider-sdk") });
    expect(await project.run(["program.ts"])).toEqual({ stdout: "[ 'notebook_note' ]\n", stderr: "" });
  });

  test("of schema prints a difference", async ({ expect }) => {
    using project = new Project({ "program.ts": firstProgram("schema") });
    const { stdout, stderr } = await project.run(["program.ts"]);
    expect(stderr).toBe("");
    expect(stdout).toMatch(/~ resource "note" "a" \{[\s\S]*~ title = "Draft" -> "Final"/);
  });
});

describe("README of the repository", () => {
  const [provider = "", main = "", host = ""] = snippetsOf(readDocument("README.md")).flatMap(({ language, text }) =>
    language === "ts" ? [text] : [],
  );

  test("has programs that compile", { timeout: 180_000 }, async ({ expect }) => {
    using project = new Project({ "notebook.ts": provider, "main.ts": main, "host.ts": host });
    expect(await project.compile(["main.ts", "host.ts"])).toEqual([]);
  });

  test("has a provider that a host can launch and use", async ({ expect }) => {
    using project = new Project({ "notebook.ts": provider, "main.ts": main });
    await using client = await openProvider([process.execPath, join(project.folder, "main.ts")], { config: {} });
    const note = await client.resource("notebook_note").create({ title: "Bread" });
    expect(note.state).toEqual({ title: "Bread", body: "" });
  });

  describePeer(["provider-time"], "and terraform-provider-time", ({ "provider-time": peer }) => {
    test("has a program that prints the line in its comment", async ({ expect }) => {
      using project = new Project({ "host.ts": host });
      const { stdout } = await project.run(["host.ts"], { PATH: dirname(peer.path) });
      expect(stdout.trimEnd().split("\n")).toEqual(expectedLines(host));
    });
  });
});

describePeer(["provider-time"], "README of plugin-host", ({ "provider-time": peer }) => {
  test("starts with a program that calls terraform-provider-time", async ({ expect }) => {
    using project = new Project({ "program.ts": firstProgram("plugin-host") });
    const { stdout } = await project.run(["program.ts"], { PATH: dirname(peer.path) });
    expect(stdout).toMatch(/^resource types: time_/);
    expect(stdout).toMatch(/# time_static will be created\n {2}\+ resource "time_static" {\n/);
    expect(stdout).toContain("unix time 1767323045");
  });
});
