// SPDX-License-Identifier: Apache-2.0
// Modules from buckets, OCI registries and web servers: the installed files and the errors must be those of `tofu get`.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { loadConfiguration } from "@tenon/engine/configuration";
import { openModuleInstaller } from "@tenon/engine/configuration/sources";
import { diskFiles } from "@tenon/hcl/files";
import { describePeer } from "@tenon/peers/vitest";
import { decodeCliConfig } from "@tenon/plugin-host/install";
import { afterAll, afterEach, beforeAll, describe, test } from "vitest";
import { ProviderRegistry, type ServedResponse } from "./provider-registry.ts";
import { S3Server, s3Keys, s3Region } from "./s3-server.ts";
import { storedZip } from "./stored-zip.ts";
import { TofuFolder } from "./tofu-folder.ts";

const output = (name: string): string => `output "${name}" {\n  value = 1\n}\n`;
const zip = storedZip([
  { name: "main.tf", content: output("root") },
  { name: "inner/main.tf", content: output("inner") },
]);

function tar(name: string, content: string): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write("0000644\0", 100);
  header.write(`${content.length.toString(8).padStart(11, "0")}\0`, 124);
  header.write("        0", 148);
  header.write("ustar\x0000", 257);
  header.write(
    `${header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, "0")}\0 `,
    148,
  );
  const data = Buffer.alloc(Math.ceil(content.length / 512) * 512);
  data.write(content);
  return Buffer.concat([header, data, Buffer.alloc(1024)]);
}

function sha256(bytes: string | Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Files below a folder with their contents, without those of git. */
function filesIn(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  return Object.fromEntries(
    names
      .filter((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.isFile())
      .map((name) => [name, readFileSync(join(folder, name), "utf8")]),
  );
}

/** A text that tofu has printed, without frames and line breaks. */
function plain(text: string): string {
  return text.replace(/[│╷╵]/g, " ").replace(/\s+/g, " ");
}

describePeer(["tofu", "versitygw"], "the source of a module", ({ tofu, versitygw }) => {
  let server: S3Server;
  let registry: ProviderRegistry;
  const responses = new Map<string, ServedResponse>();
  const aws = { AWS_ACCESS_KEY_ID: s3Keys.accessKeyId, AWS_SECRET_ACCESS_KEY: s3Keys.secretAccessKey };
  let variables: Readonly<Record<string, string>> = {};
  let cliConfig = "";

  beforeAll(async () => {
    server = await S3Server.start(versitygw.path, ["modules"]);
    registry = await ProviderRegistry.start();
    registry.tamper = (path) => responses.get(path);
    const client = new S3Client({ region: s3Region, endpoint: server.url, credentials: s3Keys, forcePathStyle: true });
    const objects = {
      "a/net.zip": zip,
      "a/net.tar.gz": gzipSync(tar("main.tf", output("packed"))),
      "a/plain": zip,
      "a/files/main.tf": output("first"),
      "a/files/sub/deep/main.tf": output("deep"),
      "a/files2/main.tf": output("other"),
    };
    for (const [Key, Body] of Object.entries(objects)) await client.send(new PutObjectCommand({ Bucket: "modules", Key, Body }));
    client.destroy();
    serveModule("modules/net", ["1.0.0", "latest"], zip);
  });
  afterAll(async () => {
    await registry?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });
  afterEach(() => {
    variables = {};
    cliConfig = "";
    registry.seen.length = 0;
    registry.ociPassword = undefined;
  });

  /** Serves a module package in the OCI registry. Returns the digest of its manifest. */
  function serveModule(path: string, tags: readonly string[], archive: Uint8Array, changes: object = {}): string {
    const mediaType = "application/vnd.oci.image.manifest.v1+json";
    const put = (kind: string, type: string, body: Uint8Array): { mediaType: string; digest: string; size: number } => {
      const digest = `sha256:${sha256(body)}`;
      responses.set(`/v2/${path}/${kind}/${digest}`, { type, body, headers: { "docker-content-digest": digest } });
      return { mediaType: type, digest, size: body.length };
    };
    const config = put("blobs", "application/vnd.oci.empty.v1+json", Buffer.from("{}"));
    const layers = [put("blobs", "archive/zip", archive)];
    const artifactType = "application/vnd.opentofu.modulepkg";
    const manifest = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType, artifactType, config, layers, ...changes }));
    const { digest } = put("manifests", mediaType, manifest);
    for (const tag of tags) responses.set(`/v2/${path}/manifests/${tag}`, responses.get(`/v2/${path}/manifests/${digest}`)!);
    return digest;
  }

  /** Installs the modules of a configuration with tofu and with the engine. */
  async function install(main: string) {
    const environment = { ...registry.environment, AWS_EC2_METADATA_DISABLED: "true", ...variables };
    using theirs = new TofuFolder(tofu.path, "", environment);
    using ours = new TofuFolder(tofu.path, "", environment);
    for (const { path } of [theirs, ours]) writeFileSync(join(path, "main.tf"), main);
    writeFileSync(join(theirs.path, "cli.tfrc"), cliConfig);
    const run = await theirs.run("get");
    const seenByTofu = registry.seen.splice(0);
    await using installer = await openModuleInstaller({
      folder: ours.path,
      cliConfig: decodeCliConfig(cliConfig, "cli.tfrc", "opentofu", {}),
      environment: { PATH: process.env["PATH"], HOME: ours.path, ...environment },
    });
    const { diagnostics } = await loadConfiguration({ files: diskFiles, folder: ours.path, resolveModule: installer.resolve });
    await installer.writeManifest();
    const modules = (folder: string): Readonly<Record<string, string>> | undefined =>
      run.code === 0 && diagnostics.length === 0 ? filesIn(join(folder, ".terraform/modules")) : undefined;
    return {
      run,
      theirs: modules(theirs.path),
      ours: modules(ours.path),
      details: diagnostics.map(({ summary, detail }) => `${summary}: ${detail.replaceAll(`${ours.path}/`, "")}`),
      seen: { theirs: seenByTofu, ours: [...registry.seen] },
    };
  }

  const call = (source: string, name = "m"): string => `module "${name}" {\n  source = "${source}"\n}\n`;

  async function expectSame(
    expect: (value: unknown) => { toEqual(value: unknown): void },
    main: string,
  ): Promise<Awaited<ReturnType<typeof install>>> {
    const result = await install(main);
    expect([result.run.output, result.run.code, result.details]).toEqual([result.run.output, 0, []]);
    expect(result.ours).toEqual(result.theirs);
    return result;
  }

  async function expectSameError(
    expect: (value: unknown) => { toContain(value: string): void; toBe(value: unknown): void },
    source: string,
  ): Promise<string> {
    const { run, details } = await install(call(source));
    expect(run.code).toBe(1);
    const detail = details.join(" ").replace(/^Failed to download module: /, "");
    expect(plain(run.output)).toContain(plain(detail));
    return detail;
  }

  describe("in a bucket", () => {
    const s3 = (path: string, query = ""): string => `s3::${server.url}/modules/${path}${query === "" ? "" : `?${query}`}`;

    test.for([
      ["an archive", "a/net.zip", ""],
      ["a folder of an archive", "a/net.zip//inner", ""],
      ["a compressed tar file", "a/net.tar.gz", ""],
      ["an object whose name has no extension", "a/plain", "archive=zip"],
    ])("can be %s", async ([, path, query], { expect }) => {
      variables = aws;
      const { ours } = await expectSame(expect, call(s3(path!, query)));
      expect(Object.keys(ours!)).toContain("m/main.tf");
    });

    test("can be the objects below a prefix, without those of a prefix that begins in the same way (`similar-prefixes`)", async ({
      expect,
    }) => {
      variables = aws;
      const { ours, details } = await install(call(s3("a/files")));
      expect(details).toEqual([]);
      expect(ours).toMatchObject({ "m/main.tf": output("first"), "m/sub/deep/main.tf": output("deep") });
      // go-getter writes objects of the other prefix outside of the folder of the module.
      expect(Object.keys(ours!).filter((name) => name.endsWith(".tf"))).toEqual(["m/main.tf", "m/sub/deep/main.tf"]);
    });

    test("can have its keys in the address, which errors do not show", async ({ expect }) => {
      const keys = `aws_access_key_id=${s3Keys.accessKeyId}&aws_access_key_secret=${s3Keys.secretAccessKey}`;
      await expectSame(expect, call(s3("a/net.zip", keys)));
      const { details } = await install(call(s3("a/none.zip", keys)));
      expect(details.join()).toContain('Failed to download module: Could not download module "m" (main.tf:1) source code from');
      expect(details.join()).toContain("NoSuchKey");
      expect(details.join()).not.toContain(s3Keys.secretAccessKey);
    });

    test("is an error without objects, or if it is no valid address", async ({ expect }) => {
      variables = aws;
      const { run, details } = await install(call(s3("a/none")));
      expect(run.code).toBe(1);
      expect(details.join()).toContain('the bucket modules has no objects below "a/none/"');
      expect(await expectSameError(expect, `s3::${server.url}/modules`)).toContain("URL is not a valid S3 compliant URL");
    });
  });

  describe("in an OCI registry", () => {
    const oci = (rest: string): string => `oci://${registry.host}/modules/${rest}`;

    test("can be a tag, a digest, or the latest one", async ({ expect }) => {
      const digest = serveModule("modules/net", [], zip);
      await expectSame(expect, call(oci("net")) + call(oci("net?tag=1.0.0"), "tagged") + call(oci(`net//inner?digest=${digest}`), "inner"));
    });

    test("is downloaded once for several calls", async ({ expect }) => {
      const { seen } = await expectSame(expect, call(oci("net")) + call(oci("net"), "again") + call(oci("net//inner"), "inner"));
      const blobs = (requests: typeof seen.ours): number => requests.filter(({ path }) => path.includes("/blobs/")).length;
      expect(blobs(seen.ours)).toBe(1);
      expect(blobs(seen.theirs)).toBe(1);
    });

    test("can require the password of the CLI configuration", async ({ expect }) => {
      const authorization = `Basic ${Buffer.from("me:secret").toString("base64")}`;
      cliConfig = `oci_credentials "${registry.host}/modules" {\n  username = "me"\n  password = "secret"\n}\n`;
      const original = registry.tamper;
      registry.tamper = (path, request) => {
        if (path.startsWith("/token?"))
          return { body: JSON.stringify({ token: request.headers.authorization === authorization ? "let-me-in" : "no" }) };
        if (request.headers.authorization === "Bearer let-me-in") return original(path, request);
        return { status: 401, headers: { "www-authenticate": `Bearer realm="https://${registry.host}/token",service="x"` } };
      };
      try {
        await expectSame(expect, call(oci("net")));
      } finally {
        registry.tamper = original;
      }
    });

    test.for([
      ["net?tag=", "tag argument must not be empty"],
      ["net?tag=a&tag=b", 'too many "tag" arguments'],
      [`net?tag=1.0.0&digest=sha256:${"0".repeat(64)}`, 'cannot set both "tag" and "digest" arguments'],
      ["net?digest=sha256:00", "invalid digest: invalid checksum digest length"],
      ["net?digest=sha256", "invalid digest: invalid checksum digest format"],
      ["net?ref=1", 'unsupported argument "ref"'],
    ])("is an error for the address %s", async ([rest, reason], { expect }) => {
      expect(await expectSameError(expect, oci(rest!))).toContain(reason);
    });

    test("is an error if it is absent, another kind of artifact, or not what its digest says", async ({ expect }) => {
      serveModule("modules/other", ["latest"], zip, { artifactType: "application/vnd.example" });
      const digest = serveModule("modules/changed", ["latest"], zip);
      responses.set(`/v2/modules/changed/blobs/sha256:${sha256(zip)}`, { body: Buffer.concat([zip, Buffer.from(" ")]) });
      responses.set(`/v2/modules/changed/manifests/${digest}`, { ...responses.get(`/v2/modules/changed/manifests/${digest}`), body: "{}" });
      const reasons = {
        none: "status 404",
        other: "artifactType",
        changed: "is larger than",
        [`changed?digest=${digest}`]: "has the digest sha256:",
      };
      for (const [rest, reason] of Object.entries(reasons)) {
        const { run, details } = await install(call(oci(rest)));
        expect([rest, run.code]).toEqual([rest, 1]);
        expect(details.join()).toContain("Failed to download module");
        expect(details.join()).toContain(reason);
      }
    });
  });

  describe("on a web server", () => {
    const url = (path: string): string => `https://${registry.host}/${path}`;
    beforeAll(() => {
      responses.set("/packages/net.zip", { body: zip });
      responses.set("/header?terraform-get=1", { headers: { "x-terraform-get": url("packages/net.zip//inner") } });
      const meta = `<html><head><title>a</title><meta content='${url("header?a=1&amp;b=2")}' name="terraform-get"></head></html>`;
      responses.set("/page?terraform-get=1", { type: "text/html", body: meta });
      responses.set("/header?a=1&b=2&terraform-get=1", { headers: { "x-terraform-get": url("packages/net.zip") } });
      responses.set("/nothing?terraform-get=1", {
        type: "text/html",
        body: "<html><body><meta name='terraform-get' content='x'></body></html>",
      });
      responses.set("/local?terraform-get=1", { headers: { "x-terraform-get": "file:///etc" } });
      responses.set("/loop?terraform-get=1", { headers: { "x-terraform-get": url("loop") } });
    });

    test.for(["packages/net.zip", "header", "page"])("can be %s: an archive, or named by a header or a page", async (path, { expect }) => {
      const { ours } = await expectSame(expect, call(url(path)));
      expect(ours!["m/main.tf"]).toBe(output(path === "header" ? "inner" : "root"));
    });

    test("is an error if the server names none, or too many", async ({ expect }) => {
      expect(await expectSameError(expect, url("nothing"))).toContain("no source URL was returned");
      const { run, details } = await install(call(url("loop")));
      expect(run.code).toBe(1);
      expect(details.join()).toContain("more than 10 servers named another source");
    });

    test("is never a folder of this machine (`named-folders`)", async ({ expect }) => {
      const { details } = await install(call(url("local")));
      expect(details.join()).toContain("invalid source string: file:///etc");
    });
  });

  test("cannot be of a kind that is not supported (`module-getters`)", async ({ expect }) => {
    const { details } = await install(call("gcs::https://www.googleapis.com/storage/v1/modules/foomodule.zip"));
    expect(details.join()).toContain('modules cannot be fetched with "gcs": use git, http, https, s3, oci or file');
    const packed = await install(call(`https://${registry.host}/net.tar.xz`));
    expect(packed.details.join()).toContain('archives of the kind "tar.xz" are not supported: use zip, tar or tar.gz');
  });
});
