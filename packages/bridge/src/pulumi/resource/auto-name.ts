// SPDX-License-Identifier: Apache-2.0
import { hasAutoName, nameProperty } from "../mapping/auto-named.ts";
import type { ObjectMapping } from "../mapping/mapping.ts";
import type { PropertyMap, PropertyValue } from "../property/property-value.ts";

/** The engine's options for names. */
export interface AutonamingOptions {
  readonly proposedName: string;
  readonly mode: "propose" | "enforce" | "disable";
}

/** The data from which a name is made. */
export interface NameSource {
  /** Name of the resource in the program. */
  readonly resourceName: string;
  /** Random bytes that are the same whenever the same change is checked. */
  readonly randomSeed: Uint8Array;
  /** Inputs of the existing resource; empty for a new one. */
  readonly oldInputs: PropertyMap;
  /** Outputs of the existing resource; empty if the engine does not send them. */
  readonly oldOutputs: PropertyMap;
  readonly autonaming: AutonamingOptions | undefined;
}

/** Maximum length of a chosen name, in characters. */
const maxNameLength = 255;

/** Number of random hexadecimal digits at the end of a name. */
const suffixDigits = 7;

/**
 * Sets the property `name`, if the type has it as a text and the program does not set it: to the name of the resource and seven random digits. An
 * existing resource keeps its name.
 *
 * @see pulumi-terraform-bridge pkg/tfbridge/auto_name.go
 */
export function withAutoName(mapping: ObjectMapping, inputs: PropertyMap, source: NameSource): PropertyMap {
  if (!hasAutoName(mapping) || isSet(inputs.get(nameProperty))) return inputs;
  const name = priorName(source) ?? newName(source);
  return name === undefined ? inputs : new Map([...inputs, [nameProperty, name]]);
}

/** Name of the existing resource. A replacement has no old inputs, and does not keep the name. */
function priorName({ oldInputs, oldOutputs }: NameSource): PropertyValue | undefined {
  if (oldInputs.size === 0) return undefined;
  return oldInputs.get(nameProperty) ?? oldOutputs.get(nameProperty);
}

/** Whether the program chose the name in the inputs. Then an object with the same name can be created only after the old one is deleted. */
export function hasOwnName(mapping: ObjectMapping, inputs: PropertyMap, resourceName: string): boolean {
  const name = inputs.get(nameProperty);
  if (!hasAutoName(mapping) || typeof name !== "string") return false;
  return !(name.startsWith(`${resourceName}-`) && /^-[0-9a-f]{7}$/.test(name.slice(-1 - suffixDigits)));
}

function newName({ resourceName, randomSeed, autonaming }: NameSource): string | undefined {
  if (autonaming?.mode === "disable") return undefined;
  if (autonaming !== undefined && autonaming.proposedName !== "") return autonaming.proposedName;
  const suffix = Buffer.from(randomSeed).toString("hex").slice(0, suffixDigits);
  // Without a seed, the name has no suffix, because a random one would change with each check.
  if (suffix.length < suffixDigits) return resourceName;
  return `${resourceName.slice(0, maxNameLength - suffixDigits - 1)}-${suffix}`;
}

function isSet(value: PropertyValue | undefined): boolean {
  return value !== undefined && value !== null;
}
