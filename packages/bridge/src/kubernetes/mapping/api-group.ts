// SPDX-License-Identifier: Apache-2.0
import { BridgeError } from "../../error.ts";

/** Checks that a text is a valid API group: a domain name of at least two parts. @throws BridgeError `INVALID_ARGUMENTS` */
export function assertGroup(text: string): void {
  const label = "[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?";
  if (text.length <= 253 && new RegExp(`^${label}(?:\\.${label})+$`).test(text)) return;
  throw new BridgeError(
    "INVALID_ARGUMENTS",
    `${JSON.stringify(text)} is not an API group: use a domain name of at least two parts in lower case, such as time.example.org`,
  );
}
