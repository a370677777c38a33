// SPDX-License-Identifier: Apache-2.0
import type { Schema } from "@tenon/schema";
import { rootShape, type WrittenSchema } from "./block-shape.ts";
import { Faults } from "./fault.ts";
import { componentNameFault, type SchemaRole } from "./names.ts";
import { protocolSchema } from "./protocol-schema.ts";
import type { CompiledProvider, Handler } from "./provider.ts";
import type { ObjectShape } from "./shape.ts";
import { rootOf } from "./surroundings.ts";

/** What all components have that a configuration describes and that record nothing. */
export interface ConfiguredComponent {
  readonly name: string;
  readonly typeName: string;
  readonly shape: ObjectShape;
  readonly protocol: Schema;
  readonly deprecated?: string;
  readonly validate?: Handler<void>;
}

/** The same as its author wrote it. */
export interface WrittenComponent {
  readonly description?: string;
  readonly deprecated?: string;
  readonly schema?: WrittenSchema;
}

/** A kind of component in words and handlers. */
export interface ConfiguredKind<Needed extends string, Possible extends string> {
  /** `list resource`; messages put an article before it. */
  readonly word: string;
  readonly role: SchemaRole;
  readonly needed: readonly Needed[];
  /** Besides `validate`. */
  readonly possible: readonly Possible[];
}

type Handlers<Needed extends string, Possible extends string> = { readonly [N in Needed]: Handler } & {
  readonly [N in Possible]?: Handler;
};

/** @throws SdkError `INVALID_DEFINITION`, `INVALID_SCHEMA`. */
export function compileConfigured<Needed extends string, Possible extends string>(
  { word, role, needed, possible }: ConfiguredKind<Needed, Possible>,
  provider: CompiledProvider,
  name: string,
  written: WrittenComponent,
): ConfiguredComponent & Handlers<Needed, Possible> {
  const where = `provider ${provider.name}, ${word} ${name}`;
  const faults = new Faults(where);
  const shape = rootShape(written, rootOf(role, provider.protocols), faults);
  faults.throwIfAny("INVALID_SCHEMA");
  const definition = new Faults(where);
  const wrongName = componentNameFault(name);
  if (wrongName !== undefined) definition.add([], wrongName);
  const given = written as Readonly<Record<string, unknown>>;
  const article = /^[aeiou]/.test(word) ? "an" : "a";
  for (const handler of needed) {
    if (typeof given[handler] !== "function") definition.add([], `${article} ${word} has a function ${handler}`);
  }
  const optional = ["validate", ...possible].filter((handler) => given[handler] !== undefined);
  for (const handler of optional) if (typeof given[handler] !== "function") definition.add([], `${handler} is a function`);
  definition.throwIfAny("INVALID_DEFINITION");
  return {
    name,
    typeName: `${provider.name}_${name}`,
    shape,
    protocol: protocolSchema(shape, written),
    ...(written.deprecated === undefined ? {} : { deprecated: written.deprecated }),
    ...(Object.fromEntries([...needed, ...optional].map((handler) => [handler, given[handler]])) as Handlers<Needed, Possible>),
  };
}
