// SPDX-License-Identifier: Apache-2.0

/** What a client is to measure, as tests/peers/rpc-client/measure.go says; bytes are base64. */
export interface HostMeasurement {
  /** Absent: only the start is measured. */
  readonly typeName?: string;
  readonly priorState?: string;
  readonly proposedNewState?: string;
  readonly config?: string;
  readonly plain?: boolean;
  readonly inFlight?: number;
  readonly seconds?: number;
  readonly warmup?: number;
  readonly calls?: number;
}

/** What came of it, as measure.go says. */
export interface HostMeasured {
  readonly firstSchemaMs: number;
  readonly calls: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly residentKiB: number;
  readonly plannedState: string | null;
}
