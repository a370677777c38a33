// SPDX-License-Identifier: Apache-2.0
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { GraphType, Json, Outcome, OutcomeDiagnostic, StepOptions } from "./outcome.ts";
import { TofuCrash, type TofuCommands, type TofuResult } from "./tofu-commands.ts";

const crashSummary = "OpenTofu crashed";

/** Runs steps with tofu, whose providers are attached to. */
export class TofuSide implements Disposable {
  readonly #commands: TofuCommands;

  constructor(commands: TofuCommands) {
    this.#commands = commands;
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
      ? await Promise.all([this.#run(folder, "show", "-json", "plan.bin").then(({ output }) => output), this.#planText(folder)])
      : undefined;
    const applied = apply ? await this.#apply(folder) : undefined;
    const state = documents.state
      ? await Promise.all([this.#run(folder, "show", "-json"), this.#run(folder, "show", "-no-color")])
      : undefined;
    return {
      isPlanned: true,
      ...(shown && { plan: JSON.parse(shown[0]) as Json, planText: shown[1] }),
      planDiagnostics: plan.diagnostics,
      planLog: plan.messages,
      applyDiagnostics: applied?.diagnostics ?? [],
      ...(applied && { applyLog: applied.messages }),
      ...stateOf(folder),
      ...(state && { stateJson: JSON.parse(state[0].output) as Json, stateText: state[1].output }),
    };
  }

  /** The plan as text. After a panic of tofu, it says only this. */
  async #planText(folder: string): Promise<string> {
    try {
      return (await this.#run(folder, "show", "-no-color", "plan.bin")).output;
    } catch (error) {
      if (!(error instanceof TofuCrash)) throw error;
      return `${crashSummary}: ${error.reason}\n`;
    }
  }

  /** Applies the plan. A panic of tofu is an error like others. */
  async #apply(folder: string): Promise<Log> {
    try {
      return readLog((await this.#run(folder, "apply", "-json", "-input=false", "plan.bin")).output);
    } catch (error) {
      if (!(error instanceof TofuCrash)) throw error;
      const diagnostic = { severity: "error", summary: crashSummary, detail: error.reason, address: "", range: "" };
      return { diagnostics: [diagnostic], messages: [] };
    }
  }

  /** The diagnostics of `tofu validate -json`. */
  async validate(folder: string): Promise<readonly OutcomeDiagnostic[]> {
    const { output } = await this.#run(folder, "validate", "-json");
    return (JSON.parse(output) as { readonly diagnostics: readonly LoggedDiagnostic[] }).diagnostics.map(plainDiagnostic);
  }

  /** The graph of an operation, or of a planned apply, as DOT; undefined if the configuration has errors. */
  async graph(folder: string, type: GraphType): Promise<string | undefined> {
    if (type === "planned") {
      const planned = await this.#run(folder, "plan", "-input=false", "-json", "-out=plan.bin");
      if (planned.code !== 0) return undefined;
    }
    const { code, output } = await this.#run(folder, "graph", type === "planned" ? "-plan=plan.bin" : `-type=${type}`);
    return code === 0 ? output : undefined;
  }

  #run(folder: string, ...args: readonly string[]): Promise<TofuResult> {
    return this.#commands.run(folder, args);
  }

  [Symbol.dispose](): void {
    this.#commands[Symbol.dispose]();
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

/** The messages of a log. */
interface Log {
  readonly diagnostics: readonly OutcomeDiagnostic[];
  /** The messages that are no diagnostics. */
  readonly messages: readonly Json[];
}

function readLog(log: string): Log {
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
