// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { ResourceInstance } from "../address/resource.ts";
import type { TargetSubject } from "../address/target.ts";
import type { Configuration } from "../configuration/configuration.ts";
import type { GivenVariable } from "../configuration/variable-values.ts";
import type { EventListener } from "../events/events.ts";
import type { Report } from "../configuration/report.ts";
import type { DependencyGraph } from "../evaluation/dependency-graph.ts";
import type { Substitutions } from "../evaluation/substitutions.ts";
import { createFunctionTable } from "../functions/table.ts";
import type { WalkOptions } from "../walk/resource-walk.ts";
import type { FunctionEnvironment } from "../functions/environment.ts";
import type { ProviderPool } from "../provider/provider-pool.ts";
import type { State } from "../state/state.ts";
import type { MoveResults } from "../moves/apply-moves.ts";
import type { MoveStatement } from "../moves/move-statement.ts";
import type { ModuleOutput } from "./plan-outputs.ts";
import type { Importing, PlanMode } from "../change/planned-changes.ts";

/** An object that is imported into an instance. */
export interface ImportedObject {
  readonly address: ResourceInstance;
  readonly importing: Importing;
}

/** A configuration and a state to plan, and the options of the plan. */
export interface PlanInput {
  readonly configuration: Configuration;
  readonly state: State;
  readonly pool: ProviderPool;
  readonly mode: PlanMode;
  /** Whether objects are read from their providers before they are planned. */
  readonly refresh: boolean;
  readonly targets: readonly TargetSubject[];
  readonly excludes: readonly TargetSubject[];
  /** Instances to replace although they could be updated or are unchanged. */
  readonly replace: readonly ResourceInstance[];
  /** Whether `resource` blocks are generated for imported objects that the configuration does not declare. */
  readonly generateConfiguration: boolean;
  /** Whether providers may defer changes, and the number of a resource's instances may be unknown. */
  readonly allowsDeferral: boolean;
  /** An object that is imported, as by `tofu import`. Nothing else is read or changed then: the mode is `refreshOnly`, without refresh. */
  readonly importedObject?: ImportedObject;
  readonly variables: ReadonlyMap<string, GivenVariable | Value>;
  readonly workspace: string;
  readonly workingFolder: string;
  readonly environment: FunctionEnvironment;
  /** Whether `local-exec` provisioners may run. */
  readonly allowsLocalExec: boolean;
  /** What takes the place of providers and modules. Default: nothing. */
  readonly substitutions?: Substitutions | undefined;
  readonly emit: EventListener;
  readonly signal?: AbortSignal | undefined;
}

/** The input of a plan after moves: its state has the objects at the addresses that the move statements give them. */
export interface MovedInput extends PlanInput {
  readonly statements: readonly MoveStatement[];
  readonly moves: MoveResults;
}

/** The input of a plan with everything that is made from it before the first evaluation. */
export interface PlanContext extends MovedInput {
  readonly graph: DependencyGraph;
  readonly report: Report;
  readonly timestamp: Date;
  /** The plan adds the outputs of called modules that have values here. */
  readonly moduleOutputs: ModuleOutput[];
}

/** The options that the walks of normal, refresh-only and destroy plans have in common. */
export function walkOptionsOf(context: PlanContext): Omit<WalkOptions, "conditionsWarn" | "includes" | "instance"> {
  const { configuration, environment, variables, workspace, workingFolder, pool, report, timestamp, allowsDeferral } = context;
  const functions = createFunctionTable(environment, { pureOnly: true, planTime: timestamp });
  const requiresKnownProviders = context.importedObject !== undefined;
  const run = { configuration, functions, variables, workspace, workingFolder, pool, report, substitutions: context.substitutions };
  return { ...run, isApplying: false, allowsDeferral, allowsUnknownRepetition: allowsDeferral, requiresKnownProviders };
}

/** The address that each moved object had before, by the text of the address that it has now. */
export function previousAddressesOf({ moves }: PlanContext): ReadonlyMap<string, ResourceInstance> {
  return new Map([...moves.moved].map(([text, { from }]) => [text, from]));
}
