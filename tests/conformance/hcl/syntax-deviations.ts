// SPDX-License-Identifier: Apache-2.0
import type { OracleResult, Case, Json } from "../cty/notation.ts";
import type { OwnResult } from "./subject.ts";

/** A range that ends at line 0, with or without a file name, or written as text. */
const endsNowhere = /\[0,0,0\](?:,"[^"]*")?\]|:\d+,\d+-0,0"/;

/** Intended differences from the Go library's parser; only sources with errors are affected. */
export const syntaxDeviations: readonly {
  readonly name: string;
  readonly why: string;
  readonly covers: (input: Case, theirs: OracleResult, ours: OwnResult) => boolean;
}[] = [
  {
    name: "unclosed-call",
    why: "An unclosed function call ends at line 0 in the Go library. Ours ends where the parser stopped reading it.",
    covers: ({ op }, theirs, ours) => {
      const part = (answer: object, name: string): string => JSON.stringify(((answer as { ok?: Record<string, Json> }).ok ?? {})[name]);
      if (op === "at")
        return (
          part(theirs, "blocks") === part(ours, "blocks") &&
          part(theirs, "attribute") === part(ours, "attribute") &&
          part(ours, "outermost") !== undefined
        );
      return endsNowhere.test(JSON.stringify(theirs)) && part(theirs, "diagnostics") === part(ours, "diagnostics");
    },
  },
];
