// SPDX-License-Identifier: Apache-2.0
import type { Diagnostic } from "@tenon/hcl";

/** Adds the valid namespaces to the error about an unknown function with a namespace. @see OpenTofu lang, enhanceFunctionDiag */
export function explainUnknownFunction(diagnostic: Diagnostic): Diagnostic {
  if (diagnostic.extra?.kind !== "unknownFunction" || diagnostic.extra.namespace === "") return diagnostic;
  const { name, namespace } = diagnostic.extra;
  const parts = namespace.split("::").filter((part) => part !== "");
  if (parts[0] === "core") {
    return { ...diagnostic, summary: "Call to unknown function", detail: `There is no builtin (core::) function named "${name}".` };
  }
  if (parts[0] === "provider") {
    if (parts.length === 2 || parts.length === 3) return diagnostic;
    const text = JSON.stringify(`${namespace}${name}`);
    const detail = `invalid provider function ${text}: expected provider::<name>::<function> or provider::<name>::<alias>::<function>`;
    return { ...diagnostic, summary: "Invalid function format", detail };
  }
  const detail = `Function ${JSON.stringify(`${namespace}${name}`)} does not exist within a valid namespace (provider,core)`;
  return { ...diagnostic, summary: "Unknown function namespace", detail };
}
