// SPDX-License-Identifier: Apache-2.0
// Attacks by a registry, a mirror or the network. Each is rejected with a specific error and leaves no file behind.
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import {
  currentPlatform,
  decodeCliConfig,
  formatPlatform,
  installProvider,
  type InstallOptions,
  hashPackageFolder,
} from "@tenon/plugin-host/install";
import { createCertificate } from "@tenon/protocol/certificate";
import { afterAll, afterEach, beforeAll, describe, test } from "vitest";
import { type ServedResponse, ProviderRegistry, sha256, signingKey, type SigningKey } from "./provider-registry.ts";
import { storedZip } from "./stored-zip.ts";

const platform = formatPlatform(currentPlatform());
const zip = storedZip([{ name: "terraform-provider-notes_v1.0.0", content: "#!/bin/sh\n" }]);

const certificate = createCertificate();
let registry: ProviderRegistry;
let key: SigningKey;
let other: SigningKey;
let plainServer: Server;
const plainRequests: string[] = [];
const folders: string[] = [];

beforeAll(async () => {
  registry = await ProviderRegistry.start(certificate);
  [key, other] = await Promise.all([signingKey(), signingKey()]);
  plainServer = createServer((request, response) => {
    plainRequests.push(`${request.headers.authorization ?? "without credentials"} ${request.url}`);
    response.end(zip);
  });
  await new Promise<void>((resolve) => plainServer.listen(0, "localhost", resolve));
});
afterAll(async () => {
  await registry[Symbol.asyncDispose]();
  await new Promise((resolve) => plainServer.close(resolve));
});
afterEach(() => {
  registry.seen.length = 0;
  registry.tamper = () => undefined;
  plainRequests.length = 0;
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const source = (): string => `${registry.host}/acme/notes`;
const plainAddress = (): string => `http://localhost:${(plainServer.address() as AddressInfo).port}`;

function settings(more: InstallOptions = {}): InstallOptions & { readonly cacheFolder: string } {
  const cacheFolder = mkdtempSync(join(tmpdir(), "tenon-attack-"));
  folders.push(cacheFolder);
  registry.keys = [key];
  registry.signedAt = undefined;
  registry.packages = [{ namespace: "acme", type: "notes", version: "1.0.0", platform, zip }];
  const environment = { ...registry.environment, HOME: cacheFolder, TF_REGISTRY_DISCOVERY_RETRY: "1", TF_PROVIDER_DOWNLOAD_RETRY: "1" };
  return { cacheFolder, environment, ...more };
}

/** Returns a tampering that replaces fields of the response about the package. */
function withFields(fields: Readonly<Record<string, unknown>>): (path: string) => ServedResponse | undefined {
  const file = `terraform-provider-notes_1.0.0_${platform}.zip`;
  const base = "/files/acme/notes/1.0.0";
  const correct = {
    protocols: ["5.0"],
    os: platform.split("_")[0],
    arch: platform.split("_")[1],
    filename: file,
    download_url: `${base}/${file}`,
    shasum: sha256(zip),
    shasums_url: `${base}/SHA256SUMS`,
    shasums_signature_url: `${base}/SHA256SUMS.sig`,
    signing_keys: { gpg_public_keys: [{ ascii_armor: key.armored }] },
  };
  return (path) => (path.includes("/download/") ? { body: JSON.stringify({ ...correct, ...fields }) } : undefined);
}

const respondAt =
  (part: string, response: ServedResponse) =>
  (path: string): ServedResponse | undefined =>
    path.includes(part) ? response : undefined;

interface Attack {
  readonly name: string;
  readonly code: string;
  readonly message: string;
  readonly tamper?: () => (path: string) => ServedResponse | undefined;
  readonly prepare?: () => void;
  readonly options?: InstallOptions;
}

const attacks: readonly Attack[] = [
  {
    name: "another package under the same name",
    code: "CHECKSUM_MISMATCH",
    message: "its checksum is",
    tamper: () => respondAt(".zip", { body: storedZip([{ name: "terraform-provider-notes", content: "evil" }]) }),
  },
  {
    name: "another package, whose checksum is in the response but not in the signed list",
    code: "CHECKSUM_MISMATCH",
    message: "the checksums of",
    tamper: () => withFields({ shasum: sha256(Buffer.from("evil")) }),
  },
  {
    name: "a list of checksums without the package",
    code: "CHECKSUM_MISMATCH",
    message: "do not list",
    tamper: () => withFields({ filename: "other.zip" }),
  },
  {
    name: "a list of checksums changed after it was signed",
    code: "SIGNATURE_INVALID",
    message: "has no valid signature",
    tamper: () => respondAt("SHA256SUMS", { body: `${sha256(zip)}  terraform-provider-notes_1.0.0_${platform}.zip\n\n` }),
  },
  {
    name: "a signature by another key",
    code: "SIGNATURE_INVALID",
    message: "none of its registry's keys signed it",
    prepare: () => (registry.keys = [other]),
    tamper: () => withFields({}),
  },
  {
    name: "a response without keys",
    code: "SIGNATURE_INVALID",
    message: "lists no keys",
    tamper: () => withFields({ signing_keys: { gpg_public_keys: [] } }),
  },
  {
    name: "a malformed key",
    code: "SIGNATURE_INVALID",
    message: "keys cannot be read",
    tamper: () => withFields({ signing_keys: { gpg_public_keys: [{ ascii_armor: "-----BEGIN" }] } }),
  },
  {
    name: "a malformed signature",
    code: "SIGNATURE_INVALID",
    message: "",
    tamper: () => respondAt("SHA256SUMS.sig", { body: "signed, me" }),
  },
  { name: "an empty signature", code: "SIGNATURE_INVALID", message: "", tamper: () => respondAt("SHA256SUMS.sig", { body: "" }) },
  {
    name: "a package for another machine",
    code: "SOURCE_FAILED",
    message: `must be for ${platform}`,
    tamper: () => withFields({ os: "plan9" }),
  },
  {
    name: "an unknown protocol version",
    code: "PLATFORM_UNSUPPORTED",
    message: "5 and 6 are",
    tamper: () => withFields({ protocols: ["7.0"] }),
  },
  { name: "a malformed checksum", code: "SOURCE_FAILED", message: "a SHA-256 in hex", tamper: () => withFields({ shasum: "../../x" }) },
  {
    name: "a package address that is a local file",
    code: "SOURCE_FAILED",
    message: "an http: or https: address",
    tamper: () => withFields({ download_url: "file:///etc/passwd" }),
  },
  {
    name: "a redirect to an http: address",
    code: "SOURCE_FAILED",
    message: "it is not an https: address",
    tamper: () => respondAt(".zip", { status: 302, headers: { location: `${plainAddress()}/p.zip` } }),
  },
  {
    name: "a redirect loop",
    code: "SOURCE_FAILED",
    message: "the limit is",
    tamper: () => respondAt("/versions", { status: 302, headers: { location: "/v1/providers/acme/notes/versions" } }),
  },
  {
    name: "a redirect to a local file",
    code: "SOURCE_FAILED",
    message: "not an http: or https: address",
    tamper: () => respondAt(".zip", { status: 302, headers: { location: "file:///etc/passwd" } }),
  },
  {
    name: "a download that breaks off",
    code: "SOURCE_FAILED",
    message: "cannot be read",
    tamper: () => respondAt(".zip", { body: zip, cutAfter: 20 }),
  },
  {
    name: "a truncated package",
    code: "CHECKSUM_MISMATCH",
    message: "its checksum is",
    tamper: () => respondAt(".zip", { body: zip.subarray(0, 40) }),
  },
  {
    name: "a huge list of services",
    code: "SOURCE_FAILED",
    message: "more than 1048576 bytes",
    tamper: () => respondAt("terraform.json", { body: Buffer.alloc(2 ** 20 + 1, " ") }),
  },
  {
    name: "a huge list of versions",
    code: "SOURCE_FAILED",
    message: "more than 67108864 bytes",
    tamper: () => respondAt("/versions", { body: Buffer.alloc(2 ** 26 + 1, " ") }),
  },
  {
    name: "a response that is not JSON",
    code: "SOURCE_FAILED",
    message: "it is not JSON",
    tamper: () => respondAt("/versions", { body: "<html>" }),
  },
  {
    name: "a list of versions that is an object",
    code: "SOURCE_FAILED",
    message: "be a list",
    tamper: () => respondAt("/versions", { body: '{"versions":{}}' }),
  },
  {
    name: "a version that is a path",
    code: "SOURCE_FAILED",
    message: "be a version",
    tamper: () => respondAt("/versions", { body: '{"versions":[{"version":"../../evil"}]}' }),
  },
  {
    name: "a list of services with another content type",
    code: "SOURCE_FAILED",
    message: "text/html",
    tamper: () => respondAt("terraform.json", { type: "text/html", body: "{}" }),
  },
  {
    name: "a host without a registry",
    code: "SOURCE_FAILED",
    message: "it does not list the service",
    tamper: () => respondAt("terraform.json", { status: 404 }),
  },
  {
    name: "a registry with another protocol version only",
    code: "SOURCE_FAILED",
    message: "only another version of the service",
    tamper: () => respondAt("terraform.json", { body: '{"providers.v9":"/"}' }),
  },
  {
    name: "a registry that requires credentials",
    code: "UNAUTHORIZED",
    message: "status 401",
    tamper: () => respondAt("/versions", { status: 401 }),
  },
  {
    name: "an unknown provider",
    code: "PROVIDER_NOT_FOUND",
    message: "there is no provider",
    tamper: () => respondAt("/versions", { status: 404 }),
  },
  { name: "a version that does not exist", code: "PROVIDER_NOT_FOUND", message: "the newest are 1.0.0", options: { version: "> 2" } },
  {
    name: "a server error",
    code: "SOURCE_FAILED",
    message: "status 503",
    tamper: () => respondAt("/versions", { status: 503, headers: { "retry-after": "0" } }),
  },
];

describe("installProvider rejects", () => {
  test.for(attacks)("$name", async ({ code, message, tamper, prepare, options }, { expect }) => {
    const own = settings({ signatures: "strict", ...options });
    prepare?.();
    if (tamper) registry.tamper = tamper();
    await expect(installProvider(source(), own)).rejects.toMatchObject({
      name: "PluginHostError",
      code,
      message: expect.stringContaining(message),
    });
    expect(readdirSync(own.cacheFolder, { recursive: true })).toEqual([]);
    expect(plainRequests).toEqual([]);
  });

  test("a package with a path out of its folder, and a correct checksum and signature", async ({ expect }) => {
    const own = settings();
    const evil = storedZip([{ name: "../../../../../../tmp/evil", content: "evil" }]);
    registry.packages = [{ namespace: "acme", type: "notes", version: "1.0.0", platform, zip: evil }];
    await expect(installProvider(source(), own)).rejects.toMatchObject({ code: "PACKAGE_MALFORMED" });
    const written = readdirSync(own.cacheFolder, { recursive: true, encoding: "utf8" }).filter((name) =>
      /evil|terraform|\./.test(name.split("/").at(-1) ?? ""),
    );
    expect(written.filter((name) => !name.endsWith("1.0.0") && !name.startsWith(registry.host))).toEqual([]);
  });

  test("an unknown certificate", async ({ expect }) => {
    const own = settings();
    const environment = { HOME: own.cacheFolder };
    await expect(installProvider(source(), { ...own, environment })).rejects.toMatchObject({
      code: "SOURCE_FAILED",
      message: expect.stringContaining("self-signed certificate"),
    });
  });

  test("a package other than the locked one", async ({ expect }) => {
    const own = settings();
    const lockFile = join(own.cacheFolder, "..", `${createHash("sha256").update(own.cacheFolder).digest("hex")}.lock.hcl`);
    folders.push(lockFile);
    writeFileSync(lockFile, `provider "${source()}" {\n  version = "1.0.0"\n  hashes = [\n    "h1:aaaa",\n  ]\n}\n`);
    await expect(installProvider(source(), { ...own, lockFile })).rejects.toMatchObject({
      code: "CHECKSUM_MISMATCH",
      message: expect.stringContaining("none of the recorded checksums"),
    });
    await expect(installProvider(source(), { ...own, lockFile, version: "> 1" })).rejects.toMatchObject({ code: "LOCKED" });
    expect(readdirSync(own.cacheFolder, { recursive: true })).toEqual([]);
  });

  test("a package changed in the cache, and downloads it again", async ({ expect }) => {
    const own = settings();
    const first = await installProvider(source(), own);
    writeFileSync(join(first.folder, "terraform-provider-notes_v1.0.0"), "evil");
    const second = await installProvider(source(), own);
    expect(second).toEqual(first);
    expect(registry.seen.filter(({ path }) => path.endsWith(".zip"))).toHaveLength(2);
  });
});

describe("an expired key", () => {
  test("is a warning, or an error with the policy strict (pitfall 37)", async ({ expect }) => {
    const own = settings();
    const past = new Date(Date.now() - 10 * 86_400_000);
    registry.keys = [await signingKey({ date: past, expiresInSeconds: 5 * 86_400 })];
    registry.signedAt = new Date(past.getTime() + 86_400_000);
    await expect(installProvider(source(), { ...own, signatures: "strict" })).rejects.toMatchObject({
      code: "SIGNATURE_INVALID",
      message: expect.stringContaining("the key expired on"),
    });
    const warnings: string[] = [];
    const onProgress: InstallOptions["onProgress"] = (event) => {
      if (event.kind === "warning") warnings.push(event.message);
    };
    expect(await installProvider(source(), { ...own, onProgress })).toMatchObject({ trust: "signed" });
    expect(warnings).toContainEqual(expect.stringContaining("the key expired on"));
  });
});

describe("credentials", () => {
  test("are sent to the registry's own host only (pitfall 37)", async ({ expect }) => {
    const own = settings();
    const environment = { ...own.environment, [`TF_TOKEN_${registry.host}`]: "s3cret" };
    registry.tamper = withFields({ download_url: `${plainAddress()}/p.zip` });
    await installProvider(source(), { ...own, environment });
    const authorized = registry.seen.filter(({ authorization }) => authorization === "Bearer s3cret").map(({ path }) => path.split("/")[1]);
    expect(new Set(authorized)).toEqual(new Set([".well-known", "v1"]));
    expect(plainRequests).toEqual(["without credentials /p.zip"]);
  });

  test("are not sent along a redirect to another host (pitfall 37)", async ({ expect }) => {
    const own = settings();
    await using other = await ProviderRegistry.start(certificate);
    other.packages = registry.packages;
    other.keys = [key];
    registry.tamper = (path) =>
      path.includes("/v1/") ? { status: 307, headers: { location: `https://${other.host}${path}` } } : undefined;
    const environment = { ...own.environment, [`TF_TOKEN_${registry.host}`]: "s3cret" };
    expect(await installProvider(source(), { ...own, environment })).toMatchObject({ version: "1.0.0" });
    expect(registry.seen.every(({ authorization }) => authorization === "Bearer s3cret")).toBe(true);
    expect(other.seen.length).toBeGreaterThan(2);
    expect(other.seen.every(({ authorization }) => authorization === undefined)).toBe(true);
  });

  test("can come from a credentials helper", async ({ expect }) => {
    const own = settings();
    const helper = join(own.cacheFolder, "terraform-credentials-test");
    writeFileSync(helper, `#!/bin/sh\n[ "$1 $2" = "--quick get" ] && echo '{"token":"from '$3'"}'\n`, { mode: 0o755 });
    const cliConfig = decodeCliConfig('credentials_helper "test" { args = ["--quick"] }', "cli.tfrc", "opentofu", {});
    const environment = { ...own.environment, PATH: `${own.cacheFolder}:${process.env["PATH"]}` };
    await installProvider(source(), { ...own, environment, cliConfig });
    expect(registry.seen[0]?.authorization).toBe(`Bearer from ${registry.host}`);
    writeFileSync(helper, "#!/bin/sh\necho no such vault >&2\nexit 3\n", { mode: 0o755 });
    await expect(installProvider(source(), { ...own, environment, cliConfig, upgrade: true })).rejects.toMatchObject({
      code: "UNAUTHORIZED",
      message: expect.stringContaining("ended with 3"),
    });
  });
});

test("installProvider uses the proxy of the environment, except for the hosts in NO_PROXY", async ({ expect }) => {
  const own = settings();
  const tunnels: string[] = [];
  const proxy = createServer((_request, response) => response.writeHead(405).end());
  proxy.on("connect", (request: IncomingMessage, socket: Duplex) => {
    tunnels.push(request.url ?? "");
    const [host, port] = (request.url ?? "").split(":");
    const target = connect(Number(port), host, () => {
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      target.pipe(socket).pipe(target);
    });
    for (const end of [socket, target]) end.on("error", () => socket.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const HTTPS_PROXY = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  await installProvider(source(), { ...own, environment: { ...own.environment, HTTPS_PROXY } });
  expect(new Set(tunnels)).toEqual(new Set([registry.host]));
  tunnels.length = 0;
  await installProvider(source(), { ...own, upgrade: true, environment: { ...own.environment, HTTPS_PROXY, NO_PROXY: "localhost" } });
  expect(tunnels).toEqual([]);
  proxy.closeAllConnections();
  await new Promise((resolve) => proxy.close(resolve));
});

test("installProvider rejects a cache that cannot be written, without another request", async ({ expect }) => {
  const own = settings();
  const file = join(own.cacheFolder, "file");
  writeFileSync(file, "");
  await expect(installProvider(source(), { ...own, cacheFolder: file })).rejects.toMatchObject({
    code: "CACHE_FAILED",
    message: expect.stringContaining("cannot be written: ENOTDIR"),
  });
  // The folder of the download is removed during the download.
  registry.tamper = (path) => {
    if (!path.endsWith(".zip")) return undefined;
    for (const name of readdirSync(own.cacheFolder)) rmSync(join(own.cacheFolder, name), { recursive: true });
    return undefined;
  };
  await expect(installProvider(source(), own)).rejects.toMatchObject({ code: "CACHE_FAILED" });
  expect(registry.seen.filter(({ path }) => path.endsWith(".zip"))).toHaveLength(1);
});

test("installProvider keeps every entry of a lock file when ten installations run at once, one of them after a crash", async ({
  expect,
}) => {
  const own = settings();
  const types = Array.from({ length: 10 }, (_, index) => `notes${index}`);
  registry.packages = types.map((type) => {
    const content = storedZip([{ name: `terraform-provider-${type}`, content: "#!/bin/sh\n" }]);
    return { namespace: "acme", type, version: "1.0.0", platform, zip: content };
  });
  const lockFile = join(own.cacheFolder, ".terraform.lock.hcl");
  // No process has this id.
  writeFileSync(`${lockFile}.tenon-lock`, "2147483646");
  await Promise.all(types.map(async (type) => await installProvider(`${registry.host}/acme/${type}`, { ...own, lockFile })));
  const text = readFileSync(lockFile, "utf8");
  for (const type of types) expect(text).toContain(`provider "${registry.host}/acme/${type}"`);
  expect(readdirSync(own.cacheFolder).filter((name) => name.startsWith(".terraform"))).toEqual([".terraform.lock.hcl"]);
});

test("installProvider leaves no file behind when it is cancelled", async ({ expect }) => {
  const own = settings();
  const controller = new AbortController();
  registry.tamper = (path) => {
    if (path.endsWith(".zip")) setTimeout(() => controller.abort(new Error("cancelled")), 20);
    return path.endsWith(".zip") ? { body: Buffer.alloc(100), headers: { "content-length": "1000000" } } : undefined;
  };
  await expect(installProvider(source(), { ...own, signal: controller.signal })).rejects.toThrow("cancelled");
  expect(readdirSync(own.cacheFolder, { recursive: true })).toEqual([]);
});

describe("the record of an installation", () => {
  test("is not trusted in a shared cache: a planted package with its record is downloaded again", async ({ expect }) => {
    const own = settings();
    const first = await installProvider(source(), own);
    expect(first.trust).toBe("signed");
    // The attacker replaces the executable in a shared cache, and adds a record for it.
    writeFileSync(join(first.folder, "terraform-provider-notes_v1.0.0"), "evil");
    const planted = { ...JSON.parse(readRecord(own.cacheFolder)), hash: await hashPackageFolder(first.folder) };
    writeFileSync(`${first.folder}.tenon.json`, JSON.stringify({ ...planted, hashes: [planted.hash] }));
    const lockFile = join(own.cacheFolder, ".terraform.lock.hcl");
    const second = await installProvider(source(), { ...own, lockFile });
    expect(second).toEqual(first);
    expect(readFileSync(join(second.folder, "terraform-provider-notes_v1.0.0"), "utf8")).not.toBe("evil");
    expect(readFileSync(lockFile, "utf8")).not.toContain(planted.hash);
  });

  test.skipIf(process.platform === "win32")("is not read from a folder that others can write to", async ({ expect }) => {
    const own = settings();
    await installProvider(source(), own);
    chmodSync(join(own.cacheFolder, ".cache/tenon/install-records"), 0o777);
    const warnings: string[] = [];
    const onProgress: InstallOptions["onProgress"] = (event) => event.kind === "warning" && warnings.push(event.message);
    await installProvider(source(), { ...own, onProgress });
    expect(registry.seen.filter(({ path }) => path.endsWith(".zip"))).toHaveLength(2);
    expect(warnings).toContainEqual(expect.stringContaining("others can write to"));
  });

  test.for(["", "null", "{}", '{"format":1}', '{"format":1,"hash":7,"hashes":{},"source":"x","signedBy":[],"trust":"signed"}'])(
    "counts as absent when it is malformed: %s",
    async (text, { expect }) => {
      const own = settings();
      const first = await installProvider(source(), own);
      const folder = join(own.cacheFolder, ".cache/tenon/install-records");
      for (const name of readdirSync(folder)) writeFileSync(join(folder, name), text);
      expect(await installProvider(source(), own)).toEqual(first);
      expect(registry.seen.filter(({ path }) => path.endsWith(".zip"))).toHaveLength(2);
    },
  );
});

function readRecord(home: string): string {
  const folder = join(home, ".cache/tenon/install-records");
  return readFileSync(join(folder, readdirSync(folder)[0]!), "utf8");
}

describe("installProvider", () => {
  test("ends at its time limit, even while the server keeps sending", async ({ expect }) => {
    const own = settings();
    registry.stream = (path) => path.endsWith(".zip");
    await expect(installProvider(source(), { ...own, timeoutMs: 700 })).rejects.toMatchObject({ code: "INSTALL_TIMEOUT" });
    registry.stream = () => false;
    expect(readdirSync(own.cacheFolder, { recursive: true })).toEqual([]);
  });

  test("is cancelled while a package is hashed", async ({ expect }) => {
    const own = settings();
    const controller = new AbortController();
    const onProgress: InstallOptions["onProgress"] = ({ kind }) => {
      if (kind === "verifying") controller.abort(new Error("cancelled"));
    };
    await expect(installProvider(source(), { ...own, onProgress, signal: controller.signal })).rejects.toThrow("cancelled");
    expect(readdirSync(own.cacheFolder, { recursive: true })).toEqual([]);
  });

  test.for([
    ["whose executable is a folder", [{ name: "terraform-provider-notes/README", content: "x" }]],
    [
      "with an entry that is a file and a folder",
      [
        { name: "terraform-provider-notes", content: "x" },
        { name: "terraform-provider-notes/a", content: "x" },
      ],
    ],
    ["without an executable", [{ name: "README", content: "x" }]],
  ] as const)("leaves no file of a package %s", async ([, entries], { expect }) => {
    const own = settings();
    registry.packages = [{ namespace: "acme", type: "notes", version: "1.0.0", platform, zip: storedZip([...entries]) }];
    await expect(installProvider(source(), own)).rejects.toMatchObject({ code: "PACKAGE_MALFORMED" });
    expect(readdirSync(own.cacheFolder, { recursive: true })).toEqual([]);
  });

  test("rejects a package whose declared size is wrong", async ({ expect }) => {
    const own = settings();
    const wrong = storedZip([{ name: "terraform-provider-notes", content: "#!/bin/sh\n" }]);
    // The uncompressed size is at byte 24 of the entry in the central directory.
    wrong.writeUInt32LE(7, wrong.indexOf(Buffer.from("PK\x01\x02", "latin1")) + 24);
    registry.packages = [{ namespace: "acme", type: "notes", version: "1.0.0", platform, zip: wrong }];
    await expect(installProvider(source(), own)).rejects.toMatchObject({ code: "PACKAGE_MALFORMED" });
    expect(readdirSync(own.cacheFolder, { recursive: true })).toEqual([]);
  });

  test("rejects a mirror folder whose package has a link to a folder", async ({ expect }) => {
    const own = settings();
    const folder = join(own.cacheFolder, "mirror", registry.host, "acme/notes/1.0.0", platform);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "terraform-provider-notes"), "#!/bin/sh\n");
    symlinkSync("/", join(folder, "root"));
    const text = `provider_installation {\n  filesystem_mirror {\n    path = "${join(own.cacheFolder, "mirror")}"\n  }\n}\n`;
    const cliConfig = decodeCliConfig(text, "cli.tfrc", "opentofu", {});
    await expect(installProvider(source(), { ...own, cliConfig })).rejects.toMatchObject({ code: "PACKAGE_MALFORMED" });
  });

  test("rejects a cache with a file in place of a folder", async ({ expect }) => {
    const own = settings();
    mkdirSync(join(own.cacheFolder, registry.host));
    writeFileSync(join(own.cacheFolder, registry.host, "acme"), "");
    await expect(installProvider(source(), own)).rejects.toMatchObject({ code: "CACHE_FAILED" });
    expect(readdirSync(own.cacheFolder)).toEqual([registry.host]);
  });

  test.for([
    ["empty", "", ".tenon-lock"],
    ["empty, and its removal was interrupted", "", ".tenon-lock.stale"],
  ] as const)("takes over a lock that a crash left %s", async ([, content, suffix], { expect }) => {
    const own = settings();
    const lockFile = join(own.cacheFolder, ".terraform.lock.hcl");
    const past = new Date(Date.now() - 60_000);
    for (const name of new Set([".tenon-lock", suffix])) {
      writeFileSync(`${lockFile}${name}`, content);
      utimesSync(`${lockFile}${name}`, past, past);
    }
    await installProvider(source(), { ...own, lockFile });
    expect(readdirSync(own.cacheFolder).filter((name) => name.startsWith(".terraform"))).toEqual([".terraform.lock.hcl"]);
  });

  test("does not retry when TF_PROVIDER_DOWNLOAD_RETRY is 0", async ({ expect }) => {
    const own = settings();
    registry.tamper = respondAt(".zip", { status: 503, headers: { "retry-after": "0" } });
    const environment = { ...own.environment, TF_PROVIDER_DOWNLOAD_RETRY: "0" };
    await expect(installProvider(source(), { ...own, environment })).rejects.toMatchObject({ code: "SOURCE_FAILED" });
    expect(registry.seen.filter(({ path }) => path.endsWith(".zip"))).toHaveLength(1);
  });

  test("removes escape sequences from a registry's texts", async ({ expect }) => {
    const own = settings();
    const escape = "\u001b]0;owned\u0007\u009b31m";
    const messages: string[] = [];
    const onProgress: InstallOptions["onProgress"] = (event) => event.kind === "warning" && messages.push(event.message);
    registry.tamper = respondAt("/versions", {
      body: JSON.stringify({ versions: [{ version: "1.0.0" }], warnings: [`careful${escape}`] }),
    });
    await installProvider(source(), { ...own, onProgress });
    registry.tamper = withFields({ protocols: [`7.0${escape}`] });
    const failed = await installProvider(source(), settings()).catch((error: Error) => error.message);
    expect([...messages, failed].join("")).toMatch(/careful.*7\.0/s);
    expect([...messages, failed].join("").replaceAll(/[\n\t]/g, "")).not.toMatch(/\p{Cc}/u);
  });

  test("rejects a CLI configuration file that cannot be read", async ({ expect }) => {
    const own = settings();
    mkdirSync(join(own.cacheFolder, ".tofurc"));
    await expect(installProvider(source(), own)).rejects.toMatchObject({ code: "INVALID_CLI_CONFIG" });
  });

  test("rejects a network mirror or package address without a scheme", async ({ expect }) => {
    const methods = [{ kind: "network_mirror", url: "localhost:8443/", trustAllHashes: false, include: [], exclude: [] }] as const;
    const cliConfig = {
      hosts: new Map(),
      credentials: new Map(),
      ociCredentials: [],
      providerInstallation: { devOverrides: new Map(), methods },
    };
    await expect(installProvider(source(), { ...settings(), cliConfig })).rejects.toMatchObject({
      code: "INVALID_CLI_CONFIG",
      message: expect.stringContaining('"localhost:8443/" is not an https: URL'),
    });
    registry.tamper = withFields({ download_url: "localhost:8443/p.zip" });
    await expect(installProvider(source(), settings())).rejects.toThrow("and not localhost:8443/p.zip");
  });
});
