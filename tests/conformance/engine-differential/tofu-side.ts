// SPDX-License-Identifier: Apache-2.0
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Json, Outcome, OutcomeDiagnostic, StepOptions } from "./outcome.ts";

/** Runs steps with tofu, whose providers are attached to. */
export class TofuSide {
  readonly #path: string;
  readonly #environment: NodeJS.ProcessEnv;

  /** @param reattach Values of `TF_REATTACH_PROVIDERS`. */
  constructor(path: string, reattach: readonly string[], cliConfiguration: string) {
    this.#path = path;
    const running = Object.assign({}, ...reattach.map((one) => JSON.parse(one) as object)) as object;
    const kept = Object.entries(process.env).filter(([name]) => !name.startsWith("TF_"));
    this.#environment = {
      ...Object.fromEntries(kept),
      TF_REATTACH_PROVIDERS: JSON.stringify(running),
      TF_CLI_CONFIG_FILE: cliConfiguration,
      CHECKPOINT_DISABLE: "1",
      TF_IN_AUTOMATION: "1",
      // A command lives too short for a garbage collection to pay off.
      GOGC: "off",
    };
  }

  /** Plans, and applies the plan. */
  async run(folder: string, options: StepOptions): Promise<Outcome> {
    const { mode, refresh = true, targets = [], excludes = [], replace = [], apply, documents } = options;
    const flags = [
      ...(mode === "destroy" ? ["-destroy"] : mode === "refreshOnly" ? ["-refresh-only"] : []),
      ...(refresh ? [] : ["-refresh=false"]),
      ...targets.map((target) => `-target=${target}`),
      ...excludes.map((exclude) => `-exclude=${exclude}`),
      ...replace.map((one) => `-replace=${one}`),
    ];
    const isSaved = apply || documents.plan;
    const planned = await this.#run(folder, "plan", "-input=false", "-json", ...(isSaved ? ["-out=plan.bin"] : []), ...flags);
    const plan = readLog(planned.output);
    if (planned.code !== 0)
      return { isPlanned: false, planDiagnostics: plan.diagnostics, planLog: plan.messages, applyDiagnostics: [], ...stateOf(folder) };
    const shown = documents.plan
      ? await Promise.all([this.#run(folder, "show", "-json", "plan.bin"), this.#run(folder, "show", "-no-color", "plan.bin")])
      : undefined;
    const applied = apply ? readLog((await this.#run(folder, "apply", "-json", "-input=false", "plan.bin")).output) : undefined;
    const state = documents.state
      ? await Promise.all([this.#run(folder, "show", "-json"), this.#run(folder, "show", "-no-color")])
      : undefined;
    return {
      isPlanned: true,
      ...(shown && { plan: JSON.parse(shown[0].output) as Json, planText: shown[1].output }),
      planDiagnostics: plan.diagnostics,
      planLog: plan.messages,
      applyDiagnostics: applied?.diagnostics ?? [],
      ...(applied && { applyLog: applied.messages }),
      ...stateOf(folder),
      ...(state && { stateJson: JSON.parse(state[0].output) as Json, stateText: state[1].output }),
    };
  }

  /** The diagnostics of `tofu validate -json`. */
  async validate(folder: string): Promise<readonly OutcomeDiagnostic[]> {
    const { output } = await this.#run(folder, "validate", "-json");
    return (JSON.parse(output) as { readonly diagnostics: readonly LoggedDiagnostic[] }).diagnostics.map(plainDiagnostic);
  }

  async #run(folder: string, ...args: readonly string[]): Promise<{ readonly code: number | null; readonly output: string }> {
    const child = spawn(this.#path, args, { cwd: folder, env: { ...this.#environment, HOME: folder }, stdio: ["ignore", "pipe", "pipe"] });
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
    if (errors.includes("panic:")) throw new Error(`tofu ${args.join(" ")} ended with a panic\n${errors}`);
    return { code: child.exitCode, output };
  }
}

/** The text of the state file in a folder. */
export function stateOf(folder: string): { readonly state?: string } {
  const path = join(folder, "terraform.tfstate");
  return existsSync(path) ? { state: readFileSync(path, "utf8") } : {};
}

interface LoggedDiagnostic {
  readonly severity: string;
  readonly summary: string;
  readonly detail?: string;
  readonly address?: string;
  readonly range?: { readonly filename: string; readonly start: LoggedPosition; readonly end: LoggedPosition };
}

interface LoggedPosition {
  readonly line: number;
  readonly column: number;
}

/** The messages of a log: the diagnostics, and the others. */
function readLog(log: string): { readonly diagnostics: readonly OutcomeDiagnostic[]; readonly messages: readonly Json[] } {
  const all = log
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Json);
  const diagnostics = all.flatMap(({ diagnostic }) => (diagnostic === undefined ? [] : [plainDiagnostic(diagnostic as LoggedDiagnostic)]));
  return { diagnostics, messages: all.filter(({ type }) => type !== "diagnostic") };
}

function plainDiagnostic({ severity, summary, detail = "", address = "", range }: LoggedDiagnostic): OutcomeDiagnostic {
  return {
    severity,
    summary,
    detail,
    address,
    range: range === undefined ? "" : `${range.filename}:${range.start.line},${range.start.column}-${range.end.line},${range.end.column}`,
  };
}
