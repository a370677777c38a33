// SPDX-License-Identifier: Apache-2.0
import type { Body, Expression, SourceRange } from "@tenon/hcl";
import { overrideBody } from "@tenon/hcl/body";
import type { Traversal } from "@tenon/hcl/syntax";
import type { ProviderAddress } from "../address/provider.ts";
import { formatResource, type Resource } from "../address/resource.ts";
import { reportDependsOnOverride, type Repetition } from "./block-content.ts";
import type { CheckRule } from "./check-rule.ts";
import type { IgnoreChanges } from "./lifecycle.ts";
import type { ProviderReference } from "./provider-reference.ts";
import type { Connection, Provisioner } from "./provisioner.ts";
import type { Report } from "./report.ts";

/** A `resource`, `data` or `ephemeral` block. */
export interface ResourceBlock extends Repetition {
  readonly address: Resource;
  /** The arguments of the resource type's schema. */
  readonly config: Body;
  readonly providerReference?: ProviderReference;
  /** The provider of the resource. Set when the files of the module are assembled. Absent if its local name is invalid. */
  readonly provider?: ProviderAddress;
  readonly preconditions: readonly CheckRule[];
  readonly postconditions: readonly CheckRule[];
  readonly dependsOn: readonly Traversal[];
  /** Only for managed resources. */
  readonly managed?: ManagedArguments;
  /** The name of the `check` block that contains the data source. */
  readonly check?: string;
  /** Whether the arguments are generated from an imported object. */
  readonly isGenerated?: boolean;
  readonly range: SourceRange;
  readonly typeRange: SourceRange;
}

/** The conditions of a resource. */
export interface ResourceConditions {
  readonly preconditions: readonly unknown[];
  readonly postconditions: readonly unknown[];
}

/** Whether a resource has conditions. */
export function hasConditions({ preconditions, postconditions }: ResourceConditions): boolean {
  return preconditions.length + postconditions.length > 0;
}

/** The meta-arguments that only managed resources have. */
export interface ManagedArguments {
  readonly connection?: Connection;
  readonly provisioners: readonly Provisioner[];
  /** Absent if the block does not set it. */
  readonly createBeforeDestroy?: boolean;
  readonly preventDestroy?: Expression;
  /** Whether the object is destroyed when the resource is removed. Default true. */
  readonly destroy?: Expression;
  readonly ignoreChanges: IgnoreChanges;
  readonly replaceTriggers: readonly Expression[];
}

/** Returns the resource with the changes of an override file. @see OpenTofu configs, Resource.merge */
export function overrideResource(base: ResourceBlock, override: ResourceBlock, report: Report): ResourceBlock {
  reportDependsOnOverride(override.dependsOn, report);
  return {
    ...base,
    ...(override.count && { count: override.count }),
    ...(override.forEach && { forEach: override.forEach }),
    ...(override.providerReference && { providerReference: override.providerReference }),
    ...(base.managed && override.managed && { managed: overrideManaged(base.managed, override.managed) }),
    config: overrideBody(base.config, override.config),
  };
}

function overrideManaged(base: ManagedArguments, override: ManagedArguments): ManagedArguments {
  const { ignoreChanges } = override;
  return {
    ...base,
    ...(override.connection && { connection: override.connection }),
    ...(override.createBeforeDestroy !== undefined && { createBeforeDestroy: override.createBeforeDestroy }),
    ignoreChanges: {
      all: base.ignoreChanges.all || ignoreChanges.all,
      paths: ignoreChanges.paths.length > 0 ? ignoreChanges.paths : base.ignoreChanges.paths,
    },
    ...(override.preventDestroy && { preventDestroy: override.preventDestroy }),
    ...(override.destroy && { destroy: override.destroy }),
    ...(override.provisioners.length > 0 && { provisioners: override.provisioners }),
  };
}

/** The key of a resource within its module. */
export function resourceKey({ address }: ResourceBlock): string {
  return formatResource(address);
}
