// SPDX-License-Identifier: Apache-2.0
import type { Invalid } from "../definition/attribute-options.ts";
import type { Awaitable, ValidateContext } from "../definition/call-context.ts";
import type { ConfigureContext, ProviderDeclaration } from "../definition/provider.ts";
import type { Config, Schema, ValidSchema, Views } from "../definition/schema.ts";
import { SdkError } from "../error.ts";
import type { Capability, UnknownConfig } from "./capability.ts";

/** A capability with any requirements. `CompatibleCapabilities` checks them for a list of capabilities. */
export interface AnyCapability {
  readonly schema: Schema;
  readonly unknownConfig: UnknownConfig;
  readonly "~needs": (needed: never) => void;
  readonly "~provides": object;
}

/** The combined schema of capabilities. */
export type CombinedSchema<L extends readonly unknown[]> = L extends readonly [infer First extends AnyCapability, ...infer Rest]
  ? First["schema"] & CombinedSchema<Rest>
  : {};

/** The members that capabilities provide. A later capability replaces earlier members of the same name. */
export type ProvidedMembers<L extends readonly unknown[], Given = {}> = L extends readonly [
  infer First extends AnyCapability,
  ...infer Rest,
]
  ? ProvidedMembers<Rest, Overridden<Given, First["~provides"]>>
  : Given;

type Overridden<Given, T> = { readonly [P in keyof Given | keyof T]: P extends keyof T ? T[P] : P extends keyof Given ? Given[P] : never };

/**
 * The capabilities `L`. An error type replaces a capability that cannot be used: it requires a member that no earlier capability provides,
 * or it waits for a known configuration and the provider does not.
 */
export type CompatibleCapabilities<L extends readonly unknown[], Given = {}, U extends UnknownConfig = "wait"> = L extends readonly [
  infer First extends AnyCapability,
  ...infer Rest,
]
  ? U extends "wait" | First["unknownConfig"]
    ? Given extends Parameters<First["~needs"]>[0]
      ? readonly [First, ...CompatibleCapabilities<Rest, Overridden<Given, First["~provides"]>, U>]
      : readonly [Invalid<"it needs a member that no earlier capability provides">, ...Rest]
    : readonly [Invalid<'it waits for a known configuration: set unknownConfig: "pass" on it as well'>, ...Rest]
  : readonly [];

/** The provider's own options, besides its capabilities. */
export interface CapableProviderDeclaration<S extends Schema, All extends Schema, P, C, U extends UnknownConfig = "wait"> extends Omit<
  ProviderDeclaration<All, C, U>,
  "schema" | "configure"
> {
  readonly schema?: S & ValidSchema<S>;
  /** Returns the client. Default: the client is an object with the members that the capabilities provide. */
  readonly configure?: (
    context: ConfigureContext<U extends "pass" ? Views<All>["configDraft"] : Config<All>> & { readonly provided: P },
  ) => Awaitable<C>;
}

/**
 * Adds capabilities to a provider. Pass the result to `defineProvider`. The attributes of the capabilities become attributes of the
 * provider. The capabilities validate before the provider, connect in order before its `configure`, and disconnect in reverse order after
 * its `cleanup`. If the provider sets `unknownConfig: "pass"`, each of them must set it too.
 *
 * @throws SdkError `INVALID_DEFINITION` if two capabilities, or one and the provider, have an attribute of the same name.
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
  C = ProvidedMembers<L>,
  U extends UnknownConfig = "wait",
>(
  capabilities: L & CompatibleCapabilities<L, {}, U>,
  definition: CapableProviderDeclaration<S, CombinedSchema<L> & S, ProvidedMembers<L>, C, U>,
): ProviderDeclaration<CombinedSchema<L> & S, C, U> {
  // The types have checked that the capabilities fit, so their exact types no longer matter.
  const parts = capabilities as unknown as readonly Capability<Schema, object, object, UnknownConfig>[];
  const { schema: own = {}, validate, configure, ...head } = definition as unknown as CapableProviderDeclaration<Schema, Schema, object, C>;
  if (definition.unknownConfig === "pass" && parts.some(({ unknownConfig }) => unknownConfig !== "pass")) {
    throw new SdkError("INVALID_DEFINITION", `provider ${definition.name}: each of its capabilities must also set unknownConfig: "pass"`);
  }
  const schema = merged(definition.name, [...parts.map((part) => part.schema), own]);
  const mixed: ProviderDeclaration<Schema, C, "wait"> = {
    ...head,
    schema,
    validate: inOrder(...parts.map((part) => part.validate), ...(validate === undefined ? [] : [validate])),
    configure: async (context) => {
      const provided = {};
      // Pass a copy, because later capabilities must not change the members that an earlier one received.
      for (const part of parts) Object.assign(provided, await part.connect({ ...context, provided: { ...provided } }));
      return configure === undefined ? (provided as C) : configure({ ...context, provided });
    },
  };
  return mixed as unknown as ProviderDeclaration<CombinedSchema<L> & S, C, U>;
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
          `provider ${provider}: ${name} is defined by two capabilities, or by a capability and the provider's own schema`,
        );
      all[name] = entry;
    }
  }
  return all;
}
