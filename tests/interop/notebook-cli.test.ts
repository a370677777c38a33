// SPDX-License-Identifier: Apache-2.0
// The notebook provider, packaged by the command in its README, under the real CLIs.
import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describePeer } from "@tenon/peers/vitest";
import { Notebook } from "@tenon/example-notebook/store";
import { afterAll, afterEach, beforeAll, beforeEach, describe, test } from "vitest";
import { CliWorkspace, type PlanJson, type ResourceChangeJson } from "./cli-workspace.ts";
import { packageExample, type PackagedProvider } from "./packaged-provider.ts";

const address = "example.com/tenon/notebook";
const preamble = `
  terraform {
    required_providers {
      notebook = { source = "${address}", version = "1.0.0" }
    }
  }`;
const configured = (latencyMs = 0): string => `${preamble}
  provider "notebook" {
    path       = "\${path.module}/notes.db"
    latency_ms = ${latencyMs}
  }`;

let provider: PackagedProvider;
beforeAll(() => {
  provider = packageExample(
    "apps/examples/notebook/src/main.ts",
    "--name",
    "notebook",
    "--version",
    "1.0.0",
    "--address",
    address,
    "--mirror",
  );
});
afterAll(() => provider[Symbol.dispose]());

function change(plan: PlanJson, address: string): ResourceChangeJson["change"] & { readonly reason?: string | undefined } {
  const found = plan.resource_changes?.find((one) => one.address === address);
  if (found === undefined) throw new Error(`the plan has no change of ${address}`);
  return { ...found.change, reason: found.action_reason };
}

for (const cli of ["tofu", "terraform"] as const) {
  describePeer([cli], `notebook under ${cli}`, (peers) => {
    let workspace: CliWorkspace;
    const notes = (): Notebook => new Notebook(join(workspace.folder, "notes.db"));
    const edit = async <T>(change: (notebook: Notebook) => T | Promise<T>): Promise<T> => {
      const notebook = notes();
      try {
        return await change(notebook);
      } finally {
        notebook.close();
      }
    };
    beforeEach(() => {
      workspace = new CliWorkspace(peers[cli].path, { kind: "devOverrides", source: address, folder: join(provider.folder, "dev") });
    });
    afterEach(() => workspace[Symbol.dispose]());

    test("validates a correct configuration", async ({ expect }) => {
      workspace.write({ "main.tf": `${configured()}\nresource "notebook_note" "a" {\n  title = "A"\n}` });
      expect(JSON.parse(await workspace.must(["validate", "-json"]))).toMatchObject({ valid: true, error_count: 0 });
    });

    test("applies the plan, and a second plan is empty", async ({ expect }) => {
      workspace.write({
        "main.tf": `${configured()}
          resource "notebook_note" "bread" {
            title      = "Bread"
            body       = "Flour, water, salt."
            tags       = { rise = "slow" }
            passphrase = "levain"
          }
          resource "notebook_page" "first" {
            note_id = notebook_note.bread.id
            text    = "Mix."
            layout  = { paper = "a5" }
            labels  = ["warm", "wet"]
          }
          data "notebook_search" "found" {
            text       = "bread"
            depends_on = [notebook_page.first]
          }
          output "found" { value = data.notebook_search.found.notes }
          output "slug" { value = provider::notebook::slug("Crème brûlée!") }`,
      });
      const plan = await workspace.plan();
      expect(change(plan, "notebook_note.bread")).toMatchObject({
        actions: ["create"],
        after: { title: "Bread", folder: "inbox", tags: { rise: "slow" } },
        after_unknown: { id: true, revision: true, tags: {} },
        after_sensitive: { passphrase: true, tags: {} },
      });
      expect(change(plan, "notebook_page.first")).toMatchObject({
        actions: ["create"],
        after: { text: "Mix.", layout: { paper: "a5", columns: 1 }, labels: ["warm", "wet"] },
        after_unknown: { id: true, note_id: true },
      });
      await workspace.must(["apply", "-input=false", "plan.bin"]);
      const state = await workspace.state();
      expect(state.values?.outputs).toMatchObject({
        found: { value: [{ id: "1", title: "Bread", folder: "inbox" }] },
        slug: { value: "creme-brulee" },
      });
      expect(await edit((notebook) => notebook.findPage("1"))).toEqual({
        id: "1",
        note_id: "1",
        text: "Mix.",
        layout: { paper: "a5", columns: 1 },
        labels: ["warm", "wet"],
      });
      const second = await workspace.run(["plan", "-input=false", "-detailed-exitcode"]);
      expect(second.code, second.stdout).toBe(0);
    });

    test("changes in place, then replaces", async ({ expect }) => {
      const note = (more: string): string => `${configured()}\nresource "notebook_note" "a" {\n  title = "A"\n  ${more}\n}`;
      workspace.write({ "main.tf": note("") });
      await workspace.apply();
      workspace.write({ "main.tf": note('body = "changed"') });
      const update = change(await workspace.plan(), "notebook_note.a");
      expect(update).toMatchObject({
        actions: ["update"],
        before: { id: "1", revision: 1 },
        after: { id: "1", body: "changed" },
        after_unknown: { revision: true },
      });
      await workspace.apply();
      workspace.write({ "main.tf": note('folder = "attic"') });
      expect(change(await workspace.plan(), "notebook_note.a")).toMatchObject({
        actions: ["delete", "create"],
        reason: "replace_because_cannot_update",
        replace_paths: [["folder"]],
        after_unknown: { id: true },
      });
      await workspace.apply();
      expect((await workspace.state()).values?.root_module.resources?.[0]?.values).toMatchObject({ id: "2", folder: "attic", revision: 1 });
      expect(await edit((notebook) => notebook.findNote("1"))).toBeUndefined();
    });

    test("imports by block and by command", async ({ expect }) => {
      const fields = { title: "Found", folder: "attic", body: null, tags: null, passphrase: null };
      await edit(async (notebook) => {
        await notebook.createNote(fields);
        await notebook.createNote({ ...fields, title: "Also found" });
      });
      workspace.write({
        "main.tf": `${configured()}
          resource "notebook_note" "a" {
            title  = "Found"
            folder = "attic"
          }
          resource "notebook_note" "b" {
            title  = "Also found"
            folder = "attic"
          }`,
        "import.tf": `import {\n  to = notebook_note.a\n  id = "1"\n}`,
      });
      await workspace.must(["import", "-input=false", "notebook_note.b", "2"]);
      expect(change(await workspace.plan(), "notebook_note.a")).toMatchObject({ actions: ["no-op"], importing: { id: "1" } });
      await workspace.apply();
      const second = await workspace.run(["plan", "-input=false", "-detailed-exitcode"]);
      expect(second.code, second.stdout).toBe(0);
      const missing = await workspace.run(["import", "-input=false", "-no-color", "notebook_note.a", "99"]);
      expect(missing.code).not.toBe(0);
    });

    test("shows drift, accepts it with -refresh-only, repairs it with apply, and creates deleted objects again", async ({ expect }) => {
      workspace.write({ "main.tf": `${configured()}\nresource "notebook_note" "a" {\n  title = "A"\n}` });
      await workspace.apply();
      const drifted = { title: "Scribbled", folder: "inbox", body: null, tags: null, passphrase: null };
      await edit((notebook) => notebook.changeNote("1", drifted));
      const plan = await workspace.plan();
      expect(change(plan, "notebook_note.a")).toMatchObject({ actions: ["update"], before: { title: "Scribbled" }, after: { title: "A" } });
      await workspace.apply("-refresh-only");
      expect((await workspace.state()).values?.root_module.resources?.[0]?.values).toMatchObject({ title: "Scribbled", revision: 2 });
      await workspace.apply();
      expect(await edit((notebook) => notebook.findNote("1"))).toMatchObject({ title: "A", revision: 3 });
      await edit((notebook) => notebook.removeNote("1"));
      expect(change(await workspace.plan(), "notebook_note.a")).toMatchObject({ actions: ["create"] });
    });

    test("creates instances of for_each, and separates an aliased configuration", async ({ expect }) => {
      workspace.write({
        "main.tf": `${configured()}
          provider "notebook" {
            alias = "other"
            path  = "\${path.module}/other.db"
          }
          resource "notebook_note" "each" {
            for_each = toset(["a", "b", "c"])
            title    = each.key
          }
          resource "notebook_note" "other" {
            provider = notebook.other
            title    = "elsewhere"
          }`,
      });
      await workspace.apply();
      const titles = (notebook: Notebook): readonly string[] => notebook.searchNotes("", null).map(({ title }) => title);
      expect((await edit(titles)).toSorted()).toEqual(["a", "b", "c"]);
      const other = new Notebook(join(workspace.folder, "other.db"));
      expect(titles(other)).toEqual(["elsewhere"]);
      other.close();
      await workspace.destroy();
      expect(await edit(titles)).toEqual([]);
      expect((await workspace.state()).values).toBeUndefined();
    });

    describe("an invalid configuration is reported at the attribute", () => {
      test.for([
        ["a title that is too long", `resource "notebook_note" "a" {\n  title = "${"x".repeat(81)}"\n}`, "title", true],
        ["a missing required attribute", `resource "notebook_note" "a" {\n  body = "b"\n}`, "title", false],
        ["a configured computed attribute", `resource "notebook_note" "a" {\n  title = "a"\n  id = "7"\n}`, "id", true],
        [
          "an invalid number in a nested attribute",
          `resource "notebook_page" "a" {\n  note_id = "1"\n  text = "t"\n  layout = { paper = "a4", columns = 9 }\n}`,
          "layout.columns",
          false,
        ],
        [
          "a word that is not allowed in a nested attribute",
          `resource "notebook_page" "a" {\n  note_id = "1"\n  text = "t"\n  layout = { paper = "papyrus" }\n}`,
          "layout.paper",
          false,
        ],
        ["an empty set", `resource "notebook_page" "a" {\n  note_id = "1"\n  text = "t"\n  labels = []\n}`, "labels", true],
      ] as const)("%s", async ([, resource, attribute, line], { expect }) => {
        workspace.write({ "main.tf": `${configured()}\n${resource}` });
        const { code, stdout } = await workspace.run(["validate", "-json"]);
        expect(code).toBe(1);
        const { diagnostics } = JSON.parse(stdout) as {
          diagnostics: readonly { severity: string; detail: string; snippet?: { code: string } }[];
        };
        const errors = diagnostics.filter(({ severity }) => severity === "error");
        expect(errors).toHaveLength(1);
        // The CLI shows the line of the diagnostic's attribute. When the attribute is omitted, or for a path inside its value, which
        // neither CLI follows, the text must name it.
        if (line) expect(errors[0]?.snippet?.code).toContain(`${attribute} = `);
        else expect(errors[0]?.detail).toContain(attribute);
      });

      test("in the provider's configuration", async ({ expect }) => {
        workspace.write({
          "main.tf": `${preamble}\nprovider "notebook" {\n  path = ""\n}\nresource "notebook_note" "a" {\n  title = "a"\n}`,
        });
        const { code, stderr } = await workspace.run(["plan", "-input=false", "-no-color"]);
        expect(code).toBe(1);
        expect(stderr).toMatch(/path\s+= ""/);
      });
    });

    test("records a resource as tainted when its create fails halfway, and replaces it", async ({ expect }) => {
      const page = (label: string): string => `${configured()}
        resource "notebook_note" "a" { title = "A" }
        resource "notebook_page" "p" {
          note_id = notebook_note.a.id
          text    = "t"
          labels  = ["${label}"]
        }`;
      workspace.write({ "main.tf": page("LOUD") });
      const { code, stderr } = await workspace.run(["apply", "-auto-approve", "-input=false", "-no-color"]);
      expect(code).toBe(1);
      expect(stderr).toContain("labels are lower case");
      const half = (await workspace.state()).values?.root_module.resources?.find((one) => one.address === "notebook_page.p");
      expect(half).toMatchObject({ tainted: true, values: { id: "1", text: "t", labels: null } });
      workspace.write({ "main.tf": page("quiet") });
      expect(change(await workspace.plan(), "notebook_page.p")).toMatchObject({
        actions: ["delete", "create"],
        reason: "replace_because_tainted",
      });
      await workspace.apply();
      expect(await edit((notebook) => [notebook.findPage("1"), notebook.findPage("2")?.labels])).toEqual([undefined, ["quiet"]]);
    });

    test("writes log lines at their level and without sensitive values with TF_LOG=trace", async ({ expect }) => {
      workspace.write({ "main.tf": `${configured()}\nresource "notebook_note" "a" {\n  title = "A"\n  passphrase = "open sesame"\n}` });
      const { code, stderr } = await workspace.run(["apply", "-auto-approve", "-input=false", "-no-color"], { env: { TF_LOG: "trace" } });
      expect(code).toBe(0);
      const line = stderr.split("\n").find((one) => one.includes("creating note"));
      expect(line).toMatch(/\[DEBUG\] +provider.*creating note:.*title=A/);
      const ours = stderr.split("\n").filter((one) => /provider\.terraform-provider-notebook/.test(one));
      expect(ours.join("\n")).not.toContain("open sesame");
    });

    test("ends an interrupted apply gracefully, with a correct state", async ({ expect }) => {
      workspace.write({
        "main.tf": `${configured(700)}
          resource "notebook_note" "first" { title = "first" }
          resource "notebook_note" "second" {
            title = "second"
            body  = notebook_note.first.id
          }
          resource "notebook_note" "third" {
            title = "third"
            body  = notebook_note.second.id
          }`,
      });
      const { stdout } = await workspace.run(["apply", "-auto-approve", "-input=false", "-no-color"], {
        onStart: (running) => {
          void running
            .waitForOutput("first: Creation complete")
            .then(() => running.waitForOutput("second: Creating"))
            .then(() => running.interrupt());
        },
      });
      expect(stdout).toContain("first: Creation complete");
      expect(stdout).not.toContain("third: Creating");
      const recorded = (await workspace.state()).values?.root_module.resources?.map(({ values }) => values["title"]) ?? [];
      expect(recorded).toEqual((await edit((notebook) => notebook.searchNotes("", null))).map(({ title }) => title));
      expect(existsSync(join(workspace.folder, ".terraform.tfstate.lock.info"))).toBe(false);
      workspace.write({ "main.tf": `${configured()}\nresource "notebook_note" "first" { title = "first" }` });
      await workspace.apply();
      const second = await workspace.run(["plan", "-input=false", "-detailed-exitcode"]);
      expect(second.code, second.stdout).toBe(0);
    });

    test("installs from a filesystem mirror, applies and destroys", async ({ expect }) => {
      using mirrored = new CliWorkspace(peers[cli].path, { kind: "filesystemMirror", folder: join(provider.folder, "mirror") });
      mirrored.write({ "main.tf": `${configured()}\nresource "notebook_note" "a" {\n  title = "A"\n}` });
      expect(await mirrored.must(["init", "-input=false", "-no-color"])).toContain("notebook");
      expect(await mirrored.apply()).toContain("1 added");
      const second = await mirrored.run(["plan", "-input=false", "-detailed-exitcode"]);
      expect(second.code, second.stdout).toBe(0);
      expect(await mirrored.destroy()).toContain("1 destroyed");
    });

    test("installs through a link to the package", async ({ expect }) => {
      using linked = new CliWorkspace(peers[cli].path, { kind: "devOverrides", source: address, folder: join(workspace.folder, "linked") });
      symlinkSync(join(provider.folder, "dev"), join(workspace.folder, "linked"));
      linked.write({ "main.tf": `${configured()}\nresource "notebook_note" "a" {\n  title = "A"\n}` });
      expect(await linked.apply()).toContain("1 added");
    });
  });
}
