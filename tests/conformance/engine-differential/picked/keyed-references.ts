// SPDX-License-Identifier: Apache-2.0
import { required, step, simple, condition, failing, type PickedCase } from "./configuration.ts";

/** Instances of which one cannot be changed, and what refers to one of them, to all, or to both. */
const keyedDependents = (text: string, conditions = ""): string =>
  `resource "tfcoremock_simple_resource" "r" {\n for_each = { a = "${text}", b = "${text}" }\n id = each.key\n string = each.value\n${conditions}}
locals {\n l = tfcoremock_simple_resource.r["a"].string\n}\n${[
    ["one", 'tfcoremock_simple_resource.r["a"].string'],
    ["failed", 'tfcoremock_simple_resource.r["b"].string'],
    ["local", "local.l"],
    ["indirect", "tfcoremock_simple_resource.one.string"],
    ["all", 'join(",", [for one in tfcoremock_simple_resource.r : one.string])'],
  ]
    .map(([name, value]) => `resource "tfcoremock_simple_resource" "${name}" {\n id = "${name}"\n string = ${value}\n}\n`)
    .join("")}${simple("explicit", `string = "${text}"\ndepends_on = [tfcoremock_simple_resource.r["a"]]`)}
module "m" {\n source = "./m"\n v = tfcoremock_simple_resource.r["a"].string\n}
output "one" {\n value = tfcoremock_simple_resource.r["a"].string\n}
output "failed" {\n value = tfcoremock_simple_resource.r["b"].string\n}
output "all" {\n value = tfcoremock_simple_resource.r\n}
check "one" {\n${condition("assert", 'tfcoremock_simple_resource.r["a"].string != ""')}}
check "all" {\n${condition("assert", "length(tfcoremock_simple_resource.r) > 0")}}
`;

const keyedModule = { "m/main.tf": `variable "v" {\n type = string\n${condition("validation", 'var.v != ""')}}\n` };

/** References to one instance of a resource. */
export const keyedReferenceCases: readonly PickedCase[] = [
  "",
  'lifecycle {\n precondition {\n condition = terraform.workspace != null\n error_message = "No."\n }\n}\n',
].flatMap((conditions) => [
  {
    name: `a failed creation beside an instance that others refer to by its key${conditions === "" ? "" : ", with conditions"}`,
    steps: [step(required("tfcoremock") + failing("create", "b") + keyedDependents("one", conditions), {}, keyedModule)],
  },
  {
    name: `a failed change beside an instance that others refer to by its key${conditions === "" ? "" : ", with conditions"}`,
    steps: ["one", "two"].map((text) =>
      step(required("tfcoremock") + failing("update", "b") + keyedDependents(text, conditions), {}, keyedModule),
    ),
  },
  {
    name: `a failed change beside an unchanged instance that others refer to by its key${conditions === "" ? "" : ", with conditions"}`,
    steps: ["one", "two"].map((text) =>
      step(
        required("tfcoremock") + failing("update", "b") + keyedDependents(text, conditions).replace(/a = "\w+"/, 'a = "one"'),
        {},
        keyedModule,
      ),
    ),
  },
]);
