// SPDX-License-Identifier: Apache-2.0
import type { ConfigurationFiles } from "./configuration-source.ts";

/** A provider that the runner installs. */
export interface ExternalProvider {
  /** Its source address: `hashicorp/time`. */
  readonly source: string;
  /** A version constraint: `~> 0.13`. Default: any version. */
  readonly version?: string;
}

/** Name of the file that {@link withRequiredProviders} adds. */
export const requiredProvidersFile = "tenon_required_providers.tf.json";

/** The source address of a provider that a case has under a name: `notebook` is `hashicorp/notebook`, as in a configuration that names no source. */
export function sourceAddress(name: string): string {
  return name.includes("/") ? name : `hashicorp/${name}`;
}

/**
 * Adds a `required_providers` block for the providers of a case, unless the root module has one. Modules that the configuration calls need their own.
 *
 * @param names Names or source addresses of the providers of the case.
 */
export function withRequiredProviders(
  files: ConfigurationFiles,
  names: readonly string[],
  external: Readonly<Record<string, ExternalProvider>>,
): ConfigurationFiles {
  const isDeclared = [...files].some(
    ([path, content]) => !path.includes("/") && typeof content === "string" && content.includes("required_providers"),
  );
  const sources = names.filter((name) => name.includes("/")).map((source) => [source.split("/").at(-1)!, { source }] as const);
  const required = { ...Object.fromEntries(sources), ...external };
  if (isDeclared || Object.keys(required).length === 0) return files;
  const block = { terraform: { required_providers: required } };
  return new Map([...files, [requiredProvidersFile, `${JSON.stringify(block, undefined, 2)}\n`]]);
}
