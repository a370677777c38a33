// SPDX-License-Identifier: Apache-2.0
import type { Problem } from "../definition/attribute-options.ts";
import type { Awaitable, ValidateContext } from "../definition/call-context.ts";
import type { ConfigureContext, Configured } from "../definition/provider.ts";
import type { Config, Schema, Sound, Views } from "../definition/schema.ts";
import { SdkError } from "../error.ts";
import type { Capability, UnknownConfig } from "./capability.ts";

/** A capability of any kind: what one needs is checked where several are put together. */
export interface AnyCapability {
  readonly schema: Schema;
  readonly unknownConfig: UnknownConfig;
  readonly "~needs": (needed: never) => void;
  readonly "~provides": object;
}

/** The schemas of capabilities, together. */
export type SchemaOf<L extends readonly unknown[]> = L extends readonly [infer First extends AnyCapability, ...infer Rest]
  ? First["schema"] & SchemaOf<Rest>
  : {};

/** What capabilities provide, together; a later one takes over the names it provides. */
export type ProvidedBy<L extends readonly unknown[], Given = {}> = L extends readonly [infer First extends AnyCapability, ...infer Rest]
  ? ProvidedBy<Rest, Over<Given, First["~provides"]>>
  : Given;

type Over<Given, T> = { readonly [P in keyof Given | keyof T]: P extends keyof T ? T[P] : P extends keyof Given ? Given[P] : never };

/**
 * The capabilities themselves, or a sentence in the place of one that needs what none before it provides, or that waits where the
 * provider does not.
 */
export type Fitting<L extends readonly unknown[], Given = {}, U extends UnknownConfig = "wait"> = L extends readonly [
  infer First extends AnyCapability,
  ...infer Rest,
]
  ? U extends "wait" | First["unknownConfig"]
    ? Given extends Parameters<First["~needs"]>[0]
      ? readonly [First, ...Fitting<Rest, Over<Given, First["~provides"]>, U>]
      : readonly [Problem<"it needs what no capability before it provides">, ...Rest]
    : readonly [Problem<'it waits for a known configuration: give it unknownConfig: "pass" as well'>, ...Rest]
  : readonly [];

/** A provider's own part, beside its capabilities. */
export interface MixedProvider<S extends Schema, All extends Schema, P, C, U extends UnknownConfig = "wait"> extends Omit<
  Configured<All, C, U>,
  "schema" | "configure"
> {
  readonly schema?: S & Sound<S>;
  /** Default: the client is what the capabilities provide. */
  readonly configure?: (
    context: ConfigureContext<U extends "pass" ? Views<All>["configDraft"] : Config<All>> & { readonly provided: P },
  ) => Awaitable<C>;
}

/**
 * A provider with capabilities, to hand to `defineProvider`: their attributes are its own, they validate before it does, and connect
 * in their order before it is configured, and disconnect in the opposite order after its `cleanup`. With `unknownConfig: "pass"` each of
 * them has to say so as well.
 *
 * @throws SdkError `INVALID_DEFINITION` where two of them, or one and the provider, have an attribute of the same name.
 *
 * @example
 * const signing = defineCapability({
 *   schema: { token: attr.string({ required: true }) },
 *   connect: ({ config }) => ({ token: config.token }),
 * });
 * const definition = withCapabilities([signing], { name: "mail", version: "1.0.0", schema: { host: attr.string({ required: true }) } });
 * Object.keys(definition.schema)
 * // => ["token", "host"]
 */
export function withCapabilities<
  const L extends readonly AnyCapability[],
  S extends Schema = {},
  C = ProvidedBy<L>,
  U extends UnknownConfig = "wait",
>(
  capabilities: L & Fitting<L, {}, U>,
  definition: MixedProvider<S, SchemaOf<L> & S, ProvidedBy<L>, C, U>,
): Configured<SchemaOf<L> & S, C, U> {
  // Types have checked how they fit; here they are all alike.
  const parts = capabilities as unknown as readonly Capability<Schema, object, object, UnknownConfig>[];
  const { schema: own = {}, validate, configure, ...head } = definition as unknown as MixedProvider<Schema, Schema, object, C>;
  if (definition.unknownConfig === "pass" && parts.some(({ unknownConfig }) => unknownConfig !== "pass")) {
    throw new SdkError(
      "INVALID_DEFINITION",
      `provider ${definition.name}: with unknownConfig: "pass" each of its capabilities has to say so as well`,
    );
  }
  const schema = merged(definition.name, [...parts.map((part) => part.schema), own]);
  const mixed: Configured<Schema, C, "wait"> = {
    ...head,
    schema,
    validate: inOrder(...parts.map((part) => part.validate), ...(validate === undefined ? [] : [validate])),
    configure: async (context) => {
      const provided = {};
      // Each is given a copy: what comes later must not change what it was connected with.
      for (const part of parts) Object.assign(provided, await part.connect({ ...context, provided: { ...provided } }));
      return configure === undefined ? (provided as C) : configure({ ...context, provided });
    },
  };
  return mixed as unknown as Configured<SchemaOf<L> & S, C, U>;
}

type Validation = (context: ValidateContext<Schema>) => Awaitable<void>;

function inOrder(...validations: readonly Validation[]): Validation {
  return async (context) => {
    for (const validate of validations) await validate(context);
  };
}

function merged(provider: string, schemas: readonly Schema[]): Schema {
  const all: Record<string, Schema[string]> = {};
  for (const schema of schemas) {
    for (const [name, entry] of Object.entries(schema)) {
      if (Object.hasOwn(all, name))
        throw new SdkError(
          "INVALID_DEFINITION",
          `provider ${provider}: ${name} is in two of its capabilities, or in one and in its own schema`,
        );
      all[name] = entry;
    }
  }
  return all;
}
