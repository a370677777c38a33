// SPDX-License-Identifier: Apache-2.0
import { condition, failing, framed, mock, mocked, required, simple, step, type PickedCase } from "./configuration.ts";

const modes = ["normal", "destroy", "refreshOnly"] as const;

/** Targets and exclusions of objects that the configuration no longer declares. */
export const limitsCases: readonly PickedCase[] = [
  {
    name: "the data source of a check beside an excluded instance with a condition: `changes-beside-exclusions`",
    steps: [{}, { excludes: ['terraform_data.r["a"]'] }].map((limits) =>
      mocked(
        `resource "terraform_data" "r" {\n for_each = toset(["a", "b"])\n lifecycle {\n${condition("precondition", "each.key != null")}}\n}\n${simple("a")}check "c" {\n data "tfcoremock_simple_resource" "d" {\n id = tfcoremock_simple_resource.a.id\n}\n ${condition("assert", "data.tfcoremock_simple_resource.d.id != null")}}\n`,
        {},
        limits,
      ),
    ),
  },
  ...modes.flatMap((mode) =>
    (
      [
        { excludes: ['tfcoremock_simple_resource.r["b"]'] },
        { targets: ['tfcoremock_simple_resource.r["a"]', "tfcoremock_simple_resource.s"] },
      ] as const
    ).map((limits): PickedCase => ({
      name: `references to a resource with an instance that is no longer declared, in a ${mode} plan limited to ${JSON.stringify(limits)}`,
      steps: [["a", "b"], ["a"]].map((keys, index) =>
        mocked(
          `resource "tfcoremock_simple_resource" "r" {\n for_each = toset(${JSON.stringify(keys)})\n id = each.key\n string = "one"\n}\n${simple("s", 'string = join(",", keys(tfcoremock_simple_resource.r))')}output "o" {\n value = { for key, one in tfcoremock_simple_resource.r : key => one.id }\n}\n`,
          {},
          index === 0 ? {} : { ...limits, mode },
        ),
      ),
    })),
  ),
  ...modes.flatMap((mode) =>
    (
      [{ excludes: ['module.m["b"].tfcoremock_simple_resource.r'] }, { targets: ['module.m["a"].tfcoremock_simple_resource.r'] }] as const
    ).map((limits): PickedCase => ({
      name: `objects of a module instance that is no longer declared, in a ${mode} plan limited to ${JSON.stringify(limits)}: \`limits-of-undeclared-modules\``,
      steps: [["a", "b"], ["a"]].map((keys, index) =>
        mocked(
          `module "m" {\n source = "./m"\n for_each = toset(${JSON.stringify(keys)})\n id = each.key\n}\n`,
          {
            "m/main.tf": `${required("tfcoremock")}variable "id" {\n type = string\n}\nresource "tfcoremock_simple_resource" "r" {\n id = var.id\n}\n`,
          },
          index === 0 ? {} : { ...limits, mode },
        ),
      ),
    })),
  ),
  ...["the excluded object", "the object at its new address"].map((gone, pick): PickedCase => ({
    name: `a destroy plan of an excluded object that could not move, after which ${gone} is gone`,
    steps: [
      mocked(`${simple("a")}${simple("b")}`),
      mocked(
        `${simple("b")}moved {\n from = tfcoremock_simple_resource.a\n to = tfcoremock_simple_resource.b\n}\n`,
        {},
        { mode: "destroy", excludes: ["tfcoremock_simple_resource.a"], outside: [{ kind: "gone", pick }] },
      ),
    ],
  })),
  ...["", "a"].map((failed): PickedCase => ({
    name: `a target that refers to one of several changed instances${failed === "" ? "" : ", of which that one fails"}: \`dependencies-of-unchanged-targets\``,
    steps: ["one", "two"].map((text, index) =>
      step(
        `${required("tfcoremock")}${failed === "" ? mock : failing("update", failed)}resource "tfcoremock_simple_resource" "r" {\n for_each = toset(["a", "b"])\n id = each.key\n string = "${text}"\n}\n${simple("t", 'string = tfcoremock_simple_resource.r["a"].string')}`,
        index === 0 ? {} : { targets: ["tfcoremock_simple_resource.t"] },
      ),
    ),
  })),
  {
    name: "an excluded resource whose for_each refers to something deprecated",
    steps: [{}, { excludes: ["tfcoremock_simple_resource.a"] }].map((settings) =>
      framed(
        `${simple("a")}resource "framework_record" "r" {\n name = tfcoremock_simple_resource.a.id\n size = 1\n}\nresource "terraform_data" "d" {\n for_each = { x = try(framework_record.r.old_name, "none") }\n}\n`,
        settings,
      ),
    ),
  },
];
