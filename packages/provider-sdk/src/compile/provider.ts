// SPDX-License-Identifier: Apache-2.0
import type { Schema } from "@tenon/schema";
import type { Awaitable } from "../definition/call-context.ts";
import type { PrivateStateKey, PrivateStateOptions } from "../definition/private-state.ts";
import { keysFault } from "../private-state/private-state-keys.ts";
import { rootShape, type WrittenRoot, type WrittenSchema } from "./block-shape.ts";
import { Faults } from "./fault.ts";
import { providerNameFault, providerVersionFault } from "./names.ts";
import { optionFaults } from "./option-faults.ts";
import { protocolSchema } from "./protocol-schema.ts";
import type { ObjectShape } from "../shape/shape.ts";
import { rootPosition } from "./schema-position.ts";

/** An author's handler at run time. The compiler has checked the type of its context. */
export type Handler<Result = unknown> = (context: object) => Awaitable<Result>;

/** A provider without its components, checked. */
export interface CompiledProvider {
  readonly name: string;
  readonly version: string;
  /** Shape of the configuration; without entries if the provider has no schema. */
  readonly shape: ObjectShape;
  readonly protocol: Schema;
  readonly deprecated?: string;
  readonly unknownConfig: "wait" | "pass";
  /** Protocol versions that the author requires; undefined: those that all schemas fit. */
  readonly protocols?: readonly (5 | 6)[];
  readonly privateState: PrivateStateOptions;
  /** Schema of `provider_meta`. */
  readonly meta?: { readonly shape: ObjectShape; readonly protocol: Schema };
  readonly setup?: Handler<void>;
  readonly validate?: Handler<void>;
  readonly configure?: Handler;
  readonly cleanup?: Handler<void>;
}

/** The definition of a provider as its author wrote it, at run time. */
interface WrittenProvider {
  readonly name: string;
  readonly version: string;
  readonly description?: string;
  readonly deprecated?: string;
  readonly schema?: unknown;
  readonly rules?: unknown;
  readonly meta?: { readonly schema: unknown };
  readonly protocols?: readonly (5 | 6)[];
  readonly unknownConfig?: "wait" | "pass";
  readonly privateState?: PrivateStateOptions;
  readonly setup?: unknown;
  readonly validate?: unknown;
  readonly configure?: unknown;
  readonly cleanup?: unknown;
}

const providerOptions = [
  "name",
  "version",
  "description",
  "deprecated",
  "schema",
  "rules",
  "meta",
  "protocols",
  "unknownConfig",
  "privateState",
  "setup",
  "validate",
  "configure",
  "cleanup",
];

/** Compiles a provider without its components. @throws SdkError `INVALID_DEFINITION`, `INVALID_SCHEMA`. */
export function compileProvider(written: WrittenProvider): CompiledProvider {
  const where = `provider ${written.name}`;
  const definition = new Faults(where);
  const wrongName = providerNameFault(written.name);
  if (wrongName !== undefined) definition.add([], wrongName);
  const wrongVersion = providerVersionFault(written.version);
  if (wrongVersion !== undefined) definition.add([], wrongVersion);
  for (const fault of optionFaults(written, providerOptions)) definition.add([], fault);
  const { protocols } = written;
  const areProtocols = Array.isArray(protocols) && protocols.length > 0 && protocols.every((one) => one === 5 || one === 6);
  if (protocols !== undefined && !areProtocols) definition.add([], "protocols must be [5], [6] or [5, 6]");
  const hooks = Object.fromEntries(
    (["setup", "validate", "configure", "cleanup"] as const)
      .filter((name) => written[name] !== undefined)
      .map((name) => {
        if (typeof written[name] !== "function") definition.add([], `${name} must be a function`);
        return [name, written[name]];
      }),
  ) as Pick<CompiledProvider, "setup" | "validate" | "configure" | "cleanup">;
  const { keys } = written.privateState ?? {};
  const wrongKeys = Array.isArray(keys) ? keysFault(keys as readonly PrivateStateKey[]) : undefined;
  if (wrongKeys !== undefined) definition.add([], wrongKeys);
  definition.throwIfAny("INVALID_DEFINITION");
  const faults = new Faults(where);
  const shape = rootShape(written as WrittenRoot, rootPosition("provider", written.protocols), faults);
  faults.throwIfAny("INVALID_SCHEMA");
  const inMeta = new Faults(`${where}, provider_meta`);
  const meta = written.meta && rootShape({ schema: written.meta.schema as WrittenSchema }, rootPosition("meta", written.protocols), inMeta);
  inMeta.throwIfAny("INVALID_SCHEMA");
  const { description, deprecated } = written;
  const texts = { ...(description === undefined ? {} : { description }), ...(deprecated === undefined ? {} : { deprecated }) };
  return {
    name: written.name,
    version: written.version,
    shape,
    protocol: protocolSchema(shape, texts),
    ...(deprecated === undefined ? {} : { deprecated }),
    unknownConfig: written.unknownConfig ?? "wait",
    ...(protocols === undefined ? {} : { protocols }),
    ...(meta === undefined ? {} : { meta: { shape: meta, protocol: protocolSchema(meta, {}) } }),
    privateState: written.privateState ?? {},
    ...hooks,
  };
}
