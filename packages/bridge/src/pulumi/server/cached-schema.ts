// SPDX-License-Identifier: Apache-2.0
import { setImmediate as nextTurn } from "node:timers/promises";
import { packageDataStore, type SchemaCacheEntry } from "@tenon/plugin-host";
import { encodeParameter } from "../../provider/provider-parameter.ts";
import type { ProviderSelection } from "../../provider/provider-selection.ts";

/** The data that determine a Pulumi schema, in addition to the package of the provider. */
export interface CacheableSchema {
  /** Name and version of the plugin, whose version is raised whenever the translation changes. */
  readonly plugin: string;
  readonly selection: ProviderSelection;
  readonly write: () => string;
  /** Called with the promise of work that goes on after the schema was returned: it is stored for later processes. */
  readonly onStoring: (stored: Promise<void>) => void;
}

/** Returns a Pulumi schema, from the cache if an earlier process has written it. @param entry - The cache entry; undefined for no cache. */
export async function cachedSchema(
  entry: SchemaCacheEntry | undefined,
  { plugin, selection, write, onStoring }: CacheableSchema,
): Promise<string> {
  // Within the repository, sources change without a new version.
  if (entry === undefined || import.meta.filename.endsWith(".ts")) return write();
  const parameter = new TextDecoder().decode(encodeParameter(selection));
  const store = packageDataStore(entry, `Pulumi schema by ${plugin} of ${parameter}`);
  const cached = await store.load();
  if (cached !== undefined) return new TextDecoder().decode(cached);
  const schema = write();
  // After the response, which need not wait for it.
  onStoring(nextTurn().then(() => store.save(new TextEncoder().encode(schema))));
  return schema;
}
