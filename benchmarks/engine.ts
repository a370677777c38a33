// SPDX-License-Identifier: Apache-2.0
// The engine with a provider in its process, compared with tofu and the equal provider on terraform-plugin-framework, which is kept quiet:
// its best case. Each side plans, applies, plans again and destroys the same resources. The engine is loaded before; the start of tofu, about
// a tenth of a second, is in its times.
//
//   npm run bench -- engine [--runs 3] [--count 1000]
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { requirePeer } from "@tenon/peers";
import { engineConfiguration, type EngineTimes } from "./engine-configuration.ts";
import { plainEnvironment } from "./launched-provider.ts";
import { median, report, type Measurement } from "./measurement.ts";

const { values } = parseArgs({ options: { runs: { type: "string", default: "3" }, count: { type: "string", default: "1000" } } });
const runs = Number(values.runs);
const count = Number(values.count);
const run = promisify(execFile);

/** One run of the engine in a fresh process. */
async function ours(): Promise<EngineTimes> {
  const { stdout } = await run(process.execPath, [join(import.meta.dirname, "engine-run.ts"), String(count)]);
  return JSON.parse(stdout) as EngineTimes;
}

/** One run of tofu in a fresh folder. */
async function tofu(provider: string): Promise<EngineTimes> {
  const home = mkdtempSync(join(tmpdir(), "tenon-engine-"));
  try {
    mkdirSync(join(home, "root"));
    writeFileSync(join(home, "root", "main.tf"), engineConfiguration(count));
    writeFileSync(
      join(home, "cli.tfrc"),
      `provider_installation {\n  dev_overrides {\n    "tenon/bench" = ${JSON.stringify(provider)}\n  }\n}\n`,
    );
    const timed = async (expected: string, ...args: readonly string[]): Promise<number> => {
      const start = performance.now();
      const { stdout } = await run(requirePeer("tofu").path, [...args, "-input=false", "-no-color"], {
        cwd: join(home, "root"),
        env: {
          ...Object.fromEntries(Object.entries(plainEnvironment).filter(([name]) => !name.startsWith("TF_"))),
          HOME: home,
          TF_CLI_CONFIG_FILE: join(home, "cli.tfrc"),
          CHECKPOINT_DISABLE: "1",
          TF_LOG_SDK: "off",
        },
        maxBuffer: 2 ** 28,
      });
      const took = performance.now() - start;
      if (!stdout.includes(expected)) throw new Error(`tofu ${args.join(" ")} did not print ${expected}:\n${stdout.slice(-2000)}`);
      return took;
    };
    return {
      plan: await timed(`${count} to add`, "plan"),
      apply: await timed(`Resources: ${count} added`, "apply", "-auto-approve"),
      replan: await timed("No changes", "plan"),
      destroy: await timed(`Resources: ${count} destroyed`, "destroy", "-auto-approve"),
    };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

const folder = mkdtempSync(join(tmpdir(), "tenon-engine-provider-"));
try {
  writeFileSync(join(folder, "terraform-provider-bench"), `#!/bin/sh\nexec '${requirePeer("framework-provider").path}' -measured "$@"\n`, {
    mode: 0o755,
  });
  const taken = { ours: [] as EngineTimes[], tofu: [] as EngineTimes[] };
  for (let round = 0; round < runs; round++) {
    taken.ours.push(await ours());
    taken.tofu.push(await tofu(folder));
  }
  const rows = (["plan", "apply", "replan", "destroy"] as const).map((step): Measurement => {
    const of = (side: keyof typeof taken): number => median(taken[side].map((times) => times[step]));
    return { name: `${step}-${count}`, ours: of("ours"), peer: of("tofu"), unit: "ms" };
  });
  report("engine", rows);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
