// SPDX-License-Identifier: Apache-2.0
import type { StepSettings } from "../generate/steps.ts";
import type { RunnableStep } from "../run-case.ts";
import { condition, framed, mocked, required, simple, type PickedCase } from "./configuration.ts";

/** A module whose output is deprecated. */
const outdatedModule = 'output "old" {\n value = "x"\n deprecated = "Use another."\n}\n';

/** A module with a deprecated variable. */
const passingModule = `variable "given" {
 type = string
}
variable "late" {
 type = string
 deprecated = "Not this."
}
output "o" {
 value = "\${var.given}\${var.late}"
}
`;

/** Blocks of each kind whose expressions have a deprecated value. */
const users = (value: string): string => `locals {
 l = ${value}
}
module "passing" {
 source = "./passing"
 given = ${value}
 late = ${value}
}
module "repeated" {
 source = "./outdated"
 for_each = toset([${value}])
}
resource "tfcoremock_simple_resource" "user" {
 id = "user"
 string = ${value}
 lifecycle {
${condition("precondition", `${value} != "y"`)}}
}
resource "tfcoremock_simple_resource" "repeated" {
 for_each = toset([${value}])
}
data "tfcoremock_simple_resource" "user" {
 id = ${value} == "y" ? "a" : "user"
 depends_on = [tfcoremock_simple_resource.user]
}
output "user" {
 value = ${value}
${condition("precondition", `${value} != "y"`)}}
check "user" {
${condition("assert", `${value} != "y"`)}}
`;

const userModules = { "outdated/main.tf": outdatedModule, "passing/main.tf": passingModule };

/** A changed object that depends on unchanged ones, which need deprecated values through a local value, a variable and outputs. */
const dependent = (text: string): RunnableStep =>
  mocked(
    `module "m" {
 source = "./outdated"
}
module "n" {
 source = "./n"
 given = module.m.old
 unneeded = module.m.old
 checked = module.m.old
}
locals {
 l = module.m.old
 k = module.m.old
 unneeded = module.m.old
}
${simple("a", "string = local.l")}
resource "tfcoremock_simple_resource" "repeated" {
 for_each = toset([module.m.old])
 id = "repeated"
}
${simple("b", `string = "\${tfcoremock_simple_resource.a.id}\${module.n.o}${text}"`)}
${simple("z", `string = "${text}"`)}
output "o" {
 value = "\${local.k}\${tfcoremock_simple_resource.a.id}"
}
check "c" {
${condition("assert", "tfcoremock_simple_resource.a.id != local.k")}}
`,
    {
      "outdated/main.tf": outdatedModule,
      "n/main.tf": `${required("tfcoremock")}variable "given" {
 type = string
 deprecated = "Not this."
}
variable "unneeded" {
 type = string
}
variable "checked" {
 type = string
${condition("validation", 'var.checked != "y"')}}
module "m" {
 source = "./outdated"
}
${simple("i", "string = var.given")}
output "o" {
 value = "\${tfcoremock_simple_resource.i.id}\${module.m.old}"
}
output "unneeded" {
 value = module.m.old
}
`,
      "n/outdated/main.tf": outdatedModule,
    },
  );

/** A changed object that depends on unchanged ones of other provider configurations, which have deprecated values. */
const configured = (text: string): RunnableStep => {
  const folders = '  resource_directory = module.m.old == "x" ? "${path.cwd}/objects" : ""\n  data_directory = "${path.cwd}/objects"\n';
  const providers = ['alias = "other"', 'alias = "each"\n for_each = toset(["k"])'].map(
    (kind) => `provider "tfcoremock" {\n ${kind}\n${folders}}\n`,
  );
  return mocked(
    `${providers.join("")}module "m" {\n source = "./outdated"\n}\n${simple("a", "provider = tfcoremock.other")}${simple("b", 'provider = tfcoremock.each["k"]')}${simple("c", `string = "\${tfcoremock_simple_resource.a.id}\${tfcoremock_simple_resource.b.id}${text}"`)}`,
    { "outdated/main.tf": outdatedModule },
  );
};

/** Warnings about values that derive from what is deprecated. */
export const deprecationsCases: readonly PickedCase[] = [
  {
    name: "blocks that are generated from a deprecated value, of a resource with nested attributes",
    steps: [
      framed(
        'resource "framework_record" "a" {\n name = "a"\n old_name = "x"\n}\nresource "tfcoremock_complex_resource" "b" {\n dynamic "list_block" {\n for_each = framework_record.a.old_name == "x" ? ["one"] : []\n content {\n string = list_block.value\n}\n}\n}\n',
      ),
    ],
  },
  {
    name: "deprecated values in what depends on a module with an object that cannot be destroyed",
    steps: ['"a", "b"', '"a"'].map((keys) =>
      mocked(`module "kept" {\n source = "./kept"\n for_each = toset([${keys}])\n name = each.key\n}\n${users('module.kept["a"].old')}`, {
        ...userModules,
        "kept/main.tf": `${required("tfcoremock")}variable "name" {\n type = string\n}\nresource "tfcoremock_simple_resource" "p" {\n id = var.name\n lifecycle {\n prevent_destroy = true\n}\n}\noutput "old" {\n value = tfcoremock_simple_resource.p.id\n deprecated = "Use another."\n}\n`,
      }),
    ),
  },
  {
    name: "deprecated values in one of several instances of a module, of which another one has an error",
    steps: [
      mocked('module "kept" {\n source = "./kept"\n for_each = toset(["a", "b"])\n name = each.key\n}\n', {
        "kept/main.tf": `${required("tfcoremock")}variable "name" {\n type = string\n}\nmodule "m" {\n source = "./outdated"\n}\n${simple("p", `lifecycle {\n${condition("precondition", 'var.name == "a"')}}\n`)}${users('"${module.m.old}${tfcoremock_simple_resource.p.id}"')}`,
        "kept/outdated/main.tf": outdatedModule,
        "kept/passing/main.tf": passingModule,
      }),
    ],
  },
  ...(
    [
      ["", {}],
      [" with targets", { targets: ["tfcoremock_simple_resource.b"] }],
      [" with exclusions", { excludes: ["tfcoremock_simple_resource.z"] }],
      [" of a refresh-only plan", { mode: "refreshOnly" }],
    ] satisfies readonly (readonly [string, Partial<StepSettings>])[]
  ).map(([how, settings]) => ({
    name: `deprecated values that only unchanged objects need, in an apply${how}`,
    steps: [dependent("one"), { ...dependent("two"), ...settings }],
  })),
  {
    name: "all but the warnings of an output that the plan does not have: `outputs-outside-of-the-plan`",
    steps: [{}, { targets: ["module.m.tfcoremock_simple_resource.a"] }].map((settings) =>
      framed('module "m" {\n source = "./m"\n}\noutput "o" {\n value = {\n old = module.m["old"]\n}\n}\n', settings, {
        "m/main.tf": `${required("framework", "tfcoremock")}ephemeral "framework_token" "t" {\n name = "t"\n}\n${simple("a")}output "old" {\n value = tfcoremock_simple_resource.a.id\n deprecated = "Use another."\n}\n`,
      }),
    ),
  },
  ...(["normal", "destroy"] as const).map((mode) => ({
    name: `deprecated values in provider configurations, in an apply${mode === "normal" ? "" : ` of a ${mode} plan`}`,
    steps: [configured("one"), { ...configured("two"), mode }],
  })),
  {
    name: "a deprecated value that only a forgotten object needs, in a destroy plan: `variables-of-forgotten-objects`",
    steps: (["normal", "destroy"] as const).map((mode) =>
      mocked(
        `module "m" {\n source = "./m"\n}\nlocals {\n l = module.m.o\n}\n${simple("a", "string = local.l\n lifecycle {\n destroy = false\n}")}`,
        { "m/main.tf": 'output "o" {\n value = "x"\n deprecated = "Use another."\n}\n' },
        { mode },
      ),
    ),
  },
  {
    name: "a deprecated value in an object whose final plan is inconsistent",
    steps: [
      mocked(
        `module "m" {\n source = "./m"\n}\nresource "tfcoremock_simple_resource" "a" {\n}\nresource "tfcoremock_shelf" "b" {\n label = module.m.o\n dynamic "board" {\n for_each = toset(["!", "zzzz", tfcoremock_simple_resource.a.id])\n content {\n width = length(board.value)\n}\n}\n}\n`,
        { "m/main.tf": 'output "o" {\n value = "x"\n deprecated = "Use another."\n}\n' },
      ),
    ],
  },
  {
    name: "a deprecated value in an object of which only the sensitivity of a value changes",
    steps: ["sensitive", "nonsensitive"].map((name) =>
      framed(
        `resource "framework_record" "a" {\n name = "a"\n old_name = "o"\n}\nresource "framework_record" "b" {\n name = ${name === "sensitive" ? 'sensitive("b")' : '"b"'}\n caseless = framework_record.a.old_name\n}\n`,
      ),
    ),
  },
  {
    name: "warnings of a provider about an object of which only the sensitivity of a value changes",
    steps: ["sensitive", "nonsensitive"].map((name) =>
      framed(`resource "framework_record" "a" {\n name = "a"\n old_name = ${name}("x")\n}\n`),
    ),
  },
];
