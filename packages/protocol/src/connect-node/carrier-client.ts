// SPDX-License-Identifier: Apache-2.0
/**
 * Client of the reference carrier: Connect's gRPC over `node:http2`, from the optional peer dependency `@connectrpc/connect-node`.
 *
 * Importing this module rejects with a `ProtocolError` `DEPENDENCY_MISSING` when that package is not installed. Node 24.20 and later
 * and 26.3 and later break this client under load (nodejs/node#65677); 24.19 does not.
 *
 * @module
 */
import type { OpenCarrierClient } from "../carrier/carrier.ts";
import { importWithConnectNode } from "./optional-dependency.ts";

const implementation = await importWithConnectNode(() => import("./client.ts"));

/** Opens one connection to a plugin. Returns immediately: calls wait until the connection is established. */
export const openCarrierClient: OpenCarrierClient = implementation.openCarrierClient;
