// SPDX-License-Identifier: Apache-2.0
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { requirePeer } from "@tenon/peers";
import { plainEnvironment } from "./launched-provider.ts";

/** Number of notes that are planned, applied and destroyed. */
const count = 1000;

const configuration = `
terraform {
  required_providers {
    bench = { source = "tenon/bench" }
  }
}
provider "bench" {}
resource "bench_note" "each" {
  count = ${count}
  title = "Note \${count.index}"
  body  = "Bread, butter, and cheese of the mountain kind; two bottles of milk."
  tags  = { team = "platform", stage = "production", owner = "somebody at example.com" }
}
`;

/** Durations of plan, apply and destroy in milliseconds, and the resulting state. */
export interface TofuRun {
  readonly plan: number;
  readonly apply: number;
  readonly destroy: number;
  readonly state: string;
}

/** Plans, applies and destroys the notes with tofu. @param folder contains `terraform-provider-bench` */
export async function runTofu(folder: string, environment: Readonly<Record<string, string>>): Promise<TofuRun> {
  const home = mkdtempSync(join(tmpdir(), "tenon-tofu-"));
  try {
    mkdirSync(join(home, "root"));
    writeFileSync(join(home, "root", "main.tf"), configuration);
    const overrides = `provider_installation {\n  dev_overrides {\n    "tenon/bench" = ${JSON.stringify(folder)}\n  }\n}\n`;
    writeFileSync(join(home, "cli.tfrc"), overrides);
    const tofu = async (args: readonly string[], expected: string): Promise<{ readonly ms: number; readonly stdout: string }> => {
      const start = performance.now();
      const { stdout } = await promisify(execFile)(requirePeer("tofu").path, args, {
        cwd: join(home, "root"),
        env: {
          ...Object.fromEntries(Object.entries(plainEnvironment).filter(([name]) => !name.startsWith("TF_"))),
          HOME: home,
          TF_CLI_CONFIG_FILE: join(home, "cli.tfrc"),
          CHECKPOINT_DISABLE: "1",
          ...environment,
        },
        maxBuffer: 2 ** 28,
      });
      if (!stdout.includes(expected)) throw new Error(`tofu ${args.join(" ")} did not print ${expected}:\n${stdout.slice(-2000)}`);
      return { ms: performance.now() - start, stdout };
    };
    const common = ["-input=false", "-no-color"];
    const plan = await tofu(["plan", ...common], `${count} to add`);
    const apply = await tofu(["apply", "-auto-approve", ...common], `Resources: ${count} added`);
    const { stdout: state } = await tofu(["state", "show", "-no-color", `bench_note.each[${count - 1}]`], "note-Note");
    const destroy = await tofu(["destroy", "-auto-approve", ...common], `Resources: ${count} destroyed`);
    return { plan: plan.ms, apply: apply.ms, destroy: destroy.ms, state };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
