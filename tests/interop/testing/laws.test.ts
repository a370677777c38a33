// SPDX-License-Identifier: Apache-2.0
import { checkResource } from "@tenon/testing/laws";
import { afterAll, describe, test, vi } from "vitest";
import { lawSubjects } from "./law-subjects.ts";

vi.setConfig({ testTimeout: 600_000 });

describe("resources of correct providers follow the laws", () => {
  const { subjects, remove } = lawSubjects();
  afterAll(remove);
  for (const { typeName, provider, options } of subjects) {
    test(typeName, async () => {
      await checkResource(provider, typeName, options);
    });
  }
});
