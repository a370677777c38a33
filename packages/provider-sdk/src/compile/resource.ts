// SPDX-License-Identifier: Apache-2.0
import type { Importer } from "../definition/import-state.ts";
import { replaceInstead } from "../definition/resource.ts";
import type { IdentityUpgraders } from "../definition/upgrade-identity.ts";
import type { StateUpgraders } from "../definition/upgrade-state.ts";
import { blockShape, type WrittenSchema } from "./block-shape.ts";
import { compileComponent, type ComponentInProgress, type ConfiguredComponent, type WrittenComponent } from "./component.ts";
import type { Faults } from "./fault.ts";
import { compileIdentity, identityShape, type CompiledIdentity } from "./identity.ts";
import type { CompiledProvider, Handler } from "./provider.ts";
import type { ObjectShape } from "../shape/shape.ts";
import { rootPosition } from "./schema-position.ts";
import { checkedShape, compileUpgraders, versionOf, type CompiledUpgrader } from "./upgraders.ts";

/** A managed resource, checked. */
export interface CompiledResource extends ConfiguredComponent {
  readonly kind: "resource";
  readonly version: number;
  readonly identity?: CompiledIdentity;
  readonly plan?: Handler;
  readonly planDestroy?: Handler;
  readonly create: Handler;
  readonly read: Handler;
  /** Undefined: every change replaces the resource. */
  readonly update: Handler | undefined;
  readonly delete: Handler;
  readonly importState?: Importer<string> | Handler;
  /** Attributes that are guaranteed to be set in recorded state; undefined means all. */
  readonly certain: readonly string[] | undefined;
  readonly upgraders: ReadonlyMap<number, CompiledUpgrader>;
  readonly moveState?: Handler;
}

interface WrittenResource extends WrittenComponent {
  readonly identity?: Readonly<Record<string, unknown>>;
  readonly mutableIdentity?: boolean;
  readonly identityVersion?: number;
  readonly upgradeIdentity?: IdentityUpgraders;
  readonly upgradeState?: StateUpgraders;
  readonly importState?: Importer<string> | Handler;
  readonly update: Handler;
}

const kind = {
  role: "resource",
  needed: ["create", "read", "update", "delete"],
  possible: ["plan", "planDestroy", "moveState"],
  options: ["version", "identity", "mutableIdentity", "identityVersion", "upgradeIdentity", "importState", "upgradeState"],
  substitutes: { update: "update: replaceInstead" },
} as const;

/** Compiles a managed resource. @throws SdkError `INVALID_DEFINITION`, `INVALID_SCHEMA`. */
export function compileResource(provider: CompiledProvider, name: string, written: WrittenResource): CompiledResource {
  const compiled = compileComponent(kind, provider, name, written, (component) => ({
    ...compiledIdentity(written, component),
    ...compiledHistory(written, component),
    ...compiledImport(written, component),
    update: written.update === replaceInstead ? undefined : written.update,
  }));
  return { kind: "resource", ...compiled };
}

function compiledIdentity(
  written: WrittenResource,
  { where, shape, schemaFaults, definitionFaults }: ComponentInProgress,
): Pick<CompiledResource, "identity"> {
  if (written.identity === undefined) return {};
  const head = {
    mutable: written.mutableIdentity === true,
    version: versionOf("identityVersion", written.identityVersion, definitionFaults),
    upgraders: compileUpgraders(
      "upgradeIdentity",
      written.upgradeIdentity ?? {},
      written.identityVersion ?? 0,
      ({ types }, version) => types && checkedShape(`${where}, identity of version ${version}`, (found) => identityShape(types, found)),
      definitionFaults,
    ),
  };
  return { identity: compileIdentity(written.identity, head, shape, schemaFaults) };
}

/** The version of the schema, and the upgraders that lead to it. */
function compiledHistory(
  written: WrittenResource,
  { where, schemaFaults, definitionFaults }: ComponentInProgress,
): Pick<CompiledResource, "version" | "upgraders"> {
  // Report the faults of the current schema first: those of an older one would hide them.
  schemaFaults.throwIfAny("INVALID_SCHEMA");
  const version = versionOf("version", written.version, definitionFaults);
  const upgraders = compileUpgraders(
    "upgradeState",
    written.upgradeState ?? {},
    version,
    ({ schema }, one) =>
      schema &&
      checkedShape(`${where}, schema of version ${one}`, (found) =>
        blockShape(schema as unknown as WrittenSchema, rootPosition("recorded", undefined), found),
      ),
    definitionFaults,
  );
  return { version, upgraders };
}

function compiledImport(
  { importState }: WrittenResource,
  { shape, definitionFaults }: ComponentInProgress,
): Pick<CompiledResource, "importState" | "certain"> {
  if (importState === undefined) return { certain: undefined };
  if (typeof importState === "function") return { importState, certain: undefined };
  for (const attribute of importState.attributes) importFault(shape, attribute, definitionFaults);
  return { importState, certain: importState.attributes };
}

function importFault(shape: ObjectShape, attribute: string, faults: Faults): void {
  const entry = shape.byName.get(attribute);
  if (entry === undefined) faults.add([], `importById names ${JSON.stringify(attribute)}, which the schema does not have`);
  else if (!["string", "number", "bigint", "decimal"].includes(entry.shape.kind))
    faults.add([attribute], "importById supports only strings and numbers");
}
