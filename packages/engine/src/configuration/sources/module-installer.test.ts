// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from "node:child_process";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { diskFiles } from "@tenon/hcl/files";
import { decodeCliConfig, type CliConfig } from "@tenon/plugin-host/install";
import { afterAll, beforeAll, describe, test } from "vitest";
import { loadConfiguration, manifestPath } from "../index.ts";
import { gitAddressOf } from "./git-package.ts";
import { openModuleInstaller } from "./index.ts";
import { SourceError } from "./source-error.ts";

const workshop = realpathSync(mkdtempSync(join(tmpdir(), "modules-")));
afterAll(() => rmSync(workshop, { recursive: true, force: true }));

let count = 0;
function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = join(workshop, `folder${count++}`);
  for (const [path, text] of Object.entries({ ".keep": "", ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

async function install(folder: string, cliConfig: CliConfig = decodeCliConfig("", "cli.tfrc", "opentofu", {})) {
  await using installer = await openModuleInstaller({ folder, cliConfig, environment: { PATH: process.env["PATH"], HOME: workshop } });
  const loaded = await loadConfiguration({ files: diskFiles, folder, resolveModule: installer.resolve });
  await installer.writeManifest();
  return loaded;
}

/** Installs a module from the source. Returns the loaded module and the details of the diagnostics. */
async function installOne(source: string, version = "", cliConfig?: CliConfig) {
  const argument = version === "" ? "" : `  version = "${version}"\n`;
  const folder = folderWith({ "main.tf": `module "m" {\n  source = "${source}"\n${argument}}\n` });
  const { configuration, diagnostics } = await install(folder, cliConfig);
  const child = configuration?.children.get("m");
  return {
    folder,
    child,
    outputs: [...(child?.module.outputs.keys() ?? [])],
    details: diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`),
  };
}

const output = (name: string): string => `output "${name}" {\n  value = 1\n}\n`;

/** Creates a tar archive with the entries. */
function tar(
  entries: readonly { readonly name: string; readonly text?: string; readonly type?: string; readonly link?: string }[],
): Buffer {
  const blocks = entries.flatMap(({ name, text = "", type = "0", link = "" }) => {
    const header = Buffer.alloc(512);
    header.write(name, 0);
    header.write("0000644\0", 100);
    header.write(`${Buffer.byteLength(text).toString(8).padStart(11, "0")}\0`, 124);
    header.write(type, 156);
    header.write(link, 157);
    header.write("ustar\x0000", 257);
    const content = Buffer.alloc(Math.ceil(Buffer.byteLength(text) / 512) * 512);
    content.write(text);
    return [header, content];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

describe("git repositories", () => {
  let repository = "";
  const git = (...args: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], { cwd: repository, encoding: "utf8" }).trim();

  beforeAll(() => {
    repository = folderWith({ "main.tf": output("first"), "sub/main.tf": output("sub") });
    symlinkSync("/etc", join(repository, "outside"));
    git("init", "--quiet", "--initial-branch=main");
    git("add", "-A");
    git("commit", "--quiet", "-m", "First");
    git("tag", "v1");
    writeFileSync(join(repository, "main.tf"), output("second"));
    git("commit", "--quiet", "-am", "Second");
    git("branch", "other", "v1");
  });

  test("are cloned and recorded in the manifest", async ({ expect }) => {
    const { folder, outputs, details } = await installOne(`git::file://${repository}`);
    expect({ outputs, details }).toEqual({ outputs: ["second"], details: [] });
    expect(JSON.parse(readFileSync(join(folder, manifestPath), "utf8"))).toEqual({
      Modules: [
        { Key: "", Source: "", Dir: "." },
        { Key: "m", Source: `git::file://${repository}`, Dir: ".terraform/modules/m" },
      ],
    });
  });

  test.for(["v1", "other", "commit"])("are checked out at %s", async (ref, { expect }) => {
    const { outputs, details } = await installOne(`git::file://${repository}?ref=${ref === "commit" ? git("rev-parse", "v1") : ref}`);
    expect({ outputs, details }).toEqual({ outputs: ["first"], details: [] });
  });

  test("are cloned without history for `depth`, and provide a module in a subfolder", async ({ expect }) => {
    const { child, outputs } = await installOne(`git::file://${repository}//sub?depth=1&ref=main`);
    expect(outputs).toEqual(["sub"]);
    expect(child?.module.folder).toMatch(/\.terraform\/modules\/m\/sub$/);
  });

  test("are installed once, and again after the source has changed", async ({ expect }) => {
    const folder = folderWith({ "main.tf": `module "m" {\n  source = "git::file://${repository}?ref=v1"\n}\n` });
    await install(folder);
    writeFileSync(join(folder, ".terraform/modules/m/main.tf"), output("kept"));
    const again = await install(folder);
    expect([...again.configuration!.children.get("m")!.module.outputs.keys()]).toEqual(["kept"]);
    writeFileSync(join(folder, "main.tf"), `module "m" {\n  source = "git::file://${repository}"\n}\n`);
    const changed = await install(folder);
    expect([...changed.configuration!.children.get("m")!.module.outputs.keys()]).toEqual(["second"]);
  });

  test.for([
    ["git::ext::sh -c touch%20/tmp/owned", "the address of the repository is not a URL"],
    ["git::file:///r?ref=--upload-pack=touch", 'invalid ref: "--upload-pack=touch"'],
    ["git::ssh://-oProxyCommand=touch/x", "may not begin with a dash"],
    ["git::fd://17/x", 'git may not use the protocol "fd"'],
    ["git::file:///nowhere/at/all", "git exited with 128"],
  ] as const)("at %s are rejected", async ([source, reason], { expect }) => {
    const { details } = await installOne(source);
    expect(details.join("\n")).toContain(reason);
  });

  test.for(["//../sub", "//sub/../../x"])("do not provide modules outside of the repository: %s", async (subfolder, { expect }) => {
    const { details, child } = await installOne(`git::file://${repository}${subfolder}`);
    expect(details.join("\n")).toContain("leads outside of the module package");
    expect(child).toBeUndefined();
  });

  test.for([
    "ext::sh -c x",
    "-oProxyCommand=x",
    "--upload-pack=x",
    "https://-x/y",
    "ssh://-x@y/z",
    "fd::17/x",
    "ext://x",
    "https://x/y?sshkey=a",
  ])("are not fetched from the address %s", (address, { expect }) => {
    expect(() => gitAddressOf(address)).toThrow(SourceError);
  });

  test("do not provide modules outside of the repository by symbolic links", async ({ expect }) => {
    const { details, child } = await installOne(`git::file://${repository}//outside`);
    expect(details.join("\n")).toContain('subdirectory "outside" leads outside of the module package');
    expect(child).toBeUndefined();
  });

  test("without the subfolder are reported", async ({ expect }) => {
    const { details } = await installOne(`git::file://${repository}//missing/folder`);
    expect(details.join("\n")).toMatch(/Module subdirectory not found: Cannot find directory "missing" in the module path/);
  });
});

describe("registries and archives", () => {
  const requests: { readonly url: string; readonly authorization: string | undefined }[] = [];
  const routes = new Map<string, (response: ServerResponse) => void>();
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    requests.push({ url: request.url ?? "", authorization: request.headers.authorization });
    const route = routes.get(request.url ?? "");
    if (route) route(response);
    else response.writeHead(404).end();
  };
  const servers: Server[] = [];
  const origins: string[] = [];
  const json = (value: unknown) => (response: ServerResponse) =>
    response.setHeader("content-type", "application/json").end(JSON.stringify(value));
  const config = (): CliConfig =>
    decodeCliConfig(
      `host "modules.example.com" {\n  services = {\n    "modules.v1" = "${origins[0]}/v1/"\n  }\n}\ncredentials "modules.example.com" {\n  token = "secret"\n}\n`,
      "cli.tfrc",
      "opentofu",
      {},
    );

  beforeAll(async () => {
    for (let index = 0; index < 2; index++) {
      const server = createServer(serve);
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      servers.push(server);
      origins.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    }
    const versions = ["1.0.0", "1.2.0", "1.10.0-beta1", "2.0.0", "nonsense"].map((version) => ({ version }));
    routes.set("/v1/acme/net/aws/versions", json({ modules: [{ versions }] }));
    routes.set("/v1/acme/net/aws/1.2.0/download", (response) =>
      response.writeHead(204, { "x-terraform-get": "/archive.tar.gz//inner" }).end(),
    );
    routes.set("/v1/acme/net/aws/1.10.0-beta1/download", json({ location: "./own.tar", use_registry_credentials: true }));
    routes.set("/v1/acme/net/aws/1.10.0-beta1/own.tar", (response) =>
      response.writeHead(302, { location: `${origins[1]}/moved.tar` }).end(),
    );
    routes.set("/moved.tar", (response) => response.end(tar([{ name: "main.tf", text: output("beta") }])));
    routes.set("/archive.tar.gz", (response) =>
      response.end(
        gzipSync(
          tar([
            { name: "./inner/", type: "5" },
            { name: "./inner/main.tf", text: output("inner") },
          ]),
        ),
      ),
    );
    routes.set("/evil.tar", (response) => response.end(tar([{ name: "../../evil.tf", text: "x" }])));
    routes.set("/absolute.tar", (response) => response.end(tar([{ name: "/tmp/evil.tf", text: "x" }])));
    routes.set("/link.tar", (response) => response.end(tar([{ name: "link", type: "2", link: "/etc" }])));
    routes.set("/short.tar", (response) => response.end(tar([{ name: "main.tf", text: output("a") }]).subarray(0, 530)));
  });
  afterAll(() => servers.forEach((server) => server.close()));

  test("provide the newest version that the call allows", async ({ expect }) => {
    const { outputs, child, details } = await installOne("modules.example.com/acme/net/aws", "~> 1.0", config());
    expect({ outputs, version: child?.version }).toEqual({ outputs: ["inner"], version: "1.2.0" });
    expect(details).toEqual([expect.stringContaining('returned an invalid version string "nonsense"')]);
  });

  test("provide an explicitly requested pre-release, and receive credentials only at their own origin", async ({ expect }) => {
    requests.length = 0;
    const { outputs } = await installOne("modules.example.com/acme/net/aws", "1.10.0-beta1", config());
    expect(outputs).toEqual(["beta"]);
    expect(requests.map(({ url, authorization }) => [url, authorization])).toEqual([
      ["/v1/acme/net/aws/versions", "Bearer secret"],
      ["/v1/acme/net/aws/1.10.0-beta1/download", "Bearer secret"],
      ["/v1/acme/net/aws/1.10.0-beta1/own.tar", "Bearer secret"],
      ["/moved.tar", undefined],
    ]);
  });

  test("without the module or the version are reported", async ({ expect }) => {
    const missing = await installOne("modules.example.com/acme/none/aws", "1.0", config());
    expect(missing.details.join("\n")).toContain('Module not found: Module acme/none/aws ("m" from ');
    const newer = await installOne("modules.example.com/acme/net/aws", ">= 3.0", config());
    expect(newer.details.join("\n")).toContain("which matches the given version constraint. The newest available version is 2.0.0.");
  });

  test.for([
    ["/evil.tar", "leads outside of the module package"],
    ["/absolute.tar", "leads outside of the module package"],
    ["/link.tar", "neither a file nor a folder"],
    ["/short.tar", "the archive is malformed: it is truncated"],
  ])("with the archive %s are rejected", async ([path, reason], { expect }) => {
    const { details, child } = await installOne(`${origins[0]}${path}`);
    expect(details.join("\n")).toContain(reason);
    expect(child).toBeUndefined();
  });
});

test("a missing local module is reported", async ({ expect }) => {
  const { details } = await installOne("./missing");
  expect(details[0]).toContain("Unreadable module directory");
});
