// SPDX-License-Identifier: Apache-2.0
import { SdkError } from "../error.ts";

/** Where a provider comes from, in full. */
export interface SourceAddress {
  readonly host: string;
  readonly namespace: string;
  readonly type: string;
}

/**
 * Reads `host/namespace/type`.
 *
 * The host must be there: Terraform and OpenTofu fill in different ones, and a mirror's folders are named for it.
 *
 * @throws SdkError `INVALID_PACKAGE_OPTION`.
 */
export function parseSourceAddress(text: string): SourceAddress {
  const [, host, namespace, type] =
    /^([a-z0-9.-]+(?::\d+)?)\/([a-z0-9](?:[a-z0-9_-]*[a-z0-9])?)\/([a-z0-9](?:[a-z0-9_-]*[a-z0-9])?)$/.exec(text) ?? [];
  if (host === undefined || namespace === undefined || type === undefined) {
    throw new SdkError("INVALID_PACKAGE_OPTION", `${JSON.stringify(text)} is no address in full; write host/namespace/name in lower case`);
  }
  return { host, namespace, type };
}
