// SPDX-License-Identifier: Apache-2.0
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { copyFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, test } from "vitest";
import { PluginHostError } from "../error.ts";
import type { LaunchOptions } from "./launch-options.ts";
import { launchProvider } from "./launch-provider.ts";

const broken = join(import.meta.dirname, "../../test/fixtures/terraform-provider-broken.mjs");
const folder = mkdtempSync(join(tmpdir(), "launch-failures-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the error of a launch, which must be a PluginHostError. */
async function failure(options: LaunchOptions): Promise<PluginHostError> {
  const error: unknown = await launchProvider(options).then(
    async (provider) => {
      await provider.close();
      return new Error("it started");
    },
    (error: unknown) => error,
  );
  if (!(error instanceof PluginHostError)) throw error;
  return error;
}

function brokenIn(mode: string, options: Partial<LaunchOptions> = {}): Promise<PluginHostError> {
  return failure({ command: [process.execPath, broken, mode], ...options });
}

/** Writes an executable file with the given content. */
function executable(name: string, content: string | Buffer, mode = 0o755): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
}

describe("launchProvider, when the executable cannot be started,", () => {
  test("rejects a path that does not exist", async ({ expect }) => {
    const path = join(folder, "terraform-provider-absent");
    expect(await failure({ command: path })).toMatchObject({ code: "EXECUTABLE_NOT_FOUND", message: expect.stringContaining(path) });
    expect(await failure({ command: "terraform-provider-absent" })).toMatchObject({
      code: "EXECUTABLE_NOT_FOUND",
      message:
        "there is no terraform-provider-absent in any folder of PATH; if it is elsewhere, give its path, such as ./terraform-provider-absent",
    });
  });

  test("rejects a folder", async ({ expect }) => {
    expect(await failure({ command: folder })).toMatchObject({
      code: "EXECUTABLE_NOT_RUNNABLE",
      message: expect.stringContaining("is a folder"),
    });
  });

  test("rejects a file without execute permission", async ({ expect }) => {
    const path = executable("terraform-provider-plain", "#!/bin/sh\n", 0o644);
    expect(await failure({ command: path })).toMatchObject({
      code: "EXECUTABLE_NOT_RUNNABLE",
      message: expect.stringContaining(`chmod +x ${path}`),
    });
  });

  test("rejects a script whose interpreter does not exist", async ({ expect }) => {
    const path = executable("terraform-provider-script", "#!/no/such/interpreter\n");
    expect(await failure({ command: path })).toMatchObject({
      code: "EXECUTABLE_NOT_FOUND",
      message: `${path} is a script for /no/such/interpreter, which does not exist`,
    });
  });

  test.runIf(process.platform === "linux" && process.arch === "x64")(
    "rejects an executable for another architecture",
    async ({ expect }) => {
      const header = Buffer.alloc(4096);
      header.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
      header.writeUInt16LE(2, 16);
      header.writeUInt16LE(183, 18);
      const path = executable("terraform-provider-arm", header);
      expect(await failure({ command: path })).toMatchObject({
        code: "EXECUTABLE_NOT_RUNNABLE",
        message: expect.stringContaining(
          "is an ELF executable for arm64, but this machine is linux x64; install the provider's build for it",
        ),
      });
    },
  );

  test.skipIf(process.platform === "win32")("rejects a file in no executable format without passing it to a shell", async ({ expect }) => {
    const proof = join(folder, "shell-ran");
    const path = executable("terraform-provider-text", `touch ${proof}\n`);
    expect(await failure({ command: path })).toMatchObject({
      code: "EXECUTABLE_NOT_RUNNABLE",
      message: `${path} is not an executable file; is its download complete?`,
    });
    expect(existsSync(proof)).toBe(false);
  });

  test("rejects invalid options", async ({ expect }) => {
    expect(await failure({ command: "" })).toMatchObject({ code: "INVALID_OPTIONS", message: "option command must name a file" });
    expect(await failure({ command: "true", protocolVersions: [] })).toMatchObject({ code: "INVALID_OPTIONS" });
    expect(await failure({ command: "true", startTimeoutMs: 0 })).toMatchObject({ code: "INVALID_OPTIONS" });
    expect(await failure({ command: "true", maxConcurrentCalls: 0 })).toMatchObject({ code: "INVALID_OPTIONS" });
    expect(await failure({ command: "true", cwd: join(folder, "absent") })).toMatchObject({
      code: "INVALID_OPTIONS",
      message: expect.stringContaining("cwd"),
    });
  });

  test.runIf(process.platform === "linux")("retries while the executable is open for writing (pitfall 29)", async ({ expect }) => {
    const path = join(folder, "terraform-provider-busy");
    copyFileSync("/bin/true", path);
    chmodSync(path, 0o755);
    const writer = openSync(path, "r+");
    // Before the last attempt, and long after the first.
    setTimeout(() => closeSync(writer), 250);
    expect(await failure({ command: path })).toMatchObject({ code: "EXITED_EARLY", process: { exit: { code: 0 } } });
    const blocking = openSync(path, "r+");
    expect(await failure({ command: path })).toMatchObject({ code: "SPAWN_FAILED", message: expect.stringContaining("open for writing") });
    closeSync(blocking);
  });
});

test.runIf(process.platform === "linux")(
  "starts many providers that are installed at the same time without ETXTBSY (pitfall 29)",
  async ({ expect }) => {
    const install = async (index: number): Promise<PluginHostError> => {
      const path = join(folder, `terraform-provider-new-${index}`);
      await copyFile("/bin/true", path);
      return await failure({ command: path });
    };
    const codes = (await Promise.all(Array.from({ length: 50 }, (_, index) => install(index)))).map(({ code }) => code);
    expect(new Set(codes)).toEqual(new Set(["EXITED_EARLY"]));
  },
);

describe("launchProvider, when the start fails,", () => {
  test.for<[name: string, code: string, message: string | RegExp, options?: Partial<LaunchOptions>]>([
    [
      "noise (pitfall 1)",
      "HANDSHAKE_MALFORMED",
      /printed "\[dotenv\] loaded 3 variables" where its handshake line should be; the handshake line came after it/,
    ],
    ["garbage", "HANDSHAKE_MALFORMED", /where its handshake line should be; check that it is a provider/],
    ["oversize", "HANDSHAKE_MALFORMED", /printed "x{200}" where/],
    ["usage", "HANDSHAKE_MALFORMED", /printed "usage: broken \[options\]" where/],
    [
      "silence",
      "START_TIMEOUT",
      /could not be called within 5000 ms; raise startTimeoutMs .*standard error ends with:\nwaiting for a lock$/s,
      // The provider prints its line within this time also on a busy machine.
      { startTimeoutMs: 5000 },
    ],
    ["exit", "EXITED_EARLY", /ended with exit code 3 before it printed its .*\nstandard error ends with:\ncannot read the licence file$/s],
    ["cookie (pitfall 10)", "COOKIE_REFUSED", /is a plugin of another program: it refused the magic cookie/],
    ["signal", "EXITED_EARLY", /ended with signal SIGSEGV before it printed its handshake line/],
    ["panic", "EXITED_EARLY", /crashed with exit code 2 before it printed its handshake line\n.*panic: no memory/s],
    ["closed-output", "EXITED_EARLY", /closed its standard output without a handshake line/],
    ["no-line-end", "PROTOCOL_UNSUPPORTED", /speaks provider protocol 4, but was offered 5 and 6/],
    ["protocol-4 (pitfall 9)", "PROTOCOL_UNSUPPORTED", /speaks provider protocol 4, but was offered 6/, { protocolVersions: [6] }],
    ["netrpc (pitfall 28)", "HANDSHAKE_MALFORMED", /invalid handshake line: the transport is missing, expected grpc/],
    ["no-certificate", "AUTO_MTLS_MISMATCH", /launch it with autoMtls: false/],
    ["broken-certificate", "HANDSHAKE_MALFORMED", /sent an invalid certificate in its handshake line/],
    ["unrequested-certificate (pitfall 2)", "AUTO_MTLS_MISMATCH", /launch it with autoMtls: true/, { autoMtls: false }],
    [
      "no-listener",
      "CONNECTION_FAILED",
      /cannot connect to the plugin at unix .*standard error ends with:\nprinted after the handshake line$/s,
      { autoMtls: false },
    ],
    ["dies-after-line", "EXITED_EARLY", /crashed with exit code 2 before it accepted a connection/, { autoMtls: false }],
  ])("reports the fixture mode %s as %s", async ([name, code, message, options], { expect }) => {
    const [mode = ""] = name.split(" ");
    const error = await brokenIn(mode, options);
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
    expect(error.message).toMatch(new RegExp(`^terraform-provider-broken \\(${process.execPath}\\) `));
    expect(error.process).toMatchObject({ provider: "terraform-provider-broken", executable: process.execPath });
  });

  test("rejects a server whose certificate differs from the announced one (pitfall 6)", async ({ expect }) => {
    const working = join(import.meta.dirname, "../../test/fixtures/terraform-provider-working.ts");
    const error = await failure({ command: [process.execPath, working, "other-certificate"] });
    expect(error).toMatchObject({
      code: "CONNECTION_FAILED",
      message: expect.stringMatching(/cannot connect to the plugin at unix .*certificate/),
    });
  });

  test("cancels the start when the caller aborts its signal", async ({ expect }) => {
    const reason = new Error("the user left");
    expect(await brokenIn("silence", { signal: AbortSignal.abort(reason) })).toMatchObject({ code: "START_CANCELLED", cause: reason });
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), 50);
    expect(await brokenIn("silence", { signal: controller.signal })).toMatchObject({ code: "START_CANCELLED", cause: reason });
  });

  test("redacts secrets in the error", async ({ expect }) => {
    const env = { NOTES_TOKEN: "s3cr3t-value", NOTES_PLACE: "a known place" };
    const { message, process } = await brokenIn("secrets", { env });
    expect(message).toContain("token (redacted) and place a known place\n(redacted private key)");
    expect(JSON.stringify(process)).not.toContain("s3cr3t-value");
  });

  test("leaves no temporary folder behind", async ({ expect }) => {
    const temporary = mkdtempSync(join(folder, "t-"));
    const before = process.env["TMPDIR"];
    process.env["TMPDIR"] = temporary;
    try {
      await brokenIn("silence", { startTimeoutMs: 200 });
      await brokenIn("exit");
      await failure({ command: join(folder, "absent") });
      expect(readdirSync(temporary)).toEqual([]);
    } finally {
      if (before === undefined) delete process.env["TMPDIR"];
      else process.env["TMPDIR"] = before;
    }
  });
});

describe("a provider's environment", () => {
  test("is that of this process without the plugin variables of an outer host (pitfalls 4 and 40)", async ({ expect }) => {
    const outer = {
      PLUGIN_CLIENT_CERT: "outer",
      PLUGIN_MULTIPLEX_GRPC: "true",
      TF_REATTACH_PROVIDERS: "{}",
      TF_LOG: "TRACE",
      OUTER_KEPT: "kept",
    };
    Object.assign(process.env, outer);
    try {
      const path = join(folder, "environment.json");
      await failure({
        command: [process.execPath, broken, "environment", path],
        env: { ADDED: "added", HOME: undefined, TF_PLUGIN_MAGIC_COOKIE: "mine" },
      });
      const environment = JSON.parse(readFileSync(path, "utf8")) as Record<string, string>;
      expect(environment).toMatchObject({
        ADDED: "added",
        OUTER_KEPT: "kept",
        PATH: process.env["PATH"],
        PLUGIN_PROTOCOL_VERSIONS: "5,6",
        TF_PLUGIN_MAGIC_COOKIE: expect.stringMatching(/^d602bf8f/),
        TF_LOG_PROVIDER: "OFF",
        TF_LOG_PROVIDER_BROKEN: "OFF",
        TF_LOG_SDK: "OFF",
      });
      expect(environment["PLUGIN_CLIENT_CERT"]).toMatch(/^-----BEGIN CERTIFICATE-----\n/);
      for (const name of ["HOME", "PLUGIN_MULTIPLEX_GRPC", "TF_REATTACH_PROVIDERS", "TF_LOG"]) expect(environment).not.toHaveProperty(name);
    } finally {
      for (const name of Object.keys(outer)) delete process.env[name];
    }
  });
});
