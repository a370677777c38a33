// SPDX-License-Identifier: Apache-2.0
import { isNull, type CtyError, type Path } from "@tenon/cty";
import { goQuote, isNumberPayload, isUnknownPayload, numberText, unmarkedPayload } from "@tenon/cty/unstable/payload";

/** Formats a path into a value as in OpenTofu's diagnostics: `.rule[0].tags["a"]`. @see OpenTofu tfdiags.FormatCtyPath */
export function valuePathText(path: Path): string {
  return path.map((step) => (step.kind === "attribute" ? `.${step.name}` : `[${keyText(step.key)}]`)).join("");
}

function keyText(key: Extract<Path[number], { kind: "index" }>["key"]): string {
  if (isNull(key)) return "null";
  const payload = unmarkedPayload(key.payload);
  if (isUnknownPayload(payload)) return "(not yet known)";
  if (typeof payload === "string") return goQuote(payload);
  return isNumberPayload(payload) ? numberText(payload) : "...";
}

/** Formats the error of a conversion with its path. @see OpenTofu tfdiags.FormatError */
export function conversionText({ message, path }: CtyError): string {
  return path.length === 0 ? message : `${valuePathText(path)}: ${message}`;
}
