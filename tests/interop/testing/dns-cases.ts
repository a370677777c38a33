// SPDX-License-Identifier: Apache-2.0
// Cases over the DNS provider: identities, queries, deferral.
import { provider } from "@tenon/example-dns";
import { startService, type Service } from "@tenon/example-dns/service";
import { attr, defineProvider, importById } from "@tenon/provider-sdk";
import {
  byDisplayName,
  byIdentity,
  configStep,
  expectDeferredChange,
  expectIdentity,
  expectIdentityValue,
  expectIdentityValueMatchesState,
  expectIdentityValueMatchesStateAtPath,
  expectKnownValue,
  expectLength,
  expectLengthAtLeast,
  expectNoDeferredChanges,
  expectNoIdentity,
  expectResourceDisplayName,
  expectResourceKnownValues,
  expectSensitiveValue,
  expectTotalLengthForMatching,
  importStep,
  type PlanCheck,
  queryStep,
  type QueryCheck,
  type StateCheck,
  type TestCase,
} from "@tenon/testing";
import { setPartial, stringRegexp } from "@tenon/testing/known-value";
import type { SuiteCase } from "./suite-case.ts";

const token = "open sesame";
const body = `
resource "dns_zone" "site" {
  name = "site.test"
  contact = "ops@site.test"
}
resource "dns_record" "www" {
  zone = dns_zone.site.name
  name = "www"
  type = "A"
  values = ["192.0.2.1", "192.0.2.2"]
}
`;

type Create = (config: (body: string) => string, service: Service) => TestCase["steps"];

function withService(steps: Create): SuiteCase["create"] {
  return async (_, cleanup) => {
    const service = cleanup.use(await startService({ token }));
    const config = (text: string): string => `provider "dns" {\n  endpoint = "${service.url}"\n  token = "${token}"\n}\n${text}`;
    return { providers: { dns: provider }, steps: steps(config, service) };
  };
}

const identity = { zone: "site.test", name: "www", type: "A" };
/** Terraform 1.11 has no identities. */
const skipsIdentity = { terraform: /^terraform 1\.11\.\d+ lacks the feature identity, which terraform has since 1\.12\.0$/ };
const skipsList = { tofu: /is not used for the feature list: run the case in process/, terraform: /is not used for the feature list/ };
const skipsDeferral = { tofu: /is not used for the feature deferral/, terraform: /is not used for the feature deferral/ };

function stateCase(name: string, check: () => StateCheck, fails?: readonly string[]): SuiteCase {
  return {
    name,
    create: withService((config) => [configStep(config(body), { stateChecks: [check()] })]),
    ...(fails && { fails }),
    skips: skipsIdentity,
  };
}

function queryCase(name: string, check: () => QueryCheck, fails?: readonly string[]): SuiteCase {
  return {
    name,
    create: withService((_, service) => [
      queryStep(
        {
          all: { type: "dns_record", config: { zone: "site.test" }, includeResource: true },
          none: { type: "dns_record", config: { zone: "b.test" } },
        },
        {
          providerConfig: { endpoint: service.url, token },
          preConfig: () => {
            for (const host of ["www", "ftp", "mail"]) {
              service.records.set(`site.test/${host}/A`, { zone: "site.test", name: host, type: "A", ttl: 300, values: ["192.0.2.1"] });
            }
          },
          queryChecks: [check()],
        },
      ),
    ]),
    ...(fails && { fails }),
    skips: skipsList,
  };
}

function deferralCase(name: string, check: () => PlanCheck, fails?: readonly string[]): SuiteCase {
  const create = (): TestCase => {
    let isRunning = false;
    const cloud = defineProvider({ name: "cloud", version: "1.0.0" });
    const cluster = cloud.resource("cluster", {
      schema: { name: attr.string({ required: true }) },
      create: ({ planned }) => ((isRunning = true), planned),
      read: ({ state }) => state,
      update: ({ planned }) => planned,
      delete: () => {},
      importState: importById("name"),
    });
    const object = cloud.resource("object", {
      schema: { name: attr.string({ required: true }) },
      plan: ({ defer }) => (isRunning ? undefined : defer("absentPrerequisite")),
      create: ({ planned }) => planned,
      read: ({ state }) => state,
      update: ({ planned }) => planned,
      delete: () => {},
    });
    const text = 'resource "cloud_cluster" "c" {\n  name = "c"\n}\nresource "cloud_object" "o" {\n  name = "o"\n}\n';
    return {
      providers: { cloud: cloud.with([cluster, object]) },
      allowDeferral: true,
      steps: [
        configStep(text, { planChecks: [check()], expectNonEmptyPlan: true }),
        configStep(text, { planChecks: [expectNoDeferredChanges()], stateChecks: [expectKnownValue("cloud_object.o", "name", "o")] }),
      ],
    };
  };
  return { name, create, ...(fails && { fails }), skips: skipsDeferral };
}

/** The cases over the DNS provider. */
export const dnsCases: readonly SuiteCase[] = [
  {
    name: "a zone, a record and a key are created and imported",
    create: withService((config) => [
      configStep(config(`${body}resource "dns_key" "k" {\n  zone = dns_zone.site.name\n  label = "l"\n}\n`), {
        stateChecks: [
          expectSensitiveValue("dns_key.k", "secret"),
          expectKnownValue("dns_record.www", "values", setPartial(["192.0.2.2"])),
          expectKnownValue("dns_zone.site", ["nameservers", 0], stringRegexp(/\./)),
        ],
      }),
      importStep("dns_record.www", { id: "site.test/www/A" }),
      importStep("dns_record.www", { id: "www/A", idPrefix: "site.test/", kind: "block" }),
    ]),
  },
  {
    name: "a record is imported by its identity",
    create: withService((config) => [
      configStep(config(body)),
      importStep("dns_record.www", { kind: "identityBlock" }),
      importStep("dns_record.www", { kind: "identityBlock", identity }),
    ]),
    skips: skipsIdentity,
  },
  {
    name: "a failure does not show the token",
    create: withService((config) => [configStep(config(body), { stateChecks: [expectKnownValue("dns_record.www", "ttl", 60)] })]),
    fails: ["dns_record.www.ttl differs:\n    expected: 60\n    actual:   300", "token = (sensitive value)"],
  },
  stateCase("expectIdentity passes", () => expectIdentity("dns_record.www", identity)),
  stateCase("expectIdentity fails", () => expectIdentity("dns_record.www", { ...identity, name: "ftp" }), [
    'the identity of dns_record.www.name differs:\n    expected: "ftp"\n    actual:   "www"',
  ]),
  stateCase("expectIdentity fails for a resource without one", () => expectIdentity("dns_zone.site", identity), [
    "dns_zone.site has no identity in the state",
  ]),
  stateCase("expectIdentityValue passes", () => expectIdentityValue("dns_record.www", "type", "A")),
  stateCase("expectIdentityValue fails", () => expectIdentityValue("dns_record.www", "type", "AAAA"), [
    'the identity of dns_record.www.type differs:\n    expected: "AAAA"\n    actual:   "A"',
  ]),
  stateCase("expectIdentityValueMatchesState passes", () => expectIdentityValueMatchesState("dns_record.www", "zone")),
  stateCase("expectIdentityValueMatchesState fails", () => expectIdentityValueMatchesState("dns_record.www", "ttl"), [
    "ttl in the identity of dns_record.www must equal dns_record.www.ttl:\n    identity: (none)\n    state:    300",
  ]),
  stateCase("expectIdentityValueMatchesStateAtPath passes", () => expectIdentityValueMatchesStateAtPath("dns_record.www", "name", "name")),
  stateCase("expectIdentityValueMatchesStateAtPath fails", () => expectIdentityValueMatchesStateAtPath("dns_record.www", "name", "type"), [
    'name in the identity of dns_record.www must equal dns_record.www.type:\n    identity: "www"\n    state:    "A"',
  ]),
  queryCase("expectIdentity of a query passes", () => expectIdentity("list.dns_record.all", identity)),
  queryCase("expectIdentity of a query fails", () => expectIdentity("list.dns_record.all", { ...identity, name: "imap" }), [
    'list.dns_record.all must have a result with the identity { "zone": "site.test", "name": "imap", "type": "A" }, but has:',
    '"name": "www"',
  ]),
  queryCase("expectNoIdentity passes", () => expectNoIdentity("list.dns_record.all", { ...identity, name: "imap" })),
  queryCase("expectNoIdentity fails", () => expectNoIdentity("list.dns_record.all", identity), ["must have no result with the identity"]),
  queryCase("expectLength passes", () => expectLength("list.dns_record.all", 3)),
  queryCase("expectLength fails", () => expectLength("list.dns_record.all", 2), ["list.dns_record.all must have 2 results, but has 3"]),
  queryCase("expectLengthAtLeast passes", () => expectLengthAtLeast("list.dns_record.all", 2)),
  queryCase("expectLengthAtLeast fails", () => expectLengthAtLeast("list.dns_record.none", 1), ["must have at least 1 result, but has 0"]),
  queryCase("expectTotalLengthForMatching passes", () => expectTotalLengthForMatching(/^list\.dns_record/, 3)),
  queryCase("expectTotalLengthForMatching fails", () => expectTotalLengthForMatching(/dns/, 4), [
    "must have 4 results together, but have 3",
  ]),
  queryCase("expectResourceDisplayName passes", () =>
    expectResourceDisplayName("list.dns_record.all", byIdentity(identity), "www.site.test A"),
  ),
  queryCase("expectResourceDisplayName fails", () => expectResourceDisplayName("list.dns_record.all", byIdentity(identity), "www"), [
    'the display name in list.dns_record.all differs:\n    expected: "www"\n    actual:   "www.site.test A"',
  ]),
  queryCase("expectResourceKnownValues passes", () =>
    expectResourceKnownValues("list.dns_record.all", byDisplayName(stringRegexp(/^ftp/)), { ttl: 300, name: "ftp" }),
  ),
  queryCase("expectResourceKnownValues fails", () => expectResourceKnownValues("list.dns_record.all", byIdentity(identity), { ttl: 60 }), [
    "resource.ttl differs:\n    expected: 60\n    actual:   300",
  ]),
  queryCase("a filter that selects several results fails", () => expectResourceDisplayName("list.dns_record.all", () => true, "x"), [
    "the filter must select one result of list.dns_record.all, but selects 3",
  ]),
  deferralCase("expectDeferredChange passes", () => expectDeferredChange("cloud_object.o", "absent_prereq")),
  deferralCase("expectDeferredChange fails", () => expectDeferredChange("cloud_object.o", "deferred_prereq"), [
    "the change of cloud_object.o must be deferred because of deferred_prereq, but is deferred because of absent_prereq",
  ]),
  deferralCase("expectNoDeferredChanges fails", () => expectNoDeferredChanges(), [
    "the plan must defer no change, but defers:\n    cloud_object.o: absent_prereq",
  ]),
];
