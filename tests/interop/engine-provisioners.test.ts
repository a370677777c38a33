// SPDX-License-Identifier: Apache-2.0
// Compares how the engine and OpenTofu run provisioners: the events of each object, and the errors.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openWorkspace, type EngineEvent, type Workspace } from "@tenon/engine";
import { formatResourceInstanceObject } from "@tenon/engine/address";
import { objectFiles } from "@tenon/engine/configuration";
import { memoryState } from "@tenon/engine/state/stores";
import { describePeer } from "@tenon/peers/vitest";
import { describe, test } from "vitest";
import { CliWorkspace } from "./cli-workspace.ts";

/** The log of an apply: the events by the address of the object, and the errors. */
interface Log {
  readonly events: Readonly<Record<string, readonly string[]>>;
  readonly errors: readonly string[];
}

const resource = (name: string, provisioners: string): string =>
  `resource "terraform_data" "${name}" {\n  input = "in-${name}"\n${provisioners}\n}\n`;
const run = (text: string): string => `  provisioner "local-exec" {\n    ${text.replaceAll("\n", "\n    ")}\n  }`;

const commands = [
  resource("plain", run('command = "echo one; echo two >&2; echo three; printf four"')),
  resource("several", `${run('command = "echo a"')}\n${run('command = "echo b"\non_failure = fail')}`),
  resource("quiet", run('command = "echo $0"\nquiet = true')),
  resource("self", run('command = "echo ${self.input} ${self.output}"')),
  resource("interpreter", run('command = "import this"\ninterpreter = ["/bin/echo", "-n", null, "say \\"hi\\""]')),
  resource("environment", run('command = "echo $A-$B-$${C-unset}"\nenvironment = { A = "1 2", B = true, C = null }')),
  resource("folder", run('command = "pwd | grep -o inner"\nworking_dir = "inner"')),
  resource("missing_folder", run('command = "echo"\nworking_dir = "/nonexistent/folder"')),
  resource("missing_program", run('command = "echo"\ninterpreter = ["tenon-no-such-program"]')),
  resource("missing_path", run('command = "echo"\ninterpreter = ["/nonexistent/program", "-c"]')),
  resource("not_executable", run('command = "echo"\ninterpreter = ["/etc/passwd"]')),
  resource("failing", run('command = "echo out; echo err >&2; exit 7"')),
  resource("killed", run('command = "kill -KILL $$"')),
  resource("terminated", run('command = "kill -TERM $$"')),
  resource("continuing", `${run('command = "exit 3"\non_failure = continue')}\n${run('command = "echo after"')}`),
  resource("stopping", `${run('command = "exit 3"')}\n${run('command = "echo after"')}`),
  resource("carriage_return", run("command = \"printf 'a\\\\r\\\\nb\\\\r\\\\n\\\\nc'\"")),
  resource("long", run('command = "seq 1 3000; exit 1"')),
  resource("slow_line", run('command = "printf on; sleep 0.3; echo e"')),
  resource("destroying", run('when = destroy\ncommand = "echo gone ${self.input}"')),
  resource("refusing", run('when = destroy\ncommand = "echo kept; exit 2"')),
].join("");

/** The events that are compared. `apply_progress` is left out: it reports every ten seconds that an action still runs. */
const comparedEvents: ReadonlySet<string> = new Set([
  "apply_start",
  "apply_complete",
  "apply_errored",
  "provision_start",
  "provision_progress",
  "provision_complete",
  "provision_errored",
]);

const secret = `variable "secret" {\n  sensitive = true\n  default   = "hunter2"\n}\nvariable "token" {\n  ephemeral = true\n  default   = "hunter3"\n}\n`;
const hidden = [
  secret,
  resource("sensitive", run('command = "echo ${var.secret}"')),
  resource("ephemeral", run('command = "echo ${var.token} ${var.secret}"')),
  `resource "terraform_data" "self" {\n  input = var.secret\n${run('command = "echo ${self.input}"')}\n${run('when = destroy\ncommand = "echo ${self.input}"')}\n}\n`,
].join("");

const failing = secret + resource("failing", run('command = "echo ${var.secret}; exit 1"'));

const removed = (name: string): string =>
  `removed {\n  from = terraform_data.${name}\n  lifecycle {\n    destroy = true\n  }\n${run('when = destroy\ncommand = "echo removed ${self.input}"')}\n}\n`;

describePeer(["tofu"], "provisioners beside tofu", (peers) => {
  const bothWays = async (steps: readonly string[]): Promise<{ readonly ours: readonly Log[]; readonly theirs: readonly Log[] }> => {
    using cli = new CliWorkspace(peers.tofu.path, { kind: "filesystemMirror", folder: "/nonexistent" });
    mkdirSync(join(cli.folder, "inner"));
    const state = memoryState();
    const ours: Log[] = [];
    const theirs: Log[] = [];
    for (const main of steps) {
      cli.write({ "main.tf": main });
      await cli.must(["init", "-input=false"]);
      const { stdout } = await cli.run(["apply", "-auto-approve", "-json", "-input=false"]);
      const workspace = openWorkspace({ configuration: objectFiles({ "main.tf": main }), state, providers: {}, workingFolder: cli.folder });
      const log = await engineLog(workspace);
      ours.push(log);
      theirs.push(joinLineParts(tofuLog(stdout), log));
    }
    return { ours, theirs };
  };

  test("run with all arguments, and fail with the same errors", { timeout: 180_000 }, async ({ expect }) => {
    const { ours, theirs } = await bothWays([commands, removed("plain") + removed("refusing")]);
    expect(ours[0]).toEqual(theirs[0]);
    expect(ours[1]).toEqual(theirs[1]);
    // Check that the commands have really run.
    expect(theirs[0]!.events["terraform_data.plain"]).toContain("provision_progress local-exec three");
    expect(theirs[0]!.errors.join("\n")).toContain("exit status 7");
    expect(Object.keys(theirs[1]!.events)).toContain("terraform_data.refusing");
  });

  test("hide the output of sensitive and ephemeral configurations", { timeout: 180_000 }, async ({ expect }) => {
    const { ours, theirs } = await bothWays([hidden, secret]);
    expect(ours).toEqual(theirs);
    expect(JSON.stringify(ours)).not.toMatch(/hunter/);
  });

  test("a difference from OpenTofu: `provisioner-errors`: the error of a sensitive command does not show it", async ({ expect }) => {
    const { ours, theirs } = await bothWays([failing]);
    expect(ours[0]!.events).toEqual(theirs[0]!.events);
    expect(theirs[0]!.errors.join()).toContain("hunter2");
    expect(ours[0]!.errors).toEqual([
      "local-exec provisioner error: The command failed. Its output is not shown, because its configuration has sensitive values.",
    ]);
  });
});

describe("provisioners that cannot run", () => {
  const blocks = 'resource "terraform_data" "a" {\n  count = 3\n  provisioner "remote-exec" {\n    inline = ["true"]\n  }\n}\n';
  const planned = async (
    main: string,
    options: { readonly mode?: "destroy" | "refreshOnly"; readonly localExec?: boolean } = {},
  ): Promise<string[]> => {
    const { mode = "normal", ...rest } = options;
    await using plan = await openWorkspace({ configuration: objectFiles({ "main.tf": main }), providers: {}, ...rest }).plan({ mode });
    return plan.diagnostics.map(({ summary, detail, subject }) => `${subject?.start.line}: ${summary}: ${detail}`);
  };
  const unsupported =
    'Unsupported provisioner: The engine cannot run provisioners of the type "remote-exec". It runs those of the type "local-exec" only.';

  test("are errors of the plan, once for each block", async ({ expect }) => {
    expect(await planned(blocks)).toEqual([`3: ${unsupported}`]);
  });

  test("are errors in removed blocks and in modules", async ({ expect }) => {
    const main =
      'removed {\n  from = terraform_data.b\n  lifecycle {\n    destroy = true\n  }\n  provisioner "remote-exec" {\n    when = destroy\n  }\n}\n';
    expect(await planned(main)).toEqual([`6: ${unsupported}`]);
    const child = { "main.tf": 'module "m" {\n  source   = "./m"\n  for_each = toset(["x", "y"])\n}\n', "m/main.tf": blocks };
    await using plan = await openWorkspace({ configuration: objectFiles(child), providers: {} }).plan();
    expect(plan.diagnostics.map(({ summary, subject }) => `${subject?.filename} ${summary}`)).toEqual([
      "m/main.tf Unsupported provisioner",
    ]);
  });

  test("are no errors if an apply of the plan would not run them", async ({ expect }) => {
    expect(await planned(blocks, { mode: "destroy" })).toEqual([]);
    expect(await planned(blocks, { mode: "refreshOnly" })).toEqual([]);
    expect(await planned(blocks.replace('inline = ["true"]', 'inline = ["true"]\n    when = destroy'), { mode: "destroy" })).toEqual([
      `3: ${unsupported}`,
    ]);
  });

  test("include commands if the caller forbids them", async ({ expect }) => {
    const main = resource("a", run('command = "true"')) + removed("b");
    const refusal =
      'Provisioner not allowed: The caller does not allow configurations to run commands with provisioners of the type "local-exec".';
    expect(await planned(main, { localExec: false })).toEqual([`3: ${refusal}`, `12: ${refusal}`]);
    expect(await planned(main)).toEqual([]);
  });
});

async function engineLog(workspace: Workspace): Promise<Log> {
  const events: Record<string, string[]> = {};
  const onEvent = (event: EngineEvent): void => {
    const line = lineOf(event);
    if (line === undefined || !("address" in event)) return;
    (events[formatResourceInstanceObject(event.address)] ??= []).push(line);
  };
  await using plan = await workspace.plan();
  const applied = await plan.apply({ onEvent });
  return { events: withoutIds(events), errors: applied.diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`).sort() };
}

function lineOf(event: EngineEvent): string | undefined {
  switch (event.type) {
    case "applyStarted":
      return `apply_start ${event.action}`;
    case "applyEnded":
      return `${event.status === "applied" ? "apply_complete" : "apply_errored"} ${event.action}`;
    case "provisionStarted":
      return `provision_start ${event.provisioner}`;
    case "provisionOutput":
      // The log of tofu has no empty lines, and no spaces at the end of a line.
      return event.output.trimEnd() === "" ? undefined : `provision_progress ${event.provisioner} ${event.output.trimEnd()}`;
    case "provisionEnded":
      return `${event.failed ? "provision_errored" : "provision_complete"} ${event.provisioner}`;
    default:
      return undefined;
  }
}

interface LogLine {
  readonly type: string;
  readonly hook?: {
    readonly resource: { readonly addr: string };
    readonly action?: string;
    readonly provisioner?: string;
    readonly output?: string;
  };
  readonly diagnostic?: { readonly severity: string; readonly summary: string; readonly detail: string };
}

function tofuLog(stdout: string): Log {
  const lines = stdout
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as LogLine);
  const events: Record<string, string[]> = {};
  for (const { type, hook } of lines) {
    if (hook === undefined || !comparedEvents.has(type)) continue;
    const { resource: at, action, provisioner, output } = hook;
    (events[at.addr] ??= []).push([type, action ?? provisioner, ...(output === undefined ? [] : [output])].join(" "));
  }
  const errors = lines.flatMap(({ diagnostic }) => (diagnostic === undefined ? [] : [`${diagnostic.summary}: ${diagnostic.detail}`]));
  return { events: withoutIds(events), errors: errors.sort() };
}

/**
 * Joins the parts of a line in tofu's log, where the engine has the whole line. tofu ends a line, too, when a command prints nothing for 100 ms: the
 * case `slow_line` always does that, and any command may on a busy machine.
 */
function joinLineParts({ events, errors }: Log, ours: Log): Log {
  const joined = Object.entries(events).map(([address, lines]) => [address, joinParts(lines, ours.events[address] ?? [])] as const);
  return { events: Object.fromEntries(joined), errors };
}

function joinParts(lines: readonly string[], wholeLines: readonly string[]): readonly string[] {
  const prefix = "provision_progress local-exec ";
  const joined: string[] = [];
  for (const line of lines) {
    const last = joined.at(-1);
    const whole = wholeLines[joined.length - 1];
    const extended = `${last}${line.slice(prefix.length)}`;
    const isPart = last?.startsWith(prefix) && line.startsWith(prefix) && last !== whole && whole?.startsWith(extended);
    if (isPart) joined[joined.length - 1] = extended;
    else joined.push(line);
  }
  return joined;
}

function withoutIds<T>(value: T): T {
  return JSON.parse(JSON.stringify(value).replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, "id")) as T;
}
