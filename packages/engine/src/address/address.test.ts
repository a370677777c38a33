// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import {
  compareResourceInstances,
  formatProvider,
  formatProviderConfigInstance,
  formatReference,
  formatReferenceSubject,
  formatResourceInstance,
  formatResourceInstanceObject,
  formatTarget,
  parseConfigResource,
  parseLegacyProviderConfig,
  parseModuleInstance,
  parseProvider,
  parseProviderConfig,
  parseProviderConfigInstance,
  parseReference,
  parseResourceInstance,
  parseTarget,
  requireAddress,
  targetContainsInstance,
} from "./index.ts";

const instance = (text: string) => requireAddress(text, parseResourceInstance(text));

describe("resource instances", () => {
  test.for([
    "a.b",
    "a.b[0]",
    'a.b["x"]',
    "data.a.b",
    "ephemeral.a.b[7]",
    'module.m.module.n["k"].data.a.b[3]',
    'a.b["quote \\" backslash \\\\ newline \\n sigil $${ %%{ dollar $ bell \\u0007"]',
  ])("%s is formatted as it was written", (text, { expect }) => {
    expect(formatResourceInstance(instance(text))).toBe(text);
  });

  test("are ordered by module depth, module, mode, type, name, and key", ({ expect }) => {
    const sorted = [
      "ephemeral.z.z",
      "data.z.a",
      "a.a",
      "a.a[2]",
      "a.a[10]",
      'a.a["1"]',
      "a.b",
      "b.a",
      "module.a.a.a",
      "module.a[2].a.a",
      "module.a[10].a.a",
      "module.b.a.a",
      "module.a.module.a.a.a",
    ];
    const texts = sorted.toReversed().map(instance).sort(compareResourceInstances).map(formatResourceInstance);
    expect(texts).toEqual(sorted);
  });

  test("are formatted with the key of a deposed object", ({ expect }) => {
    expect(formatResourceInstanceObject({ instance: instance("a.b"), deposed: "0badcafe" })).toBe('a.b deposed object "0badcafe"');
  });

  test("are rejected with OpenTofu's diagnostic when invalid", ({ expect }) => {
    expect(() => instance("a")).toThrow(
      expect.objectContaining({
        code: "INVALID_ADDRESS",
        message: '"a" is not a valid address: Invalid address: Resource specification must include a resource type and name.',
      }),
    );
  });
});

describe("targets", () => {
  test.for([
    ["module.a", "module.a[0].x.y", true],
    ["module.a[0]", "module.a[1].x.y", false],
    ["module.a", "module.a[0].module.b.x.y", true],
    ["x.y", "x.y[3]", true],
    ["x.y[3]", "x.y[3]", true],
    ["x.y[3]", "x.y", false],
    ["x.y", "module.a.x.y", false],
    ["data.x.y", "x.y", false],
  ] as const)("%s contains %s: %s", ([target, address, contains], { expect }) => {
    const { subject } = requireAddress(target, parseTarget(target));
    expect(targetContainsInstance(subject, instance(address))).toBe(contains);
    expect(formatTarget({ subject })).toBe(target);
  });
});

describe("references", () => {
  test.for([
    ["var.a.b", "var.a", "var.a.b"],
    ["local.a[0]", "local.a", "local.a[0]"],
    ["tofu.workspace", "tofu.workspace", "tofu.workspace"],
    ["self.id", "self", "self.id"],
    ["a.b", "a.b", "a.b"],
    ['a.b["k"].c', 'a.b["k"]', 'a.b["k"].c'],
    ["resource.data.x", "data.x", "data.x"],
    ["data.a.b.c", "data.a.b", "data.a.b.c"],
    ["module.m", "module.m", "module.m"],
    ["module.m[1]", "module.m[1]", "module.m[1]"],
    ["module.m[1].out.x", "module.m[1].out", "module.m[1].out.x"],
  ] as const)("%s refers to %s", ([text, subject, whole], { expect }) => {
    const reference = requireAddress(text, parseReference(text));
    expect([formatReferenceSubject(reference.subject), formatReference(reference)]).toEqual([subject, whole]);
  });

  test("to a reserved name are rejected as reserved", ({ expect }) => {
    expect(parseReference("lazy.a.b").diagnostics[0]?.summary).toBe("Reserved symbol name");
  });
});

describe("providers", () => {
  test.for([
    ["time", "registry.opentofu.org/hashicorp/time"],
    ["HashiCorp/Time", "registry.opentofu.org/hashicorp/time"],
    ["Example.com:443/acme/x", "example.com/acme/x"],
    ["terraform.io/builtin/terraform", "terraform.io/builtin/terraform"],
  ] as const)("%s is %s", ([text, address], { expect }) => {
    expect(formatProvider(parseProvider(text).provider!)).toBe(address);
  });

  test.for([
    'provider["registry.opentofu.org/hashicorp/time"]',
    'module.a.module.b.provider["example.com/acme/x"].west',
    'provider["example.com/acme/x"].west["eu"]',
  ])("configuration %s is formatted as it was written", (text, { expect }) => {
    expect(formatProviderConfigInstance(requireAddress(text, parseProviderConfigInstance(text)))).toBe(text);
  });

  test("configurations are rejected with an instance key", ({ expect }) => {
    expect(parseProviderConfig('provider["a/b"].c[0]').diagnostics[0]?.detail).toBe("A provider address must not include an instance key.");
  });

  test("configurations are read in the legacy form of old state files", ({ expect }) => {
    expect(parseLegacyProviderConfig("module.a.provider.aws.west").address).toEqual({
      module: ["a"],
      provider: { hostname: "registry.opentofu.org", namespace: "-", type: "aws" },
      alias: "west",
    });
  });
});

test("module addresses are rejected with further steps or keys", ({ expect }) => {
  expect(parseModuleInstance("module.a.b.c").diagnostics[0]?.detail).toBe(
    "The module instance address is followed by additional invalid content.",
  );
  expect(parseConfigResource("module.a[0].b.c").diagnostics[0]?.summary).toBe("Module instance address with keys is not allowed");
});
