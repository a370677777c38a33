// SPDX-License-Identifier: Apache-2.0
// The packaged plugin under the `pulumi` on PATH: a YAML program with a local backend, and without a network.
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { describePeer } from "@tenon/peers/vitest";
import { afterAll, beforeAll, test } from "vitest";
import { bundledPlugin } from "./pulumi-bundle.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "pulumi-cli-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const plugin = await bundledPlugin();
const project = join(folder, "project");

/** A step of a preview, in the CLI's JSON. */
interface PreviewStep {
  readonly op: string;
  readonly urn: string;
}

describePeer(["pulumi", "provider-time"], "the pulumi CLI", ({ pulumi, "provider-time": time }) => {
  const environment = {
    PATH: [dirname(pulumi.path), dirname(plugin), process.env["PATH"]].join(delimiter),
    HOME: folder,
    PULUMI_HOME: join(folder, "home"),
    PULUMI_BACKEND_URL: `file://${join(folder, "state")}`,
    PULUMI_CONFIG_PASSPHRASE: "",
    PULUMI_CREDENTIAL_STORE: "plaintext",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    PULUMI_DISABLE_REGISTRY_RESOLVE: "true",
    PULUMI_SUPPRESS_NEO_LINK: "true",
  };
  const run = async (...args: readonly string[]): Promise<string> => {
    const command = [...args, "--non-interactive"];
    const { stdout } = await promisify(execFile)(pulumi.path, command, { cwd: project, env: environment, maxBuffer: 64 << 20 });
    return stdout;
  };
  /** Writes the program. @param rfc3339 - property of its only resource. */
  const write = (rfc3339: string): void => {
    const resource = `resources:\n  release:\n    type: time:index/static:Static\n    properties:\n      rfc3339: "${rfc3339}"\n`;
    const outputs = "outputs:\n  unix: ${release.unix}\n  id: ${release.id}\n";
    const packages = `packages:\n  time:\n    source: ${plugin}\n    parameters:\n      - ${time.path}\n`;
    writeFileSync(join(project, "Pulumi.yaml"), `name: project\nruntime: yaml\n${packages}${resource}${outputs}`);
  };
  const preview = async (): Promise<readonly PreviewStep[]> =>
    (JSON.parse(await run("preview", "--json")) as { readonly steps: readonly PreviewStep[] }).steps.filter(({ urn }) =>
      urn.includes("time:index/static:Static"),
    );
  const outputs = async (): Promise<unknown> => JSON.parse(await run("stack", "output", "--json"));

  beforeAll(() => {
    for (const path of [project, join(folder, "state"), join(folder, "home")]) mkdirSync(path);
  });

  test("gets the schema of a provider", { timeout: 120_000 }, async ({ expect }) => {
    const schema = JSON.parse(await run("package", "get-schema", plugin, time.path)) as { readonly resources: object };
    expect(schema).toMatchObject({ name: "time" });
    expect(Object.keys(schema.resources)).toContain("time:index/static:Static");
  });

  test("leads a stack through its life", { timeout: 300_000 }, async ({ expect }) => {
    writeFileSync(join(project, "Pulumi.yaml"), "name: project\nruntime: yaml\n");
    await run("package", "add", plugin, time.path);
    expect(readdirSync(join(project, "sdks")).join()).toContain("time");
    write("2026-01-02T03:04:05Z");
    await run("stack", "init", "dev");
    expect(await preview()).toMatchObject([{ op: "create" }]);
    await run("up", "--yes", "--skip-preview");
    expect(await outputs()).toEqual({ unix: 1767323045, id: "2026-01-02T03:04:05Z" });
    await run("preview", "--expect-no-changes");
    await run("refresh", "--yes", "--skip-preview", "--expect-no-changes");

    write("2027-01-02T03:04:05Z");
    expect((await preview()).map(({ op }) => op)).toContain("replace");
    await run("up", "--yes", "--skip-preview");
    expect(await outputs()).toMatchObject({ id: "2027-01-02T03:04:05Z" });

    const id = "2028-01-02T03:04:05Z";
    await run("import", "time:index/static:Static", "imported", id, "--yes", "--skip-preview", "--protect=false", "--generate-code=false");
    expect(await run("stack", "export")).toContain(`"${id}"`);
    await run("destroy", "--yes", "--skip-preview");
    const { deployment } = JSON.parse(await run("stack", "export")) as { readonly deployment: { readonly resources?: readonly object[] } };
    expect(JSON.stringify(deployment.resources ?? [])).not.toContain("time:index/static:Static");
  });
});
