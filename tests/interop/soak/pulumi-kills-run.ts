// SPDX-License-Identifier: Apache-2.0
// Kills the plugin or the provider behind it while the engine's client makes calls, and checks what the client knows afterwards.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { packageProgram, writePackage } from "@tenon/provider-sdk/package";
import { type EngineAnswer, type EngineResource, PulumiEngine } from "../pulumi-engine.ts";
import { childrenOf, commandOf, hasEnded } from "./child-processes.ts";

/** What a number of kills found. */
export interface PulumiKillReport {
  readonly kills: number;
  readonly calls: number;
  /** Number of calls that failed. */
  readonly failed: number;
  /** Number of kills by what was killed. */
  readonly killed: Readonly<Record<string, number>>;
  /** Number of objects whose creation had no answer, or an answer that says that they may exist, and that the next refresh found. */
  readonly found: number;
  /** Longest time from a kill to the last answer, in milliseconds. */
  readonly slowestMs: number;
  /** What is wrong; empty in a correct run. */
  readonly faults: readonly string[];
}

/** Time limit of a call, and of the end of a process, after a kill, in milliseconds. Generous, for busy machines. */
const limitMs = 30_000;

/** Codes by which a plugin says that it does not know whether a resource was created. @see resourceStateAndError of the engine's client */
const uncertainCodes: ReadonlySet<string | undefined> = new Set(["Unknown", "Internal", "DataLoss"]);

const type = "disk:index/file:File";

/**
 * Starts an engine's client with a packaged plugin and provider `kills` times, and kills one of the two at a random point of its calls.
 *
 * @param client - path of the peer `pulumi-engine`.
 * @param random - returns a number from 0 to 1.
 */
export async function killPlugins(client: string, kills: number, random: () => number): Promise<PulumiKillReport> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tenon-pulumi-kills-")));
  try {
    const run = new KillRun(client, folder, random);
    await run.prepare();
    for (let kill = 0; kill < kills; kill++) await run.round();
    return run.report();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

class KillRun {
  readonly #client: string;
  readonly #folder: string;
  readonly #objects: string;
  readonly #temporary: string;
  readonly #random: () => number;
  /** Resources in the engine's state. */
  readonly #state = new Map<string, EngineResource>();
  /** Names of objects that may exist, because a creation had no answer or an uncertain one. */
  readonly #uncertain = new Set<string>();
  /** Names of resources in use by a call. */
  readonly #busy = new Set<string>();
  readonly #killed: Record<string, number> = { plugin: 0, provider: 0 };
  readonly #faults: string[] = [];
  #calls = 0;
  #failed = 0;
  #found = 0;
  #names = 0;
  #slowestMs = 0;

  constructor(client: string, folder: string, random: () => number) {
    this.#client = client;
    this.#folder = folder;
    this.#random = random;
    this.#objects = join(folder, "objects");
    this.#temporary = join(folder, "temporary");
    mkdirSync(this.#objects);
    mkdirSync(this.#temporary);
  }

  /** Packages both programs: their processes start in a tenth of the time. */
  async prepare(): Promise<void> {
    const packages = [
      { name: "pulumi-resource-terraform-provider", main: join(import.meta.dirname, "../../../packages/bridge/src/pulumi/main.ts") },
      { name: "terraform-provider-disk_v1.0.0", main: join(import.meta.dirname, "disk-provider.ts") },
    ];
    for (const { name, main } of packages) {
      const files = await packageProgram({ name, main, external: ["openpgp"], sourceMaps: false });
      await writePackage(join(this.#folder, name), files);
    }
  }

  get #plugin(): string {
    return join(this.#folder, "pulumi-resource-terraform-provider/pulumi-resource-terraform-provider");
  }

  get #provider(): string {
    return join(this.#folder, "terraform-provider-disk_v1.0.0/terraform-provider-disk_v1.0.0");
  }

  report(): PulumiKillReport {
    const { plugin = 0, provider = 0 } = this.#killed;
    const [calls, failed, found, slowestMs] = [this.#calls, this.#failed, this.#found, this.#slowestMs];
    return { kills: plugin + provider, calls, failed, killed: this.#killed, found, slowestMs, faults: this.#faults };
  }

  /** Starts an engine, refreshes its state, and makes calls until something is killed. */
  async round(): Promise<void> {
    const engine = await PulumiEngine.start(this.#client, this.#plugin, { TMPDIR: this.#temporary });
    const [plugin] = childrenOf(engine.pid).filter((pid) => commandOf(pid).includes(this.#folder));
    let processes: readonly number[] = plugin === undefined ? [] : [plugin];
    try {
      await engine.configured([this.#provider], { folder: this.#objects });
      const [provider] = childrenOf(plugin!).filter((pid) => commandOf(pid).includes("terraform-provider-disk"));
      if (provider === undefined) throw new Error("the plugin runs no provider");
      // With the processes of plugin-host that end a provider after its host.
      processes = [plugin!, ...childrenOf(plugin!), ...childrenOf(provider)];
      await this.#refresh(engine);
      await this.#interrupted(engine, { plugin: plugin!, provider });
    } finally {
      await engine[Symbol.asyncDispose]();
    }
    for (const pid of processes) {
      if (!(await hasEnded(pid, limitMs))) this.#faults.push(`a process still runs: ${commandOf(pid)}`);
    }
    const left = readdirSync(this.#temporary);
    if (left.length > 0) this.#faults.push(`files are left: ${left.join(", ")}`);
    for (const name of left) rmSync(join(this.#temporary, name), { recursive: true });
  }

  /** Reads what the state has, and imports what may have been created, as a refresh does. Then the state has all that exists. */
  async #refresh(engine: PulumiEngine): Promise<void> {
    for (const [name, resource] of this.#state) {
      const read = await this.#call(engine.answer<Partial<EngineResource>>("read", { urn: urnOf(name), ...priorOf(resource) }));
      if (read.ok?.id === undefined || read.ok.id === "") this.#state.delete(name);
      else this.#state.set(name, { ...resource, ...read.ok } as EngineResource);
      if (read.error) this.#faults.push(`a refresh fails: ${read.error.message}`);
    }
    for (const name of this.#uncertain) {
      const read = await this.#call(engine.answer<Partial<EngineResource>>("read", { urn: urnOf(name), id: name }));
      if (read.ok?.id) {
        this.#found++;
        this.#state.set(name, read.ok as EngineResource);
      }
      this.#uncertain.delete(name);
    }
    const [known, existing] = [this.#inState(), this.#onDisk()];
    if (known !== existing) this.#faults.push(`a refresh knows ${known}, and there is ${existing}`);
  }

  /** Makes calls, five in flight, and kills a process after a number of answers. */
  async #interrupted(engine: PulumiEngine, processes: { readonly plugin: number; readonly provider: number }): Promise<void> {
    const target = this.#random() < 0.5 ? "plugin" : "provider";
    const before = Math.floor(this.#random() * 25);
    const over = new AbortController();
    let answers = 0;
    let killedAt = 0;
    const kill = (): void => {
      if (over.signal.aborted) return;
      over.abort();
      killedAt = performance.now();
      process.kill(processes[target], "SIGKILL");
      this.#killed[target]! += 1;
    };
    const lane = async (): Promise<void> => {
      while (!over.signal.aborted) {
        await this.#operation(engine, target);
        answers += 1;
        // The other lanes are in the middle of their calls then, at random places.
        if (answers > before) setTimeout(kill, this.#random() * 8);
      }
    };
    const lanes = Promise.all(Array.from({ length: 5 }, lane));
    const isInTime = await Promise.race([lanes.then(() => true), sleep(2 * limitMs, false, { ref: false })]);
    if (!isInTime) this.#faults.push(`a call has no answer after the ${target} was killed`);
    this.#slowestMs = Math.max(this.#slowestMs, performance.now() - killedAt);
    const late = await this.#call(engine.answer("read", { urn: urnOf("none"), id: "none" }));
    if (late.error === undefined) this.#faults.push(`a read succeeds after the ${target} was killed`);
  }

  /** Creates, changes, reads or deletes a resource. */
  async #operation(engine: PulumiEngine, target: "plugin" | "provider"): Promise<void> {
    const known = [...this.#state.keys()].filter((name) => !this.#busy.has(name));
    const name = known[Math.floor(this.#random() * known.length)];
    const choice = this.#random();
    if (name === undefined || (choice < 0.4 && known.length < 20)) return await this.#create(engine, target);
    this.#busy.add(name);
    try {
      const resource = this.#state.get(name)!;
      const prior = { urn: urnOf(name), ...priorOf(resource) };
      if (choice < 0.6) await this.#update(engine, name, resource);
      else if (choice < 0.8) await this.#call(engine.answer("read", prior));
      else {
        const { error } = await this.#call(engine.answer("delete", prior));
        if (error === undefined) this.#state.delete(name);
      }
    } finally {
      this.#busy.delete(name);
    }
  }

  async #create(engine: PulumiEngine, target: "plugin" | "provider"): Promise<void> {
    const name = `file${(this.#names += 1)}`;
    const urn = urnOf(name);
    const checked = await this.#call(engine.answer<{ readonly inputs: object }>("check", { urn, inputs: { name, value: "0" } }));
    if (checked.ok === undefined || checked.error) return;
    const { inputs } = checked.ok;
    const { ok, error } = await this.#call(engine.answer<EngineResource>("create", { urn, inputs }));
    if (error === undefined || error.initReasons) {
      this.#state.set(name, { ...ok!, inputs: inputs as EngineResource["inputs"] });
      return;
    }
    // The engine's client takes the end of a connection to mean that nothing was created: only the plugin can say otherwise.
    if (uncertainCodes.has(error.code) || target === "plugin") this.#uncertain.add(name);
    else if (this.#onDisk().includes(`${name}=`))
      this.#faults.push(`${name} exists, and the answer says that it does not: ${error.message}`);
  }

  async #update(engine: PulumiEngine, name: string, resource: EngineResource): Promise<void> {
    const urn = urnOf(name);
    const inputs = { name, value: String(Number(resource.outputs["value"]) + 1) };
    const change = { urn, ...priorOf(resource), inputs };
    const { error } = await this.#call(engine.answer("diff", change));
    if (error) return;
    const updated = await this.#call(engine.answer<EngineResource>("update", change));
    if (updated.error === undefined) this.#state.set(name, { ...resource, inputs, outputs: updated.ok!.outputs });
  }

  async #call<Result>(answer: Promise<EngineAnswer<Result>>): Promise<EngineAnswer<Result>> {
    this.#calls += 1;
    const given = await answer;
    if (given.error) this.#failed += 1;
    return given;
  }

  #inState(): string {
    return Array.from(this.#state, ([name, { outputs }]) => `${name}=${String(outputs["value"])}`)
      .sort()
      .join(" ");
  }

  #onDisk(): string {
    return readdirSync(this.#objects)
      .filter((name) => !name.startsWith("."))
      .map((name) => `${name}=${(JSON.parse(readFileSync(join(this.#objects, name), "utf8")) as { readonly value: string }).value}`)
      .sort()
      .join(" ");
  }
}

function urnOf(name: string): string {
  return `urn:pulumi:dev::project::${type}::${name}`;
}

function priorOf({ id, inputs, outputs }: EngineResource): object {
  return { id, oldInputs: inputs, oldOutputs: outputs };
}
