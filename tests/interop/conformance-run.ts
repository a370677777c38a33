// SPDX-License-Identifier: Apache-2.0
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { CliWorkspace, type PlanJson, type ResourceChangeJson } from "./cli-workspace.ts";
import { packageExample, type PackagedProvider } from "./packaged-provider.ts";

export const conformanceAddress = "example.com/tenon/conformance";

/** The conformance provider, packaged as providers are. */
export function packageConformance(main: "main.ts" | "main-flat.ts" = "main.ts"): PackagedProvider {
  return packageExample(
    `tests/interop/fixtures/conformance/${main}`,
    "--name",
    "conformance",
    "--version",
    "1.0.0",
    "--address",
    conformanceAddress,
  );
}

/** A workspace whose configurations have the conformance provider, which keeps its objects in a folder of the workspace. */
export class ConformanceRun extends CliWorkspace {
  readonly store: string;

  constructor(cli: string, provider: PackagedProvider) {
    super(cli, { kind: "devOverrides", source: conformanceAddress, folder: join(provider.folder, "dev") });
    this.store = join(this.folder, "objects");
  }

  /** Makes this the whole configuration. */
  configure(body: string, settings = "", terraform = ""): void {
    this.write({
      "main.tf": `terraform {
        required_providers {
          conformance = { source = "${conformanceAddress}" }
        }
        ${terraform}
      }
      provider "conformance" {
        directory = ${JSON.stringify(this.store)}
        ${settings}
      }
      ${body}`,
    });
  }

  /** Applies, then plans again and insists that nothing is left to do; answers the attributes of a resource. */
  async settle(address: string): Promise<Readonly<Record<string, unknown>>> {
    await this.apply();
    await this.nothingLeft();
    return this.recorded(address);
  }

  /** The same configuration planned again is no change. */
  async nothingLeft(): Promise<void> {
    const { code, stdout, stderr } = await this.run(["plan", "-input=false", "-no-color", "-detailed-exitcode"]);
    if (code !== 0) throw new Error(`a second plan is not empty (${code}):\n${stdout}\n${stderr}`);
  }

  /** The attributes of a resource as the state has them. */
  async recorded(address: string): Promise<Readonly<Record<string, unknown>>> {
    const found = (await this.state()).values?.root_module.resources?.find((one) => one.address === address);
    if (found === undefined) throw new Error(`the state has no ${address}`);
    return found.values;
  }

  /** What the provider has been doing, a line for each thing; forgotten when it has been told. */
  traced(): readonly string[] {
    const path = join(this.store, "trace.log");
    if (!existsSync(path)) return [];
    const lines = readFileSync(path, "utf8").trimEnd().split("\n");
    rmSync(path);
    return lines;
  }

  /** Fails, and answers what it says. */
  async refused(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(args);
    if (code === 0) throw new Error(`${args.join(" ")} succeeded:\n${stdout}`);
    return told(stdout + stderr);
  }
}

/** What a CLI prints, on one line and without the frame around diagnostics. */
export function told(text: string): string {
  return text.replaceAll(/[│╷╵\s]+/g, " ");
}

/** What a plan does with one resource. */
export function changeOf(plan: PlanJson, address: string): ResourceChangeJson["change"] & { readonly reason: string | undefined } {
  const found = plan.resource_changes?.find((one) => one.address === address);
  if (found === undefined) throw new Error(`the plan says nothing of ${address}`);
  return { ...found.change, reason: found.action_reason };
}
