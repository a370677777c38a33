// SPDX-License-Identifier: Apache-2.0
import { openProvider, type ResourceClient } from "@tenon/plugin-host";
import type { DefinedResource } from "../checks/resource-address.ts";
import { factoryOf, type TestedProvider } from "../runner/runner.ts";

/** Types of the resource of a definition. The schema of the provider checks the configuration; the compiler does not. */
export interface TestedTypes<T> {
  readonly typeName: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly state: T & object;
  readonly identity: Readonly<Record<string, unknown>> | undefined;
}

/** A resource in this process: plans, creates, reads, imports, changes and deletes objects, and stores none. Disposing it closes the provider. */
export type TestedResource<T> = ResourceClient<TestedTypes<T>> & AsyncDisposable;

/** Options of {@link openResource}. */
export interface OpenResourceOptions {
  /** The configuration of the provider, as data. Default: none. */
  readonly config?: Readonly<Record<string, unknown>>;
}

/**
 * Opens one resource of a provider for unit tests. Its handlers run in this process, under the rules of the cores, without a configuration
 * language, a state or a command line.
 *
 * @throws PluginHostError `DIAGNOSTICS` if the provider refuses its configuration.
 *
 * @example
 * await using notes = await openResource(provider, note);
 * const bread = await notes.create({ title: "Bread" });
 * assert.equal(bread.state.folder, "inbox");
 */
export async function openResource<T>(
  provider: TestedProvider,
  resource: DefinedResource<T>,
  options: OpenResourceOptions = {},
): Promise<TestedResource<T>> {
  const client = await openProvider(factoryOf(provider), { config: options.config ?? {} });
  const opened = client.resource(resource.typeName) as unknown as ResourceClient<TestedTypes<T>>;
  return Object.assign(opened, { [Symbol.asyncDispose]: () => client[Symbol.asyncDispose]() });
}
