// SPDX-License-Identifier: Apache-2.0
import { CallObservation } from "@tenon/schema/observability";

/** Calls that a provider of this SDK answers. */
export const answering: CallObservation = new CallObservation({
  channel: "tenon:provider:call",
  kind: "server",
  tracer: "@tenon/provider-sdk",
});
