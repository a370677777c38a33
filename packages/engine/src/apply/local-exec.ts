// SPDX-License-Identifier: Apache-2.0
import { spawn, type ChildProcess } from "node:child_process";
import { access, constants, stat } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { get, isNull, type Value } from "@tenon/cty";
import { elements } from "@tenon/cty/operators";
import { goQuote } from "@tenon/cty/unstable/payload";
import type { Diagnostic } from "@tenon/schema";
import { systemErrorText } from "../functions/file-access.ts";

/** Settings of a run of a command. */
export interface LocalExecSettings {
  /** The folder that a relative `working_dir` starts from. */
  readonly workingFolder: string;
  /** Called with the command, and then with each line that it prints. */
  readonly onOutput: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/** How many bytes of the end of the output an error shows at most. */
const maxErrorOutputBytes = 8 * 1024;

const isWindows = process.platform === "win32";
const defaultInterpreter = isWindows ? ["cmd", "/C"] : ["/bin/sh", "-c"];

/**
 * Runs the command of a `local-exec` provisioner and waits until it ends. Returns an error if the command cannot be run or fails.
 *
 * @param config The arguments as a known value without marks.
 * @see OpenTofu builtin/provisioners/local-exec
 */
export async function runLocalExec(config: Value, { workingFolder, onOutput, signal }: LocalExecSettings): Promise<readonly Diagnostic[]> {
  const command = textOf(get(config, "command")) ?? "";
  if (command === "") return [error("Invalid local-exec provisioner command", "The command must be a non-empty string.")];
  const interpreter = get(config, "interpreter");
  const given = isNull(interpreter) ? [] : elements(interpreter);
  // If all elements of the interpreter are null, the program is the command itself.
  const words = given.length === 0 ? defaultInterpreter : given.flatMap(([, element]) => textOf(element) ?? []);
  const argv: readonly [string, ...string[]] = [...words, command] as unknown as [string, ...string[]];
  if (get(config, "quiet").payload === true) onOutput("local-exec: Executing: Suppressed by quiet=true");
  else onOutput(`Executing: [${argv.map(goQuote).join(" ")}]`);
  const cwd = resolve(workingFolder, textOf(get(config, "working_dir")) ?? "");
  const env = { ...process.env, ...Object.fromEntries(textsOf(get(config, "environment"))) };
  const output = new Output(onOutput);
  const reason = (await startErrorText(argv[0], cwd, env)) ?? (await exitReason(start(argv, { cwd, env, signal }), output));
  output.end();
  if (reason === undefined) return [];
  return [error("local-exec provisioner error", `Error running command '${command}': ${reason}. Output: ${output.tail}`)];
}

/** Starts a program with its error output redirected to its output, so that the order of lines is kept. */
function start(
  [program, ...args]: readonly [string, ...string[]],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly signal: AbortSignal | undefined },
): ChildProcess {
  const { cwd, env, signal } = options;
  const joined: readonly [string, readonly string[]] = isWindows
    ? [program, args]
    : ["/bin/sh", ["-c", 'exec "$0" "$@" 2>&1', program, ...args]];
  return spawn(joined[0], joined[1], { cwd, env, stdio: ["ignore", "pipe", "pipe"], killSignal: "SIGKILL", ...(signal && { signal }) });
}

/** The output of a command: its lines go to a listener, and its last bytes are kept for an error. */
class Output {
  readonly #onLine: (line: string) => void;
  #tail = Buffer.alloc(0);
  #line = "";

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  /** The last bytes of the output as text. */
  get tail(): string {
    return this.#tail.toString("utf8");
  }

  add(chunk: Buffer, text: string): void {
    this.#tail = Buffer.concat([this.#tail, chunk]).subarray(-maxErrorOutputBytes);
    const lines = (this.#line + text).split("\n");
    this.#line = lines.pop()!;
    for (const line of lines) this.#onLine(line);
  }

  /** Reports the last line if it has no line feed at its end. */
  end(): void {
    if (this.#line !== "") this.#onLine(this.#line);
    this.#line = "";
  }
}

/** Why the program did not succeed; undefined if it did. */
async function exitReason(child: ChildProcess, output: Output): Promise<string | undefined> {
  for (const stream of [child.stdout!, child.stderr!]) {
    const decoder = new StringDecoder("utf8");
    stream.on("data", (chunk: Buffer) => output.add(chunk, decoder.write(chunk)));
  }
  return new Promise((settle) => {
    child.on("error", (failure) => settle(failure.message));
    child.on("close", (code, ended) => settle(ended === null ? (code === 0 ? undefined : `exit status ${code}`) : signalText(ended)));
  });
}

const signalNames: Readonly<Partial<Record<NodeJS.Signals, string>>> = {
  SIGABRT: "aborted",
  SIGALRM: "alarm clock",
  SIGBUS: "bus error",
  SIGFPE: "floating point exception",
  SIGHUP: "hangup",
  SIGILL: "illegal instruction",
  SIGINT: "interrupt",
  SIGKILL: "killed",
  SIGPIPE: "broken pipe",
  SIGQUIT: "quit",
  SIGSEGV: "segmentation fault",
  SIGTERM: "terminated",
  SIGTRAP: "trace/breakpoint trap",
};

/** Go's error text for a process that a signal ended. */
function signalText(signal: NodeJS.Signals): string {
  return `signal: ${signalNames[signal] ?? signal}`;
}

/** Go's error text for a program that cannot be started; undefined if it can. On Windows always undefined, since `spawn` reports it. */
async function startErrorText(program: string, cwd: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  if (isWindows) return undefined;
  if (!program.includes("/")) {
    const folders = (env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
    for (const folder of folders) if (await isExecutable(join(folder, program))) return await folderErrorText(cwd);
    return `exec: ${goQuote(program)}: executable file not found in $PATH`;
  }
  const folderText = await folderErrorText(cwd);
  if (folderText !== undefined) return folderText;
  try {
    await access(resolve(cwd, program), constants.X_OK);
  } catch (accessError) {
    return `fork/exec ${program}: ${systemErrorText(accessError)}`;
  }
  return undefined;
}

/** Go's error text for a working folder that a program cannot be started in; undefined if it can. */
async function folderErrorText(cwd: string): Promise<string | undefined> {
  try {
    return (await stat(cwd)).isDirectory() ? undefined : `chdir ${cwd}: not a directory`;
  } catch (statError) {
    return `chdir ${cwd}: ${systemErrorText(statError)}`;
  }
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

function textOf({ payload }: Value): string | undefined {
  return typeof payload === "string" ? payload : undefined;
}

/** The elements of a map of strings, without null values. */
function textsOf(value: Value): readonly (readonly [string, string])[] {
  if (isNull(value)) return [];
  return elements(value).flatMap(([key, element]) => {
    const text = textOf(element);
    return text === undefined ? [] : [[textOf(key)!, text] as const];
  });
}

function error(summary: string, detail: string): Diagnostic {
  return { severity: "error", summary, detail };
}
