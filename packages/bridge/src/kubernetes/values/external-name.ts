// SPDX-License-Identifier: Apache-2.0
import { isKnown, isNull, string, type Value } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { BridgeError } from "../../error.ts";
import type { KindMapping } from "../mapping/mapping.ts";
import { attributeOf } from "../../value-parts.ts";

/** Returns the external name of a resource from its state; undefined if the state has none. */
export function externalNameOf({ rules }: Pick<KindMapping, "rules">, state: Value): string | undefined {
  const value = attributeOf(state, rules.externalName?.attribute ?? "id");
  return value === undefined ? undefined : textOf(value);
}

/**
 * Returns the identifier with which the provider imports a resource.
 *
 * @param configuration - Configuration of the resource. The template of the rule may contain its attributes.
 * @throws BridgeError `INVALID_OBJECT` if the template contains an attribute that is not set, or that is no string, number or boolean.
 */
export function importIdOf(
  { rules, typeName }: Pick<KindMapping, "rules" | "typeName">,
  externalName: string,
  configuration: Value,
): string {
  const template = rules.externalName?.importId ?? "{external_name}";
  return template.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => {
    if (name === "external_name") return externalName;
    const value = attributeOf(configuration, name);
    const text = value && textOf(value);
    if (text === undefined) {
      throw new BridgeError(
        "INVALID_OBJECT",
        `a ${typeName} cannot be imported: its identifier ${template} needs ${name}, which is not set`,
      );
    }
    return text;
  });
}

/** Text of a known string, number or boolean; undefined for other values. */
function textOf(value: Value): string | undefined {
  const isPrimitive = value.type.kind === "string" || value.type.kind === "number" || value.type.kind === "bool";
  if (!isPrimitive || !isKnown(value) || isNull(value)) return undefined;
  return convert(value, string).payload as string;
}
