// SPDX-License-Identifier: Apache-2.0
import type { EngineShape } from "./engine-configuration.ts";
import type { EngineSample } from "./engine-measurement.ts";

/**
 * The program that runs a task. `ours`: the engine with our provider in its process. `hosted`: the engine, which launches the Go provider.
 * `unjournaled`: like `ours`, without a journal. `floor`: only the Go client, with the Go provider. `tofu`: with the Go provider.
 */
export type Subject = "ours" | "hosted" | "unjournaled" | "floor" | "tofu";

/** A figure of a sample. `memory` is the largest resident memory. */
export type Figure = keyof EngineSample["times"] | "memory";

/** The source of one of the two figures of a row. */
export interface Source {
  readonly subject: Subject;
  /** If undefined, the task is the list of the stored state of {@link file://./engine-state.ts}. */
  readonly configuration?: { readonly shape: EngineShape; readonly count: number };
  readonly figure: Figure;
  /** The factor of the figure. Default: 1. */
  readonly scale?: number;
}

export interface Row {
  readonly ours: Source;
  readonly peer: Source;
}

function against(ours: Subject, peer: Subject, shape: EngineShape, count: number, figure: Figure): Row {
  const configuration = { shape, count };
  return { ours: { subject: ours, configuration, figure }, peer: { subject: peer, configuration, figure } };
}

/**
 * The rows of the benchmark, by name. The rows `chain-…` and `modules-…` are applies. The shape `fan`, with references between the instances of
 * two resources, is not compared with tofu, whose time grows with the square of their number: a plan of 1,000 instances takes tofu about 20 s.
 */
export const engineRows: Readonly<Record<string, Row>> = {
  "plan-1000": against("ours", "tofu", "flat", 1000, "plan"),
  "apply-1000": against("ours", "tofu", "flat", 1000, "apply"),
  "plan-5000": against("ours", "tofu", "flat", 5000, "plan"),
  "apply-5000": against("ours", "tofu", "flat", 5000, "apply"),
  "replan-5000": against("ours", "tofu", "flat", 5000, "replan"),
  "destroy-5000": against("ours", "tofu", "flat", 5000, "destroy"),
  "hosted-plan-5000": against("hosted", "tofu", "flat", 5000, "plan"),
  "hosted-apply-5000": against("hosted", "tofu", "flat", 5000, "apply"),
  "hosted-floor-5000": against("hosted", "floor", "flat", 5000, "apply"),
  "chain-1000": against("ours", "tofu", "chain", 1000, "apply"),
  "modules-100x20": against("ours", "tofu", "modules", 2000, "apply"),
  "load-state-50mb": { ours: { subject: "ours", figure: "list" }, peer: { subject: "tofu", figure: "list" } },
  "memory-5000": against("ours", "tofu", "flat", 5000, "memory"),
  "growth-plan": {
    ours: { subject: "ours", configuration: { shape: "fan", count: 20_000 }, figure: "plan" },
    peer: { subject: "ours", configuration: { shape: "fan", count: 5000 }, figure: "plan", scale: 4 },
  },
  "journal-5000": against("ours", "unjournaled", "flat", 5000, "applyAlone"),
};

/** Names the task of a source: sources with the same key are measured together. */
export function taskKey({ subject, configuration }: Source): string {
  return configuration === undefined ? `${subject}/state` : `${subject}/${configuration.shape}/${configuration.count}`;
}
