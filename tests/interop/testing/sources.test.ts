// SPDX-License-Identifier: Apache-2.0
// Configurations in files and folders, and providers that the runner installs, on each runner.
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { provider as notebook } from "@tenon/example-notebook";
import { describePeer } from "@tenon/peers/vitest";
import { currentPlatform, formatPlatform } from "@tenon/plugin-host/install";
import {
  configStep,
  expectKnownOutputValue,
  expectKnownValue,
  expectResourceAction,
  type ResourceAddress,
  runTestCase,
  type TestCase,
} from "@tenon/testing";
import { afterAll, beforeAll, describe, type ExpectStatic, test, vi } from "vitest";
import { packageExample } from "../packaged-provider.ts";

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const root = mkdtempSync(join(tmpdir(), "tenon-sources-"));
const address = "registry.example.com/acme/textfile";
/** Bytes that are not UTF-8. */
const picture = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0x00]);

function write(folder: string, files: Readonly<Record<string, string | Uint8Array>>): string {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

/** A mirror of packages on disk, from which command lines and the engine install. */
function createMirror(): string {
  using packaged = packageExample("apps/examples/textfile/main.ts", "--name", "textfile", "--version", "1.1.0", "--zip");
  const zip = readdirSync(packaged.folder, { recursive: true, encoding: "utf8" }).find((file) => file.endsWith(".zip"))!;
  const mirror = join(root, "mirror");
  for (const version of ["1.0.0", "1.1.0"]) {
    const name = `terraform-provider-textfile_${version}_${formatPlatform(currentPlatform())}.zip`;
    mkdirSync(join(mirror, address), { recursive: true });
    cpSync(join(packaged.folder, zip), join(mirror, address, name));
  }
  return mirror;
}

beforeAll(() => {
  const settings = join(root, "settings.tfrc");
  writeFileSync(settings, `provider_installation {\n  filesystem_mirror {\n    path = ${JSON.stringify(createMirror())}\n  }\n}\n`);
  vi.stubEnv("TF_CLI_CONFIG_FILE", settings);
  vi.stubEnv("XDG_CACHE_HOME", join(root, "cache"));
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

const a: ResourceAddress = "notebook_note.a";

/** A folder with a module, a template and a picture, and with what a command line leaves in a folder. */
function createConfiguration(folder: string): string {
  return write(folder, {
    "main.tf": `provider "notebook" {\n  path = "${folder}/notes.db"\n}\nmodule "words" {\n  source = "./words"\n  name   = var.name\n}\nresource "notebook_note" "a" {\n  title = module.words.title\n}\n`,
    "variables.tf": 'variable "name" {\n  type = string\n}\noutput "picture" {\n  value = filesha256("${path.module}/picture.png")\n}\n',
    "words/main.tf": 'variable "name" {}\noutput "title" {\n  value = templatefile("${path.module}/title.tftpl", { name = var.name })\n}\n',
    "words/title.tftpl": "Bread of ${name}",
    "picture.png": picture,
    "terraform.tfstate": "{ this is not a state",
    ".terraform/modules/modules.json": "{ neither is this",
  });
}

async function runCase(testCase: TestCase, runner: string, expect: ExpectStatic): Promise<void> {
  expect(await runTestCase({ ...testCase, runner })).toEqual({ status: "passed" });
}

/** The tests of one runner. */
function testRunner(runner: string): void {
  test("a step applies a file, by a URL and by a relative path", async ({ expect }) => {
    const folder = mkdtempSync(join(root, "file-"));
    const config = (title: string): string =>
      `provider "notebook" {\n  path = "${folder}/notes.db"\n}\nresource "notebook_note" "a" {\n  title = "${title}"\n}\n`;
    write(folder, {
      "note.tf": config("Bread"),
      "other/note.tf.json": JSON.stringify({ variable: { unused: { default: 1 } } }),
      "rye.tf": config("Rye"),
    });
    const steps = [
      configStep({ file: pathToFileURL(join(folder, "note.tf")) }, { stateChecks: [expectKnownValue(a, "title", "Bread")] }),
      configStep({ file: relative(process.cwd(), join(folder, "rye.tf")) }, { planChecks: [expectResourceAction(a, "Update")] }),
      // The file is the whole configuration.
      configStep({ files: { "note.tf": config("Rye") } }),
    ];
    await runCase({ providers: { notebook }, steps }, runner, expect);
  });

  test("a step applies a folder with a module, a template and a binary file", async ({ expect }) => {
    const folder = createConfiguration(mkdtempSync(join(root, "folder-")));
    const digest = createHash("sha256").update(picture).digest("hex");
    const steps = [
      configStep(
        { directory: folder },
        {
          variables: { name: "Kim" },
          stateChecks: [expectKnownValue(a, "title", "Bread of Kim"), expectKnownOutputValue("picture", digest)],
        },
      ),
      configStep({ directory: pathToFileURL(folder) }, { variables: { name: "Sam" }, planChecks: [expectResourceAction(a, "Update")] }),
    ];
    await runCase({ providers: { notebook }, steps }, runner, expect);
  });

  test("a failure shows the names and lines of the files, and no bytes", async ({ expect }) => {
    const folder = createConfiguration(mkdtempSync(join(root, "failure-")));
    const failing = configStep({ directory: folder }, { variables: { name: "Kim" }, stateChecks: [expectKnownValue(a, "title", "Rye")] });
    const run = runTestCase({ providers: { notebook }, steps: [failing], runner });
    await expect(run).rejects.toMatchObject({
      code: "CHECK_FAILED",
      message: expect.stringMatching(/words\/title\.tftpl:\n {2}1 │ Bread of \$\{name\}/) as string,
    });
    await expect(run).rejects.not.toMatchObject({ message: expect.stringContaining("picture.png:") as string });
  });

  test("a missing file or folder makes the case invalid", async ({ expect }) => {
    for (const source of [{ file: join(root, "absent.tf") }, { directory: join(root, "absent") }]) {
      const run = runTestCase({ providers: { notebook }, steps: [configStep(source)], runner });
      await expect(run).rejects.toMatchObject({ code: "CASE_INVALID", message: expect.stringContaining("absent") as string });
    }
  });

  const file = (folder: string, text: string): string =>
    `provider "textfile" {\n  folder = "${folder}"\n}\nresource "textfile_file" "a" {\n  name = "a.txt"\n  text = "${text}"\n}\n`;
  const external = (version: string): NonNullable<TestCase["externalProviders"]> => ({ textfile: { source: address, version } });

  test("a case uses a provider that the runner installs by its address, beside its own", async ({ expect }) => {
    const folder = mkdtempSync(join(root, "external-"));
    const note = `provider "notebook" {\n  path = "${folder}/notes.db"\n}\nresource "notebook_note" "a" {\n  title = textfile_file.a.text\n}\n`;
    const steps = [
      configStep(file(folder, "Bread") + note, { stateChecks: [expectKnownValue(a, "title", "Bread")] }),
      configStep(file(folder, "Rye") + note, {
        planChecks: [expectResourceAction("textfile_file.a", "Update")],
        postApply: () => expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("Rye"),
      }),
    ];
    await runCase({ providers: { notebook }, externalProviders: external("~> 1.0"), steps }, runner, expect);
    expect(readdirSync(folder)).not.toContain("a.txt");
  });

  test("a version that does not exist is an error of the step", async ({ expect }) => {
    const folder = mkdtempSync(join(root, "version-"));
    const steps = [configStep(file(folder, "Bread"), { expectError: /registry\.example\.com\/acme\/textfile/ })];
    await runCase({ externalProviders: external("~> 3.0"), steps }, runner, expect);
  });
}

describe("in process", () => {
  testRunner("in-process");
});
describePeer(["tofu"], "with tofu", ({ tofu: { path } }) => testRunner(path));
describePeer(["terraform"], "with terraform", ({ terraform: { path } }) => testRunner(path));
