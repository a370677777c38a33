// SPDX-License-Identifier: Apache-2.0
/**
 * Server of the reference carrier: Connect's gRPC over `node:http2`, from the optional peer dependency `@connectrpc/connect-node`.
 *
 * Importing this module rejects with a `ProtocolError` `DEPENDENCY_MISSING` when that package is not installed. Unbundled, it loads
 * `node:http`, which takes 24 ms: connect-node imports it at its top level. A bundler leaves that import out.
 *
 * @module
 */
import type { CreateCarrierServer } from "../carrier/carrier.ts";
import { importWithConnectNode } from "./optional-dependency.ts";

const implementation = await importWithConnectNode(() => import("./server.ts"));

/** Creates a server that does not listen itself: pass sockets to `accept`. */
export const createCarrierServer: CreateCarrierServer = implementation.createCarrierServer;
