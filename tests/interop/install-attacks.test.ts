// SPDX-License-Identifier: Apache-2.0
// What a hostile registry, mirror or network may try. Each attempt is refused with its own error, and leaves nothing behind.
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { currentPlatform, decodeCliConfig, formatPlatform, installProvider, type InstallOptions } from "@tenon/plugin-host/install";
import { createCertificate } from "@tenon/protocol/certificate";
import { afterAll, afterEach, beforeAll, describe, test } from "vitest";
import { type Answer, ProviderRegistry, sha256, signingKey, type SigningKey } from "./provider-registry.ts";
import { storedZip } from "./stored-zip.ts";

const platform = formatPlatform(currentPlatform());
const zip = storedZip([{ name: "terraform-provider-notes_v1.0.0", content: "#!/bin/sh\n" }]);

const certificate = createCertificate();
let registry: ProviderRegistry;
let key: SigningKey;
let other: SigningKey;
let elsewhere: Server;
const asked: string[] = [];
const folders: string[] = [];

beforeAll(async () => {
  registry = await ProviderRegistry.start(certificate);
  [key, other] = await Promise.all([signingKey(), signingKey()]);
  elsewhere = createServer((request, response) => {
    asked.push(`${request.headers.authorization ?? "nobody"} ${request.url}`);
    response.end(zip);
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, "localhost", resolve));
});
afterAll(async () => {
  await registry[Symbol.asyncDispose]();
  await new Promise((resolve) => elsewhere.close(resolve));
});
afterEach(() => {
  registry.seen.length = 0;
  registry.tamper = () => undefined;
  asked.length = 0;
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const source = (): string => `${registry.host}/acme/notes`;
const plainAddress = (): string => `http://localhost:${(elsewhere.address() as AddressInfo).port}`;

function settings(more: InstallOptions = {}): InstallOptions & { readonly cacheFolder: string } {
  const cacheFolder = mkdtempSync(join(tmpdir(), "tenon-attack-"));
  folders.push(cacheFolder);
  registry.keys = [key];
  registry.signedAt = undefined;
  registry.packages = [{ namespace: "acme", type: "notes", version: "1.0.0", platform, zip }];
  const environment = { ...registry.environment, HOME: cacheFolder, TF_REGISTRY_DISCOVERY_RETRY: "1", TF_PROVIDER_DOWNLOAD_RETRY: "1" };
  return { cacheFolder, environment, ...more };
}

/** Changes one field of the answer about the package. */
function lying(fields: Readonly<Record<string, unknown>>): (path: string) => Answer | undefined {
  const file = `terraform-provider-notes_1.0.0_${platform}.zip`;
  const base = "/files/acme/notes/1.0.0";
  const truth = {
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
  return (path) => (path.includes("/download/") ? { body: JSON.stringify({ ...truth, ...fields }) } : undefined);
}

const when =
  (part: string, answer: Answer) =>
  (path: string): Answer | undefined =>
    path.includes(part) ? answer : undefined;

interface Attack {
  readonly name: string;
  readonly code: string;
  readonly message: string;
  readonly tamper?: () => (path: string) => Answer | undefined;
  readonly prepare?: () => void;
  readonly options?: InstallOptions;
}

const attacks: readonly Attack[] = [
  {
    name: "another package under the same name",
    code: "CHECKSUM_MISMATCH",
    message: "its check sum is",
    tamper: () => when(".zip", { body: storedZip([{ name: "terraform-provider-notes", content: "evil" }]) }),
  },
  {
    name: "another package, and its check sum in the answer, but not in the signed list",
    code: "CHECKSUM_MISMATCH",
    message: "the check sums of",
    tamper: () => lying({ shasum: sha256(Buffer.from("evil")) }),
  },
  {
    name: "a list that lacks the package",
    code: "CHECKSUM_MISMATCH",
    message: "have none for",
    tamper: () => lying({ filename: "other.zip" }),
  },
  {
    name: "a list that was changed after it was signed",
    code: "SIGNATURE_INVALID",
    message: "is not signed as it should be",
    tamper: () => when("SHA256SUMS", { body: `${sha256(zip)}  terraform-provider-notes_1.0.0_${platform}.zip\n\n` }),
  },
  {
    name: "a signature by somebody else",
    code: "SIGNATURE_INVALID",
    message: "none of its registry's keys signed it",
    prepare: () => (registry.keys = [other]),
    tamper: () => lying({}),
  },
  {
    name: "no keys",
    code: "SIGNATURE_INVALID",
    message: "lists no keys",
    tamper: () => lying({ signing_keys: { gpg_public_keys: [] } }),
  },
  {
    name: "a key that is none",
    code: "SIGNATURE_INVALID",
    message: "keys cannot be read",
    tamper: () => lying({ signing_keys: { gpg_public_keys: [{ ascii_armor: "-----BEGIN" }] } }),
  },
  {
    name: "a signature that is none",
    code: "SIGNATURE_INVALID",
    message: "",
    tamper: () => when("SHA256SUMS.sig", { body: "signed, me" }),
  },
  { name: "an empty signature", code: "SIGNATURE_INVALID", message: "", tamper: () => when("SHA256SUMS.sig", { body: "" }) },
  {
    name: "a package for another machine",
    code: "SOURCE_FAILED",
    message: `should be for ${platform}`,
    tamper: () => lying({ os: "plan9" }),
  },
  { name: "a protocol of the future", code: "PLATFORM_UNSUPPORTED", message: "5 and 6 are", tamper: () => lying({ protocols: ["7.0"] }) },
  { name: "a check sum that is none", code: "SOURCE_FAILED", message: "a SHA-256 in hex", tamper: () => lying({ shasum: "../../x" }) },
  {
    name: "a package from a file of this machine",
    code: "SOURCE_FAILED",
    message: "an http: or https: address",
    tamper: () => lying({ download_url: "file:///etc/passwd" }),
  },
  {
    name: "a redirect to a place without protection",
    code: "SOURCE_FAILED",
    message: "it is not protected",
    tamper: () => when(".zip", { status: 302, headers: { location: `${plainAddress()}/p.zip` } }),
  },
  {
    name: "redirects without end",
    code: "SOURCE_FAILED",
    message: "redirects already",
    tamper: () => when("/versions", { status: 302, headers: { location: "/v1/providers/acme/notes/versions" } }),
  },
  {
    name: "a redirect to another kind of address",
    code: "SOURCE_FAILED",
    message: "no http: or https: address",
    tamper: () => when(".zip", { status: 302, headers: { location: "file:///etc/passwd" } }),
  },
  {
    name: "a download that is cut",
    code: "SOURCE_FAILED",
    message: "cannot be read",
    tamper: () => when(".zip", { body: zip, cutAfter: 20 }),
  },
  {
    name: "a package that is half there",
    code: "CHECKSUM_MISMATCH",
    message: "its check sum is",
    tamper: () => when(".zip", { body: zip.subarray(0, 40) }),
  },
  {
    name: "a huge answer about services",
    code: "SOURCE_FAILED",
    message: "more than 1048576 bytes",
    tamper: () => when("terraform.json", { body: Buffer.alloc(2 ** 20 + 1, " ") }),
  },
  {
    name: "a huge list of versions",
    code: "SOURCE_FAILED",
    message: "more than 67108864 bytes",
    tamper: () => when("/versions", { body: Buffer.alloc(2 ** 26 + 1, " ") }),
  },
  {
    name: "an answer that is no JSON",
    code: "SOURCE_FAILED",
    message: "what is not JSON",
    tamper: () => when("/versions", { body: "<html>" }),
  },
  {
    name: "an answer of another shape",
    code: "SOURCE_FAILED",
    message: "be a list",
    tamper: () => when("/versions", { body: '{"versions":{}}' }),
  },
  {
    name: "a version that is a path",
    code: "SOURCE_FAILED",
    message: "be a version",
    tamper: () => when("/versions", { body: '{"versions":[{"version":"../../evil"}]}' }),
  },
  {
    name: "services that are no JSON",
    code: "SOURCE_FAILED",
    message: "text/html",
    tamper: () => when("terraform.json", { type: "text/html", body: "{}" }),
  },
  { name: "no registry", code: "SOURCE_FAILED", message: "it has none", tamper: () => when("terraform.json", { status: 404 }) },
  {
    name: "a registry of another version",
    code: "SOURCE_FAILED",
    message: "of another version only",
    tamper: () => when("terraform.json", { body: '{"providers.v9":"/"}' }),
  },
  { name: "a door that is shut", code: "UNAUTHORIZED", message: "status 401", tamper: () => when("/versions", { status: 401 }) },
  {
    name: "an unknown provider",
    code: "PROVIDER_NOT_FOUND",
    message: "there is no provider",
    tamper: () => when("/versions", { status: 404 }),
  },
  { name: "no such version", code: "PROVIDER_NOT_FOUND", message: "the newest are 1.0.0", options: { version: "> 2" } },
  {
    name: "a server that fails",
    code: "SOURCE_FAILED",
    message: "status 503",
    tamper: () => when("/versions", { status: 503, headers: { "retry-after": "0" } }),
  },
];

describe("an installation refuses", () => {
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
    expect(asked).toEqual([]);
  });

  test("a package that leads out of its folder, with the right check sum and signature", async ({ expect }) => {
    const own = settings();
    const evil = storedZip([{ name: "../../../../../../tmp/evil", content: "evil" }]);
    registry.packages = [{ namespace: "acme", type: "notes", version: "1.0.0", platform, zip: evil }];
    await expect(installProvider(source(), own)).rejects.toMatchObject({ code: "PACKAGE_MALFORMED" });
    const left = readdirSync(own.cacheFolder, { recursive: true, encoding: "utf8" }).filter((name) =>
      /evil|terraform|\./.test(name.split("/").at(-1) ?? ""),
    );
    expect(left.filter((name) => !name.endsWith("1.0.0") && !name.startsWith(registry.host))).toEqual([]);
  });

  test("a certificate nobody knows", async ({ expect }) => {
    const own = settings();
    const stranger = { HOME: own.cacheFolder };
    await expect(installProvider(source(), { ...own, environment: stranger })).rejects.toMatchObject({
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
      message: expect.stringContaining("none of the recorded check sums"),
    });
    await expect(installProvider(source(), { ...own, lockFile, version: "> 1" })).rejects.toMatchObject({ code: "LOCKED" });
    expect(readdirSync(own.cacheFolder, { recursive: true })).toEqual([]);
  });

  test("a package that was changed in the cache: it is fetched anew", async ({ expect }) => {
    const own = settings();
    const first = await installProvider(source(), own);
    writeFileSync(join(first.folder, "terraform-provider-notes_v1.0.0"), "evil");
    const second = await installProvider(source(), own);
    expect(second).toEqual(first);
    expect(registry.seen.filter(({ path }) => path.endsWith(".zip"))).toHaveLength(2);
  });
});

describe("keys that have expired", () => {
  test("are warned of, and refused where it is strict (pitfall 37)", async ({ expect }) => {
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
  test("reach the registry's own host, and no other, whatever it says (pitfall 37)", async ({ expect }) => {
    const own = settings();
    const environment = { ...own.environment, [`TF_TOKEN_${registry.host}`]: "s3cret" };
    registry.tamper = lying({ download_url: `${plainAddress()}/p.zip` });
    await installProvider(source(), { ...own, environment });
    const authorized = registry.seen.filter(({ authorization }) => authorization === "Bearer s3cret").map(({ path }) => path.split("/")[1]);
    expect(new Set(authorized)).toEqual(new Set([".well-known", "v1"]));
    expect(asked).toEqual(["nobody /p.zip"]);
  });

  test("are not taken along when the registry sends us elsewhere (pitfall 37)", async ({ expect }) => {
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

  test("come from a helper, too", async ({ expect }) => {
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

test("a proxy that the environment names is used, and not where it says so", async ({ expect }) => {
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

test("a cache that cannot be written is an error of its own, and the server is not asked again", async ({ expect }) => {
  const own = settings();
  const file = join(own.cacheFolder, "file");
  writeFileSync(file, "");
  await expect(installProvider(source(), { ...own, cacheFolder: file })).rejects.toMatchObject({
    code: "CACHE_FAILED",
    message: expect.stringContaining("cannot be written: ENOTDIR"),
  });
  // The folder for the download goes away while it is under way.
  registry.tamper = (path) => {
    if (!path.endsWith(".zip")) return undefined;
    for (const name of readdirSync(own.cacheFolder)) rmSync(join(own.cacheFolder, name), { recursive: true });
    return undefined;
  };
  await expect(installProvider(source(), own)).rejects.toMatchObject({ code: "CACHE_FAILED" });
  expect(registry.seen.filter(({ path }) => path.endsWith(".zip"))).toHaveLength(1);
});

test("ten installations at once lose nothing of a lock file, nor does one whose process died", async ({ expect }) => {
  const own = settings();
  const types = Array.from({ length: 10 }, (_, index) => `notes${index}`);
  registry.packages = types.map((type) => {
    const content = storedZip([{ name: `terraform-provider-${type}`, content: "#!/bin/sh\n" }]);
    return { namespace: "acme", type, version: "1.0.0", platform, zip: content };
  });
  const lockFile = join(own.cacheFolder, ".terraform.lock.hcl");
  // Nobody has this process id.
  writeFileSync(`${lockFile}.tenon-lock`, "2147483646");
  await Promise.all(types.map(async (type) => await installProvider(`${registry.host}/acme/${type}`, { ...own, lockFile })));
  const text = readFileSync(lockFile, "utf8");
  for (const type of types) expect(text).toContain(`provider "${registry.host}/acme/${type}"`);
  expect(readdirSync(own.cacheFolder).filter((name) => name.startsWith(".terraform"))).toEqual([".terraform.lock.hcl"]);
});

test("given up, an installation leaves nothing", async ({ expect }) => {
  const own = settings();
  const giveUp = new AbortController();
  registry.tamper = (path) => {
    if (path.endsWith(".zip")) setTimeout(() => giveUp.abort(new Error("enough")), 20);
    return path.endsWith(".zip") ? { body: Buffer.alloc(100), headers: { "content-length": "1000000" } } : undefined;
  };
  await expect(installProvider(source(), { ...own, signal: giveUp.signal })).rejects.toThrow("enough");
  expect(readdirSync(own.cacheFolder, { recursive: true })).toEqual([]);
});
