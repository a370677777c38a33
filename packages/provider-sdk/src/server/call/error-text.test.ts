// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { messageOf } from "./error-text.ts";

describe("messageOf", () => {
  test.for([undefined, null])("reports that the provider threw %s instead of an error", (thrown, { expect }) => {
    expect(messageOf(thrown)).toBe(
      `The provider threw ${thrown} instead of an error, so the reason is unknown. This is a bug in the provider.`,
    );
  });

  test("joins the messages of an error and its causes", ({ expect }) => {
    expect(messageOf(new Error("cannot save", { cause: new Error("disk full") }))).toBe("cannot save: disk full");
  });
});
