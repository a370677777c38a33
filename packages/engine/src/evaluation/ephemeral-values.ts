// SPDX-License-Identifier: Apache-2.0
import type { Path, Value } from "@tenon/cty";
import { unmarkDeepWithPaths } from "@tenon/cty/paths";
import { goQuote } from "@tenon/cty/unstable/payload";
import type { Body, Diagnostic } from "@tenon/hcl";
import { attributeAt, type Block } from "@tenon/schema";
import { valuePathText } from "../configuration/value-path.ts";
import { containsMarkOf, EPHEMERAL } from "../marks/value-marks.ts";
import { rangeOfAttribute } from "../provider/provider-diagnostic.ts";

/**
 * Errors about ephemeral values in attributes that are stored: all except write-only ones.
 *
 * @see OpenTofu lang/eval.go, validEphemeralReferences
 */
export function misplacedEphemeralValues(value: Value, schema: Block, body: Body): readonly Diagnostic[] {
  if (!containsMarkOf(value, EPHEMERAL)) return [];
  return unmarkDeepWithPaths(value)[1].flatMap(({ path, marks }) => {
    if (!marks.has(EPHEMERAL)) return [];
    const attribute = nearestAttribute(schema, path);
    if (attribute !== undefined && attributeAt(schema, attribute)?.writeOnly === true) return [];
    const shown = attribute ?? path;
    const detail = `Attribute ${goQuote(valuePathText(shown))} is referencing an ephemeral value but ephemeral values can be referenced only by other ephemeral attributes or by write-only ones.`;
    const subject = rangeOfAttribute(body, shown);
    return [{ severity: "error" as const, summary: "Ephemeral value used in non-ephemeral context", detail, ...(subject && { subject }) }];
  });
}

/** The path of the attribute that contains the value at a path. The schema has no paths inside of an attribute of a dynamic type. */
function nearestAttribute(schema: Block, path: Path): Path | undefined {
  for (let length = path.length; length > 0; length--) {
    const start = path.slice(0, length);
    if (attributeAt(schema, start) !== undefined) return start;
  }
  return undefined;
}
