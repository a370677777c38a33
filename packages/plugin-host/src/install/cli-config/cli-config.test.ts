// SPDX-License-Identifier: Apache-2.0
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, test } from "vitest";
import { parseAddress } from "../address/source-address.ts";
import { decodeCliConfig } from "./decode-cli-config.ts";
import { readHcl1 } from "./hcl1-reader.ts";
import { loadCliConfig } from "./load-cli-config.ts";
import { matchesPattern, parseSourcePattern } from "./source-pattern.ts";

describe("readHcl1", () => {
  const valueOf = (text: string) => readHcl1(`a = ${text}`, "f").items[0]?.value;

  test.for([
    ['"x"', "x"],
    [String.raw`"\n\t\"\\é\x41\101"`, '\n\t"\\éAA'],
    [String.raw`"${"${"}path("a")}/b"`, '${path("a")}/b'],
    ["12", 12],
    ["-1.5e3", -1500],
    ["0x1F", 31],
    ["true", true],
    ["[1, 2,]", [1, 2]],
    ["[]", []],
    ["<<EOT\n a\n  b\nEOT\n", " a\n  b\n"],
    ["<<-EOT\n  a\n    b\n  EOT\n", "a\n  b\n"],
  ])("reads %s", ([text, value], { expect }) => {
    expect(valueOf(text as string)).toEqual(value);
  });

  test("reads blocks, labels, quoted keys and all kinds of comments", ({ expect }) => {
    const text = `# one
      // two
      a "b" c { d = 1, e = 2 } /* three
      four */ "f/g" = "h"`;
    expect(readHcl1(text, "f").items).toEqual([
      {
        keys: ["a", "b", "c"],
        assigned: false,
        line: 3,
        value: {
          items: [
            { keys: ["d"], assigned: true, value: 1, line: 3 },
            { keys: ["e"], assigned: true, value: 2, line: 3 },
          ],
        },
      },
      { keys: ["f/g"], assigned: true, value: "h", line: 4 },
    ]);
  });

  test.for([
    ["a = ", "f, line 1: expected a value, found the end of the file"],
    ["a = 1\nb = {\n", "f, line 3: expected a name, found the end of the file"],
    ['a = "x\n', "f, line 1: a quoted string is not closed"],
    ["a = [1 2]", 'f, line 1: expected a comma or the end of the list, found "2"'],
    ["/* a", "f, line 1: a comment is not closed"],
    ["a = <<E\nx", "f, line 2: the heredoc <<E is not closed"],
    ['a = "\\q"', "f, line 1: invalid escape sequence \\q"],
    ["a = nope", 'f, line 1: expected a value, found "n"'],
    ["}", 'f, line 1: expected a name, found "}"'],
    ["a = ".concat("[".repeat(20_000)), "nested more than 100 levels deep"],
    ["{", "f is not valid JSON"],
    ['{"a": null}', "f contains a null"],
  ])("rejects %j", ([text, message], { expect }) => {
    expect(() => readHcl1(text!, "f")).toThrow(
      expect.objectContaining({ code: "INVALID_CLI_CONFIG", message: expect.stringContaining(message!) }),
    );
  });

  test("reads long texts in linear time", ({ expect }) => {
    const long = `a = "${"x".repeat(200_000)}"\n`.repeat(20);
    expect(readHcl1(long, "f").items).toHaveLength(20);
  });
});

describe("decodeCliConfig", () => {
  const allSettings = `
    plugin_cache_dir = "$HOME/cache"
    disable_checkpoint = true
    credentials "Example.com" { token = "s3cret" }
    credentials_helper "vault" { args = ["--quick"] }
    host "example.com" { services = { "providers.v1" = "https://p.example.com/", "login.v1" = { client = "x" } } }
    provider_installation {
      dev_overrides { "acme/notes" = "/dev/./notes", time = "/dev/time" }
      filesystem_mirror { path = "/mirror" include = ["acme/*"] }
      network_mirror { url = "https://m.example.com/p/" exclude = ["*/*/*"] trust_all_hashes = true }
      oci_mirror { repository_template = "o.example.com/\${namespace}/\${type}" include = ["o.example.com/*/*"] }
      direct { exclude = ["acme/*"] download_retry_count = 5 }
    }
    oci_credentials "o.example.com/acme" { username = "u" password = "p" }`;
  const inJson = JSON.stringify({
    plugin_cache_dir: "$HOME/cache",
    credentials: { "Example.com": { token: "s3cret" } },
    credentials_helper: { vault: { args: ["--quick"] } },
    host: { "example.com": { services: { "providers.v1": "https://p.example.com/" } } },
    provider_installation: {
      dev_overrides: { "acme/notes": "/dev/./notes", time: "/dev/time" },
      filesystem_mirror: { path: "/mirror", include: ["acme/*"] },
      network_mirror: { url: "https://m.example.com/p/", exclude: ["*/*/*"], trust_all_hashes: true },
      oci_mirror: { repository_template: "o.example.com/${namespace}/${type}", include: ["o.example.com/*/*"] },
      direct: { exclude: ["acme/*"], download_retry_count: 5 },
    },
    oci_credentials: { "o.example.com/acme": { username: "u", password: "p" } },
  });

  test.for([
    ["HCL 1", allSettings],
    ["JSON", inJson],
  ])("reads all settings of providers from %s", ([, text], { expect }) => {
    const acme = { hostname: "registry.opentofu.org", namespace: "acme", type: "*" };
    expect(decodeCliConfig(text!, ".tofurc", "opentofu", { HOME: "/home/me" })).toEqual({
      pluginCacheDir: "/home/me/cache",
      credentials: new Map([["example.com", "s3cret"]]),
      credentialsHelper: { type: "vault", args: ["--quick"] },
      hosts: new Map([["example.com", { "providers.v1": "https://p.example.com/" }]]),
      providerInstallation: {
        devOverrides: new Map([
          ["registry.opentofu.org/acme/notes", "/dev/notes"],
          ["registry.opentofu.org/hashicorp/time", "/dev/time"],
        ]),
        methods: [
          { kind: "filesystem_mirror", path: "/mirror", include: [acme], exclude: [] },
          {
            kind: "network_mirror",
            url: "https://m.example.com/p/",
            include: [],
            exclude: [{ hostname: "*", namespace: "*", type: "*" }],
            trustAllHashes: true,
          },
          {
            kind: "oci_mirror",
            repositoryTemplate: "o.example.com/${namespace}/${type}",
            include: [{ hostname: "o.example.com", namespace: "*", type: "*" }],
            exclude: [],
          },
          { kind: "direct", include: [], exclude: [acme], downloadRetries: 5 },
        ],
      },
      ociCredentials: [{ repositoryPrefix: "o.example.com/acme", username: "u", password: "p" }],
    });
  });

  test.for([
    ["provider_installation = {}", "line 1: a provider_installation block must not have an equals sign"],
    ['provider_installation "x" {}', "must not have labels"],
    ["provider_installation {}\nprovider_installation {}", "line 2: there may be only one provider_installation block"],
    ["provider_installation { direct {} dev_overrides {} }", "dev_overrides must come before all other methods"],
    ["provider_installation { carrier_pigeon {} }", 'there is no method "carrier_pigeon"'],
    ["provider_installation { filesystem_mirror {} }", "filesystem_mirror must have path"],
    ['provider_installation { network_mirror { url = "http://m/" } }', '"http://m/" is not an https: address'],
    ['provider_installation { direct { include = ["*/a"] } }', "the type must be a star"],
    ['provider_installation { direct { include = ["*/a/b"] } }', "namespace and type must be stars"],
    ['provider_installation { direct { include = ["a"] } }', "two or three parts"],
    ['provider_installation { dev_overrides { "a/b" = 1 } }', 'the folder of "a/b" must be a string'],
    ['credentials_helper "a" {}\ncredentials_helper "b" {}', "only one credentials_helper block"],
    ['credentials "a b" { token = "x" }', '"a b" is not the name of a host'],
    ["plugin_cache_dir = 1", "plugin_cache_dir must be a string"],
  ])("rejects %j", ([text, message], { expect }) => {
    expect(() => decodeCliConfig(text!, "f", "opentofu", {})).toThrow(
      expect.objectContaining({ code: "INVALID_CLI_CONFIG", message: expect.stringContaining(message!) }),
    );
  });

  test("uses the registry of Terraform for its files, and rejects oci_mirror in them", ({ expect }) => {
    const overrides = 'provider_installation { dev_overrides { "a/b" = "/c" } }';
    expect([...(decodeCliConfig(overrides, "f", "terraform", {}).providerInstallation?.devOverrides.keys() ?? [])]).toEqual([
      "registry.terraform.io/a/b",
    ]);
    const oci = 'provider_installation { oci_mirror { repository_template = "a/b" } }';
    expect(() => decodeCliConfig(oci, "f", "terraform", {})).toThrow('there is no method "oci_mirror"');
  });
});

describe("source patterns", () => {
  test("match the addresses they describe", ({ expect }) => {
    const host = "registry.opentofu.org";
    const patterns = ["acme/*", "example.com/*/*", "example.org/a/b"].map((text) => parseSourcePattern(text, host));
    const matches = (text: string): boolean => matchesPattern(parseAddress(text, host), patterns);
    expect(["acme/x", "example.com/a/b", "example.org/a/b"].map(matches)).toEqual([true, true, true]);
    expect(["acmee/x", "example.org/a/c", "hashicorp/time"].map(matches)).toEqual([false, false, false]);
    expect(matchesPattern(parseAddress("a/b", host), [parseSourcePattern("*/*/*", host)])).toBe(true);
  });
});

describe("loadCliConfig", () => {
  const folder = mkdtempSync(join(tmpdir(), "cli-config-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, ".terraform.d"));
  writeFileSync(join(folder, ".terraformrc"), 'plugin_cache_dir = "/a"');
  writeFileSync(join(folder, ".terraform.d", "credentials.tfrc.json"), '{"credentials":{"example.com":{"token":"t"}}}');
  writeFileSync(join(folder, ".terraform.d", "notes.txt"), "{");

  test("reads the files of the home directory, which environment variables override", async ({ expect }) => {
    const environment = { HOME: folder };
    expect(await loadCliConfig("terraform", environment)).toMatchObject({
      pluginCacheDir: "/a",
      credentials: new Map([["example.com", "t"]]),
    });
    expect((await loadCliConfig("opentofu", environment)).pluginCacheDir).toBe("/a");
    writeFileSync(join(folder, ".tofurc"), 'plugin_cache_dir = "/b"');
    expect((await loadCliConfig("opentofu", environment)).pluginCacheDir).toBe("/b");
    expect((await loadCliConfig("terraform", environment)).pluginCacheDir).toBe("/a");
    expect((await loadCliConfig("terraform", { ...environment, TF_PLUGIN_CACHE_DIR: "/c" })).pluginCacheDir).toBe("/c");
  });

  test("reads only the file that TF_CLI_CONFIG_FILE names, even a missing one", async ({ expect }) => {
    const named = join(folder, "named.tfrc");
    writeFileSync(named, 'plugin_cache_dir = "/d"');
    const config = await loadCliConfig("opentofu", { HOME: folder, TF_CLI_CONFIG_FILE: named });
    expect(config).toMatchObject({ pluginCacheDir: "/d", credentials: new Map() });
    const warnings: string[] = [];
    const missing = await loadCliConfig("opentofu", { HOME: folder, TF_CLI_CONFIG_FILE: join(folder, "none") }, (text) =>
      warnings.push(text),
    );
    expect([missing.pluginCacheDir, warnings]).toEqual([undefined, [expect.stringContaining("none, which TF_CLI_CONFIG_FILE names")]]);
    expect(await loadCliConfig("opentofu", { HOME: join(folder, "nobody") })).toMatchObject({ hosts: new Map() });
  });
});
