// SPDX-License-Identifier: Apache-2.0
// Kills processes during applies, and checks after each kill, from the files alone, that the next run knows all that exists.
import { createRequire } from "node:module";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { ApplyProcess } from "./apply-process.ts";
import type { Interrupted, KillPoint, Request } from "./killed-apply.ts";

/** Returns a number from 0 to 1. */
export type Random = () => number;

/** What a number of kills found. */
export interface KillReport {
  readonly kills: number;
  readonly applies: number;
  /** Number of kills by their place. */
  readonly places: Readonly<Record<string, number>>;
  /** Finished changes that the next run took from a journal. */
  readonly recovered: number;
  /** Requests that the next run reported, by action, and the number of creations among them whose object existed. */
  readonly reported: Readonly<Record<string, number>>;
  readonly orphans: number;
  /** Number of configurations that were not applied, because their changes wait for each other. */
  readonly refused: number;
  /** What was missing, made twice or left over. */
  readonly faults: readonly string[];
}

/** A resource of a configuration. */
interface Node {
  readonly name: string;
  readonly type: "named" | "numbered";
  readonly generation: number;
  readonly value: number;
  readonly createBeforeDestroy: boolean;
  readonly references: readonly string[];
}

/** An object in the state file or on the disk. */
interface Found {
  readonly id: string;
  readonly name: string;
  readonly value: string;
}

/** An object in the state file. */
interface Recorded extends Found {
  readonly address: string;
}

/** What is read of a state file. */
interface StateFile {
  readonly resources: readonly {
    readonly type: string;
    readonly name: string;
    readonly instances: readonly { readonly deposed?: string; readonly attributes: Found }[];
  }[];
}

/**
 * Kills processes at random points of applies. Each configuration is applied until an apply ends; then the next one is made from it.
 *
 * @param kills The number of kills.
 */
export async function killApplies(kills: number, random: Random): Promise<KillReport> {
  const folder = mkdtempSync(join(tmpdir(), "tenon-kills-"));
  try {
    return await new KillRun(folder, await bundleApplyProgram(folder), random).run(kills);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Bundles `killed-apply.ts`, so that each process starts in a tenth of the time. Returns the path of the program. */
export async function bundleApplyProgram(folder: string): Promise<string> {
  const outfile = join(folder, "killed-apply.mjs");
  const engine = createRequire(import.meta.url).resolve("@tenon/engine");
  await build({
    entryPoints: [join(import.meta.dirname, "killed-apply.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    external: ["koffi", "@aws-sdk/*", "pg"],
    // The program loads koffi from where the engine is.
    define: { "import.meta.url": "moduleUrl" },
    banner: {
      js: `import { createRequire as requireFrom } from "node:module"; const moduleUrl = ${JSON.stringify(pathToFileURL(engine).href)}; const require = requireFrom(moduleUrl);`,
    },
  });
  return outfile;
}

/** Whether an error is about changes that wait for each other, as after `create_before_destroy` is set and dependencies are exchanged. */
function isCycle(error: string): boolean {
  return error.startsWith("Cycle: ");
}

class KillRun {
  readonly #folder: string;
  readonly #program: string;
  readonly #random: Random;
  readonly #places: Record<string, number> = {};
  readonly #reported: Record<string, number> = {};
  readonly #faults: string[] = [];
  #recovered = 0;
  #orphans = 0;
  #refused = 0;
  #kills = 0;
  #applies = 0;
  #process: ApplyProcess;
  /** Starts while the process before it runs. */
  #next: ApplyProcess;

  constructor(folder: string, program: string, random: Random) {
    this.#folder = join(folder, "work");
    this.#program = program;
    this.#random = random;
    mkdirSync(this.#folder);
    this.#process = new ApplyProcess([process.execPath, program]);
    this.#next = new ApplyProcess([process.execPath, program]);
  }

  async run(kills: number): Promise<KillReport> {
    try {
      let nodes: readonly Node[] = [];
      while (this.#kills < kills) {
        nodes = this.#changed(nodes);
        await this.#reach(nodes, kills);
      }
    } finally {
      await Promise.all([this.#process.close(), this.#next.close()]);
    }
    const counts = {
      kills: this.#kills,
      applies: this.#applies,
      recovered: this.#recovered,
      orphans: this.#orphans,
      refused: this.#refused,
    };
    return { ...counts, places: this.#places, reported: this.#reported, faults: this.#faults };
  }

  /** Applies a configuration, over and over until no kill ends the apply. */
  async #reach(nodes: readonly Node[], kills: number): Promise<void> {
    const mode = nodes.length === 0 && this.#random() < 0.5 ? "destroy" : "normal";
    let imports = new Map<string, string>();
    for (;;) {
      const kill = this.#kills < kills ? this.#killPoint() : ({ kind: "none", count: 0 } as const);
      const configuration = configurationOf(nodes, imports);
      this.#applies++;
      const answers = await this.#process.run({ folder: this.#folder, configuration, mode, applies: true, kill });
      if (this.#process.isAlive) {
        const errors = answers.flatMap((answer) => answer.errors);
        this.#faults.push(...errors.filter((error) => !isCycle(error)));
        if (errors.some(isCycle)) {
          this.#refused++;
          return;
        }
        await this.#checkEnd(configurationOf(nodes, new Map()));
        return;
      }
      this.#countKill(kill);
      imports = await this.#checkKilled(nodes, mode);
    }
  }

  #countKill({ kind }: KillPoint): void {
    this.#kills++;
    this.#places[kind] = (this.#places[kind] ?? 0) + 1;
    this.#process = this.#next;
    this.#next = new ApplyProcess([process.execPath, this.#program]);
  }

  /** Plans after a kill, and checks that all that exists is in the state or reported. Returns what the practitioner imports, by address. */
  async #checkKilled(nodes: readonly Node[], mode: Request["mode"]): Promise<Map<string, string>> {
    const configuration = configurationOf(nodes, new Map());
    const request = { folder: this.#folder, configuration, mode, applies: false } as const;
    // The run that continues is killed, too.
    while (this.#below(4) === 0) {
      const kill = { kind: "planTurn", count: this.#below(20) } as const;
      await this.#process.run({ ...request, kill });
      if (!this.#process.isAlive) this.#countKill(kill);
    }
    const [answer] = await this.#process.run({ ...request, kill: { kind: "none", count: 0 } });
    if (answer === undefined || !answer.errors.every(isCycle)) this.#faults.push(`no plan after a kill: ${answer?.errors.join("; ")}`);
    const interrupted = answer?.interrupted ?? [];
    this.#recovered += answer?.recovered ?? 0;
    for (const { action } of interrupted) this.#reported[action] = (this.#reported[action] ?? 0) + 1;
    const imports = new Map<string, string>();
    const [state, disk] = [this.#stateObjects(), this.#diskObjects()];
    for (const object of disk.values()) {
      const recorded = state.get(object.id);
      if (recorded === undefined) {
        const found = interrupted.find(({ action, name }) => action === "create" && name === object.name);
        if (found === undefined) this.#faults.push(`${object.name} exists, and is neither in the state nor reported`);
        else {
          this.#orphans++;
          if (mode === "normal") imports.set(found.address, object.id);
        }
      } else if (recorded.value !== object.value && !isReported(interrupted, "update", recorded)) {
        this.#faults.push(`${object.name} has another value than in the state, and no update of it is reported`);
      }
    }
    for (const recorded of state.values()) {
      if (!disk.has(recorded.id) && !interrupted.some(({ action, address }) => action === "delete" && address === recorded.address)) {
        this.#faults.push(`${recorded.name} is in the state and does not exist, and no destruction is reported`);
      }
    }
    this.#checkTwins(disk);
    return imports;
  }

  /** Checks that the state has exactly what exists, and that nothing is left to do. */
  async #checkEnd(configuration: string): Promise<void> {
    const kill: KillPoint = { kind: "none", count: 0 };
    const answers = await this.#process.run({ folder: this.#folder, configuration, mode: "normal", applies: false, kill });
    for (const { errors, hasChanges, interrupted } of answers) {
      this.#faults.push(...errors);
      if (hasChanges) this.#faults.push("the plan after an apply has changes");
      if (interrupted.length > 0) this.#faults.push("a request is reported after an apply that ended");
    }
    const [state, disk] = [this.#stateObjects(), this.#diskObjects()];
    const textOf = (objects: Iterable<Found>): string =>
      Array.from(objects, ({ id, name, value }) => `${id} ${name} ${value}`)
        .sort()
        .join("; ");
    const [inState, onDisk] = [textOf(state.values()), textOf(disk.values())];
    if (inState !== onDisk) this.#faults.push(`the state has ${inState}, and the disk ${onDisk}`);
    this.#checkTwins(disk);
    const left = readdirSync(this.#folder).filter((name) => !/^(objects|terraform\.tfstate(\.backup)?)$/.test(name));
    if (left.length > 0) this.#faults.push(`files are left: ${left.join()}`);
  }

  /** Checks that no object was made twice. */
  #checkTwins(disk: ReadonlyMap<string, Found>): void {
    const names = [...disk.values()].map(({ name }) => name);
    for (const name of new Set(names)) {
      if (names.indexOf(name) !== names.lastIndexOf(name)) this.#faults.push(`${name} was made twice`);
    }
  }

  #stateObjects(): ReadonlyMap<string, Recorded> {
    const path = join(this.#folder, "terraform.tfstate");
    const text = existsSync(path) ? readFileSync(path, "utf8") : "";
    if (text === "") return new Map();
    const { resources } = JSON.parse(text) as StateFile;
    const objects = resources.flatMap(({ type, name, instances }) =>
      instances.map(({ deposed, attributes: { id, name: own, value } }): Recorded => {
        const address = `${type}.${name}${deposed === undefined ? "" : ` deposed object "${deposed}"`}`;
        return { id, name: own, value, address };
      }),
    );
    return new Map(objects.map((object) => [object.id, object]));
  }

  #diskObjects(): ReadonlyMap<string, Found> {
    const folder = join(this.#folder, "objects");
    const files = existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith(".")) : [];
    const objects = files.map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as Found);
    return new Map(objects.map(({ id, name, value }) => [id, { id, name, value }]));
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #killPoint(): KillPoint {
    const kind = (["turn", "turn", "beforeChange", "afterChange"] as const)[this.#below(4)]!;
    return { kind, count: this.#below(kind === "turn" ? 120 : 10) };
  }

  /** Makes the next configuration: resources are added, removed, changed and replaced; now and then all are removed. */
  #changed(nodes: readonly Node[]): readonly Node[] {
    if (nodes.length > 0 && this.#below(8) === 0) return [];
    const kept = nodes.filter(() => this.#below(8) > 0);
    const names = new Set(kept.map(({ name }) => name));
    const changed = kept.map((node): Node => ({
      ...node,
      references: node.references.filter((name) => names.has(name)),
      generation: node.generation + (this.#below(4) === 0 ? 1 : 0),
      value: node.value + (this.#below(3) === 0 ? 1 : 0),
    }));
    const first = Math.max(0, ...nodes.map(({ name }) => Number(name.slice(1)) + 1));
    const added = Array.from({ length: Math.max(3, 12 - changed.length) }, (_, index): Node => {
      const references = changed.filter(() => this.#below(5) === 0).map(({ name }) => name);
      const type = this.#below(2) === 0 ? "named" : "numbered";
      return { name: `n${first + index}`, type, generation: 0, value: 0, createBeforeDestroy: this.#below(3) === 0, references };
    });
    return [...changed, ...added];
  }
}

function isReported(interrupted: readonly Interrupted[], action: string, { name }: Found): boolean {
  return interrupted.some((change) => change.action === action && change.name === name);
}

function addressOf({ type, name }: Node): string {
  return `disk_${type}.${name}`;
}

function configurationOf(nodes: readonly Node[], imports: ReadonlyMap<string, string>): string {
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const blocks = nodes.map((node) => {
    const inputs = node.references.map((name) => `${addressOf(byName.get(name)!)}.id`);
    return [
      `resource "disk_${node.type}" "${node.name}" {\n`,
      `  name   = "${node.name}-${node.generation}"\n  value  = "${node.value}"\n  inputs = [${inputs.join(", ")}]\n`,
      node.createBeforeDestroy ? "  lifecycle {\n    create_before_destroy = true\n  }\n" : "",
      "}\n",
    ].join("");
  });
  const wanted = Array.from(imports, ([address, id]) => `import {\n  to = ${address}\n  id = "${id}"\n}\n`);
  return ['terraform {\n  required_providers {\n    disk = { source = "tenon/disk" }\n  }\n}\n', ...blocks, ...wanted].join("");
}
