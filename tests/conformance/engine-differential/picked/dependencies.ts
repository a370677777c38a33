// SPDX-License-Identifier: Apache-2.0
import { condition, failing, framed, framework, mock, mocked, required, simple, step, type PickedCase } from "./configuration.ts";
import type { RunnableStep } from "../run-case.ts";

const outdated = 'module "m" {\n source = "./m"\n}\n';
const outdatedModule = { "m/main.tf": 'output "old" {\n value = "x"\n deprecated = "Use another."\n}\n' };

/** A resource with an id, of which another value replaces it. */
const identified = (name: string, id: string, string: string, more = ""): string =>
  `resource "tfcoremock_simple_resource" "${name}" {\n id = "${id}"\n string = ${string}\n${more}}\n`;

/** Dependencies between resources, modules, outputs and ephemeral resources. */
export const dependenciesCases: readonly PickedCase[] = [
  {
    name: "an ephemeral resource whose for_each refers to an object that is still to be created",
    steps: [
      framed(
        `${simple("a")}ephemeral "framework_token" "t" {\n for_each = { k = tfcoremock_simple_resource.a.id }\n name = "t-\${each.key}"\n}\n`,
      ),
    ],
  },
  {
    name: "references to deprecated attributes of objects",
    steps: ["one", "two"].map((text) =>
      framed(`resource "framework_record" "a" {\n name = "a"\n old_name = "${text}"\n}
resource "framework_record" "b" {\n count = 2\n name = "b\${count.index}"\n caseless = framework_record.a.old_name\n}
output "o" {\n value = framework_record.a.old_name\n}\n`),
    ),
  },
  {
    name: "the dependencies of an imported object",
    steps: [
      mocked(simple("a")),
      mocked(`${simple("b")}removed {\n from = tfcoremock_simple_resource.a\n lifecycle {\n destroy = false\n}\n}\n`),
      mocked(
        `${simple("b", 'string = "x"')}resource "tfcoremock_simple_resource" "c" {\n id = "a"\n string = tfcoremock_simple_resource.b.string\n}\nimport {\n to = tfcoremock_simple_resource.c\n id = "a"\n}\n`,
      ),
    ],
  },
  {
    name: "create_before_destroy of a resource outside of the targets",
    steps: ["create", "target"].map((name) =>
      mocked(
        `resource "tfcoremock_simple_resource" "a" {\n id = "a-${name}"\n}\nresource "tfcoremock_simple_resource" "b" {\n string = tfcoremock_simple_resource.a.id\n lifecycle {\n create_before_destroy = true\n}\n}\n`,
        {},
        name === "create" ? {} : { targets: ["tfcoremock_simple_resource.a"] },
      ),
    ),
  },
  {
    name: "a reference to an instance by its key, of which only the one in another instance of the module changes",
    steps: ["one", "two"].map((text) =>
      mocked('module "m" {\n source = "./m"\n for_each = toset(["a", "b"])\n key = each.key\n}\n', {
        "m/main.tf": `variable "key" {\n type = string\n}
resource "tfcoremock_simple_resource" "r" {\n count = 1\n id = "\${var.key}-r"\n string = var.key == "a" ? "${text}" : "one"\n}
resource "tfcoremock_simple_resource" "s" {\n id = "\${var.key}-s-${text}"\n string = ${text === "one" ? '"one"' : "tfcoremock_simple_resource.r[0].string"}\n}\n`,
      }),
    ),
  },
  {
    name: "an output of a module with an argument of an ephemeral resource that is not known yet: `unknown-arguments-of-ephemeral-resources`",
    steps: [
      framed(
        `resource "framework_record" "a" {\n name = "a"\n}\nephemeral "framework_token" "t" {\n name = framework_record.a.id\n}\nmodule "m" {\n source = "./m"\n v = ephemeral.framework_token.t.name\n}\n`,
        {},
        { "m/main.tf": 'variable "v" {\n type = string\n ephemeral = true\n}\noutput "o" {\n value = var.v\n ephemeral = true\n}\n' },
      ),
    ],
  },
  {
    name: "ephemeral resources to which only unchanged objects refer",
    steps: ["one", "two"].map((text) =>
      framed(`ephemeral "framework_token" "t" {\n name = "t"\n}
ephemeral "framework_token" "unused" {\n name = "unused"\n}
resource "framework_record" "a" {\n name = "a"\n password = ephemeral.framework_token.t.value\n}
check "c" {
  data "framework_lookup" "l" {\n id = framework_record.a.id\n}
  assert {\n condition = data.framework_lookup.l.name != ""\n error_message = "No name."\n}
}
output "o" {\n value = "${text}"\n}
`),
    ),
  },
  {
    name: "warnings about a deprecated attribute of several instances",
    steps: [
      framed(
        'resource "framework_record" "a" {\n for_each = toset(["x", "y"])\n name = each.key\n old_name = each.key\n}\nlocals {\n names = coalesce({ for key, one in framework_record.a : key => one.old_name }, {})\n}\n',
      ),
    ],
  },
  {
    name: "dependencies on a module that has lost a resource",
    steps: ['resource "tfcoremock_simple_resource" "lost" {\n id = "lost"\n}\n', ""].map((lost) =>
      mocked(`module "m" {\n source = "./m"\n}\n${simple("a", "depends_on = [module.m]")}`, {
        "m/main.tf": `${required("tfcoremock")}${lost}resource "tfcoremock_simple_resource" "kept" {\n id = "kept"\n}\n`,
      }),
    ),
  },
  {
    name: "dependencies of changed objects on a module that loses resources",
    steps: [simple("lost") + simple("forgotten"), ""].map((lost, index) =>
      mocked(
        `module "m" {\n source = "./m"\n}\n${simple("a", `string = "${index}"\n depends_on = [module.m]`)}${index === 0 ? "" : `removed {\n from = module.m.tfcoremock_simple_resource.forgotten\n lifecycle {\n destroy = false\n}\n}\n${simple("b", "depends_on = [module.m]")}`}`,
        { "m/main.tf": `${required("tfcoremock")}${lost}${simple("kept")}` },
      ),
    ),
  },
  {
    name: "an imported object whose configuration refers to a deprecated output",
    steps: [
      mocked(simple("a", 'string = "x"') + outdated, outdatedModule),
      mocked(`removed {\n from = tfcoremock_simple_resource.a\n lifecycle {\n destroy = false\n}\n}\n${outdated}`, outdatedModule),
      mocked(
        `resource "tfcoremock_simple_resource" "b" {\n for_each = toset(["a"])\n id = each.key\n string = module.m.old\n}\nimport {\n to = tfcoremock_simple_resource.b["a"]\n id = "a"\n}\n${outdated}`,
        outdatedModule,
      ),
    ],
  },
  {
    name: "deprecated outputs in the repetition of an unchanged resource and in outputs that nothing needs",
    steps: ["one", "two"].map((text) =>
      mocked(
        `${outdated}resource "tfcoremock_simple_resource" "a" {\n for_each = toset([module.m.old])\n id = each.key\n}\noutput "o" {\n value = "${text}"\n}\noutput "p" {\n value = tfcoremock_simple_resource.a["x"].id\n}\n`,
        {
          ...outdatedModule,
          "m/inner/main.tf": outdatedModule["m/main.tf"],
          "m/main.tf": `${outdatedModule["m/main.tf"]}module "inner" {\n source = "./inner"\n}\noutput "unneeded" {\n value = module.inner.old\n${condition("precondition", "terraform.workspace != null")}}\n`,
        },
      ),
    ),
  },
  {
    name: "deprecated outputs in the repetition of what targets leave out",
    steps: [{}, { targets: ["tfcoremock_simple_resource.a"] }].map((settings, index) =>
      mocked(
        `${simple("a", `string = "${index}"`)}${outdated}resource "tfcoremock_simple_resource" "b" {\n for_each = toset([module.m.old])\n id = each.key\n}\nmodule "n" {\n source = "./n"\n for_each = toset([module.m.old])\n}\nmoved {\n from = tfcoremock_simple_resource.c\n to = tfcoremock_simple_resource.b["x"]\n}\n`,
        { ...outdatedModule, "n/main.tf": `${required("tfcoremock")}${simple("d")}output "o" {\n value = "x"\n}\n` },
        settings,
      ),
    ),
  },
  {
    name: "an imported object whose configuration is sensitive",
    steps: [
      mocked(simple("a", 'string = "x"')),
      mocked("removed {\n from = tfcoremock_simple_resource.a\n lifecycle {\n destroy = false\n}\n}\n"),
      mocked(
        'resource "tfcoremock_simple_resource" "b" {\n id = "a"\n string = sensitive("x")\n}\nimport {\n to = tfcoremock_simple_resource.b\n id = "a"\n}\n',
      ),
    ],
  },
  {
    name: "ephemeral resources of a module to which a check and an output refer as a whole",
    steps: [
      step(
        `${required("framework", "tfcoremock")}${framework}${mock}module "m" {\n source = "./m"\n}\ncheck "c" {\n${condition("assert", 'contains(values(module.m), "x")')}}\noutput "o" {\n value = 1\n depends_on = [module.m]\n}\n`,
        {},
        {
          "m/main.tf": `${required("framework")}ephemeral "framework_token" "t" {\n name = "t"\n}\noutput "o" {\n value = "x"\n}\n`,
        },
      ),
    ],
  },
  {
    name: "dependencies on a module with a check that reads a data source",
    steps: [
      mocked(`module "m" {\n source = "./m"\n}\n${simple("a", "depends_on = [module.m]")}`, {
        "m/main.tf": `${required("tfcoremock")}${simple("b")}check "c" {\n data "tfcoremock_simple_resource" "d" {\n id = tfcoremock_simple_resource.b.id\n}\n${condition("assert", "true")}}\n`,
      }),
    ],
  },
  ...(["for_each", "count"] as const).map((kind): PickedCase => {
    const [of, key] = kind === "count" ? ['== "xyz" ? 3 : 1', "count.index"] : ['== "xyz" ? toset(["x", "y"]) : toset(["y"])', "each.key"];
    const text = `${simple("a", 'string = "xyz"')}resource "tfcoremock_simple_resource" "b" {\n ${kind} = tfcoremock_simple_resource.a.string ${of}\n id = "b-\${${key}}"\n}\noutput "o" {\n value = [for one in tfcoremock_simple_resource.b : one.id]\n}\n`;
    return {
      name: `references to objects that ${kind} no longer declares after drift, in a refresh-only plan`,
      steps: [mocked(text), mocked(text, {}, { mode: "refreshOnly", outside: [{ kind: "change", pick: 0 }] })],
    };
  }),
  {
    name: "an import by an identity without an optional attribute, of an object that has to be replaced",
    steps: [
      'resource "framework_record" "a" {\n name = "a"\n}\n',
      "removed {\n from = framework_record.a\n lifecycle {\n destroy = false\n}\n}\n",
      'resource "framework_record" "b" {\n name = "a"\n kind = "other"\n}\nimport {\n to = framework_record.b\n identity = { id = "plain-${substr(sha256("a"), 0, 8)}" }\n}\n',
    ].map((text) => framed(text)),
  },
  {
    name: "an import block with an error, of a resource that targets leave out",
    steps: [
      mocked(
        `variable "ids" {\n default = "a"\n}\n${simple("a")}${simple("b")}import {\n to = tfcoremock_simple_resource.a\n id = split(",", var.ids)[1]\n}\n`,
        {},
        { targets: ["tfcoremock_simple_resource.b"] },
      ),
    ],
  },
  // Tofu records the types of the outputs if another block than an output refers to the object.
  ...["", `check "k" {\n${condition("assert", "tfcoremock_simple_resource.a.integer != 2")}}\n`].map((check): PickedCase => ({
    name: `outputs that refer to an object that is gone, in a refresh-only plan${check === "" ? "" : ", as a check does: `types-of-gone-objects`"}`,
    steps: [{}, { mode: "refreshOnly" as const, outside: [{ kind: "gone" as const, pick: 0 }] }, {}].map((settings) =>
      mocked(
        `${simple("a", "integer = 1")}output "o" {\n value = tfcoremock_simple_resource.a.integer\n}\noutput "unset" {\n value = tfcoremock_simple_resource.a.string\n}\n${check || 'output "p" {\n value = [tfcoremock_simple_resource.a, "known"]\n}\n'}`,
        {},
        settings,
      ),
    ),
  })),
  ...["", "resource"].map((kind): PickedCase => ({
    name: `a deprecated output in the for_each of a module call, ${kind === "" ? "which has only values" : "which has a resource"}`,
    steps: (["one", "two", "destroy"] as const).map((text) =>
      mocked(
        `${simple("a", `string = "${text}"`)}module "m" {\n source = "./m"\n}\nmodule "n" {\n source = "./n"\n for_each = { a = module.m.o }\n text = each.value\n}\n`,
        {
          "m/main.tf": 'output "o" {\n value = "x"\n deprecated = "Use another output."\n}\n',
          "n/main.tf": `variable "text" {\n type = string\n}\n${kind === "" ? "" : 'resource "terraform_data" "d" {\n input = var.text\n}\n'}output "p" {\n value = var.text\n}\n`,
        },
        text === "destroy" ? { mode: text } : {},
      ),
    ),
  })),
  {
    name: "references to a deprecated output of a module",
    steps: ["one", "two"].map((text) =>
      mocked(
        `module "m" {\n source = "./m"\n for_each = toset(["x", "y"])\n}\nlocals {\n all = [for one in module.m : one.old]\n}\n${simple("a", 'string = module.m["x"].old')}output "o" {\n value = "${text}-\${module.m["y"].old}"\n}\noutput "p" {\n value = module.m["x"].fresh\n}\n`,
        { "m/main.tf": 'output "old" {\n value = "old"\n deprecated = "Use fresh."\n}\noutput "fresh" {\n value = "fresh"\n}\n' },
      ),
    ),
  },
  {
    name: "an output that a plan with targets leaves out although an apply needs only the targets for it",
    steps: ["1000", "length(concat([tfcoremock_simple_resource.a.string], [for one in module.m : one.o]))"].map((value, index) =>
      step(
        `${required("framework", "tfcoremock")}${framework}${mock}${simple("a", `string = "${index}"`)}module "m" {\n source = "./m"\n for_each = toset([])\n}\noutput "o" {\n value = ${value}\n}\n`,
        index === 0 ? {} : { targets: ["tfcoremock_simple_resource.a"] },
        { "m/main.tf": `${required("framework")}ephemeral "framework_token" "t" {\n name = "t"\n}\noutput "o" {\n value = 1\n}\n` },
      ),
    ),
  },
  {
    name: "an error of an output that a plan with targets leaves out although an apply needs only the targets for it",
    steps: ['"x"', "upper(join(tfcoremock_simple_resource.a.string, tfcoremock_simple_resource.b[*].string))"].map((value, index) =>
      mocked(
        `${simple("a", `string = "${index}"`)}resource "tfcoremock_simple_resource" "b" {\n count = 1\n}\noutput "o" {\n value = ${value}\n}\n`,
        {},
        index === 0 ? {} : { targets: ["tfcoremock_simple_resource.a"] },
      ),
    ),
  },
  {
    name: "changes that wait for each other: `cycles-of-changes`",
    steps: [
      mocked(
        `${identified("a", "a1", '"x"')}${identified("b", "b1", "tfcoremock_simple_resource.a.id")}${identified("c", "c1", "tfcoremock_simple_resource.b.id")}`,
      ),
      mocked(
        `${identified("a", "a2", '"x"')}${identified("c", "c2", '"y"', " lifecycle {\n create_before_destroy = true\n}\n")}${identified("d", "d", '"${tfcoremock_simple_resource.c.id}${tfcoremock_simple_resource.a.id}"')}`,
      ),
    ],
  },
  {
    name: "an object of which only the sensitivity of a value seems to change",
    steps: ["one", "two"].map((text) =>
      mocked(
        `resource "terraform_data" "t" {\n triggers_replace = "${text}"\n}\n${simple("a", 'string = false ? try(sensitive(terraform_data.t.id), "n") : "same"')}`,
      ),
    ),
  },
  {
    name: "an object whose planned update changes nothing but the sensitivity of a value",
    steps: [
      ["one", "terraform_data.t.id"],
      ["two", "sensitive(terraform_data.t.id)"],
    ].map(([trigger, id]) =>
      mocked(`resource "terraform_data" "t" {\n triggers_replace = "${trigger}"\n}\n${simple("a", `number = length(${id})`)}`),
    ),
  },
  {
    name: "dependencies of an object whose planned update changes nothing",
    steps: ["a", "b"].map((name) =>
      mocked(`resource "tfcoremock_shelf" "${name}" {\n}\nresource "tfcoremock_shelf" "c" {\n label = tfcoremock_shelf.${name}.label\n}\n`),
    ),
  },
  ...["", "precondition"].flatMap((kind): readonly PickedCase[] => {
    const data = (more: string): string =>
      `data "tfcoremock_simple_resource" "d" {\n ${more}\n${kind === "" ? "" : `lifecycle {\n${condition(kind, "terraform.workspace != null")}}`}\n}\n`;
    const suffix = kind === "" ? "" : ", with a condition";
    return [
      {
        name: `a data source that depends on a module that loses a resource${suffix}`,
        steps: [simple("lost"), "", ""].map((lost) =>
          mocked(`module "m" {\n source = "./m"\n}\n${data('id = "kept"\n depends_on = [module.m]')}`, {
            "m/main.tf": `${required("tfcoremock")}${lost}${simple("kept")}`,
          }),
        ),
      },
      {
        name: `a data source that depends on a resource that loses an instance${suffix}`,
        steps: ['["a", "b"]', '["a"]', '["a"]'].map((keys) =>
          mocked(
            `resource "tfcoremock_simple_resource" "r" {\n for_each = toset(${keys})\n id = each.key\n}\n${data('id = "a"\n depends_on = [tfcoremock_simple_resource.r]')}`,
          ),
        ),
      },
      {
        name: `a data source that refers to a resource that loses an instance${suffix}`,
        steps: ["2", "1", "1"].map((count) =>
          mocked(
            `resource "tfcoremock_simple_resource" "r" {\n count = ${count}\n id = "r-\${count.index}"\n}\n${data("id = tfcoremock_simple_resource.r[0].id")}`,
          ),
        ),
      },
    ];
  }),
  {
    name: "a data source that depends on a resource with a deposed object",
    steps: ["a", "b", "b"].map((id, index) =>
      step(
        `${required("tfcoremock")}${index === 1 ? failing("delete", "a") : mock}resource "tfcoremock_simple_resource" "r" {\n id = "${id}"\n lifecycle {\n create_before_destroy = true\n}\n}\n${index === 0 ? "" : 'data "tfcoremock_simple_resource" "d" {\n id = "b"\n depends_on = [tfcoremock_simple_resource.r]\n}\n'}`,
      ),
    ),
  },
  {
    name: "an ephemeral resource that depends on a module that loses a resource",
    steps: [simple("lost"), "", ""].map((lost) =>
      step(
        `${required("framework", "tfcoremock")}${framework}${mock}module "m" {\n source = "./m"\n}\nephemeral "framework_token" "t" {\n name = "t"\n depends_on = [module.m]\n}\n`,
        {},
        { "m/main.tf": `${required("tfcoremock")}${lost}${simple("kept")}` },
      ),
    ),
  },
  {
    name: "new objects that depend on a resource of which an instance cannot be destroyed",
    steps: ['["a", "b"]', '["a"]'].map((keys, index) =>
      step(
        `${required("tfcoremock")}${failing("delete", "b")}resource "tfcoremock_simple_resource" "r" {\n for_each = toset(${keys})\n id = each.key\n}\n${index === 0 ? "" : `${simple("n", 'string = tfcoremock_simple_resource.r["a"].id')}data "tfcoremock_simple_resource" "d" {\n id = "a"\n depends_on = [tfcoremock_simple_resource.r]\n}\n`}`,
      ),
    ),
  },
  ...["call", "block"].map((place): PickedCase => {
    const waits = "\n depends_on = [tfcoremock_simple_resource.none]";
    return {
      name: `an ephemeral resource with depends_on of a resource without instances that depends on a new one, in the ${place}`,
      steps: [
        framed(
          `${simple("a")}resource "tfcoremock_simple_resource" "none" {\n for_each = toset([])\n string = tfcoremock_simple_resource.a.id\n}\nmodule "m" {\n source = "./m"${place === "call" ? waits : ""}\n}\n${place === "call" ? "" : `ephemeral "framework_token" "t" {\n name = "t"${waits}\n}\n`}`,
          {},
          {
            "m/main.tf": `${required("framework")}ephemeral "framework_token" "t" {\n name = "m"\n}\nresource "framework_record" "r" {\n name = "r"\n}\n`,
          },
        ),
      ],
    };
  }),
  ...[
    { excludes: ["framework_record.a"] },
    { excludes: ["framework_record.c"] },
    { excludes: ["ephemeral.framework_token.t"] },
    { targets: ["framework_record.a"] },
    { targets: ["framework_record.b"] },
    { targets: ["framework_record.c"] },
    { targets: ["module.m"] },
  ].map((limits) => ({
    name: `ephemeral resources to which only unchanged objects refer, in an apply limited to ${JSON.stringify(limits)}`,
    steps: ["one", "two"].map((text) =>
      framed(
        `resource "framework_record" "a" {\n name = "a"\n caseless = "${text}"\n}
ephemeral "framework_token" "t" {\n name = "t"\n}
ephemeral "framework_token" "u" {\n name = "u-\${framework_record.a.name}"\n}
resource "framework_record" "b" {\n name = "b"\n password = ephemeral.framework_token.t.value\n}
resource "framework_record" "c" {\n name = "c"\n caseless = "${text}"\n password = ephemeral.framework_token.u.value\n}
module "m" {\n source = "./m"\n text = "${text}"\n}
check "c" {\n assert {\n condition = framework_record.b.name != framework_record.c.name && module.m.name != ""\n error_message = "No."\n}\n}\n`,
        text === "one" ? {} : limits,
        {
          "m/main.tf": `${required("framework")}variable "text" {\n type = string\n}\nephemeral "framework_token" "t" {\n name = "m"\n}\nresource "framework_record" "a" {\n name = "m"\n caseless = var.text\n}\nresource "framework_record" "b" {\n name = "n"\n password = ephemeral.framework_token.t.value\n}\noutput "name" {\n value = framework_record.b.name\n}\n`,
        },
      ),
    ),
  })),
  {
    name: "outputs that refer to an object that was never created, in a refresh-only plan: `types-of-gone-objects`",
    steps: [
      mocked(
        `${simple("a")}locals {\n l = tfcoremock_simple_resource.a.string\n}\noutput "o" {\n value = { name = tfcoremock_simple_resource.a.string, text = "x" }\n}\n`,
        {},
        { mode: "refreshOnly" },
      ),
    ],
  },
];

/** Shows `marks-of-deprecated-outputs`: references to outputs of a module that are deprecated, and sensitive or ephemeral. */
export const marksOfDeprecatedOutputs: readonly RunnableStep[] = ["sensitive", "ephemeral"].map((kind) =>
  mocked(`module "m" {\n source = "./m"\n}\n${simple("a", "string = module.m.old")}`, {
    "m/main.tf": `output "old" {\n value = "hidden"\n ${kind} = true\n deprecated = "Use another one."\n}\n`,
  }),
);
