// SPDX-License-Identifier: Apache-2.0
import { type DescMethod, toBinary } from "@bufbuild/protobuf";
import type { Provider } from "../provider.ts";
import type { Protocol } from "./protocol.ts";
import { schemaLimit } from "./served-provider.ts";
import { noTypes } from "./types.ts";

/** What a provider says of itself, encoded: the first that a core asks of it. By the name of the method in a client. */
export type SchemaAnswers = Readonly<Record<string, Uint8Array>>;

/**
 * A provider's answers about its schemas, as the service of this version gives them.
 *
 * @returns Undefined where it has anything to say beside them: that may be otherwise the next time.
 */
export async function schemaAnswersOf({ rpcs, misfits }: Protocol, provider: Provider): Promise<SchemaAnswers | undefined> {
  const [schema, identities] = await Promise.all([provider.getProviderSchema({}), provider.getResourceIdentitySchemas({})]);
  if (schema.diagnostics.length > 0 || identities.diagnostics.length > 0 || (misfits?.(schema) ?? []).length > 0) return undefined;
  const answers = [
    [rpcs.getProviderSchema.method, rpcs.getProviderSchema.writeResponse(schema, noTypes)],
    [rpcs.getResourceIdentitySchemas.method, rpcs.getResourceIdentitySchemas.writeResponse(identities, noTypes)],
  ] as const;
  const encoded = answers.map(([method, answer]) => [(method as DescMethod).localName, toBinary(method.output, answer)] as const);
  return encoded.some(([, { length }]) => length > schemaLimit) ? undefined : Object.fromEntries(encoded);
}
