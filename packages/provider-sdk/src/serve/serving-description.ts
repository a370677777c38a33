// SPDX-License-Identifier: Apache-2.0
import { protocol5SchemaErrors } from "@tenon/schema";
import { compiledParts } from "../compile/served-provider.ts";
import { createProvider } from "../server/create-provider.ts";
import { pickProvider } from "./load-provider.ts";
import type { ProviderModule } from "./serve-options.ts";
import type { EnvironmentAccess } from "./environment-access.ts";

/** Description of a provider for the packager. */
export interface ServingDescription {
  /** Protocol versions it supports: those of its definition, or those that can carry its schemas. */
  readonly protocols: readonly (5 | 6)[];
}

/** Schema responses of a provider that never change, for the packager. */
export interface ConstantResponses {
  /** The provider's name. */
  readonly name: string;
  /** Environment variables that the provider read and that were not set. The responses are valid only while they are not set. */
  readonly absent: readonly string[];
  /** Encoded responses in base64, by protocol version and RPC. */
  readonly responses: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Loads the provider and describes it. @throws the provider's own errors, and an error if its schemas are invalid. */
export async function describeServing(load: () => Promise<ProviderModule>): Promise<ServingDescription> {
  const served = pickProvider(await load());
  const { protocols } = compiledParts(served)["~provider"];
  let stack: unknown;
  // The diagnostic has only the message; the log entry has the stack.
  const provider = createProvider(served, { logger: ({ level, fields }) => void (level === "error" && (stack ??= fields["error"])) });
  try {
    const schema = await provider.getProviderSchema({});
    const error = schema.diagnostics.find(({ severity }) => severity === "error");
    if (error !== undefined) throw Object.assign(new Error(error.detail), typeof stack === "string" ? { stack } : {});
    if (protocols !== undefined) return { protocols: [...new Set(protocols)].toSorted((a, b) => a - b) };
    return { protocols: protocol5SchemaErrors(schema).length === 0 ? [5, 6] : [6] };
  } finally {
    await provider.close();
  }
}

/**
 * Returns the provider's schema responses if they are constant, as far as one process can tell: the provider has no `setup`, and it
 * accessed nothing in its environment, except variables that were not set.
 *
 * @param environmentAccess returns the accesses recorded so far
 * @returns undefined if the responses may differ.
 */
export async function constantResponses(
  load: () => Promise<ProviderModule>,
  environmentAccess: () => EnvironmentAccess,
): Promise<ConstantResponses | undefined> {
  const served = pickProvider(await load());
  const { setup, protocols } = compiledParts(served)["~provider"];
  if (setup !== undefined) return undefined;
  const provider = createProvider(served);
  const versions = protocols ?? [5, 6];
  const wire = { 5: () => import("@tenon/schema/wire/v5"), 6: () => import("@tenon/schema/wire/v6") };
  const found = await Promise.all(
    versions.map(async (version) => [version, await (await wire[version]()).encodeProviderSchemas(provider)] as const),
  );
  await provider.close();
  const { absent, more } = environmentAccess();
  if (more) return undefined;
  const responses = found.flatMap(([version, encoded]) => (encoded === undefined ? [] : [[String(version), inBase64(encoded)] as const]));
  return { name: served.name, absent, responses: Object.fromEntries(responses) };
}

function inBase64(responses: Readonly<Record<string, Uint8Array>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(responses).map(([name, bytes]) => [name, Buffer.from(bytes).toString("base64")]));
}
