// SPDX-License-Identifier: Apache-2.0
import type { Schema } from "@tenon/schema";
import type { Awaitable } from "../definition/call-context.ts";
import type { PrivateStateKey, PrivateStateOptions } from "../definition/private-state.ts";
import { keysFault } from "../private-state/private-state-keys.ts";
import { rootShape, type WrittenRoot, type WrittenSchema } from "./block-shape.ts";
import { Faults } from "./fault.ts";
import { providerNameFault } from "./names.ts";
import { protocolSchema } from "./protocol-schema.ts";
import type { ObjectShape } from "./shape.ts";
import { rootOf } from "./surroundings.ts";

/** An author's handler at run time: what it is given was checked when it was written. */
export type Handler<Result = unknown> = (context: object) => Awaitable<Result>;

/** A provider's own part of its definition, checked. */
export interface CompiledProvider {
  readonly name: string;
  readonly version: string;
  /** Of the configuration; empty where there is none to give. */
  readonly shape: ObjectShape;
  readonly protocol: Schema;
  readonly deprecated?: string;
  readonly unknownConfig: "wait" | "pass";
  /** Protocol versions its author promises; undefined: whatever its schemas fit. */
  readonly protocols?: readonly (5 | 6)[];
  readonly privateState: PrivateStateOptions;
  /** What modules may say to it. */
  readonly meta?: { readonly shape: ObjectShape; readonly protocol: Schema };
  readonly setup?: Handler<void>;
  readonly validate?: Handler<void>;
  readonly configure?: Handler;
  readonly cleanup?: Handler<void>;
}

/** What an author wrote, after TypeScript has seen it. */
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

/** @throws SdkError `INVALID_DEFINITION`, `INVALID_SCHEMA`. */
export function compileProvider(written: WrittenProvider): CompiledProvider {
  const where = `provider ${written.name}`;
  const definition = new Faults(where);
  const wrongName = providerNameFault(written.name);
  if (wrongName !== undefined) definition.add([], wrongName);
  if (typeof written.version !== "string" || written.version === "") definition.add([], "a provider has a version, such as 1.0.0");
  const { protocols } = written;
  const areProtocols = Array.isArray(protocols) && protocols.length > 0 && protocols.every((one) => one === 5 || one === 6);
  if (protocols !== undefined && !areProtocols) definition.add([], "protocols is [5], [6] or [5, 6]");
  const hooks = Object.fromEntries(
    (["setup", "validate", "configure", "cleanup"] as const)
      .filter((name) => written[name] !== undefined)
      .map((name) => {
        if (typeof written[name] !== "function") definition.add([], `${name} is a function`);
        return [name, written[name]];
      }),
  ) as Pick<CompiledProvider, "setup" | "validate" | "configure" | "cleanup">;
  const { keys } = written.privateState ?? {};
  const wrongKeys = Array.isArray(keys) ? keysFault(keys as readonly PrivateStateKey[]) : undefined;
  if (wrongKeys !== undefined) definition.add([], wrongKeys);
  definition.throwIfAny("INVALID_DEFINITION");
  const faults = new Faults(where);
  const shape = rootShape(written as WrittenRoot, rootOf("provider", written.protocols), faults);
  faults.throwIfAny("INVALID_SCHEMA");
  const inMeta = new Faults(`${where}, provider_meta`);
  const meta = written.meta && rootShape({ schema: written.meta.schema as WrittenSchema }, rootOf("meta", written.protocols), inMeta);
  inMeta.throwIfAny("INVALID_SCHEMA");
  const { description, deprecated } = written;
  const said = { ...(description === undefined ? {} : { description }), ...(deprecated === undefined ? {} : { deprecated }) };
  return {
    name: written.name,
    version: written.version,
    shape,
    protocol: protocolSchema(shape, said),
    ...(deprecated === undefined ? {} : { deprecated }),
    unknownConfig: written.unknownConfig ?? "wait",
    ...(protocols === undefined ? {} : { protocols }),
    ...(meta === undefined ? {} : { meta: { shape: meta, protocol: protocolSchema(meta, {}) } }),
    privateState: written.privateState ?? {},
    ...hooks,
  };
}
