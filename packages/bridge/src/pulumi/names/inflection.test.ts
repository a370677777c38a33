// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { pluralOf, singularOf } from "./inflection.ts";

// The whole library is compared in tests/interop/pulumi-names.test.ts.
describe("inflection", () => {
  test.for([
    ["tag", "tags"],
    ["policy", "policies"],
    ["status", "statuses"],
    ["index", "indices"],
    ["metadata", "metadatas"],
    ["alias", "aliases"],
    ["dns_search_domain", "dns_search_domains"],
    ["child", "children"],
    ["person", "people"],
    ["archive", "arc"],
  ] as const)("of %s in the plural is %s", ([singular, plural], { expect }) => {
    expect(pluralOf(singular)).toBe(plural);
  });

  test.for([
    ["tags", "tag"],
    ["ingressRules", "ingressRule"],
    ["statuses", "status"],
    ["aliases", "alias"],
    ["access", "access"],
    ["faxesAndTaxes", "faxAndTax"],
  ] as const)("of %s in the singular is %s", ([plural, singular], { expect }) => {
    expect(singularOf(plural)).toBe(singular);
  });
});
