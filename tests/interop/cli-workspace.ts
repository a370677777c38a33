// SPDX-License-Identifier: Apache-2.0
import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Source from which the CLI installs its providers. */
export type Installation =
  | { readonly kind: "devOverrides"; readonly source: string; readonly folder: string }
  | { readonly kind: "filesystemMirror"; readonly folder: string };

/** Result of a command. */
export interface CliResult {
  /** Exit code; null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Options for running a command. */
export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Standard input. Default: none. */
  readonly input?: string;
  /** Called once, when the command has started. */
  readonly onStart?: (process: RunningCli) => void;
}

/** A running command, in its own process group, like a foreground command in a terminal. */
export interface RunningCli {
  /** Sends SIGINT to the CLI and to all processes that it started, as Ctrl-C does. */
  interrupt(): void;
  /** Sends a signal to the CLI alone. */
  signal(signal: NodeJS.Signals): void;
  /** Resolves as soon as standard output or standard error contains `text`. */
  waitForOutput(text: string): Promise<void>;
}

/** A folder with a configuration, and a CLI that runs in it without the home folder, plugin folders and settings of the machine. */
export class CliWorkspace implements Disposable {
  /** Path of the folder. */
  readonly folder: string;
  readonly #cli: string;

  constructor(cli: string, installation: Installation) {
    this.#cli = cli;
    this.folder = realpathSync(mkdtempSync(join(tmpdir(), "tenon-cli-")));
    this.write({ "cli.tfrc": cliConfiguration(installation) });
  }

  /** Writes files, and the folders that contain them. */
  write(files: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(files)) {
      const path = join(this.folder, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
  }

  /** Runs the CLI and returns its result, whatever the exit code. */
  async run(args: readonly string[], options: RunOptions = {}): Promise<CliResult> {
    const child = spawn(this.#cli, args, {
      cwd: this.folder,
      env: this.#environment(options.env),
      stdio: [options.input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
      detached: true,
    });
    child.stdin?.on("error", () => {}).end(options.input);
    const output = new Output(child);
    options.onStart?.({
      interrupt: () => process.kill(-(child.pid ?? 0), "SIGINT"),
      signal: (signal) => void child.kill(signal),
      waitForOutput: (text) => output.waitFor(text),
    });
    return output.end;
  }

  /**
   * Runs the CLI and returns its standard output.
   *
   * @throws Error with the output when the CLI fails.
   */
  async must(args: readonly string[], options: RunOptions = {}): Promise<string> {
    const { code, stdout, stderr } = await this.run(args, options);
    if (code !== 0) throw new Error(`${this.#cli} ${args.join(" ")} ended with ${code}\n${stdout}\n${stderr}`);
    return stdout;
  }

  /** Plans, and returns the plan that `show -json` prints. Keeps the file `plan.bin` for an apply. */
  async plan(...args: readonly string[]): Promise<PlanJson> {
    await this.must(["plan", "-input=false", "-out=plan.bin", ...args]);
    return JSON.parse(await this.must(["show", "-json", "plan.bin"])) as PlanJson;
  }

  async apply(...args: readonly string[]): Promise<string> {
    return this.must(["apply", "-auto-approve", "-input=false", "-no-color", ...args]);
  }

  async destroy(): Promise<string> {
    return this.must(["destroy", "-auto-approve", "-input=false", "-no-color"]);
  }

  async state(): Promise<StateJson> {
    return JSON.parse(await this.must(["show", "-json"])) as StateJson;
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #environment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
    const kept = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("TF_") && !name.startsWith("PLUGIN_")));
    return {
      ...kept,
      HOME: this.folder,
      TF_CLI_CONFIG_FILE: join(this.folder, "cli.tfrc"),
      CHECKPOINT_DISABLE: "1",
      TF_IN_AUTOMATION: "1",
      ...more,
    };
  }
}

/** Planned change of one resource. */
export interface ResourceChangeJson {
  readonly address: string;
  readonly action_reason?: string;
  readonly change: {
    readonly actions: readonly string[];
    readonly before: Readonly<Record<string, unknown>> | null;
    readonly after: Readonly<Record<string, unknown>> | null;
    readonly after_unknown: unknown;
    readonly before_sensitive: unknown;
    readonly after_sensitive: unknown;
    readonly replace_paths?: readonly (readonly (string | number)[])[];
    readonly importing?: { readonly id?: string };
  };
}

/** Plan, as `show -json` prints it. */
export interface PlanJson {
  readonly resource_changes?: readonly ResourceChangeJson[];
  readonly resource_drift?: readonly ResourceChangeJson[];
  readonly output_changes?: Readonly<Record<string, { readonly after?: unknown }>>;
}

/** State of one resource, as `show -json` prints it. */
export interface ResourceStateJson {
  readonly address: string;
  readonly tainted?: boolean;
  readonly values: Readonly<Record<string, unknown>>;
}

/** State, as `show -json` prints it. */
export interface StateJson {
  readonly values?: {
    readonly root_module: { readonly resources?: readonly ResourceStateJson[] };
    readonly outputs?: Readonly<Record<string, { readonly value: unknown }>>;
  };
}

function cliConfiguration(installation: Installation): string {
  if (installation.kind === "devOverrides") {
    return `provider_installation {\n  dev_overrides {\n    ${JSON.stringify(installation.source)} = ${JSON.stringify(installation.folder)}\n  }\n}\n`;
  }
  return `provider_installation {\n  filesystem_mirror {\n    path = ${JSON.stringify(installation.folder)}\n  }\n}\n`;
}

class Output {
  #stdout = "";
  #stderr = "";
  readonly #waiting = new Set<() => void>();
  readonly end: Promise<CliResult>;

  constructor(child: ChildProcess) {
    child.stdout?.setEncoding("utf8").on("data", (text: string) => this.#add(() => (this.#stdout += text)));
    child.stderr?.setEncoding("utf8").on("data", (text: string) => this.#add(() => (this.#stderr += text)));
    this.end = new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) => resolve({ code, stdout: this.#stdout, stderr: this.#stderr }));
    });
  }

  async waitFor(text: string): Promise<void> {
    while (!`${this.#stdout}${this.#stderr}`.includes(text)) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  #add(append: () => void): void {
    append();
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}
