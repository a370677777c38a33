// SPDX-License-Identifier: Apache-2.0
// The page for those who come from Go: its Go is written as Go is, and both of its programs are the same provider.
import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describePeer } from "@tenon/peers/vitest";
import { openProvider } from "@tenon/plugin-host";
import { afterAll, beforeAll, test } from "vitest";
import { snippetsOf } from "./guide.ts";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "packages/provider-sdk/docs/coming-from-terraform-plugin-framework.md"), "utf8");
const run = promisify(execFile);

// Where that peer is, Go is, and the modules it needs.
describePeer(["framework-from-json"], "the page for those who come from terraform-plugin-framework", () => {
  let folder = "";
  beforeAll(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "tenon-go-")));
    for (const name of ["go.mod", "go.sum"]) copyFileSync(join(root, "tests/peers/framework-from-json", name), join(folder, name));
    mkdirSync(join(folder, "node_modules/@tenon"), { recursive: true });
    for (const name of readdirSync(join(root, "packages")))
      symlinkSync(join(root, "packages", name), join(folder, "node_modules/@tenon", name));
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    // The first line of a Go file that is only its name would be taken for the package's documentation.
    for (const { file, text } of snippetsOf(page)) if (file) writeFileSync(join(folder, file), text.slice(text.indexOf("\n") + 1));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test("has Go that is formatted", async ({ expect }) => {
    expect(await run("gofmt", ["-l", "."], { cwd: folder })).toEqual({ stdout: "", stderr: "" });
  });

  test("has the same provider twice", { timeout: 300_000 }, async ({ expect }) => {
    const env = { ...process.env, GOWORK: "off", GOFLAGS: "-mod=readonly -buildvcs=false" };
    await run("go", ["build", "-o", "terraform-provider-notebook", "."], { cwd: folder, env });
    const go = await lifeOf([join(folder, "terraform-provider-notebook")]);
    expect(go).toMatchObject({ created: { id: "n-1", title: "Bread", body: "", folder: null }, joined: "a-b", replaced: "replace" });
    expect(await lifeOf([process.execPath, join(folder, "main.ts")])).toEqual(go);
  });
});

/** What a practitioner would see of a notebook provider. */
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
  const tooLong = await notes.validate({ title: "x".repeat(81) }).catch(() => "refused");
  await notes.delete(updated);
  const gone = await notes.read(updated);
  const unknown = planned.unknown;
  const states = { created: created?.state, updated: updated.state, imported: imported.state };
  return { ...states, unknown, replaced: replaced.action, found, joined, tooLong, gone };
}
