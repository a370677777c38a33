// SPDX-License-Identifier: Apache-2.0
import { BridgeError } from "../../error.ts";
import { parseProviderArguments, providerUsage, type ProviderSelection } from "../../provider/provider-selection.ts";
import type { KindScope } from "../mapping/mapping.ts";

/** What `tenon-kubernetes-definitions` prints. */
export interface PrintOptions {
  /** Provider, and its resource types: `includes` and `excludes`. */
  readonly selection: ProviderSelection;
  readonly group: string;
  readonly version: string;
  readonly scope: KindScope;
  readonly categories: readonly string[];
  /** Path of a file with rules by resource type, as YAML or JSON. */
  readonly rules?: string;
  /** `yaml`: definitions. `typescript`: types for programs. */
  readonly format: "yaml" | "typescript";
}

/** Text about the arguments of the command. */
export const definitionUsage: string = `tenon-kubernetes-definitions <provider> --group <API group> [options]

  <provider>           ${providerUsage}
  --group <group>      API group of all kinds, such as time.example.org
  --api-version <v>    version of the definitions; default: v1alpha1
  --scope <scope>      Namespaced (default) or Cluster
  --category <name>    category for kubectl get, beside managed; may be repeated
  --rules <file>       YAML or JSON with rules by resource type
  --typescript         prints TypeScript types instead of definitions`;

const flagsWithValue = ["--group", "--api-version", "--scope", "--category", "--rules"] as const;
type Flag = (typeof flagsWithValue)[number];

/**
 * Reads the arguments of the command.
 *
 * @throws BridgeError `INVALID_ARGUMENTS`
 */
export function readPrintOptions(args: readonly string[]): PrintOptions {
  const values: Record<Flag, string[]> = { "--group": [], "--api-version": [], "--scope": [], "--category": [], "--rules": [] };
  const others: string[] = [];
  let format: PrintOptions["format"] = "yaml";
  for (let at = 0; at < args.length; at += 1) {
    const [flag = "", ...inline] = args[at]!.split("=");
    if (args[at] === "--typescript") format = "typescript";
    else if (flag in values) {
      const value = inline.length > 0 ? inline.join("=") : args[(at += 1)];
      if (value === undefined || value === "") throw invalid(`the flag ${flag} needs a value`);
      values[flag as Flag].push(value);
    } else others.push(args[at]!);
  }
  const last = (flag: Flag): string | undefined => values[flag].at(-1);
  const group = last("--group");
  if (group === undefined) throw invalid("the flag --group is missing: it names the API group, such as time.example.org");
  const rules = last("--rules");
  return {
    selection: parseProviderArguments(others),
    group,
    version: versionOf(last("--api-version") ?? "v1alpha1"),
    scope: scopeOf(last("--scope") ?? "Namespaced"),
    categories: ["managed", ...values["--category"]],
    format,
    ...(rules === undefined ? {} : { rules }),
  };
}

function versionOf(text: string): string {
  if (!/^v[1-9][0-9]*(?:(?:alpha|beta)[1-9][0-9]*)?$/.test(text)) throw invalid(`${text} is no version, such as v1, v1beta2 or v1alpha1`);
  return text;
}

function scopeOf(text: string): KindScope {
  if (text !== "Namespaced" && text !== "Cluster") throw invalid(`the scope must be Namespaced or Cluster, and not ${text}`);
  return text;
}

function invalid(problem: string): BridgeError {
  return new BridgeError("INVALID_ARGUMENTS", `${problem}; see --help`);
}
