// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, test } from "vitest";
import { ourResult, rules, type RuleResult, type RuleCase } from "./rule-case.ts";

// Results of OpenTofu 1.12.6 for random schemas and values, recorded with test/differential/compare.ts --seed 1 --cases 900.
const file = new URL("../fixtures/opentofu-1.12.6.jsonl.gz", import.meta.url);
const recorded = gunzipSync(readFileSync(file))
  .toString("utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as RuleCase & { readonly answer: RuleResult });

describe("change rules", () => {
  test.for(rules)("%s returns the results of OpenTofu", (rule, { expect }) => {
    const cases = recorded.filter((recordedCase) => recordedCase.op === rule);
    expect(cases.length).toBeGreaterThan(100);
    for (const recordedCase of cases) expect(ourResult(recordedCase), JSON.stringify(recordedCase)).toEqual(recordedCase.answer);
  });
});
