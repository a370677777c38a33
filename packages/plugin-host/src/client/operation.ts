// SPDX-License-Identifier: Apache-2.0
import type { Diagnostic, GetProviderSchemaResponse, Provider } from "@tenon/schema";
import type { LookUpOptions, OperationOptions } from "@tenon/schema/lifecycle";
import { PluginHostError } from "../error.ts";
import type { InstalledProvider } from "../install/install-provider.ts";
import { settle, type WarningListener } from "./diagnostics.ts";

/** What every operation of a client takes. */
export interface OperationSettings {
  /**
   * Ends the operation: a change in good order, as `stopGraceMs` of the opening says, so that what exists is known; everything else at once.
   */
  readonly signal?: AbortSignal;
  /** How messages name the thing, such as `time_static.release`. Default: the name of its type. */
  readonly address?: string;
}

/** What all parts of one client share. */
export interface ClientContext {
  readonly provider: Provider;
  /** The package it is from; undefined where it was not installed. */
  readonly installed: InstalledProvider | undefined;
  /** How messages name the provider. */
  readonly name: string;
  readonly schema: GetProviderSchemaResponse;
  readonly onWarning: WarningListener | undefined;
}

/** One operation under way: what is told of it, and to whom. */
export class Operation {
  readonly options: OperationOptions;
  /** `create of time_static`. */
  readonly subject: string;
  readonly address: string;
  readonly #context: ClientContext;

  constructor(context: ClientContext, what: string, typeName: string, { signal, address }: OperationSettings) {
    this.#context = context;
    this.address = address ?? typeName;
    this.subject = `${what} of ${this.address}`;
    this.options = { address: this.address, ...(signal ? { signal } : {}) };
  }

  /** The warnings, once everybody has been told. @throws PluginHostError `DIAGNOSTICS` */
  settle(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
    return settle(diagnostics, this.subject, this.#context.onWarning);
  }
}

/** How a type is looked up for an operation. */
export function lookUp({ name }: ClientContext, { signal }: OperationSettings): LookUpOptions {
  return { providerAddress: name, ...(signal ? { signal } : {}) };
}

/** @throws PluginHostError `NOT_OFFERED` */
export function assertOffered({ name }: ClientContext, what: string, offered: ReadonlyMap<string, unknown>, wanted: string): void {
  if (offered.has(wanted)) return;
  const names = [...offered.keys()].sort();
  const some = names.length > 12 ? `${names.slice(0, 12).join(", ")} and ${names.length - 12} more` : names.join(", ");
  throw new PluginHostError("NOT_OFFERED", `${name} has no ${what} ${JSON.stringify(wanted)}; it has ${some || "none"}`);
}
