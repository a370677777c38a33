// SPDX-License-Identifier: Apache-2.0
import type { Schema } from "@tenon/schema";
import type { Importer } from "../definition/import-state.ts";
import { replaceInstead } from "../definition/resource.ts";
import type { IdentityUpgraders } from "../definition/upgrade-identity.ts";
import type { StateUpgraders } from "../definition/upgrade-state.ts";
import { blockShape, rootShape, type WrittenSchema } from "./block-shape.ts";
import { Faults } from "./fault.ts";
import { compileIdentity, identityShape, type CompiledIdentity } from "./identity.ts";
import { componentNameFault } from "./names.ts";
import { protocolSchema } from "./protocol-schema.ts";
import type { CompiledProvider, Handler } from "./provider.ts";
import type { ObjectShape } from "./shape.ts";
import { rootOf } from "./surroundings.ts";
import { checkedShape, compileUpgraders, versionOf, type CompiledUpgrader } from "./upgraders.ts";

/** A managed resource, checked. */
export interface CompiledResource {
  readonly kind: "resource";
  readonly name: string;
  readonly typeName: string;
  readonly version: number;
  readonly shape: ObjectShape;
  readonly protocol: Schema;
  readonly identity?: CompiledIdentity;
  readonly deprecated?: string;
  readonly validate?: Handler<void>;
  readonly plan?: Handler<void>;
  readonly planDestroy?: Handler<void>;
  readonly create: Handler;
  readonly read: Handler;
  /** Undefined: every change replaces. */
  readonly update: Handler | undefined;
  readonly delete: Handler<void>;
  readonly importState?: Importer<string> | Handler;
  /** Attributes that are certain in recorded state; undefined means all. */
  readonly certain: readonly string[] | undefined;
  readonly upgraders: ReadonlyMap<number, CompiledUpgrader>;
  readonly moveState?: Handler;
}

interface WrittenResource {
  readonly description?: string;
  readonly deprecated?: string;
  readonly version?: number;
  readonly schema: WrittenSchema;
  readonly identity?: Readonly<Record<string, unknown>>;
  readonly mutableIdentity?: true;
  readonly identityVersion?: number;
  readonly upgradeIdentity?: IdentityUpgraders;
  readonly upgradeState?: StateUpgraders;
  readonly importState?: Importer<string> | Handler;
  readonly update: Handler;
}

const needed = ["create", "read", "update", "delete"] as const;
const possible = ["validate", "plan", "planDestroy", "moveState"] as const;

/** @throws SdkError `INVALID_DEFINITION`, `INVALID_SCHEMA`. */
export function compileResource(provider: CompiledProvider, name: string, written: WrittenResource): CompiledResource {
  const where = `provider ${provider.name}, resource ${name}`;
  const faults = new Faults(where);
  const shape = rootShape(written, rootOf("resource", provider.protocols), faults);
  const definition = new Faults(where);
  const identity =
    written.identity &&
    compileIdentity(
      written.identity,
      {
        mutable: written.mutableIdentity === true,
        version: versionOf("identityVersion", written.identityVersion, definition),
        upgraders: compileUpgraders(
          "upgradeIdentity",
          written.upgradeIdentity ?? {},
          written.identityVersion ?? 0,
          ({ types }, version) => types && checkedShape(`${where}, identity of version ${version}`, (found) => identityShape(types, found)),
          definition,
        ),
      },
      shape,
      faults,
    );
  faults.throwIfAny("INVALID_SCHEMA");

  const wrongName = componentNameFault(name);
  if (wrongName !== undefined) definition.add([], wrongName);
  const handlers = handlersOf(written as unknown as Readonly<Record<string, unknown>>, definition);
  const version = versionOf("version", written.version, definition);
  const upgraders = compileUpgraders(
    "upgradeState",
    written.upgradeState ?? {},
    version,
    ({ schema }, one) =>
      schema &&
      checkedShape(`${where}, schema of version ${one}`, (found) =>
        blockShape(schema as unknown as WrittenSchema, rootOf("recorded", undefined), found),
      ),
    definition,
  );
  const importer = written.importState;
  if (importer !== undefined && typeof importer !== "function") {
    for (const attribute of importer.attributes) importFault(shape, attribute, definition);
  }
  definition.throwIfAny("INVALID_DEFINITION");
  return {
    kind: "resource",
    name,
    typeName: `${provider.name}_${name}`,
    version,
    shape,
    protocol: protocolSchema(shape, { ...written, version }),
    ...(identity === undefined ? {} : { identity }),
    ...(written.deprecated === undefined ? {} : { deprecated: written.deprecated }),
    ...handlers,
    update: written.update === replaceInstead ? undefined : written.update,
    ...(importer === undefined ? {} : { importState: importer }),
    certain: importer === undefined || typeof importer === "function" ? undefined : importer.attributes,
    upgraders,
  };
}

type Handlers = Pick<CompiledResource, "create" | "read" | "delete" | (typeof possible)[number]>;

function handlersOf(written: Readonly<Record<string, unknown>>, faults: Faults): Handlers {
  for (const handler of needed) {
    if (typeof written[handler] === "function") continue;
    faults.add([], `a resource has a function ${handler}${handler === "update" ? ", or update: replaceInstead" : ""}`);
  }
  for (const handler of possible) {
    if (written[handler] !== undefined && typeof written[handler] !== "function") faults.add([], `${handler} is a function`);
  }
  const names = [...needed, ...possible].filter((handler) => typeof written[handler] === "function");
  return Object.fromEntries(names.map((handler) => [handler, written[handler]])) as unknown as Handlers;
}

function importFault(shape: ObjectShape, attribute: string, faults: Faults): void {
  const entry = shape.byName.get(attribute);
  if (entry === undefined) faults.add([], `importById names ${JSON.stringify(attribute)}, which the schema does not have`);
  else if (!["string", "number", "bigint", "decimal"].includes(entry.shape.kind))
    faults.add([attribute], "importById needs text or a number here");
}
