// SPDX-License-Identifier: Apache-2.0
import { PluginHostError } from "../../error.ts";
import type { SourceAddress } from "../address/source-address.ts";

/** A repository of an OCI registry: `ghcr.io/acme/providers`. */
export interface OciRepository {
  readonly host: string;
  readonly path: string;
}

/**
 * Returns the repository of a provider by a template in HCL such as `ghcr.io/${namespace}/${type}` with the variables `hostname`,
 * `namespace` and `type`.
 *
 * @throws PluginHostError `INVALID_CLI_CONFIG`
 * @see OpenTofu internal/command/cliconfig, prepareOCIMirrorRepositoryMapping
 */
export async function repositoryFor(template: string, address: SourceAddress): Promise<OciRepository> {
  const text = await evaluated(template, address);
  const [, host, path] = /^([^/\s]+(?::[0-9]+)?)\/([a-z0-9]+(?:[._/-]+[a-z0-9]+)*)$/.exec(text) ?? [];
  if (host === undefined || path === undefined) throw refused(template, `${JSON.stringify(text)} is not the address of a repository`);
  return { host, path };
}

async function evaluated(template: string, { hostname, namespace, type }: SourceAddress): Promise<string> {
  // Loaded only here, because HCL is large and such mirrors are rare.
  const [{ hasErrors, parseTemplate }, { createScope, evaluate }, { of, string, toJs }, { convert }] = await Promise.all([
    import("@tenon/hcl"),
    import("@tenon/hcl/evaluate"),
    import("@tenon/cty"),
    import("@tenon/cty/convert"),
  ]);
  const { expression, diagnostics } = parseTemplate(template, "repository_template");
  const variables = { hostname: of(string, hostname), namespace: of(string, namespace), type: of(string, type) };
  const evaluation = evaluate(expression, createScope({ variables }));
  const problems = [...diagnostics, ...evaluation.diagnostics];
  if (hasErrors(problems)) throw refused(template, problems.map(({ summary, detail }) => `${summary}: ${detail}`).join(" "));
  const text: unknown = toJs(convert(evaluation.value, string));
  return typeof text === "string" ? text : "";
}

function refused(template: string, reason: string): PluginHostError {
  return new PluginHostError("INVALID_CLI_CONFIG", `${JSON.stringify(template)} is not a valid repository template: ${reason}`);
}
