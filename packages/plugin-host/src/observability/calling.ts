// SPDX-License-Identifier: Apache-2.0
import { CallObservation } from "@tenon/schema/observability";

/** What OpenTelemetry calls the instrumentation. */
export const tracer = "@tenon/plugin-host";

/** Calls that a host makes. */
export const calling: CallObservation = new CallObservation({ channel: "tenon:host:call", kind: "client", tracer });
