// SPDX-License-Identifier: Apache-2.0
import { schemaFitsProtocol5 } from "@tenon/schema";
import { createProvider } from "../server/create-provider.ts";
import { pickProvider } from "./load-provider.ts";
import type { ProviderModule } from "./serve-options.ts";

/** What a provider says of itself to who packages it. */
export interface ServingDescription {
  /** Protocol versions it speaks: those its author promises, or those its schemas fit. */
  readonly protocols: readonly (5 | 6)[];
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
