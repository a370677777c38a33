// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { celName } from "./cel-name.ts";
import { fieldNames } from "./field-name.ts";
import { isKind, kindNames } from "./kind-name.ts";

describe("kindNames", () => {
  const kindsOf = (typeNames: readonly string[], chosen: Readonly<Record<string, string>> = {}): Record<string, string> =>
    Object.fromEntries([...kindNames({ typeNames, chosen: new Map(Object.entries(chosen)) })].map(([name, { kind }]) => [name, kind]));

  test("leaves out the first word that all types share", ({ expect }) => {
    expect(kindsOf(["time_static", "time_rotating_file", "time"])).toEqual({
      time: "Time",
      time_rotating_file: "RotatingFile",
      time_static: "Static",
    });
    expect(kindsOf(["random_pet", "http_get"])).toEqual({ random_pet: "RandomPet", http_get: "HttpGet" });
  });

  test("uses the kind in lower case as plural and singular", ({ expect }) => {
    expect(kindNames({ typeNames: ["x_label"] }).get("x_label")).toEqual({
      kind: "Label",
      listKind: "LabelList",
      plural: "label",
      singular: "label",
    });
  });

  test("gives every type a valid kind of its own", ({ expect }) => {
    const names = ["x_3d", "x_foo_bar", "x_foobar", "x_foo__bar", `x_${"long_name_".repeat(9)}1`, `x_${"long_name_".repeat(9)}2`, "x_-"];
    const kinds = Object.values(kindsOf(names));
    expect(kinds.filter((kind) => !isKind(kind))).toEqual([]);
    expect(new Set(kinds.map((kind) => kind.toLowerCase())).size).toBe(names.length);
  });

  test("gives a chosen kind precedence over a derived one", ({ expect }) => {
    const kinds = kindsOf(["x_a", "x_b"], { x_b: "A" });
    expect(kinds["x_b"]).toBe("A");
    expect(kinds["x_a"]).toMatch(/^AX[0-9a-f]{5}$/);
  });
});

describe("fieldNames", () => {
  const namesOf = (...fields: readonly (readonly [attribute: string, suffix: string])[]): readonly string[] =>
    [...fieldNames(fields.map(([attribute, suffix]) => ({ attribute, suffix })))].map(
      ([{ attribute, suffix }, name]) => `${attribute}+${suffix}=${name}`,
    );

  test("converts snake case to camel case", ({ expect }) => {
    expect(namesOf(["vpc_id", ""], ["ipv4_cidr_block", ""], ["x_1", ""], ["password", "SecretRef"])).toEqual([
      "ipv4_cidr_block+=ipv4CidrBlock",
      "vpc_id+=vpcId",
      "x_1+=x1",
      "password+SecretRef=passwordSecretRef",
    ]);
  });

  test("prefers attributes over derived fields, and plain snake case over other spellings", ({ expect }) => {
    const names = namesOf(["aB", ""], ["a_b", ""], ["a__b", ""], ["b", "SecretRef"], ["b_secret_ref", ""]);
    expect(names.slice(0, 2)).toEqual(["a_b+=aB", "b_secret_ref+=bSecretRef"]);
    expect(names.slice(2).every((name) => /=(?:aB|bSecretRef)X[0-9a-f]{5}$/.test(name))).toBe(true);
  });
});

test.for([
  ["name", "name"],
  ["namespace", "__namespace__"],
  ["in", "__in__"],
  ["a-b.c/d", "a__dash__b__dot__c__slash__d"],
  ["x__y", "x__underscores__y"],
  ["3x", undefined],
  ["é", undefined],
] as const)("celName escapes %s", ([field, escaped], { expect }) => {
  expect(celName(field)).toBe(escaped);
});
