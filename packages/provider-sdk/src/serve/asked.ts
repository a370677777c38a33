// SPDX-License-Identifier: Apache-2.0
import { schemaFitsProtocol5 } from "@tenon/schema";
import { createProvider } from "../server/create-provider.ts";
import { pickProvider } from "./load-provider.ts";
import type { ProviderModule } from "./serve-options.ts";
import type { SurroundingsSeen } from "./surroundings.ts";

/** What a provider says of itself to who packages it. */
export interface ServingDescription {
  /** Protocol versions it speaks: those its author promises, or those its schemas fit. */
  readonly protocols: readonly (5 | 6)[];
}

/** What a provider always says of its schemas, for who packages it. */
export interface ConstantAnswers {
  readonly name: string;
  /** Environment variables that must not be set for it to be so. */
  readonly absent: readonly string[];
  /** Encoded, in base64: by protocol version and name of the call. */
  readonly answers: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Loads the provider to find out. @throws whatever it throws. */
export async function describeServing(load: () => Promise<ProviderModule>): Promise<ServingDescription> {
  const served = pickProvider(await load());
  const { protocols } = served["~provider"];
  if (protocols !== undefined) return { protocols: [...new Set(protocols)].toSorted((a, b) => a - b) };
  const provider = createProvider(served);
  try {
    const schema = await provider.getProviderSchema({});
    return { protocols: schemaFitsProtocol5(schema).length === 0 ? [5, 6] : [6] };
  } finally {
    await provider.close();
  }
}

/**
 * What the provider says of its schemas, if it is the same wherever and whenever it is asked, as far as one process can tell: it has
 * no `setup`, and has looked at nothing outside of itself to know it.
 *
 * @param seen what it has looked at until now
 * @returns Undefined where it may be otherwise.
 */
export async function constantAnswers(
  load: () => Promise<ProviderModule>,
  seen: () => SurroundingsSeen,
): Promise<ConstantAnswers | undefined> {
  const served = pickProvider(await load());
  if (served["~provider"].setup !== undefined) return undefined;
  const provider = createProvider(served);
  const versions = served["~provider"].protocols ?? [5, 6];
  const wire = { 5: () => import("@tenon/schema/wire/v5"), 6: () => import("@tenon/schema/wire/v6") };
  const found = await Promise.all(
    versions.map(async (version) => [version, await (await wire[version]()).schemaAnswers(provider)] as const),
  );
  await provider.close();
  const { absent, more } = seen();
  if (more) return undefined;
  const answers = found.flatMap(([version, encoded]) => (encoded === undefined ? [] : [[String(version), inBase64(encoded)] as const]));
  return { name: served.name, absent, answers: Object.fromEntries(answers) };
}

function inBase64(answers: Readonly<Record<string, Uint8Array>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(answers).map(([name, bytes]) => [name, Buffer.from(bytes).toString("base64")]));
}
