// SPDX-License-Identifier: Apache-2.0
// A process that plans and applies configurations, and is killed at a given point. It reads one JSON request a line from standard input, and
// writes one JSON line for each plan, and one for each apply that ended.
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { openWorkspace, type EngineEvent, type Plan } from "@tenon/engine";
import { formatResourceInstanceObject } from "@tenon/engine/address";
import { objectFiles } from "@tenon/engine/configuration";
import {
  localState,
  postgresState,
  s3State,
  type PostgresStateOptions,
  type S3StateOptions,
  type StateStore,
} from "@tenon/engine/state/stores";
import { attr, createProvider, defineProvider, importById, type ServedProvider } from "@tenon/provider-sdk";
import { requiresReplace, useStateForUnknown } from "@tenon/provider-sdk/plan-modifiers";

/**
 * Where the process kills itself. `turn` and `planTurn`: after a number of turns of the event loop of an apply or a plan. The others: in the
 * n-th change.
 */
export interface KillPoint {
  readonly kind: "turn" | "planTurn" | "beforeChange" | "afterChange" | "none";
  readonly count: number;
}

/** What the process does next. */
export interface Request {
  /** The folder with the state and the objects. */
  readonly folder: string;
  readonly configuration: string;
  readonly mode: "normal" | "destroy";
  /** Whether the plan is applied. */
  readonly applies: boolean;
  readonly kill: KillPoint;
  /** The store of the state. Default: a file in the folder. */
  readonly store?: { readonly s3: S3StateOptions } | { readonly postgres: PostgresStateOptions };
  /** The user's folder for the state of programs, which has the journals of stores without a place for files. */
  readonly stateHome?: string;
}

/** A request of an earlier apply whose outcome is not known. */
export interface Interrupted {
  readonly address: string;
  readonly action: string;
  /** The planned name. */
  readonly name: string;
}

/** A plan that was made, or an apply that ended. */
export interface Answer {
  readonly phase: "planned" | "applied";
  readonly errors: readonly string[];
  readonly hasChanges: boolean;
  readonly interrupted: readonly Interrupted[];
  /** Number of finished changes that were taken from the journal. */
  readonly recovered: number;
}

let remaining: KillPoint = { kind: "none", count: 0 };

function die(): never {
  process.kill(process.pid, "SIGKILL");
  throw new Error("the process was not killed");
}

/** Kills the process if this is the place. */
function pass(kind: KillPoint["kind"]): void {
  if (remaining.kind !== kind) return;
  if (remaining.count === 0) die();
  remaining = { kind, count: remaining.count - 1 };
}

/** An object on the disk. */
interface DiskObject {
  readonly id: string;
  readonly name: string;
  readonly value: string;
}

/** A provider whose objects are files. Objects of one type are named by the practitioner; those of the other have a random identifier. */
function createDiskProvider(folder: string): ServedProvider {
  const pathOf = (id: string): string => join(folder, `${id}.json`);
  const read = (id: string): DiskObject | undefined => {
    try {
      return JSON.parse(readFileSync(pathOf(id), "utf8")) as DiskObject;
    } catch {
      return undefined;
    }
  };
  /** Writes a file that is there as a whole or not at all. */
  const write = (object: DiskObject, put: (from: string, to: string) => void): void => {
    const temporary = join(folder, `.${object.id}.${process.pid}`);
    writeFileSync(temporary, JSON.stringify(object));
    put(temporary, pathOf(object.id));
    rmSync(temporary, { force: true });
  };
  /** Makes a change after some turns, as a service does that takes time. */
  const change = async (make: () => void): Promise<void> => {
    pass("beforeChange");
    for (let turns = Math.floor(Math.random() * 4); turns > 0; turns--) await new Promise((resume) => setImmediate(resume));
    make();
    pass("afterChange");
  };
  const disk = defineProvider({ name: "disk", version: "1.0.0", schema: {}, configure: () => undefined });
  const schema = {
    id: attr.string({ computed: true, planModifiers: [useStateForUnknown()] }),
    name: attr.string({ required: true, planModifiers: [requiresReplace()] }),
    value: attr.string({ required: true }),
    inputs: attr.list(attr.string(), { optional: true }),
  };
  const type = (name: string, identifierOf: (planned: string) => string) =>
    disk.resource(name, {
      schema,
      create: async ({ planned }) => {
        const id = identifierOf(planned.name);
        // A hard link is made only if there is no file of that name.
        await change(() => write({ id, name: planned.name, value: planned.value }, linkSync));
        return { ...planned, id };
      },
      read: ({ state }) => {
        const found = read(state.id);
        return found && { ...state, name: found.name, value: found.value };
      },
      update: async ({ state, planned }) => {
        await change(() => write({ id: state.id, name: planned.name, value: planned.value }, renameSync));
        return { ...planned, id: state.id };
      },
      delete: ({ state }) => change(() => rmSync(pathOf(state.id))),
      importState: importById("id"),
    });
  return disk.with([type("named", (name) => name), type("numbered", () => crypto.randomUUID())]);
}

function say(answer: Answer): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

function errorsOf({ diagnostics }: Pick<Plan, "diagnostics">): readonly string[] {
  return diagnostics.filter(({ severity }) => severity === "error").map(({ summary, detail }) => `${summary}: ${detail}`);
}

function storeOf({ folder, store }: Request): StateStore {
  if (store === undefined) return localState({ path: join(folder, "terraform.tfstate") });
  return "s3" in store ? s3State(store.s3) : postgresState(store.postgres);
}

async function run(request: Request, state: StateStore): Promise<void> {
  const { folder, configuration, mode, applies, kill, stateHome } = request;
  const objects = join(folder, "objects");
  mkdirSync(objects, { recursive: true });
  const provider = createDiskProvider(objects);
  const workspace = openWorkspace({
    configuration: objectFiles({ "main.tf": configuration }),
    state,
    providers: { "tenon/disk": async () => createProvider(provider) },
    parallelism: 4,
    ...(stateHome !== undefined && { environmentVariables: { XDG_STATE_HOME: stateHome } }),
  });
  const interrupted: Interrupted[] = [];
  let recovered = 0;
  const onEvent = (event: EngineEvent): void => {
    if (event.type === "changeRecovered") recovered++;
    if (event.type !== "changeInterrupted") return;
    const { address, action, planned } = event.change;
    interrupted.push({ address: formatResourceInstanceObject(address), action, name: String(planned.get("name") ?? "") });
  };
  remaining = kill;
  let isRunning = true;
  const countTurns = (): void => {
    pass(phase);
    if (isRunning) setImmediate(countTurns);
  };
  let phase: KillPoint["kind"] = "planTurn";
  if (kill.kind === "planTurn" || kill.kind === "turn") countTurns();
  await using plan = await workspace.plan({ mode, onEvent }).finally(() => (isRunning = applies));
  const answer = { hasChanges: plan.hasChanges, interrupted, recovered };
  say({ phase: "planned", errors: errorsOf(plan), ...answer });
  if (!applies || plan.errored) {
    isRunning = false;
    return;
  }
  phase = "turn";
  const applied = await plan.apply().finally(() => (isRunning = false));
  remaining = { kind: "none", count: 0 };
  say({ phase: "applied", errors: errorsOf(applied), ...answer });
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line) as Request;
  const state = storeOf(request);
  try {
    await run(request, state);
  } catch (error) {
    say({ phase: "applied", errors: [String(error)], hasChanges: true, interrupted: [], recovered: 0 });
  } finally {
    await state.close?.();
  }
  process.stdout.write("ready\n");
}
