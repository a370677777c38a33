// SPDX-License-Identifier: Apache-2.0
import { createSchema } from "@tenon/schema";
import { describe, test } from "vitest";
import { kindVersion, laterVersion, withVersion } from "./kind-version.ts";
import { mapProviderConfig } from "./map-provider-config.ts";

describe("laterVersion", () => {
  const ascending = ["v1alpha1", "v1alpha2", "v1alpha10", "v1beta1", "v1beta2", "v1", "v2alpha1", "v2", "v10"];
  test.for(ascending.slice(1).map((later, index) => [ascending[index]!, later] as const))(
    "orders %s before %s",
    ([earlier, later], { expect }) => {
      expect([laterVersion(earlier, later), laterVersion(later, earlier), laterVersion(later, later)]).toEqual([later, later, later]);
    },
  );
});

describe("rules of ProviderConfig", () => {
  const group = "things.example.org";

  test("choose the version of the configurations", ({ expect }) => {
    const mapping = mapProviderConfig(createSchema({}), { group, rules: { ProviderConfig: { version: "v1beta1" } } });
    expect([kindVersion(mapping, "v1alpha1"), kindVersion(withVersion(mapping, "v2"))]).toEqual(["v1beta1", "v2"]);
  });

  test("cannot have what applies to resource types only", ({ expect }) => {
    const options = { group, rules: { ProviderConfig: { asynchronous: true } } };
    expect(() => mapProviderConfig(createSchema({}), options)).toThrow("the rules of ProviderConfig have asynchronous");
  });
});
