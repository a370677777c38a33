// SPDX-License-Identifier: Apache-2.0
import { checkResource } from "@tenon/testing/laws";
import { afterAll, describe, test, vi } from "vitest";
import { lawSubjects } from "./law-subjects.ts";

vi.setConfig({ testTimeout: 600_000 });

/** Set by `npm run mutate -- laws`, which needs the first violation only, and not its simplest case. */
const isMutated = process.env["TENON_MUTATED_LAWS"] === "1";

describe("resources of correct providers follow the laws", () => {
  const { subjects, remove } = lawSubjects();
  afterAll(remove);
  let hasFailed = false;
  for (const { typeName, provider, options } of subjects) {
    test(typeName, async (context) => {
      if (isMutated && hasFailed) context.skip();
      hasFailed = true;
      await checkResource(provider, typeName, { ...options, ...(isMutated ? { cases: 20, shrinks: 0 } : {}) });
      hasFailed = false;
    });
  }
});
