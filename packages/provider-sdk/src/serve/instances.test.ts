// SPDX-License-Identifier: Apache-2.0
import type { Provider } from "@tenon/schema";
import { test } from "vitest";
import { instancePerSession, sharedInstance } from "./instances.ts";

/** Instances that say when they are closed; nothing else is asked of them. */
function counted(): { readonly create: () => Provider; readonly closed: number[] } {
  const closed: number[] = [];
  let made = 0;
  const create = (): Provider => {
    const number = made++;
    return { close: async () => void closed.push(number) } as unknown as Provider;
  };
  return { create, closed };
}

test("a host's connections share one instance, which outlives each of them", async ({ expect }) => {
  const { create, closed } = counted();
  const instances = sharedInstance(create);
  const one = { completedCalls: 1 };
  expect(instances.of(one)).toBe(instances.of({ completedCalls: 1 }));
  instances.release(one);
  expect(closed).toEqual([]);
  await instances.close();
  expect(closed).toEqual([0]);
});

test("hosts that attach have an instance each, closed with their connection", async ({ expect }) => {
  const { create, closed } = counted();
  const instances = instancePerSession(create);
  const [one, other] = [{ completedCalls: 1 }, { completedCalls: 1 }];
  expect(instances.of(one)).toBe(instances.of(one));
  expect(instances.of(one)).not.toBe(instances.of(other));
  instances.release(one);
  expect(closed).toEqual([0]);
  await instances.close();
  expect(closed).toEqual([0, 1]);
});
