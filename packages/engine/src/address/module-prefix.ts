// SPDX-License-Identifier: Apache-2.0
import type { Diagnostic, SourceRange, Traversal } from "@tenon/hcl";
import { addressError } from "./address-diagnostic.ts";
import { instanceKeyOf } from "./instance-key.ts";
import type { ModuleStep } from "./module.ts";

/** The module at the start of a traversal, and the remaining steps, whose first is a root step again. */
export interface ModulePrefix {
  readonly module: readonly ModuleStep[];
  readonly remain: Traversal;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads the `module.name[key]` steps at the start of a traversal. @see OpenTofu addrs, parseModuleInstancePrefix */
export function modulePrefixOf(traversal: Traversal): ModulePrefix {
  const module: ModuleStep[] = [];
  const diagnostics: Diagnostic[] = [];
  let at = 0;
  while (at < traversal.length) {
    const name = moduleNameAt(traversal, at);
    if (typeof name === "object") diagnostics.push(...name.diagnostics);
    if (typeof name !== "string" || diagnostics.length > 0) break;
    at += 2;
    const step = traversal[at];
    if (step?.kind !== "index") {
      module.push({ name });
      continue;
    }
    at++;
    const { key, reason } = instanceKeyOf(step.key);
    if (key === undefined) {
      const isNumber = step.key.type.kind === "number";
      const detail = isNumber ? `Invalid module index: ${reason}.` : "Invalid module key: must be either a string or an integer.";
      diagnostics.push(...addressError("Invalid address operator", detail, step.range).diagnostics);
      module.push({ name });
    } else module.push({ name, key });
  }
  return { module, remain: fromName(traversal, at), diagnostics };
}

/** Reads the `module.name` steps at the start of a traversal. Keys are errors. @see OpenTofu addrs, parseModulePrefix */
export function modulePathPrefixOf(traversal: Traversal): {
  readonly module: readonly string[];
  readonly remain: Traversal;
  readonly diagnostics: readonly Diagnostic[];
} {
  const module: string[] = [];
  let at = 0;
  while (at < traversal.length) {
    const name = moduleNameAt(traversal, at);
    if (name === undefined) break;
    if (typeof name !== "string") return { module, remain: [], ...name };
    at += 2;
    const step = traversal[at];
    if (step?.kind === "index") {
      const detail = 'Module address cannot be a module instance (e.g. "module.a[0]"), it must be a module instead (e.g. "module.a").';
      return { module, remain: [], ...addressError("Module instance address with keys is not allowed", detail, step.range) };
    }
    module.push(name);
  }
  return { module, remain: fromName(traversal, at), diagnostics: [] };
}

/** The name after `module` at an index of a traversal; undefined if the step at the index is another name. */
function moduleNameAt(traversal: Traversal, at: number): string | undefined | { readonly diagnostics: readonly [Diagnostic] } {
  const introducer = traversal[at];
  const fault = (detail: string, range: SourceRange | undefined) => addressError("Invalid address operator", detail, range);
  if (introducer?.kind !== "root" && introducer?.kind !== "attribute") {
    return fault("Module address prefix must be followed by dot and then a name.", introducer?.range);
  }
  if (introducer.name !== "module") return undefined;
  const next = traversal[at + 1];
  if (next?.kind === "attribute") return next.name;
  return fault('Prefix "module." must be followed by a module name.', (next ?? introducer).range);
}

/** The steps from an index on, with a root step for the first name. */
function fromName(traversal: Traversal, at: number): Traversal {
  if (at === 0) return traversal;
  const [first, ...rest] = traversal.slice(at);
  if (first?.kind !== "attribute") return first === undefined ? [] : [first, ...rest];
  return [{ kind: "root", name: first.name, range: first.range }, ...rest];
}
