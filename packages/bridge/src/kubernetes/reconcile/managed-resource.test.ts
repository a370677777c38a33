// SPDX-License-Identifier: Apache-2.0
import { test } from "vitest";
import { annotations, creationEndTime, creationTime, isCreateIncomplete, isCreationUnsent } from "./managed-resource.ts";

test("a creation is later than earlier ones, also those of a replica whose clock is fast", ({ expect }) => {
  const owner = (values: Readonly<Record<string, string>>) => ({
    apiVersion: "x/v1",
    kind: "X",
    metadata: { name: "x", annotations: values },
  });
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  const earlier = { [annotations.createPending]: tomorrow, [annotations.createSucceeded]: tomorrow };
  const begun = creationTime(owner(earlier));
  expect(Date.parse(begun)).toBe(Date.parse(tomorrow) + 1);
  // Announced in the stored state, and not sent: the annotations name the earlier one.
  expect(isCreationUnsent(owner(earlier), begun)).toBe(true);

  const sent = { ...earlier, [annotations.createPending]: begun };
  expect([isCreateIncomplete(owner(sent)), isCreationUnsent(owner(sent), begun)]).toEqual([true, false]);
  const ended = { ...sent, [annotations.createSucceeded]: creationEndTime(owner(sent)) };
  expect(isCreateIncomplete(owner(ended))).toBe(false);
});
