// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import type { Mutation } from "../../scripts/mutate/mutation.ts";
import { changeFunctions } from "../../scripts/mutate/rules/change-functions.ts";
import { coreRules } from "../../scripts/mutate/rules/core-rules.ts";
import { hostPitfalls } from "../../scripts/mutate/rules/host-pitfalls.ts";
import { lifecycleFunctions } from "../../scripts/mutate/rules/lifecycle-functions.ts";
import { providerRules } from "../../scripts/mutate/rules/provider-rules.ts";
import { root } from "./sources.ts";

const tables = { changeFunctions, coreRules, hostPitfalls, lifecycleFunctions, providerRules };

describe("the text of a mutation occurs once in its file", () => {
  test.for(Object.entries(tables))("%s", ([, mutations], { expect }) => {
    expect(mutations.filter((mutation) => occurrences(mutation) !== 1)).toEqual([]);
  });
});

function occurrences({ file, search }: Mutation): number {
  return readFileSync(join(root, file), "utf8").split(search).length - 1;
}
