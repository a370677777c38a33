// SPDX-License-Identifier: Apache-2.0
import type { RunnableStep } from "../run-case.ts";
import { framework, mock, required, step, type PickedCase } from "./configuration.ts";

const eachProvider = (keys: string | undefined): string =>
  `${required("tfcoremock")}${mock.replace("{\n", `{\n  alias = "each"\n${keys === undefined ? "" : `  for_each = toset(${keys})\n`}`)}`;

const keyed = (name: string, keys: string, providerKey: string): string =>
  `resource "tfcoremock_simple_resource" "${name}" {\n for_each = toset(${keys})\n provider = tfcoremock.each${providerKey}\n id = each.key\n}\n`;

/** A step with a module whose call has the given arguments, and a resource in it with the given keys. */
const moduleStep = (head: string, call: string, keys: string, prefix = '"p"'): RunnableStep =>
  step(
    `${head}module "m" {\n source = "./m"\n prefix = ${prefix}\n ${call}\n}\n`,
    {},
    {
      "m/main.tf": `${required("tfcoremock")}variable "prefix" {\n type = string\n}\nresource "tfcoremock_simple_resource" "r" {\n for_each = toset(${keys})\n id = "\${var.prefix}-\${each.key}"\n}\nresource "tfcoremock_simple_resource" "s" {\n id = "\${var.prefix}-s"\n}\n`,
    },
  );

/** Provider configurations with `for_each`, and the objects of their instances. */
export const providerInstancesCases: readonly PickedCase[] = [
  {
    name: "a provider with a required argument and without a block: `absent-provider-blocks`",
    steps: [step(`${required("framework")}resource "framework_record" "r" {\n name = "r"\n}\n`)],
  },
  {
    name: "instances of a provider configuration",
    steps: ['["a", "b", "c"]', '["a", "b"]'].map((keys) =>
      step(`${required("tfcoremock")}${mock.replace("{\n", `{\n  alias = "each"\n  for_each = toset(${keys})\n`)}
resource "tfcoremock_simple_resource" "a" {\n for_each = toset(["a", "b"])\n provider = tfcoremock.each[each.key]\n id = each.key\n}\n`),
    ),
  },
  {
    name: "objects whose provider instance is gone",
    steps: [
      step(`${eachProvider('["a", "b"]')}${keyed("r", '["a", "b"]', "[each.key]")}`),
      step(`${eachProvider('["a"]')}${keyed("r", '["a"]', "[each.key]")}`),
    ],
  },
  {
    name: "objects that refer to a provider instance that does not exist",
    steps: [step(`${eachProvider('["a"]')}${keyed("r", '["a", "b"]', "[each.key]")}`)],
  },
  {
    name: "an object without a block in a module whose call selects another provider instance",
    steps: [
      moduleStep(eachProvider('["a", "b"]'), 'providers = { tfcoremock = tfcoremock.each["a"] }', '["x", "y"]'),
      moduleStep(eachProvider('["b"]'), 'providers = { tfcoremock = tfcoremock.each["b"] }', '["x"]'),
    ],
  },
  {
    name: "modules whose calls select a provider instance that does not exist",
    steps: [
      moduleStep(
        eachProvider('["a"]'),
        'for_each  = toset(["a", "c"])\n providers = { tfcoremock = tfcoremock.each[each.key] }',
        '["x", "y"]',
        "each.key",
      ),
    ],
  },
  {
    name: "keys of provider instances that are no texts",
    steps: [
      step(
        `${eachProvider('["1"]')}${keyed("r", '["a"]', "[1]")}${keyed("s", '["a"]', "[null]")}${keyed("t", '["a"]', '[sensitive("1")]')}`,
      ),
    ],
  },
  {
    name: "objects whose provider configuration gets for_each",
    steps: [
      step(`${eachProvider(undefined)}${keyed("r", '["a", "b"]', "")}`),
      step(`${eachProvider('["a"]')}${keyed("r", '["a"]', '["a"]')}`),
    ],
  },
  {
    name: "objects whose provider configuration no longer has for_each",
    steps: [
      step(`${eachProvider('["a"]')}${keyed("r", '["a", "b"]', '["a"]')}`),
      step(`${eachProvider(undefined)}${keyed("r", '["a"]', "")}`),
    ],
  },
  // The instances have one process, whose configuration is the last one, so those without errors have the same prefix.
  ...["token = each.key", 'options = { prefix = each.key == "/" ? "/" : "a" }'].map((argument): PickedCase => ({
    name: `errors of a provider instance that no object uses, with ${argument}`,
    steps: ['["a", "b"]', '["a", "wrong", "/"]'].map((keys) =>
      step(
        `${required("framework")}${framework.replace("{\n", `{\n alias = "each"\n for_each = toset(${keys})\n ${argument}\n`)}resource "framework_record" "r" {\n provider = framework.each["a"]\n name = "r"\n}\n`,
      ),
    ),
  })),
  {
    name: "warnings of a provider instance that no object uses",
    steps: [{}, {}, { mode: "destroy" as const }].map((settings) =>
      step(
        `${required("sdkv2")}provider "sdkv2" {\n alias = "each"\n for_each = toset(["a", "b"])\n directory = "\${path.cwd}/objects/sdkv2"\n retries = each.key == "b" ? 2 : null\n}\nresource "sdkv2_note" "n" {\n provider = sdkv2.each["a"]\n text = "n"\n}\n`,
        settings,
      ),
    ),
  },
];
