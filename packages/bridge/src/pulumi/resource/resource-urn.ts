// SPDX-License-Identifier: Apache-2.0
import { BridgeError } from "../../error.ts";

/** Parts of a resource's URN that operations need. */
export interface ResourceUrn {
  /** Token of the type, such as `random:index/pet:Pet`. */
  readonly token: string;
  /** Name that the program gave the resource. */
  readonly name: string;
}

/**
 * Parses `urn:pulumi:<stack>::<project>::<parent types>$<type>::<name>`. The name may contain `::`.
 *
 * @throws BridgeError `INVALID_REQUEST`
 */
export function parseUrn(urn: string): ResourceUrn {
  const [, , types, ...names] = urn.split("::");
  if (!urn.startsWith("urn:pulumi:") || types === undefined || names.length === 0) {
    throw new BridgeError("INVALID_REQUEST", `${JSON.stringify(urn)} is not a URN`);
  }
  return { token: types.slice(types.lastIndexOf("$") + 1), name: names.join("::") };
}
