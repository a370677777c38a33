// SPDX-License-Identifier: Apache-2.0
import type { Schema } from "@tenon/schema";
import { rootShape, type WrittenSchema } from "./block-shape.ts";
import { Faults } from "./fault.ts";
import { componentNameFault } from "./names.ts";
import { protocolSchema } from "./protocol-schema.ts";
import type { CompiledProvider, Handler } from "./provider.ts";
import type { ObjectShape } from "./shape.ts";
import { rootOf } from "./surroundings.ts";

/** An ephemeral resource, checked. */
export interface CompiledEphemeralResource {
  readonly kind: "ephemeralResource";
  readonly name: string;
  readonly typeName: string;
  readonly shape: ObjectShape;
  readonly protocol: Schema;
  readonly deprecated?: string;
  readonly validate?: Handler<void>;
  readonly open: Handler;
  readonly renew?: Handler<void>;
  readonly close?: Handler<void>;
}

interface WrittenEphemeralResource {
  readonly description?: string;
  readonly deprecated?: string;
  readonly schema: WrittenSchema;
  readonly open: Handler;
}

/** @throws SdkError `INVALID_DEFINITION`, `INVALID_SCHEMA`. */
export function compileEphemeralResource(
  provider: CompiledProvider,
  name: string,
  written: WrittenEphemeralResource,
): CompiledEphemeralResource {
  const where = `provider ${provider.name}, ephemeral resource ${name}`;
  const faults = new Faults(where);
  const shape = rootShape(written, rootOf("ephemeralResource", provider.protocols), faults);
  faults.throwIfAny("INVALID_SCHEMA");
  const definition = new Faults(where);
  const wrongName = componentNameFault(name);
  if (wrongName !== undefined) definition.add([], wrongName);
  if (typeof written.open !== "function") definition.add([], "an ephemeral resource has a function open");
  const given = written as unknown as Readonly<Record<string, unknown>>;
  const optional = (["validate", "renew", "close"] as const).filter((handler) => given[handler] !== undefined);
  for (const handler of optional) if (typeof given[handler] !== "function") definition.add([], `${handler} is a function`);
  definition.throwIfAny("INVALID_DEFINITION");
  return {
    kind: "ephemeralResource",
    name,
    typeName: `${provider.name}_${name}`,
    shape,
    protocol: protocolSchema(shape, written),
    ...(written.deprecated === undefined ? {} : { deprecated: written.deprecated }),
    ...Object.fromEntries(optional.map((handler) => [handler, given[handler]])),
    open: written.open,
  };
}
