// SPDX-License-Identifier: Apache-2.0
import { colourStyle, plainStyle, type DifferenceStyle } from "@tenon/schema/difference";

/** Style of a plan's text. */
export interface PlanStyle extends DifferenceStyle {
  /** Escape sequences by name; without colours, they are empty. */
  readonly codes: Readonly<Record<"bold" | "cyan" | "green" | "red" | "reset" | "yellow", string>>;
}

/** Text without colours. */
export const plainPlanStyle: PlanStyle = {
  ...plainStyle,
  codes: { bold: "", cyan: "", green: "", red: "", reset: "", yellow: "" },
};

const code = (number: number): string => `\u001B[${number}m`;

/** Text with the colours of OpenTofu. */
export const coloredPlanStyle: PlanStyle = {
  ...colourStyle,
  codes: { bold: code(1), cyan: code(36), green: code(32), red: code(31), reset: code(0), yellow: code(33) },
};
