// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, test } from "vitest";
import { ourAnswer, rules, type RuleAnswer, type RuleCase } from "../../test/differential/rule-case.ts";

// What OpenTofu 1.12.6 answered to random schemas and values, recorded with test/differential/compare.ts --seed 1 --cases 900.
const file = new URL("../../test/fixtures/opentofu-1.12.6.jsonl.gz", import.meta.url);
const recorded = gunzipSync(readFileSync(file))
  .toString("utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as RuleCase & { readonly answer: RuleAnswer });

describe("answers as OpenTofu does", () => {
  test.for(rules)("%s", (rule, { expect }) => {
    const cases = recorded.filter((asked) => asked.op === rule);
    expect(cases.length).toBeGreaterThan(100);
    for (const asked of cases) expect(ourAnswer(asked), JSON.stringify(asked)).toEqual(asked.answer);
  });
});
