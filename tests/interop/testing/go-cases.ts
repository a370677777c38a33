// SPDX-License-Identifier: Apache-2.0
// Cases over providers written in Go, which are launched for each run: on terraform-plugin-framework, and on SDKv2 with protocol 5.
import { providerFactory } from "@tenon/plugin-host";
import {
  configStep,
  expectKnownValue,
  expectResourceAction,
  expectSensitiveValue,
  expectUnknownValue,
  importStep,
  skipBelow,
  type TestCase,
} from "@tenon/testing";
import { listPartial, listSizeExact, notNull, objectPartial, setExact } from "@tenon/testing/known-value";
import type { SuiteCase } from "./suite-case.ts";

/** With cores that have no identities, terraform-plugin-framework fails each update of a resource that has one ("Missing Resource Identity After Update"). */
const identityAfterUpdate = { versionChecks: [skipBelow({ terraform: "1.12.0" })], reason: /^the case needs at least Terraform 1\.12\.0/ };

/**
 * Without certificates, as Go providers are served in tests with terraform-plugin-testing. Creating and checking them takes half of the processor time of
 * a launch; the socket is in a folder of this user alone.
 */
const launchSettings = { launch: { autoMtls: false } };

type Steps = (config: (body: string) => string) => TestCase["steps"];

type Suite = (name: string, steps: Steps, fails?: SuiteCase["fails"], more?: Partial<TestCase>) => SuiteCase;

function suiteOf(provider: string, path: string): Suite {
  return (name, steps, fails, more) => ({
    name: `${provider}: ${name}`,
    create: (folder) => ({
      providers: { [provider]: providerFactory(path, launchSettings) },
      steps: steps((body) => `provider "${provider}" {\n  directory = "${folder}"\n}\n${body}`),
      ...more,
    }),
    ...(fails && { fails }),
  });
}

/** The cases over the provider on terraform-plugin-framework. */
export function frameworkCases(path: string): readonly SuiteCase[] {
  const suite = suiteOf("framework", path);
  const record = (attributes = ""): string => `resource "framework_record" "a" {\n  name = "a"\n${attributes}}\n`;
  return [
    suite("values of every kind are known in plan and state", (config) => [
      configStep(
        config(
          record(
            '  tags = ["x", "y"]\n  labels = ["b", "a"]\n  notes = { k = "v" }\n  precise = 12345678901234567890.5\n  secret = "s3cret"\n  single = { key = "k" }\n  rule {\n    port = 80\n  }\n',
          ),
        ),
        {
          planChecks: [
            expectResourceAction("framework_record.a", "Create"),
            expectUnknownValue("framework_record.a", "id"),
            expectKnownValue("framework_record.a", "size", 1),
          ],
          stateChecks: [
            expectKnownValue("framework_record.a", "tags", ["x", "y"]),
            expectKnownValue("framework_record.a", "labels", setExact(["a", "b"])),
            expectKnownValue("framework_record.a", ["notes", "k"], "v"),
            expectKnownValue("framework_record.a", "single", objectPartial({ key: "k" })),
            expectKnownValue("framework_record.a", "rule", listPartial({ 0: objectPartial({ port: 80 }) })),
            expectSensitiveValue("framework_record.a", "secret"),
            expectKnownValue("framework_record.a", "id", notNull()),
          ],
        },
      ),
    ]),
    {
      ...suite(
        "an update and a replacement are planned",
        (config) => [
          configStep(config(record())),
          configStep(config(record("  size = 2\n")), { planChecks: [expectResourceAction("framework_record.a", "Update")] }),
          configStep(config(record('  size = 2\n  kind = "other"\n')), {
            planChecks: [expectResourceAction("framework_record.a", "Replace")],
          }),
        ],
        undefined,
        { versionChecks: identityAfterUpdate.versionChecks },
      ),
      skips: { terraform: identityAfterUpdate.reason },
    },
    suite("an import lacks the private note", (config) => [
      configStep(config(record())),
      importStep("framework_record.a", { verifyIgnore: ["note"] }),
    ]),
    suite("an import that is verified fully fails", (config) => [configStep(config(record())), importStep("framework_record.a")], [
      "step 2 of 2 (import,",
      "the imported framework_record.a differs from the one in the state:\n    note\n",
      "imported: null",
    ]),
    suite("a validation fails the step as expected", (config) => [
      configStep(config('resource "framework_record" "a" {\n  name = ""\n}\n'), { expectError: /name/ }),
    ]),
    suite(
      "a known value of a block fails",
      (config) => [
        configStep(config(record("  rule {\n    port = 80\n  }\n")), {
          stateChecks: [expectKnownValue("framework_record.a", ["rule", 0, "port"], 81)],
        }),
      ],
      ["framework_record.a.rule[0].port differs:\n    expected: 81\n    actual:   80"],
    ),
  ];
}

/** The cases over the provider on SDKv2, which uses protocol 5 and the legacy type system. */
export function sdkv2Cases(path: string): readonly SuiteCase[] {
  const suite = suiteOf("sdkv2", path);
  const server = (attributes = ""): string => `resource "sdkv2_server" "a" {\n  name = "Web"\n  image = "debian"\n${attributes}}\n`;
  return [
    suite("blocks and legacy values are known", (config) => [
      configStep(config(server('  groups = ["b", "a"]\n  disk {\n    gigabytes = 10\n  }\n  disk {\n    gigabytes = 20\n  }\n')), {
        planChecks: [expectResourceAction("sdkv2_server.a", "Create"), expectUnknownValue("sdkv2_server.a", "id")],
        stateChecks: [
          expectKnownValue("sdkv2_server.a", "name", "Web"),
          expectKnownValue("sdkv2_server.a", "disk", listSizeExact(2)),
          expectKnownValue("sdkv2_server.a", ["disk", 1, "gigabytes"], 20),
          expectKnownValue("sdkv2_server.a", "groups", setExact(["a", "b"])),
        ],
      }),
    ]),
    suite("a new image replaces a server", (config) => [
      configStep(config(server())),
      configStep(config('resource "sdkv2_server" "a" {\n  name = "Web"\n  image = "fedora"\n}\n'), {
        planChecks: [expectResourceAction("sdkv2_server.a", "Replace")],
      }),
    ]),
    suite("a note is tainted", (config) => {
      const note = config('resource "sdkv2_note" "n" {\n  text = "x"\n  secret = "s3cret"\n}\n');
      return [
        configStep(note, { stateChecks: [expectSensitiveValue("sdkv2_note.n", "secret")] }),
        configStep(note, { taint: ["sdkv2_note.n"], planChecks: [expectResourceAction("sdkv2_note.n", "Replace")] }),
      ];
    }),
    suite(
      "a known value fails",
      (config) => [configStep(config(server()), { stateChecks: [expectKnownValue("sdkv2_server.a", "size", "big")] })],
      ['sdkv2_server.a.size differs:\n    expected: "big"\n    actual:   "small"'],
    ),
  ];
}
