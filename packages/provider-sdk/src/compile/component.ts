// SPDX-License-Identifier: Apache-2.0
import type { Schema } from "@tenon/schema";
import { rootShape, type WrittenRoot, type WrittenSchema } from "./block-shape.ts";
import { Faults } from "./fault.ts";
import { componentNameFault, wordOf, type SchemaRole } from "./names.ts";
import { optionFaults } from "./option-faults.ts";
import { protocolSchema } from "./protocol-schema.ts";
import type { CompiledProvider, Handler } from "./provider.ts";
import type { ObjectShape } from "../shape/shape.ts";
import { rootPosition } from "./schema-position.ts";

/** The common part of all components with a configuration: all kinds but functions. */
export interface ConfiguredComponent {
  readonly name: string;
  readonly typeName: string;
  readonly shape: ObjectShape;
  readonly protocol: Schema;
  readonly deprecated?: string;
  readonly validate?: Handler<void>;
}

/** The common part of the definition of a component, as the author wrote it. */
export interface WrittenComponent extends WrittenRoot {
  readonly version?: number;
  readonly description?: string;
  readonly deprecated?: string;
  readonly schema?: WrittenSchema;
}

/** A kind of component with a configuration: the role of its schema, and its handlers. */
export interface ConfiguredKind<Needed extends string, Possible extends string> {
  readonly role: SchemaRole;
  /** Required handlers. */
  readonly needed: readonly Needed[];
  /** Optional handlers besides `validate`. */
  readonly possible: readonly Possible[];
  /** Options of a definition that only this kind has, besides its handlers. */
  readonly options?: readonly string[];
  /** Alternative to a required handler, for the message about its absence. */
  readonly substitutes?: { readonly [N in Needed]?: string };
}

type Handlers<Needed extends string, Possible extends string> = { readonly [N in Needed]: Handler } & {
  readonly [N in Possible]?: Handler;
};

/** Options of the definitions of all kinds. */
const commonOptions = ["description", "deprecated", "schema", "rules", "validate"] as const;

/** A component during its compilation, for the compile step of its kind. */
export interface ComponentInProgress {
  /** The provider and the component, as the prefix of messages. */
  readonly where: string;
  readonly shape: ObjectShape;
  readonly schemaFaults: Faults;
  readonly definitionFaults: Faults;
}

/**
 * Checks and compiles a component of any kind that has a configuration.
 *
 * @param compileRest compiles the parts that only this kind has, and adds their faults to those of the component.
 * @throws SdkError `INVALID_SCHEMA`, then `INVALID_DEFINITION`.
 */
export function compileComponent<Needed extends string, Possible extends string, Rest extends object = {}>(
  { role, needed, possible, options = [], substitutes = {} }: ConfiguredKind<Needed, Possible>,
  provider: CompiledProvider,
  name: string,
  written: WrittenComponent,
  compileRest?: (component: ComponentInProgress) => Rest,
): ConfiguredComponent & Handlers<Needed, Possible> & NoInfer<Rest> {
  const word = wordOf[role];
  const where = `provider ${provider.name}, ${word} ${name}`;
  const schemaFaults = new Faults(where);
  const definitionFaults = new Faults(where);
  const shape = rootShape(written, rootPosition(role, provider.protocols), schemaFaults);
  const rest = compileRest?.({ where, shape, schemaFaults, definitionFaults });
  schemaFaults.throwIfAny("INVALID_SCHEMA");
  const wrongName = componentNameFault(name, provider.name);
  if (wrongName !== undefined) definitionFaults.add([], wrongName);
  for (const fault of optionFaults(written, [...commonOptions, ...needed, ...possible, ...options])) definitionFaults.add([], fault);
  const given = written as Readonly<Record<string, unknown>>;
  const article = /^[aeiou]/.test(word) ? "an" : "a";
  for (const handler of needed) {
    if (typeof given[handler] === "function") continue;
    const substitute = (substitutes as Readonly<Record<string, string>>)[handler];
    definitionFaults.add([], `${article} ${word} must define ${handler}()${substitute === undefined ? "" : `, or ${substitute}`}`);
  }
  const optional = ["validate", ...possible].filter((handler) => given[handler] !== undefined);
  for (const handler of optional) if (typeof given[handler] !== "function") definitionFaults.add([], `${handler} must be a function`);
  definitionFaults.throwIfAny("INVALID_DEFINITION");
  return {
    name,
    typeName: `${provider.name}_${name}`,
    shape,
    protocol: protocolSchema(shape, written),
    ...(written.deprecated === undefined ? {} : { deprecated: written.deprecated }),
    ...(Object.fromEntries([...needed, ...optional].map((handler) => [handler, given[handler]])) as Handlers<Needed, Possible>),
    ...(rest as NoInfer<Rest>),
  };
}
