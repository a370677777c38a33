// SPDX-License-Identifier: Apache-2.0
import { SdkError } from "../error.ts";

/** Complete source address of a provider. */
export interface SourceAddress {
  readonly host: string;
  readonly namespace: string;
  readonly type: string;
}

/**
 * Parses `host/namespace/type`.
 *
 * The host is required: Terraform and OpenTofu have different default hosts, and a mirror's folders contain the host.
 *
 * @throws SdkError `INVALID_PACKAGE_OPTION`.
 */
export function parseSourceAddress(text: string): SourceAddress {
  const [, host, namespace, type] =
    /^([a-z0-9.-]+(?::\d+)?)\/([a-z0-9](?:[a-z0-9_-]*[a-z0-9])?)\/([a-z0-9](?:[a-z0-9_-]*[a-z0-9])?)$/.exec(text) ?? [];
  if (host === undefined || namespace === undefined || type === undefined) {
    throw new SdkError(
      "INVALID_PACKAGE_OPTION",
      `${JSON.stringify(text)} is not a complete source address; write host/namespace/name in lower case`,
    );
  }
  return { host, namespace, type };
}
