// SPDX-License-Identifier: Apache-2.0
// How long a packaged one-resource provider takes to its handshake line, beside Node doing nothing; and to its first schema,
// beside a provider in Go under the same client. A core starts a provider three to five times in one command.
//
//   npm run bench -- start-up [--runs 30]
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { requirePeer } from "@tenon/peers";
import { type Measurement, medians, report } from "./measurement.ts";

const { values } = parseArgs({ options: { runs: { type: "string", default: "30" } } });
const runs = Number(values.runs);
const root = join(import.meta.dirname, "..");
const client = requirePeer("plugin-client").path;
const goProvider = requirePeer("provider-time").path;

/** What a core puts into a provider's environment. */
const host = {
  TF_PLUGIN_MAGIC_COOKIE: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
  PLUGIN_PROTOCOL_VERSIONS: "5,6",
};
/** Only that there is one counts for the line. */
const certificate = { PLUGIN_CLIENT_CERT: "-----BEGIN CERTIFICATE-----" };

const folder = mkdtempSync(join(tmpdir(), "tenon-start-up-"));
try {
  const provider = packageProvider(folder);
  checkBoth(provider);
  const lines = await medians(runs, {
    node: () => untilExit(process.execPath, ["-e", "0"]),
    plain: () => untilLine(provider, host),
    tls: () => untilLine(provider, { ...host, ...certificate }),
    goTls: () => untilLine(goProvider, { ...host, ...certificate }),
  });
  const schemas = await medians(Math.ceil(runs / 2), {
    node: () => untilExit(process.execPath, ["-e", "0"]),
    ours: () => firstSchema(provider),
    go: () => firstSchema(goProvider),
  });
  const rows: Measurement[] = [
    { name: "handshake line, against node -e 0", ours: lines.plain, peer: lines.node, unit: "ms" },
    { name: "handshake line with AutoMTLS, against node -e 0", ours: lines.tls, peer: lines.node, unit: "ms" },
    { name: "handshake line with AutoMTLS, against a Go provider", ours: lines.tls, peer: lines.goTls, unit: "ms" },
    { name: "first schema with AutoMTLS, against node -e 0", ours: schemas.ours, peer: schemas.node, unit: "ms" },
    { name: "first schema with AutoMTLS, against a Go provider", ours: schemas.ours, peer: schemas.go, unit: "ms" },
  ];
  report("start-up", rows);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Packages the example with one resource by the documented command. */
function packageProvider(out: string): string {
  const main = join(root, "apps/examples/textfile/main.ts");
  const args = [join(root, "packages/provider-sdk/src/package/main.ts"), main, "--out", out, "--name", "textfile", "--version", "1.0.0"];
  execFileSync(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
  return join(out, "dev", "terraform-provider-textfile");
}

/** What is timed must have worked: both answer a schema without diagnostics, over TLS, and end when they are told to. */
function checkBoth(provider: string): void {
  for (const path of [provider, goProvider]) {
    const seen = observe(path, ["-shutdown"]);
    if (seen.error !== undefined || seen.tls !== true || seen.diagnostics !== 0 || seen.shutdown?.exitCode !== 0) {
      throw new Error(`${path} does not do what is to be timed: ${JSON.stringify(seen)}`);
    }
  }
}

interface Observation {
  readonly firstCallMs: number;
  readonly tls?: boolean;
  readonly diagnostics: number;
  readonly shutdown?: { readonly exitCode: number };
  readonly error?: string;
}

function observe(path: string, args: readonly string[] = []): Observation {
  return JSON.parse(execFileSync(client, [...args, path], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })) as Observation;
}

/** From launch to the first schema, its client's certificate and connection included. */
async function firstSchema(path: string): Promise<number> {
  return observe(path).firstCallMs;
}

function untilLine(path: string, environment: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(path, { env: { ...process.env, ...environment }, stdio: ["ignore", "pipe", "ignore"] });
    let ms: number | undefined;
    child.stdout.once("data", () => {
      ms = performance.now() - start;
      child.kill("SIGKILL");
    });
    // The next one is not to share the machine with this one's end.
    child.once("close", () => (ms === undefined ? reject(new Error(`${path} printed nothing`)) : resolve(ms)));
  });
}

function untilExit(path: string, args: readonly string[]): Promise<number> {
  return new Promise((resolve) => {
    const start = performance.now();
    spawn(path, args, { stdio: "ignore" }).once("exit", () => resolve(performance.now() - start));
  });
}
