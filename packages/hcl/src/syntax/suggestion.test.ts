// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { didYouMean, nearestName, similarName } from "./suggestion.ts";

describe("the name to suggest", () => {
  const names = ["index", "one", "zipmap"];

  test("is the first similar one where names have an order", ({ expect }) => {
    expect(similarName("onex", names)).toBe("index");
    expect(similarName("onexyz", names)).toBeUndefined();
  });

  test("is the nearest one where they have none", ({ expect }) => {
    expect(nearestName("onex", names)).toBe("one");
    expect(nearestName("ine", ["une", "one"])).toBe("une");
    expect(nearestName("onexyz", names)).toBeUndefined();
    expect(nearestName("one", [])).toBeUndefined();
  });

  test("is put into a question", ({ expect }) => {
    expect(didYouMean('a"b')).toBe(' Did you mean "a\\"b"?');
    expect(didYouMean(undefined)).toBe("");
  });
});
