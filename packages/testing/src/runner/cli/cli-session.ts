// SPDX-License-Identifier: Apache-2.0
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ConfigurationFiles } from "../../configuration/configuration-source.ts";
import type { PlanDocument } from "../../documents/plan-document.ts";
import { parseJson } from "../../documents/json.ts";
import type { StateDocument } from "../../documents/state-document.ts";
import { TestingError } from "../../error.ts";
import type { Outcome, RunnerSession, SessionPlan, SessionPlanOptions, SessionSetup, Variables } from "../runner.ts";
import { AttachedProviders } from "./attached-providers.ts";
import { type CommandResult, runCommand } from "./cli-command.ts";
import { errorsInLog, errorsInText } from "./cli-log.ts";

const planFile = "tenon.tfplan";
const generatedFile = "tenon_new_generated.tf";
const variablesFile = "tenon.auto.tfvars.json";

/** A folder with a configuration and a state, in which a command line runs. */
export class CliSession implements RunnerSession {
  readonly #command: string;
  readonly #setup: SessionSetup;
  readonly #folder: string;
  readonly #providers: AttachedProviders;
  #files: ConfigurationFiles = new Map();
  /** Whether the folder of the configuration is initialised: providers and modules are installed. */
  #initialised = false;

  private constructor(command: string, setup: SessionSetup, folder: string, providers: AttachedProviders) {
    this.#command = command;
    this.#setup = setup;
    this.#folder = folder;
    this.#providers = providers;
  }

  /** Creates the folder, and serves the providers. */
  static async open(command: string, setup: SessionSetup): Promise<CliSession> {
    // The paths of sockets have about 100 characters at most.
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "tenon-")));
    try {
      return new CliSession(command, setup, folder, await AttachedProviders.serve(setup.providers, folder));
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  async configure(files: ConfigurationFiles, variables: Variables): Promise<Outcome> {
    for (const path of this.#files.keys()) rmSync(this.#path(path), { force: true });
    for (const [path, text] of files) {
      mkdirSync(dirname(this.#path(path)), { recursive: true });
      writeFileSync(this.#path(path), text);
    }
    writeFileSync(this.#path(variablesFile), JSON.stringify(variables));
    const isChanged = !isSameFiles(files, this.#files);
    this.#files = files;
    if (this.#initialised && !isChanged) return { errors: [] };
    this.#initialised = true;
    if (!this.#needsInstallation()) return { errors: [] };
    return { errors: errorsInText(await this.#run("init", "-input=false", "-no-color")) };
  }

  async plan({ mode, refresh = true, generateConfiguration = false }: SessionPlanOptions = {}): Promise<SessionPlan> {
    rmSync(this.#path(generatedFile), { force: true });
    const result = await this.#run(
      "plan",
      "-json",
      "-input=false",
      "-detailed-exitcode",
      `-out=${planFile}`,
      ...(mode === "destroy" ? ["-destroy"] : []),
      ...(refresh ? [] : ["-refresh=false"]),
      ...(generateConfiguration ? [`-generate-config-out=${generatedFile}`] : []),
    );
    const errors = errorsInLog(result);
    const generatedConfiguration = this.#takeGenerated();
    let read: Promise<PlanDocument> | undefined;
    const document = (): Promise<PlanDocument> => (read ??= this.#document<PlanDocument>("show", "-json", planFile));
    return {
      errors,
      hasChanges: result.code === 2,
      document,
      text: async () => (errors.length > 0 ? "" : this.#must("show", "-no-color", planFile)),
      generatedConfiguration,
      apply: async () => ({ errors: errorsInLog(await this.#run("apply", "-json", "-input=false", planFile)) }),
      [Symbol.asyncDispose]: async () => {},
    };
  }

  async refresh(): Promise<Outcome> {
    return { errors: errorsInLog(await this.#run("apply", "-refresh-only", "-auto-approve", "-json", "-input=false")) };
  }

  async taint(address: string): Promise<Outcome> {
    return { errors: errorsInText(await this.#run("taint", "-no-color", address)) };
  }

  async importObject(address: string, id: string): Promise<Outcome> {
    return { errors: errorsInText(await this.#run("import", "-input=false", "-no-color", address, id)) };
  }

  async state(): Promise<StateDocument> {
    return this.#document<StateDocument>("show", "-json");
  }

  async fork(): Promise<RunnerSession> {
    return CliSession.open(this.#command, this.#setup);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#providers[Symbol.asyncDispose]();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Whether `init` has something to do. A configuration whose providers are all attached needs none, which saves a command in each step. */
  #needsInstallation(): boolean {
    if (Object.keys(this.#setup.externalProviders).length > 0) return true;
    const pattern = /\bmodule\b|\bbackend\b|\brequired_providers\b[^]*\bversion\b/;
    return [...this.#files.values()].some((content) => typeof content === "string" && pattern.test(content));
  }

  #takeGenerated(): string | undefined {
    const path = this.#path(generatedFile);
    return existsSync(path) ? readFileSync(path, "utf8") : undefined;
  }

  #path(name: string): string {
    return join(this.#folder, name);
  }

  /** Runs a command that prints a JSON document. Warnings about the settings of the command line may precede it. */
  async #document<T>(...args: readonly string[]): Promise<T> {
    const output = await this.#must(...args);
    return parseJson(output.slice(Math.max(output.search(/^\{/m), 0))) as T;
  }

  async #must(...args: readonly string[]): Promise<string> {
    const result = await this.#run(...args);
    if (result.code === 0) return result.stdout;
    throw new TestingError("RUNNER_FAILED", `${this.#command} ${args.join(" ")} failed:\n${errorsInText(result).join("\n")}`);
  }

  #run(...args: readonly string[]): Promise<CommandResult> {
    const { signal } = this.#setup;
    return runCommand(this.#command, args, { folder: this.#folder, environment: this.#providers.environment, signal });
  }
}

function isSameFiles(a: ConfigurationFiles, b: ConfigurationFiles): boolean {
  return a.size === b.size && [...a].every(([path, content]) => isSameContent(content, b.get(path)));
}

function isSameContent(a: string | Uint8Array, b: string | Uint8Array | undefined): boolean {
  return a === b || (typeof a !== "string" && typeof b === "object" && Buffer.compare(a, b) === 0);
}
