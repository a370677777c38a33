// SPDX-License-Identifier: Apache-2.0
// Providers that a configuration requires are installed, locked and launched by the engine; the lock files are those of `tofu init`.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openWorkspace, WarmProviders, type EngineEvent, type ProviderInstallation, type Workspace } from "@tenon/engine";
import { localState } from "@tenon/engine/state/stores";
import { describePeer } from "@tenon/peers/vitest";
import { currentPlatform, formatPlatform } from "@tenon/plugin-host/install";
import { afterAll, beforeAll, describe, test } from "vitest";
import { CliWorkspace } from "./cli-workspace.ts";
import { packageExample, type PackagedProvider } from "./packaged-provider.ts";
import { ProviderRegistry, signingKey } from "./provider-registry.ts";

const platform = formatPlatform(currentPlatform());
let provider: PackagedProvider;
let registry: ProviderRegistry;

beforeAll(async () => {
  provider = packageExample("apps/examples/textfile/main.ts", "--name", "textfile", "--version", "1.1.0", "--zip");
  const files = readdirSync(provider.folder, { recursive: true, encoding: "utf8" });
  const name = files.find((file) => file.endsWith(".zip"))!;
  const zip = readFileSync(join(provider.folder, name));
  registry = await ProviderRegistry.start();
  registry.keys = [await signingKey()];
  registry.packages = ["1.0.0", "1.1.0", "2.0.0"].map((version) => ({ namespace: "acme", type: "textfile", version, platform, zip }));
});
afterAll(async () => {
  provider[Symbol.dispose]();
  await registry[Symbol.asyncDispose]();
});

/** A folder with a configuration of one file, and settings that install from the registry to an empty cache. */
class Project implements Disposable {
  readonly folder: string = mkdtempSync(join(tmpdir(), "tenon-project-"));
  readonly installation: ProviderInstallation = {
    cacheFolder: join(this.folder, "cache"),
    environment: { ...registry.environment, HOME: this.folder },
  };

  constructor() {
    this.write("main.tf", this.main());
  }

  get lockFile(): string {
    return join(this.folder, ".terraform.lock.hcl");
  }

  main(version = "~> 1.0"): string {
    return `terraform {
  required_providers {
    textfile = {
      source  = "${registry.host}/acme/textfile"
      version = "${version}"
    }
  }
}
provider "textfile" {
  folder = "${this.folder}"
}
resource "textfile_file" "note" {
  name = "note.txt"
  text = "hello"
}
`;
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }

  workspace(more: { readonly warmProviders?: WarmProviders; readonly installProviders?: ProviderInstallation } = {}): Workspace {
    const state = localState({ path: join(this.folder, "terraform.tfstate") });
    return openWorkspace({ configuration: this.folder, state, installProviders: this.installation, ...more });
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

describe("a required provider", () => {
  test("is installed, verified, locked and launched", async ({ expect }) => {
    using project = new Project();
    const events: EngineEvent[] = [];
    await using plan = await project.workspace().plan({ onEvent: (event) => events.push(event) });
    expect(plan.diagnostics).toEqual([]);
    await plan.apply();
    expect(readFileSync(join(project.folder, "note.txt"), "utf8")).toBe("hello");
    const steps = events.flatMap((event) => (event.type === "providerInstallation" ? [event.step] : []));
    expect(steps.at(-1)).toMatchObject({ kind: "installed", provider: { version: "1.1.0", trust: "signed" } });
    expect(readFileSync(project.lockFile, "utf8")).toContain('constraints = "~> 1.0"');
  });

  test("is not installed unless the caller asks for it", async ({ expect }) => {
    using project = new Project();
    const workspace = openWorkspace({ configuration: project.folder });
    await expect(workspace.plan()).rejects.toMatchObject({ code: "PROVIDER_NOT_FOUND" });
  });

  test("that cannot be installed is an error with its reason, and the lock of the state is free", async ({ expect }) => {
    using project = new Project();
    project.write("main.tf", project.main("~> 3.0"));
    const failed = project.workspace().plan();
    await expect(failed).rejects.toMatchObject({ code: "PROVIDER_INSTALLATION_FAILED", cause: { code: "PROVIDER_NOT_FOUND" } });
    project.write("main.tf", project.main());
    await using plan = await project.workspace().plan();
    expect(plan.errored).toBe(false);
  });

  test("whose locked version does not meet the constraints is refused, unless upgrades are allowed", async ({ expect }) => {
    using project = new Project();
    await (await project.workspace().plan()).close();
    project.write("main.tf", project.main("~> 2.0"));
    const refused = project.workspace().plan();
    await expect(refused).rejects.toMatchObject({ code: "PROVIDER_INSTALLATION_FAILED", cause: { code: "LOCKED" } });
    await using plan = await project.workspace({ installProviders: { ...project.installation, upgrade: true } }).plan();
    expect(plan.errored).toBe(false);
    expect(readFileSync(project.lockFile, "utf8")).toContain('"2.0.0"');
  });

  test("is installed for objects of the state alone", async ({ expect }) => {
    using project = new Project();
    await using created = await project.workspace().plan();
    await created.apply();
    project.write("main.tf", `provider "textfile" {\n  folder = "${project.folder}"\n}\n`);
    project.write("required.tf", project.main().slice(0, project.main().indexOf("provider ")));
    await using plan = await project.workspace().plan();
    expect(plan.changes.resources.map(({ action }) => action)).toEqual(["delete"]);
    await plan.apply();
    expect(readdirSync(project.folder)).not.toContain("note.txt");
  });

  test("that neither the configuration nor the state needs any more is removed from the lock file", async ({ expect }) => {
    using project = new Project();
    const locked = (): string => readFileSync(project.lockFile, "utf8");
    await using created = await project.workspace().plan();
    await created.apply();
    project.write("main.tf", "");
    // The state still has an object of the provider.
    await using unconfigured = await project.workspace().plan();
    expect(unconfigured.diagnostics.map(({ summary }) => summary)).toContain("Invalid provider configuration");
    expect(locked()).toContain("acme/textfile");
    await unconfigured.close();
    await project.workspace().stored().remove("textfile_file.note");
    await using unneeded = await project.workspace().plan();
    expect(unneeded.diagnostics).toEqual([]);
    expect(locked()).not.toContain("acme/textfile");
  });

  test("is launched once for several runs where instances are kept", async ({ expect }) => {
    using project = new Project();
    await using warm = new WarmProviders();
    await using workspace = project.workspace({ warmProviders: warm });
    await (await workspace.plan()).apply();
    expect(warm.idleCount).toBe(1);
    await using second = await workspace.plan();
    expect(warm.idleCount).toBe(0);
    expect(second.hasChanges).toBe(false);
    await second.close();
    // Another workspace with the same package and the same configuration of the provider uses the process, too.
    await using third = await project.workspace({ warmProviders: warm }).plan();
    expect(warm.idleCount).toBe(0);
    await third.close();
    expect(warm.idleCount).toBe(1);
  });
});

describePeer(["tofu"], "a lock file", ({ tofu }) => {
  function cliFor(project: Project): CliWorkspace {
    const cli = new CliWorkspace(tofu.path, { kind: "filesystemMirror", folder: "/nowhere" });
    cli.write({ "main.tf": project.main(), "cli.tfrc": "provider_installation {\n  direct {}\n}\n" });
    return cli;
  }

  test("of the engine has the bytes of tofu init, which accepts it", async ({ expect }) => {
    using project = new Project();
    await (await project.workspace().plan()).close();
    const ours = readFileSync(project.lockFile, "utf8");
    using cli = cliFor(project);
    cli.write({ ".terraform.lock.hcl": ours });
    await cli.must(["init", "-no-color", "-lockfile=readonly"], { env: registry.environment });
    rmSync(join(cli.folder, ".terraform.lock.hcl"));
    await cli.must(["init", "-no-color"], { env: registry.environment });
    expect(ours).toBe(readFileSync(join(cli.folder, ".terraform.lock.hcl"), "utf8"));
  });

  test("of tofu init selects the version, and stays as it is", async ({ expect }) => {
    using project = new Project();
    using cli = cliFor(project);
    cli.write({ "main.tf": project.main("1.0.0") });
    await cli.must(["init", "-no-color"], { env: registry.environment });
    const theirs = readFileSync(join(cli.folder, ".terraform.lock.hcl"), "utf8");
    project.write("main.tf", project.main("1.0.0"));
    project.write(".terraform.lock.hcl", theirs);
    const steps: EngineEvent[] = [];
    const installProviders = { ...project.installation, readonlyLockFile: true };
    await using plan = await project.workspace({ installProviders }).plan({ onEvent: (event) => steps.push(event) });
    expect(plan.errored).toBe(false);
    expect(readFileSync(project.lockFile, "utf8")).toBe(theirs);
    expect(steps).toContainEqual(expect.objectContaining({ step: expect.objectContaining({ kind: "selected", version: "1.0.0" }) }));
  });
});
