// SPDX-License-Identifier: Apache-2.0
/**
 * Types and helpers that all carriers share. Loads no carrier.
 *
 * @module
 */
export { type CancellableStream, cancellableStream } from "./cancellable-stream.ts";
export {
  type CarrierClient,
  type CarrierClientOptions,
  type CarrierClientTls,
  type CarrierEnd,
  type CarrierServer,
  type CarrierServerOptions,
  type CarrierServerTls,
  type CarrierSession,
  type CreateCarrierServer,
  defaultMaxBytes,
  type LazySignal,
  type OpenCarrierClient,
  registration,
  type ServiceRegistration,
  sessionKey,
} from "./carrier.ts";
export {
  type RequestStruct,
  requestStructOf,
  structMapOf,
  structMapRegistration,
  type StructMap,
  type StructMapValue,
  type WithRequestStructs,
} from "./struct-map.ts";
export { ProtocolError, type ProtocolErrorCode } from "../error.ts";
export type { CarrierTap, TapEvent } from "./carrier-tap.ts";
