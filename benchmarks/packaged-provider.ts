// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from "node:child_process";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

/** Packages a provider with the documented command; returns the path of its launcher. */
export function packageProvider(main: string, name: string, out: string, ...more: readonly string[]): string {
  const command = join(root, "packages/provider-sdk/src/package/main.ts");
  const args = [command, join(root, main), "--out", out, "--name", name, "--version", "1.0.0", ...more];
  execFileSync(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
  return join(out, "dev", `terraform-provider-${name}`);
}
