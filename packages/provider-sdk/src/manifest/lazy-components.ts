// SPDX-License-Identifier: Apache-2.0
import type { Lazy } from "../definition/provider.ts";
import { SdkError } from "../error.ts";
import { surfaceOf, type ComponentSurface, type ManifestEntry } from "./component-manifest.ts";

/** A function that loads a component, and what is known of it before. */
export interface SurfacedLoader {
  (): Promise<unknown>;
  readonly "~surface": () => ComponentSurface;
  readonly "~entry": ManifestEntry;
}

/** Whether something is known of what the function loads. */
export function isSurfaced(candidate: unknown): candidate is SurfacedLoader {
  return typeof candidate === "function" && "~surface" in candidate;
}

/**
 * Components whose code is loaded when one is used, and whose schemas are known before: for the file that
 * `tenon-collect-components` writes of a folder, which calls it.
 *
 * @param manifest JSON of a list: what is said of each.
 * @param loaders In the same order: what loads each.
 * @throws SdkError `INVALID_DEFINITION` where the two do not belong together.
 */
export function lazyComponents(manifest: string, loaders: readonly (() => Promise<unknown>)[]): readonly Lazy<unknown>[] {
  const entries = JSON.parse(manifest) as readonly ManifestEntry[];
  if (entries.length !== loaders.length) {
    throw new SdkError(
      "INVALID_DEFINITION",
      `the manifest has ${entries.length} components, and there are ${loaders.length} loaders: write it anew with tenon-collect-components`,
    );
  }
  return entries.map((entry, index) => {
    let surface: ComponentSurface | undefined;
    const load = loaders[index]!;
    // A schema is made of the data when it is asked for.
    const known = (): ComponentSurface => (surface ??= surfaceOf(entry));
    return Object.assign(() => load(), { "~surface": known, "~entry": entry }) as unknown as Lazy<unknown>;
  });
}
