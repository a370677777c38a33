// SPDX-License-Identifier: Apache-2.0
import { attributeStep, indexStep, object, of, string } from "@tenon/cty";
import { describe, test } from "vitest";
import { secretTexts } from "./message-texts.ts";

describe("secretTexts", () => {
  test("takes elements of sets in paths for secrets, whatever their types are", ({ expect }) => {
    const element = of(object({ token: string }), { token: "hidden" });
    const requiresReplace = [
      [attributeStep("rule"), { kind: "index" as const, key: element }],
      [attributeStep("list"), indexStep(0)],
    ];
    const secretsOf = (): never => {
      throw new Error("the key of a path is not a value of the schema");
    };
    expect([...secretTexts({ requiresReplace }, secretsOf)]).toEqual(["hidden"]);
  });
});
