// SPDX-License-Identifier: Apache-2.0
import { CallObservation } from "@tenon/schema/observability";

/** Name of the instrumentation in OpenTelemetry. */
export const tracer = "@tenon/plugin-host";

/** Observation of the calls that a host makes. */
export const calling: CallObservation = new CallObservation({ channel: "tenon:host:call", kind: "client", tracer });
