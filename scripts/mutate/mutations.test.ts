// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import type { Mutation } from "./mutation.ts";
import { changeFunctions } from "./rules/change-functions.ts";
import { coreRules } from "./rules/core-rules.ts";
import { hostPitfalls } from "./rules/host-pitfalls.ts";
import { kubernetesRules } from "./rules/kubernetes-rules.ts";
import { lifecycleFunctions } from "./rules/lifecycle-functions.ts";
import { providerRules } from "./rules/provider-rules.ts";

const root = join(import.meta.dirname, "../..");
const tables = { changeFunctions, coreRules, hostPitfalls, kubernetesRules, lifecycleFunctions, providerRules };

describe("the text of a mutation occurs once in its file", () => {
  test.for(Object.entries(tables))("%s", ([, mutations], { expect }) => {
    expect(mutations.filter((mutation) => occurrences(mutation) !== 1)).toEqual([]);
  });
});

function occurrences({ file, search }: Mutation): number {
  return readFileSync(join(root, file), "utf8").split(search).length - 1;
}
