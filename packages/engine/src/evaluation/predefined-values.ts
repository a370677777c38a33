// SPDX-License-Identifier: Apache-2.0
import { bool, mark, of, string, unknown, dynamic, type Value } from "@tenon/cty";
import { goQuote } from "@tenon/cty/unstable/payload";
import type { Diagnostic } from "@tenon/hcl";
import { didYouMean, similarName } from "@tenon/hcl/report";
import type { Reference } from "../address/reference.ts";
import { EPHEMERAL } from "../marks/value-marks.ts";
import type { ScopeData } from "./scope-data.ts";

/** The value of `count.index`, `each.key` or `each.value`. Where there is none, reports an error and returns unknown. */
export function repetitionValue(
  reference: Reference,
  { kind, name }: { readonly kind: "count" | "each"; readonly name: string },
  { countIndex, eachKey, eachValue }: ScopeData,
  diagnostics: Diagnostic[],
): Value {
  if (kind === "count") {
    if (name !== "index") {
      const detail = `The "count" object does not have an attribute named ${goQuote(name)}. The only supported attribute is count.index, which is the index of each instance of a resource block that has the "count" argument set.`;
      return invalidReference(diagnostics, reference, 'Invalid "count" attribute', detail);
    }
    if (countIndex !== undefined) return countIndex;
    const detail =
      'The "count" object can only be used in "module", "resource", and "data" blocks, and only when the "count" argument is set.';
    return invalidReference(diagnostics, reference, 'Reference to "count" in non-counted context', detail);
  }
  if (name !== "key" && name !== "value") {
    const detail = `The "each" object does not have an attribute named ${goQuote(name)}. The supported attributes are each.key and each.value, the current key and value pair of the "for_each" attribute set.`;
    return invalidReference(diagnostics, reference, 'Invalid "each" attribute', detail);
  }
  const value = name === "key" ? eachKey : eachValue;
  if (value !== undefined) return value;
  if (name === "value") {
    const detail =
      'A reference to "each.value" has been used in a context in which it is unavailable, such as when the configuration no longer contains the value in its "for_each" expression. Remove this reference to each.value in your configuration to work around this error.';
    return invalidReference(diagnostics, reference, "each.value cannot be used in this context", detail);
  }
  const detail = 'The "each" object can be used only in "module" or "resource" blocks, and only when the "for_each" argument is set.';
  return invalidReference(diagnostics, reference, 'Reference to "each" in context without for_each', detail);
}

/**
 * The value of `path.cwd`, `path.module` or `path.root`. For another name, reports an error and returns unknown.
 *
 * @param folders The folder of each name.
 */
export function pathValue(
  reference: Reference,
  name: string,
  folders: Readonly<Record<"cwd" | "module" | "root", string>>,
  diagnostics: Diagnostic[],
): Value {
  if (name === "cwd" || name === "module" || name === "root") return of(string, folders[name]);
  const similar = similarName(name, Object.keys(folders));
  const advice = didYouMean(similar);
  const detail = `The "path" object does not have an attribute named ${goQuote(name)}.${advice}`;
  return invalidReference(diagnostics, reference, 'Invalid "path" attribute', detail);
}

/** The value of an attribute of `terraform` or `tofu`. For another name, reports an error and returns unknown. */
export function terraformValue(
  reference: Reference,
  { alias, name }: { readonly alias: string; readonly name: string },
  { workspace, isApplying }: { readonly workspace: string; readonly isApplying: boolean },
  diagnostics: Diagnostic[],
): Value {
  if (name === "workspace") return of(string, workspace);
  if (name === "applying") return mark(of(bool, isApplying), EPHEMERAL);
  const detail =
    name === "env"
      ? `The ${alias}.env attribute was deprecated in v0.10 and removed in v0.12. The "state environment" concept was renamed to "workspace" in v0.12, and so the workspace name can now be accessed using the ${alias}.workspace attribute.`
      : `The ${goQuote(alias)} object does not have an attribute named ${goQuote(name)}. The only supported attribute is ${alias}.workspace, the name of the currently-selected workspace.`;
  return invalidReference(diagnostics, reference, `Invalid ${goQuote(alias)} attribute`, detail);
}

/** Reports an error about a reference, and returns unknown. */
export function invalidReference(diagnostics: Diagnostic[], { range }: Reference, summary: string, detail: string): Value {
  diagnostics.push({ severity: "error", summary, detail, subject: range });
  return unknown(dynamic);
}
