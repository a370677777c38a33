// SPDX-License-Identifier: Apache-2.0
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { CliWorkspace, type PlanJson, type ResourceChangeJson } from "./cli-workspace.ts";
import { packageExample, type PackagedProvider } from "./packaged-provider.ts";

/** Source address of the conformance provider. */
export const conformanceAddress = "example.com/tenon/conformance";

/** Packages the conformance provider by the documented command. */
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

/** A workspace for configurations with the conformance provider, which stores its objects in a folder of the workspace. */
export class ConformanceRun extends CliWorkspace {
  /** Folder of the provider's objects. */
  readonly store: string;

  constructor(cli: string, provider: PackagedProvider) {
    super(cli, { kind: "devOverrides", source: conformanceAddress, folder: join(provider.folder, "dev") });
    this.store = join(this.folder, "objects");
  }

  /** Replaces the whole configuration. */
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

  /** Applies, checks that a second plan is empty, and returns the attributes of a resource in the state. */
  async applyAll(address: string): Promise<Readonly<Record<string, unknown>>> {
    await this.apply();
    await this.assertEmptyPlan();
    return this.attributesOf(address);
  }

  /** Throws unless a plan of the same configuration is empty. */
  async assertEmptyPlan(): Promise<void> {
    const { code, stdout, stderr } = await this.run(["plan", "-input=false", "-no-color", "-detailed-exitcode"]);
    if (code !== 0) throw new Error(`a second plan is not empty (${code}):\n${stdout}\n${stderr}`);
  }

  /** Returns the attributes of a resource in the state. */
  async attributesOf(address: string): Promise<Readonly<Record<string, unknown>>> {
    const found = (await this.state()).values?.root_module.resources?.find((one) => one.address === address);
    if (found === undefined) throw new Error(`the state has no ${address}`);
    return found.values;
  }

  /** Returns the lines that the provider has traced since the last call of this method. */
  takeTrace(): readonly string[] {
    const path = join(this.store, "trace.log");
    if (!existsSync(path)) return [];
    const lines = readFileSync(path, "utf8").trimEnd().split("\n");
    rmSync(path);
    return lines;
  }

  /** Runs a command that must fail; returns its output on one line. */
  async runToFailure(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(args);
    if (code === 0) throw new Error(`${args.join(" ")} succeeded:\n${stdout}`);
    return onOneLine(stdout + stderr);
  }
}

/** Puts the output of a CLI on one line, without the frame around diagnostics. */
export function onOneLine(text: string): string {
  return text.replaceAll(/[│╷╵\s]+/g, " ");
}

/** Returns the planned change of one resource. */
export function changeOf(plan: PlanJson, address: string): ResourceChangeJson["change"] & { readonly reason: string | undefined } {
  const found = plan.resource_changes?.find((one) => one.address === address);
  if (found === undefined) throw new Error(`the plan has no change of ${address}`);
  return { ...found.change, reason: found.action_reason };
}
