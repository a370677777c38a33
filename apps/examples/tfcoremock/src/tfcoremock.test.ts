// SPDX-License-Identifier: Apache-2.0
// Cases with the options of the provider: its objects are files, and the configuration makes operations fail.
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { configStep, expectKnownValue, expectResourceAction, expectUnknownValue, importStep, runTestCase } from "@tenon/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { tfcoremock } from "./provider.ts";

describe("tfcoremock", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "tfcoremock-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const config = (options: string, attributes: string): string => `
    provider "tfcoremock" {
      ${options}
    }
    resource "tfcoremock_simple_resource" "a" {
      ${attributes}
    }`;
  const simple = "tfcoremock_simple_resource.a";
  const objects = (): string => join(folder, "terraform.resource");

  test("keeps each object in a file, whose name is the id", (context) =>
    runTestCase(context, {
      providers: { tfcoremock: tfcoremock({ folder }) },
      // The last deletion removes the folder.
      checkDestroy: () => expect(existsSync(objects())).toBe(false),
      steps: [
        configStep(config("", 'id = "one"\n string = "x"'), {
          stateChecks: [expectKnownValue(simple, "string", "x"), () => expect(readdirSync(objects())).toEqual(["one.json"])],
        }),
        importStep(simple),
        configStep(config("", 'id = "two"\n string = "x"'), { planChecks: [expectResourceAction(simple, "Replace")] }),
      ],
    }));

  test("makes an id where the configuration has none", (context) =>
    runTestCase(context, {
      providers: { tfcoremock: tfcoremock({ folder }) },
      steps: [
        configStep(config("", "integer = 1"), { planChecks: [expectUnknownValue(simple, "id")] }),
        configStep(config("", "integer = 2"), { planChecks: [expectResourceAction(simple, "Update")] }),
      ],
    }));

  test("fails where its configuration says so, and then continues", (context) =>
    runTestCase(context, {
      providers: { tfcoremock: tfcoremock({ folder }) },
      steps: [
        configStep(config('fail_on_create = ["one"]', 'id = "one"'), { expectError: /failed to create resource/ }),
        configStep(config("", 'id = "one"')),
      ],
    }));

  test("has the resource types that a file declares", (context) => {
    const declared = { tfcoremock_host: { attributes: { name: { type: "string", required: true } } } };
    writeFileSync(join(folder, "dynamic_resources.json"), JSON.stringify(declared));
    return runTestCase(context, {
      providers: { tfcoremock: tfcoremock({ folder }) },
      steps: [
        configStep('resource "tfcoremock_host" "a" {\n  name = "web"\n}', {
          stateChecks: [expectKnownValue("tfcoremock_host.a", "name", "web")],
        }),
      ],
    });
  });
});
