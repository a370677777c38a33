// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { CtyFunction } from "@tenon/cty/function";
import type { Traversal } from "@tenon/hcl/syntax";
import type { Block } from "@tenon/schema";
import type { InstanceKey } from "../address/instance-key.ts";
import type { Reference } from "../address/reference.ts";
import type { ResourceBlock } from "../configuration/resource.ts";
import type { Report } from "../configuration/report.ts";
import type { GivenVariable } from "../configuration/variable-values.ts";
import type { PendingCalls } from "../provider/provider-function.ts";
import type { CheckLog } from "./check-log.ts";
import type { FaultLog } from "./fault-log.ts";
import type { Substitutions } from "./substitutions.ts";

/**
 * The context that all modules of a run share.
 *
 * @typeParam Scope The scope of a module instance.
 */
export interface RunContext<Scope> {
  /** The functions of the language. */
  readonly functions: ReadonlyMap<string, CtyFunction>;
  /** The value of `terraform.workspace`. */
  readonly workspace: string;
  /** The value of `path.cwd`. */
  readonly workingFolder: string;
  /** Whether changes are applied, not only planned: the value of `terraform.applying`. */
  readonly isApplying: boolean;
  /** Values of the root module's variables, not yet converted to their types. */
  readonly variables: ReadonlyMap<string, GivenVariable | Value>;
  /** The values of the root module's outputs that the plan of an apply has determined: their expressions are not evaluated again. */
  readonly plannedOutputs?: ReadonlyMap<string, Value> | undefined;
  /** Diagnostics of the run. */
  readonly report: Report;
  /** The errors among the diagnostics, by block. */
  readonly faults: FaultLog;
  /** Results of conditions. */
  readonly checks: CheckLog;
  /**
   * The value of a resource. Rejects with `UpstreamError` if the resource has errors.
   *
   * @param key The key of the instance that a reference is to; the value need not have the others. Undefined: it is to the whole resource.
   */
  readonly resourceValue: (scope: Scope, block: ResourceBlock, key?: InstanceKey) => Promise<Value>;
  /** Waits until all that `depends_on` names is evaluated. Rejects with `UpstreamError` if it has errors. Absent: there is nothing to wait for. */
  readonly waitForDependsOn?: ((scope: Scope, dependsOn: readonly Traversal[]) => Promise<void>) | undefined;
  /** The schemas by which attributes of resources in references are validated. Absent: they are not validated. */
  readonly schemaOf?: ((block: ResourceBlock) => Block | undefined) | undefined;
  /** The function of a provider that an expression calls. Its calls that have no response yet are added to `pending`. */
  readonly providerFunction: (scope: Scope, reference: Reference, pending: PendingCalls) => Promise<CtyFunction>;
  /** Whether the arguments `count`, `for_each` and `enabled` may be unknown, because the run allows deferral. Default: they are errors. */
  readonly allowsUnknownRepetition?: boolean;
  /** Whether failed conditions are warnings, because the run changes nothing. */
  readonly conditionsWarn: boolean;
  /** What takes the place of providers and modules. Absent: nothing. */
  readonly substitutions?: Substitutions | undefined;
}
