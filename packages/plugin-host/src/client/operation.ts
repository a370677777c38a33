// SPDX-License-Identifier: Apache-2.0
import type { Diagnostic, GetProviderSchemaResponse, Provider } from "@tenon/schema";
import type { LookUpOptions, OperationOptions } from "@tenon/schema/lifecycle";
import type { Value } from "@tenon/cty";
import { PluginHostError } from "../error.ts";
import type { Fields } from "../resource-handle.ts";
import { configValue } from "./config-value.ts";
import type { ConfigInput } from "./provider-types.ts";
import type { InstalledProvider } from "../install/install-provider.ts";
import { settle, type WarningListener } from "./diagnostics.ts";

/** Settings of every operation. */
export interface OperationSettings {
  /** Cancels the operation. A change ends gracefully within `stopGraceMs`, so that its result is known; other operations end at once. */
  readonly signal?: AbortSignal;
  /** Name of the object in messages, such as `time_static.release`. Default: the name of its type. */
  readonly address?: string;
  /** Value of the module's `provider_meta` block. Default: that of `openProvider`. */
  readonly providerMeta?: ConfigInput<Fields>;
}

/** Data that all parts of a client share. */
export interface ClientContext {
  readonly provider: Provider;
  /** The installed package; undefined if the provider was not installed. */
  readonly installed: InstalledProvider | undefined;
  /** Name of the provider in messages. */
  readonly name: string;
  readonly schema: GetProviderSchemaResponse;
  readonly onWarning: WarningListener | undefined;
  /** Whether ConfigureProvider has been called. */
  readonly isConfigured: boolean;
  /** Default `provider_meta` of operations. */
  readonly providerMeta: Value | undefined;
}

/** Operations that need no configured provider. */
const unconfiguredOperations: ReadonlySet<string> = new Set(["validate", "upgrade"]);

/** One operation: its options, and its name in messages. */
export class Operation {
  readonly options: OperationOptions;
  /** Name of the operation in messages: `create of time_static`. */
  readonly subject: string;
  readonly address: string;
  readonly #context: ClientContext;

  constructor(context: ClientContext, what: string, typeName: string, { signal, address, providerMeta: own }: OperationSettings) {
    this.#context = context;
    this.address = address ?? typeName;
    this.subject = `${what} of ${this.address}`;
    if (!context.isConfigured && !unconfiguredOperations.has(what)) {
      throw new PluginHostError(
        "INVALID_OPTIONS",
        `${this.subject} needs a configured provider; open ${context.name} without configure: false`,
      );
    }
    const providerMeta = own === undefined ? context.providerMeta : providerMetaValue(context.schema, own, context.name);
    this.options = { address: this.address, ...(signal ? { signal } : {}), ...(providerMeta ? { providerMeta } : {}) };
  }

  /** Passes warnings to the listener and returns them. @throws PluginHostError `DIAGNOSTICS` */
  settle(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
    return settle(diagnostics, this.subject, this.#context.onWarning);
  }
}

/** Returns the value of `provider_meta`. @throws PluginHostError `INVALID_CONFIG`, also if the provider has no schema for it */
export function providerMetaValue(schema: GetProviderSchemaResponse, data: unknown, name: string): Value {
  if (schema.providerMeta) return configValue(schema.providerMeta.block, data, `provider_meta of ${name}`);
  throw new PluginHostError("INVALID_CONFIG", `${name} has no schema for provider_meta`);
}

/** Options for looking up a type. */
export function lookUp({ name }: ClientContext, { signal }: OperationSettings): LookUpOptions {
  return { providerAddress: name, ...(signal ? { signal } : {}) };
}

/** Refuses a component that the provider does not have. @throws PluginHostError `NOT_OFFERED` */
export function assertOffered(context: ClientContext, what: string, offered: ReadonlyMap<string, unknown>, typeName: string): void {
  if (!offered.has(typeName)) throw notOffered(context, what, offered, typeName);
}

/** Creates the error for a component that the provider does not have. It lists the components that the provider has. */
export function notOffered(
  { name }: ClientContext,
  what: string,
  offered: ReadonlyMap<string, unknown>,
  typeName: string,
): PluginHostError {
  const names = [...offered.keys()].sort();
  const some = names.length > 12 ? `${names.slice(0, 12).join(", ")} and ${names.length - 12} more` : names.join(", ");
  return new PluginHostError("NOT_OFFERED", `${name} has no ${what} ${JSON.stringify(typeName)}; it has ${some || "none"}`);
}
