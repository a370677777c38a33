// SPDX-License-Identifier: Apache-2.0
import { test } from "vitest";
import { isValidIdentifier } from "./identifier.ts";

test("names begin with a letter or an underscore and continue with letters, digits and hyphens", ({ expect }) => {
  for (const name of ["a", "_", "count-2", "größe", "名前", "𠁮", "a_1"]) expect(isValidIdentifier(name), name).toBe(true);
  for (const name of ["", "1", "-a", "a b", "a.b", "é!", "a\n", "\u0301"]) expect(isValidIdentifier(name), name).toBe(false);
});
