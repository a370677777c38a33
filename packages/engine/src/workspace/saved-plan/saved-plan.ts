// SPDX-License-Identifier: Apache-2.0
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import type { Value } from "@tenon/cty";
import type { TargetSubject } from "../../address/target.ts";
import { objectFiles, type ConfigurationFiles } from "../../configuration/file-system.ts";
import { manifestKey } from "../../configuration/module-manifest.ts";
import { allModules, type Configuration } from "../../configuration/configuration.ts";
import type { ModuleResolver } from "../../configuration/module-request.ts";
import type { Drift, PlannedChanges, ResourceChange } from "../../change/planned-changes.ts";
import { EngineError } from "../../error.ts";
import { readStateFile } from "../../state/read-state-file.ts";
import { createStateFile } from "../../state/state-file.ts";
import type { State } from "../../state/state.ts";
import { writeStateFile } from "../../state/write-state-file.ts";
import { PlanDataDecoder, PlanDataEncoder, type Json } from "./plan-data.ts";

/** A change without the schemas of its values. They are requested from the provider when the plan is opened. */
export type SavedChange<Change extends Drift | ResourceChange> = Omit<Change, "type" | "dataSchema" | "validatedConfig"> & {
  /** Whether the change has the type of a managed resource, or the schema of a data source. */
  readonly schemas: { readonly type: boolean; readonly data: boolean };
};

/** The planned changes of a saved plan. It has no diagnostics, because a plan with errors cannot be saved. */
export interface SavedChanges extends Pick<PlannedChanges, "mode" | "outputs" | "checks" | "timestamp"> {
  readonly resources: readonly SavedChange<ResourceChange>[];
  readonly drift: readonly SavedChange<Drift>[];
  readonly deferred: readonly (Omit<NonNullable<PlannedChanges["deferred"]>[number], "change"> & {
    readonly change: SavedChange<ResourceChange>;
  })[];
  readonly relevantAttributes: ReturnType<PlannedChanges["relevantAttributes"]>;
}

/** The files of a configuration at the time when it was loaded. */
export interface ConfigurationSnapshot {
  /** The folder of the root module in `files`. */
  readonly folder: string;
  readonly files: ReadonlyMap<string, string | Uint8Array>;
  /** The folder and version of each called module, by its key in `modules.json`. */
  readonly modules: ReadonlyMap<string, { readonly folder: string; readonly version?: string }>;
}

/** The content of a saved plan. */
export interface SavedPlan {
  readonly changes: SavedChanges;
  readonly priorState: State;
  readonly previousState: State;
  /** The stored state that the plan was made from; undefined if none was stored. */
  readonly base: { readonly lineage: string; readonly serial: number } | undefined;
  readonly configuration: ConfigurationSnapshot;
  /** Values of the root module's variables that are not ephemeral. */
  readonly variables: ReadonlyMap<string, Value>;
  /** The name of the workspace. */
  readonly workspace: string;
  /** The value of `path.cwd`. */
  readonly workingFolder: string;
  /** The options that limited the plan to a part of the configuration. */
  readonly targets: readonly TargetSubject[];
  readonly excludes: readonly TargetSubject[];
}

const signature = "tenon-plan";

/**
 * The number of the format. It increases with every change of the data of a plan, so that only a version of the engine that reads all of the
 * data can apply the plan.
 */
const format = 1;

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** Encodes a plan: a line with the signature, the format and a checksum, and then the data as compressed JSON. */
export async function writeSavedPlan({ priorState, previousState, ...plan }: SavedPlan): Promise<Uint8Array> {
  const encoder = new PlanDataEncoder();
  const data = encoder.encode(plan);
  const states = previousState === priorState ? [stateText(priorState)] : [stateText(priorState), stateText(previousState)];
  const content = await compress(JSON.stringify({ types: encoder.types, states, data }));
  return Buffer.concat([Buffer.from(`${signature} ${format} ${checksum(content)}\n`), content]);
}

/**
 * Decodes a plan.
 *
 * @throws EngineError `PLAN_MALFORMED` for bytes that are not a plan, are damaged, or have another format.
 */
export async function readSavedPlan(bytes: Uint8Array): Promise<SavedPlan> {
  const end = bytes.indexOf(10);
  const [ownSignature, version, expected] = Buffer.from(bytes.subarray(0, Math.max(end, 0)))
    .toString("latin1")
    .split(" ");
  if (ownSignature !== signature) throw malformed("it is not a plan that was saved with save()");
  if (version !== String(format)) {
    throw malformed(`it has the format ${version}, and this version of the engine reads the format ${format}. Create a new plan`);
  }
  const content = bytes.subarray(end + 1);
  if (checksum(content) !== expected) throw malformed("its content does not match its checksum");
  const { types, states, data } = JSON.parse((await decompress(content)).toString("utf8")) as {
    readonly types: readonly string[];
    readonly states: readonly string[];
    readonly data: Json;
  };
  const priorState = stateOf(states[0]!);
  const plan = new PlanDataDecoder(types).decode(data) as Omit<SavedPlan, "priorState" | "previousState">;
  return { ...plan, base: plan.base, priorState, previousState: states[1] === undefined ? priorState : stateOf(states[1]) };
}

function malformed(reason: string): EngineError {
  return new EngineError("PLAN_MALFORMED", `the saved plan cannot be opened: ${reason}`);
}

function checksum(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

function stateText(state: State): string {
  return writeStateFile(createStateFile(state, ""), "compact");
}

function stateOf(text: string): State {
  const { file, diagnostics } = readStateFile(text);
  if (file === undefined) throw malformed(diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`).join("\n"));
  return file.state;
}

/** The files and folders of a loaded configuration. */
export function snapshotOf(configuration: Configuration, files: ReadonlyMap<string, string | Uint8Array>): ConfigurationSnapshot {
  const modules = new Map<string, { readonly folder: string; readonly version?: string }>();
  for (const { path, module, version } of allModules(configuration)) {
    if (path.length > 0) modules.set(manifestKey(path), { folder: module.folder, ...(version !== undefined && { version }) });
  }
  return { folder: configuration.module.folder, files, modules };
}

/** The options with which the configuration of a snapshot is loaded. */
export function snapshotLoading({ folder, files, modules }: ConfigurationSnapshot): {
  readonly files: ConfigurationFiles;
  readonly folder: string;
  readonly resolveModule: ModuleResolver;
} {
  const folders = new Set([folder, ...Array.from(modules.values(), (module) => module.folder)]);
  const inMemory = objectFiles(Object.fromEntries(files));
  return {
    // The folder of a module may have no configuration files, so that the files in memory do not show it.
    files: { ...inMemory, list: (path) => inMemory.list(path) ?? (folders.has(path) ? [] : undefined) },
    folder,
    resolveModule: ({ path }) => ({ ...modules.get(manifestKey(path)), diagnostics: [] }),
  };
}
