// SPDX-License-Identifier: Apache-2.0
// The page for authors who know Go's framework: its Go code is formatted, and its Go and TypeScript programs are the same provider.
import { execFile } from "node:child_process";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describePeer } from "@tenon/peers/vitest";
import { openProvider } from "@tenon/plugin-host";
import { afterAll, beforeAll, test } from "vitest";
import { Project } from "./project.ts";
import { readDocument, root, snippetsOf } from "./snippets.ts";

const page = readDocument("packages/provider-sdk/docs/coming-from-terraform-plugin-framework.md");
const run = promisify(execFile);

// If this peer is built, the machine has Go and the modules that the page's Go program needs.
describePeer(["framework-from-json"], "coming-from-terraform-plugin-framework.md", () => {
  let project: Project;
  beforeAll(() => {
    project = new Project();
    for (const name of ["go.mod", "go.sum"]) copyFileSync(join(root, "tests/peers/framework-from-json", name), join(project.folder, name));
    // Go would read a first line with the file's name as the documentation of the package.
    for (const { file, text } of snippetsOf(page)) if (file) project.write({ [file]: text.slice(text.indexOf("\n") + 1) });
  });
  afterAll(() => project[Symbol.dispose]());

  test("has formatted Go code", async ({ expect }) => {
    expect(await run("gofmt", ["-l", "."], { cwd: project.folder })).toEqual({ stdout: "", stderr: "" });
  });

  test("has two programs that serve the same provider", { timeout: 300_000 }, async ({ expect }) => {
    const env = { ...process.env, GOWORK: "off", GOFLAGS: "-mod=readonly -buildvcs=false" };
    await run("go", ["build", "-o", "terraform-provider-notebook", "."], { cwd: project.folder, env });
    const go = await lifeOf([join(project.folder, "terraform-provider-notebook")]);
    expect(go).toMatchObject({ created: { id: "n-1", title: "Bread", body: "", folder: null }, joined: "a-b", replaced: "replace" });
    expect(await lifeOf([process.execPath, join(project.folder, "main.ts")])).toEqual(go);
  });
});

/** Returns the results of a notebook provider that a practitioner sees. */
async function lifeOf(command: [file: string, ...args: string[]]): Promise<unknown> {
  await using client = await openProvider(command, { config: { path: "p" } });
  const notes = client.resource("notebook_note");
  const planned = await notes.plan({ title: "Bread" });
  const created = await planned.apply();
  const updated = await notes.update(created!, { title: "Bread", body: "Flour" });
  const replaced = await notes.plan({ title: "Bread", folder: "f" }, { prior: updated });
  const imported = await notes.import("n-1");
  const found = await client.data("notebook_lookup", { id: "n-1" });
  const joined = await client.function("join", "-", "a", "b");
  const tooLong = await notes.validate({ title: "x".repeat(81) }).catch(() => "rejected");
  await notes.delete(updated);
  const gone = await notes.read(updated);
  const unknown = planned.unknown;
  const states = { created: created?.state, updated: updated.state, imported: imported.state };
  return { ...states, unknown, replaced: replaced.action, found, joined, tooLong, gone };
}
