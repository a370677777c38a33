// SPDX-License-Identifier: Apache-2.0
// What the picked cases have in common: the form of a case, and parts of configurations.
import { folderRecords } from "../generate/module.ts";
import type { StepSettings } from "../generate/steps.ts";
import type { RunnableStep } from "../run-case.ts";

/** A written configuration that changes from step to step. */
export interface PickedCase {
  /** What the sides agree on. */
  readonly name: string;
  readonly steps: readonly RunnableStep[];
}

const sources = {
  tfcoremock: "hashicorp/tfcoremock",
  framework: "registry.terraform.io/tenon/framework",
  sdkv2: "registry.terraform.io/tenon/sdkv2",
  time: "registry.terraform.io/hashicorp/time",
} as const;

/** The provider configuration of tfcoremock. */
export const mock = 'provider "tfcoremock" {\n  resource_directory = "${path.cwd}/objects"\n  data_directory = "${path.cwd}/objects"\n}\n';

/** That of the framework provider. */
export const framework = 'provider "framework" {\n  directory = "${path.cwd}/objects/framework"\n}\n';

/** That of the provider with SDKv2. */
export const sdkv2 = 'provider "sdkv2" {\n  directory = "${path.cwd}/objects/sdkv2"\n}\n';

/** Requires providers. */
export function required(...names: readonly (keyof typeof sources)[]): string {
  const lines = names.map((name) => `    ${name} = { source = "${sources[name]}" }\n`);
  return `terraform {\n  required_providers {\n${lines.join("")}  }\n}\n`;
}

/** A step. Modules are in the folders that their calls name: `./modules/m`. */
export function step(main: string, settings: Partial<StepSettings> = {}, modules: Readonly<Record<string, string>> = {}): RunnableStep {
  const files = { "main.tf": main, ...modules };
  return { name: "step", ...settings, files, records: folderRecords(files) };
}

/** The `dynamic_resources.json` of all picked cases. */
export const pickedTypes: string = JSON.stringify({
  tfcoremock_safe: {
    attributes: {
      content: {
        type: "object",
        object: { code: { type: "string", optional: true, sensitive: true }, note: { type: "string", optional: true } },
        optional: true,
        sensitive: true,
      },
    },
    blocks: {},
  },
  tfcoremock_stack: {
    attributes: {
      items: {
        type: "list",
        list: {
          type: "object",
          object: {
            count: { type: "number", optional: true },
            text: { type: "string", optional: true },
            flag: { type: "boolean", optional: true },
          },
        },
        optional: true,
      },
    },
    blocks: {},
  },
  tfcoremock_meter: { attributes: { reading: { type: "number", computed: true } }, blocks: {} },
  tfcoremock_case: {
    attributes: {},
    blocks: {
      drawer: {
        mode: "list",
        attributes: { width: { type: "number", optional: true } },
        blocks: {
          paper: { mode: "set", attributes: { text: { type: "string", required: true, sensitive: true } }, blocks: {} },
        },
      },
    },
  },
  tfcoremock_shelf: {
    attributes: { label: { type: "string", optional: true, computed: true, value: { string: "made" } } },
    blocks: {
      letter: {
        mode: "set",
        attributes: { text: { type: "string", required: true, sensitive: true }, from: { type: "string", optional: true } },
        blocks: {},
      },
      stamp: {
        mode: "set",
        attributes: {
          code: { type: "string", optional: true, computed: true, sensitive: true, value: { string: "made" } },
          from: { type: "string", optional: true },
        },
        blocks: {},
      },
      book: { mode: "set", attributes: { title: { type: "string", required: true } }, blocks: {} },
      board: {
        mode: "list",
        attributes: { width: { type: "number", optional: true } },
        blocks: { screw: { mode: "set", attributes: { size: { type: "string", optional: true } }, blocks: {} } },
      },
    },
  },
});

/** A resource whose name is also its id. */
export const simple = (name: string, body = ""): string =>
  `resource "tfcoremock_simple_resource" "${name}" {\n  id = "${name}"\n${body}\n}\n`;

/** A condition block of the given kind. */
export const condition = (kind: string, text: string): string =>
  `${kind} {\n condition = ${text}\n error_message = "It does not hold."\n }\n`;

/** A step with the tfcoremock provider alone. */
export const mocked = (text: string, more: Readonly<Record<string, string>> = {}, settings: Partial<StepSettings> = {}): RunnableStep =>
  step(required("tfcoremock") + mock + text, settings, more);

/** A step with the framework provider, too. */
export const framed = (text: string, settings: Partial<StepSettings> = {}, modules: Readonly<Record<string, string>> = {}): RunnableStep =>
  step(required("framework", "tfcoremock") + framework + mock + text, settings, modules);

/** A provider configuration with which an operation fails for an object. */
export const failing = (operation: string, id: string): string => mock.replace("{\n", `{\n  fail_on_${operation} = ["${id}"]\n`);
