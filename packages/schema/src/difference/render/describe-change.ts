// SPDX-License-Identifier: Apache-2.0
import { plainStyle, type DifferenceStyle } from "./difference-style.ts";

/** Action on a resource, and the reason for a replacement. */
export interface DescribedChange {
  readonly action: "create" | "read" | "update" | "replace" | "delete";
  readonly reason?: "cannotUpdate" | "tainted" | "requested" | "triggered";
}

/** Returns the comment above a difference: `  # note.example will be updated in-place`. */
export function describeChange(address: string, { action, reason }: DescribedChange, style: DifferenceStyle = plainStyle): string {
  const start = style.strong(`  # ${address}`);
  switch (action) {
    case "create":
      return `${start} will be created`;
    case "read":
      return `${start} will be read during apply`;
    case "update":
      return `${start} will be updated in-place`;
    case "delete":
      return `${start} will be ${style.strong(style.deleted("destroyed"))}`;
    default: {
      const replaced = style.strong(style.deleted("replaced"));
      if (reason === "tainted") return `${start} is tainted, so it must be ${replaced}`;
      if (reason === "requested") return `${start} will be ${replaced}, as requested`;
      return reason === "triggered"
        ? `${start} will be ${replaced} due to changes in replace_triggered_by`
        : `${start} must be ${replaced}`;
    }
  }
}
