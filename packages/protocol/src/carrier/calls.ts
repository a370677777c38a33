// SPDX-License-Identifier: Apache-2.0
/**
 * Calls of any service, for packages that do not depend on the RPC library: errors of handlers, and clients.
 *
 * @module
 */
export { callErrorCode, callErrorDetail, createCallError, type CallErrorCode, type CallErrorDetail } from "./call-error.ts";
export { createServiceClient, type ServiceClient } from "./service-client.ts";
