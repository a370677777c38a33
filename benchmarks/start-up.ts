// SPDX-License-Identifier: Apache-2.0
// Time of a packaged provider with one resource to its handshake line, compared with `node -e 0`, and to its first schema, compared
// with a Go provider under the same client. A core starts a provider three to five times in one command.
//
//   npm run bench -- start-up [--runs 30]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { requirePeer } from "@tenon/peers";
import { certificate, host, observe, untilExit, untilLine } from "./launched-provider.ts";
import { type Measurement, medians, report } from "./measurement.ts";
import { packageProvider } from "./packaged-provider.ts";

const { values } = parseArgs({ options: { runs: { type: "string", default: "30" } } });
const runs = Number(values.runs);
const goProvider = requirePeer("provider-time").path;

const folder = mkdtempSync(join(tmpdir(), "tenon-start-up-"));
try {
  const provider = packageProvider("apps/examples/textfile/main.ts", "textfile", folder);
  await checkBoth(provider);
  const lines = await medians(runs, {
    node: () => untilExit(process.execPath, ["-e", "0"]),
    plain: () => untilLine({ path: provider, environment: host }),
    tls: () => untilLine({ path: provider, environment: { ...host, ...certificate } }),
    goTls: () => untilLine({ path: goProvider, environment: { ...host, ...certificate } }),
  });
  const schemas = await medians(Math.ceil(runs / 2), {
    node: () => untilExit(process.execPath, ["-e", "0"]),
    ours: async () => (await observe({ path: provider })).firstCallMs,
    go: async () => (await observe({ path: goProvider })).firstCallMs,
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

/** Checks that both providers return a schema without diagnostics, over TLS, and end gracefully. */
async function checkBoth(provider: string): Promise<void> {
  for (const path of [provider, goProvider]) {
    const seen = await observe({ path }, ["-shutdown"]);
    if (seen.tls !== true || seen.diagnostics !== 0 || seen.shutdown?.exitCode !== 0) {
      throw new Error(`${path} does not work as measured: ${JSON.stringify(seen)}`);
    }
  }
}
