// SPDX-License-Identifier: Apache-2.0
// Which carrier providers and hosts use: our own, unless TENON_CARRIER selects connect-node.
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describePeer } from "@tenon/peers/vitest";
import { test } from "vitest";

const run = promisify(execFile);
const root = join(import.meta.dirname, "..", "..");

const recordLoads = `
  let loaded = false;
  require("node:module").registerHooks({
    load(url, context, next) {
      loaded ||= url.includes("/@connectrpc/connect-node/");
      return next(url, context);
    },
  });
  process.on("exit", () => require("node:fs").writeFileSync(process.env.RECORDED_LOADS, String(loaded)));
`;

/** Whether the program loads connect-node. */
async function loadsConnectNode(command: string, args: readonly string[], carrier: string | undefined): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), "carrier-"));
  try {
    const [preload, recorded] = [join(folder, "record.cjs"), join(folder, "loads")];
    writeFileSync(preload, recordLoads);
    await run(command, args, {
      env: { ...process.env, TENON_CARRIER: carrier, NODE_OPTIONS: `--require "${preload}"`, RECORDED_LOADS: recorded },
    });
    return readFileSync(recorded, "utf8") === "true";
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const choices = [
  [undefined, false],
  ["own", false],
  ["connect-node", true],
] as const;

describePeer(["plugin-client", "framework-provider"], "the carrier", ({ "plugin-client": client, "framework-provider": provider }) => {
  test.for(choices)("of a provider is selected by TENON_CARRIER=%s", async ([carrier, expected], { expect }) => {
    const served = [process.execPath, join(root, "apps/examples/textfile/main.ts")];
    expect(await loadsConnectNode(client.path, ["-shutdown", ...served], carrier)).toBe(expected);
  });

  test.for(choices)("of a host is selected by TENON_CARRIER=%s", async ([carrier, expected], { expect }) => {
    const program = `
      import { launchProvider } from ${JSON.stringify(join(root, "packages/plugin-host/src/index.ts"))};
      const provider = await launchProvider({ command: ${JSON.stringify(provider.path)} });
      await provider.getProviderSchema({});
      await provider.close();
    `;
    expect(await loadsConnectNode(process.execPath, ["--input-type=module", "-e", program], carrier)).toBe(expected);
  });
});
