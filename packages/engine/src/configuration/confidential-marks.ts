// SPDX-License-Identifier: Apache-2.0
import type { Mark } from "@tenon/cty";
import { EPHEMERAL, SENSITIVE } from "../marks/value-marks.ts";

/** The marks of values that must not be shown, with the words for them in diagnostics. */
export const confidentialMarks: readonly { readonly mark: Mark; readonly word: string; readonly adjective: string }[] = [
  { mark: SENSITIVE, word: "Sensitive", adjective: "sensitive" },
  { mark: EPHEMERAL, word: "Ephemeral", adjective: "ephemeral" },
];
