// SPDX-License-Identifier: Apache-2.0
import type { CallName } from "@tenon/schema";

/** Whether a schema describes parts of the call's messages. */
export function needsSchema(method: CallName): boolean {
  return !["getMetadata", "getProviderSchema", "getResourceIdentitySchemas", "getFunctions", "callFunction", "stop"].includes(method);
}
