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
  const project = urn.indexOf("::");
  const types = project === -1 ? -1 : urn.indexOf("::", project + 2);
  const name = types === -1 ? -1 : urn.indexOf("::", types + 2);
  if (name === -1 || !urn.startsWith("urn:pulumi:")) throw new BridgeError("INVALID_REQUEST", `${JSON.stringify(urn)} is not a URN`);
  const type = urn.lastIndexOf("$", name - 1);
  return { token: urn.slice(type > types ? type + 1 : types + 2, name), name: urn.slice(name + 2) };
}
