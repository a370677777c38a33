// SPDX-License-Identifier: Apache-2.0
import type { Lazy } from "../definition/provider.ts";
import { SdkError } from "../error.ts";
import { headerFrom, type ComponentHeader, type ManifestEntry } from "./component-manifest.ts";

/** A function that loads a component, with the header of the component from a manifest. */
export interface ManifestLoader {
  (): Promise<unknown>;
  /** Returns the header of the component. */
  readonly "~header": () => ComponentHeader;
  /** The entry in the manifest. */
  readonly "~entry": ManifestEntry;
}

/** Whether the value is a function that loads a component of a manifest. */
export function isManifestLoader(candidate: unknown): candidate is ManifestLoader {
  return typeof candidate === "function" && "~header" in candidate;
}

/**
 * Returns components with the schemas of a manifest; the code of a component is loaded when the component is first used. The file that
 * `tenon-collect-components` writes calls this function.
 *
 * @param manifest JSON array with the manifest entry of each component.
 * @param loaders functions that load the components, in the same order.
 * @throws SdkError `INVALID_DEFINITION` if the numbers of entries and loaders differ.
 */
export function lazyComponents(manifest: string, loaders: readonly (() => Promise<unknown>)[]): readonly Lazy<unknown>[] {
  const entries = JSON.parse(manifest) as readonly ManifestEntry[];
  if (entries.length !== loaders.length) {
    throw new SdkError(
      "INVALID_DEFINITION",
      `the manifest has ${entries.length} components, but there are ${loaders.length} loaders: run tenon-collect-components again`,
    );
  }
  return entries.map((entry, index) => {
    let decoded: ComponentHeader | undefined;
    const load = loaders[index]!;
    // Decode the header when it is first read.
    const header = (): ComponentHeader => (decoded ??= headerFrom(entry));
    return Object.assign(() => load(), { "~header": header, "~entry": entry }) as unknown as Lazy<unknown>;
  });
}
