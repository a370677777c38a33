// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { number, object, of, same, string, type BigFloat, type Value } from "@tenon/cty";
import { numberFromText } from "@tenon/cty/unstable/payload";
import { describe, test } from "vitest";
import { parseResourceInstance, requireAddress } from "../address/index.ts";
import { readStateFile } from "./read-state-file.ts";
import { StateDraft } from "./state-draft.ts";
import { attributesOf, withAttributes } from "./state-object.ts";
import { objectIn, providerTextOf } from "./state.ts";
import { writeStateFile } from "./write-state-file.ts";

/** Written by `tofu apply` of OpenTofu 1.12.6. */
const written = readFileSync(join(import.meta.dirname, "../../test/state/tofu-state.txt"), "utf8");

/** The number that a decimal text is decoded to. */
const parseDecimal = (text: string): BigFloat => numberFromText(text) as BigFloat;

describe("state files", () => {
  test("of tofu are rewritten byte for byte", ({ expect }) => {
    const { file, diagnostics } = readStateFile(written);
    expect(diagnostics).toEqual([]);
    expect(writeStateFile(file!)).toBe(written);
    expect(writeStateFile(readStateFile(writeStateFile(file!, "compact")).file!)).toBe(written);
  });

  test("are read with their objects, attributes and providers", ({ expect }) => {
    const { file } = readStateFile(written);
    const text = 'terraform_data.a["2"]';
    const instance = requireAddress(text, parseResourceInstance(text));
    const found = objectIn(file!.state, { instance });
    expect(found?.dependencies).toEqual([]);
    const type = object({ id: string });
    const value = attributesOf({ ...found!, attributes: { id: found!.attributes!["id"]! } }, type);
    expect(value.payload).toEqual([found!.attributes!["id"]]);
    const resource = file!.state.resources.get("terraform_data.a")!;
    expect(providerTextOf(resource, resource.instances.get("2")!)).toBe('provider["terraform.io/builtin/terraform"]');
  });

  test("keep attributes that were set as values", ({ expect }) => {
    const { file } = readStateFile(written);
    const text = "terraform_data.b";
    const instance = requireAddress(text, parseResourceInstance(text));
    const type = object({ id: string, size: number });
    const decimal = parseDecimal("1180591620717411303424");
    const draft = new StateDraft(file!.state);
    const { provider } = file!.state.resources.get(text)!;
    const changed = withAttributes(objectIn(file!.state, { instance })!, of(type, { id: "x", size: decimal }), type);
    draft.setObject({ instance }, changed, { config: provider });
    const again = readStateFile(writeStateFile({ ...file!, state: draft.snapshot() })).file!;
    expect(attributesOf(objectIn(again.state, { instance })!, type)).satisfy((value: Value) =>
      same(value, of(type, { id: "x", size: decimal })),
    );
  });

  // The difference `mixed-instance-keys`.
  test("have the instances with numbers as keys before those with texts", ({ expect }) => {
    const instances = ['"b"', "10", '"a"', "9"].map((key) => `{"index_key":${key},"schema_version":0,"attributes":{}}`);
    const resource = `{"mode":"managed","type":"t","name":"a","provider":"provider[\\"example.com/x/t\\"]","instances":[${instances.join()}]}`;
    const { file, diagnostics } = readStateFile(`{"version":4,"lineage":"l","serial":1,"outputs":{},"resources":[${resource}]}`);
    expect(diagnostics).toEqual([]);
    const rewritten = JSON.parse(writeStateFile(file!)) as { resources: [{ instances: readonly { index_key: unknown }[] }] };
    expect(rewritten.resources[0].instances.map(({ index_key: key }) => key)).toEqual([9, 10, "a", "b"]);
  });

  test.for([
    ["", "syntax error at byte offset 0"],
    ["{}", 'does not have a "version" attribute'],
    ['{"version":4,"serial":é}', "syntax error at byte offset 23"],
    ['{"version":3}', "can be upgraded with any command of OpenTofu"],
    ['{"version":5,"terraform_version":"2.0.0"}', "was created by OpenTofu 2.0.0."],
    ['{"encrypted_data":"x","meta":{}}', "can not be read without an encryption configuration"],
    ["tfstate\0", "legacy binary format"],
    ['{"version":4,"resources":{}}', 'field "resources" has invalid value object'],
    ['{"version":4,"resources":[{"instances":[{"status":true}]}]}', 'field "resources.instances.status" has invalid value bool'],
    ['{"version":4,"serial":1.5}', 'field "serial" has invalid value number 1.5'],
    // The difference `large-state-numbers`.
    ['{"version":4,"serial":9007199254740993}', 'field "serial" has invalid value number 9007199254740993'],
  ])("are rejected with a reason: %j", ([text, reason], { expect }) => {
    const { file, diagnostics } = readStateFile(text!);
    expect(file).toBeUndefined();
    expect(diagnostics.map(({ detail }) => detail).join("\n")).toContain(reason);
  });
});
