// SPDX-License-Identifier: Apache-2.0
import { CallObservation } from "@tenon/schema/observability";

/** Observes the calls that a provider of this SDK handles. */
export const callObservation: CallObservation = new CallObservation({
  channel: "tenon:provider:call",
  kind: "server",
  tracer: "@tenon/provider-sdk",
});
