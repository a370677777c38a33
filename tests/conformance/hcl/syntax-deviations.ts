// SPDX-License-Identifier: Apache-2.0
import type { Answer, Case, Json } from "../cty/notation.ts";
import type { OwnAnswer } from "./subject.ts";

/** A range to line 0, with or without the name of a file that is not the first, or as a text. */
const endsNowhere = /\[0,0,0\](?:,"[^"]*")?\]|:\d+,\d+-0,0"/;

/** Where the parser does otherwise than the Go library's, on purpose. Only sources with errors are concerned. */
export const syntaxDeviations: readonly {
  readonly name: string;
  readonly why: string;
  readonly covers: (asked: Case, theirs: Answer, ours: OwnAnswer) => boolean;
}[] = [
  {
    name: "unclosed-call",
    why: "A function call that is never closed ends, for the Go library, before the file begins: at line 0. For us it ends where it was given up.",
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
