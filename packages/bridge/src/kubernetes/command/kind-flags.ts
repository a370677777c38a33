// SPDX-License-Identifier: Apache-2.0
import { readFile } from "node:fs/promises";
import { parse } from "yaml";
import { BridgeError } from "../../error.ts";
import { isApiVersion } from "../mapping/kind-version.ts";
import type { KindScope } from "../mapping/mapping.ts";
import { readResourceRules } from "../mapping/read-resource-rules.ts";
import type { ResourceRules } from "../mapping/resource-rules.ts";
import { invalidArguments, type Flags } from "./flags.ts";

/** The arguments about the kinds of a provider. */
export interface KindArguments {
  readonly group: string;
  readonly version: string;
  readonly scope: KindScope;
  readonly categories: readonly string[];
  /** Path of a file with rules by resource type, as YAML or JSON. */
  readonly rules?: string;
}

/** The flags about kinds, each with a value. */
export const kindFlags: readonly string[] = ["--group", "--api-version", "--scope", "--category", "--rules"];

/** Usage text of these flags. */
export const kindUsage: string = `  --group <group>      API group of all kinds, such as time.example.org
  --api-version <v>    version of the definitions without a version of their own in the rules; default: v1alpha1
  --scope <scope>      Namespaced (default) or Cluster
  --category <name>    category for kubectl get, beside managed; may be repeated
  --rules <file>       YAML or JSON with rules by resource type`;

/** Reads the flags about kinds. @throws BridgeError `INVALID_ARGUMENTS` */
export function readKindArguments({ all, last }: Flags): KindArguments {
  const group = last("--group");
  if (group === undefined) throw invalidArguments("the flag --group is missing: it names the API group, such as time.example.org");
  const rules = last("--rules");
  return {
    group,
    version: versionOf(last("--api-version") ?? "v1alpha1"),
    scope: scopeOf(last("--scope") ?? "Namespaced"),
    categories: ["managed", ...all("--category")],
    ...(rules === undefined ? {} : { rules }),
  };
}

/** Reads a file of rules. @throws BridgeError `INVALID_ARGUMENTS` */
export async function readRulesFile(path: string | undefined): Promise<Readonly<Record<string, ResourceRules>>> {
  return path === undefined ? {} : readResourceRules(await readDataFile(path, "the file of rules"));
}

/** Reads a file of YAML or JSON. @throws BridgeError `INVALID_ARGUMENTS` */
export async function readDataFile(path: string, what: string): Promise<unknown> {
  try {
    return parse(await readFile(path, "utf8"));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new BridgeError("INVALID_ARGUMENTS", `${what} ${path} cannot be read: ${reason}`, { cause });
  }
}

function versionOf(text: string): string {
  if (!isApiVersion(text)) {
    throw invalidArguments(`${text} is not an API version: use one such as v1, v1beta2 or v1alpha1`);
  }
  return text;
}

function scopeOf(text: string): KindScope {
  if (text !== "Namespaced" && text !== "Cluster") throw invalidArguments(`the scope must be Namespaced or Cluster, but is ${text}`);
  return text;
}
