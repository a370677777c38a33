// SPDX-License-Identifier: Apache-2.0
import { framework, mock, required, step, simple, condition, framed, mocked, failing, type PickedCase } from "./configuration.ts";

const checked = simple("a", `string = "one"\nlifecycle {\n${condition("precondition", "terraform.workspace != null")}}`) + simple("b");

const validating = (value: string): string => `${simple("a", `string = "${value}"`)}
module "m" {
  source = "./m"
  count  = 2
  v      = tfcoremock_simple_resource.a.string
}
`;

const validated = { "m/main.tf": `variable "v" {\n type = string\n${condition("validation", "var.v != null")}}\n` };

const dependent = (value: string): string =>
  simple("a", `string = "${value}"`) +
  simple(
    "b",
    `number = length(tfcoremock_simple_resource.a.string)\nlifecycle {\n${condition("precondition", "terraform.workspace != null")}}`,
  );

/** A check whose data source reads the object "a". */
const reading = (name: string, id = "tfcoremock_simple_resource.a.id"): string =>
  `check "${name}" {\n data "tfcoremock_simple_resource" "d" {\n id = ${id}\n}\n${condition("assert", "data.tfcoremock_simple_resource.d.id != null")}}\n`;

/** Conditions of objects, variables, outputs and checks. */
export const conditionsCases: readonly PickedCase[] = [
  {
    name: "an output that is not known yet, and whose condition fails, in the apply of a refresh-only plan",
    steps: [
      mocked(
        `${simple("a")}resource "tfcoremock_simple_resource" "b" {\n for_each = { k = 1 }\n}\noutput "o" {\n value = length(tfcoremock_simple_resource.a.id)\n${condition("precondition", 'try(tfcoremock_simple_resource.b["k"].id != "", false)')}}\noutput "p" {\n value = length(tfcoremock_simple_resource.a.id)\n}\n`,
        {},
        { mode: "refreshOnly" },
      ),
    ],
  },
  {
    name: "conditions of unchanged objects in a targeted apply",
    steps: [mocked(checked), mocked(checked, {}, { targets: ["tfcoremock_simple_resource.a"] })],
  },
  {
    name: "conditions of unchanged objects in an apply with exclusions",
    steps: [mocked(checked), mocked(checked, {}, { excludes: ["tfcoremock_simple_resource.b"] })],
  },
  {
    name: "an error in the error message of a precondition of an output that nothing refers to: `unreferenced-module-outputs`",
    steps: [
      mocked('module "m" {\n source = "./m"\n}\n', {
        "m/main.tf":
          'resource "terraform_data" "x" {\n}\nresource "terraform_data" "t" {\n input = terraform_data.x.id == "z" ? "a" : null\n}\noutput "o" {\n value = "x"\n precondition {\n condition = terraform_data.t.id != ""\n error_message = "Failed: ${terraform_data.t.output}"\n}\n}\n',
      }),
    ],
  },
  {
    name: "a precondition of an output that nothing refers to, which fails in the apply",
    steps: [
      mocked(`module "m" {\n source = "./m"\n}\noutput "o" {\n value = "x"\n}\n`, {
        "m/main.tf": `${required("tfcoremock")}resource "tfcoremock_shelf" "s" {\n}\noutput "o" {\n value = "x"\n${condition("precondition", 'tfcoremock_shelf.s.label == "x"')}}\n`,
      }),
    ],
  },
  {
    name: "validations of variables of a module without changes, in an apply with exclusions",
    steps: [{}, { excludes: ["tfcoremock_simple_resource.a"] }].map((settings) =>
      mocked(
        `${simple("a")}module "m" {\n source = "./m"\n v = "x"\n}\n`,
        { "m/main.tf": `${validated["m/main.tf"]}${simple("b", "string = var.v")}` },
        settings,
      ),
    ),
  },
  {
    name: "validations of variables that refer to targeted objects",
    steps: [mocked(validating("one"), validated), mocked(validating("two"), validated, { targets: ["tfcoremock_simple_resource.a"] })],
  },
  {
    name: "conditions of unchanged objects that depend on one that cannot be changed",
    steps: [mocked(dependent("one")), step(required("tfcoremock") + failing("update", "a") + dependent("two"))],
  },
  {
    name: "postconditions of an object whose provisioner fails",
    steps: [
      mocked(
        simple("a", `provisioner "local-exec" {\n command = "exit 3"\n}\nlifecycle {\n${condition("postcondition", 'self.id == "a"')}}`),
      ),
    ],
  },
  ...["one", "two"].map((text): PickedCase => ({
    name: `checks with data sources beside an exclusion, ${text === "one" ? "without changes" : "with a change that they wait for"}`,
    steps: ["one", text].map((value, index) =>
      mocked(
        `resource "tfcoremock_simple_resource" "a" {\n string = "${value}"\n}\n${simple("b")}${reading("root")}module "m" {\n source = "./m"\n id = tfcoremock_simple_resource.a.id\n}\n${simple("c", `string = "${value}"\ndepends_on = [module.m]`)}`,
        { "m/main.tf": `${required("tfcoremock")}variable "id" {\n type = string\n}\n${reading("called", "var.id")}` },
        index === 0 ? {} : { excludes: ["tfcoremock_simple_resource.b"] },
      ),
    ),
  })),
  {
    name: "the failed data source of a check in a module",
    steps: ["one", "two"].map((value) =>
      mocked(`${simple("a", `string = "${value}"`)}module "m" {\n source = "./m"\n id = tfcoremock_simple_resource.a.id\n}\n`, {
        "m/main.tf": `${required("tfcoremock")}variable "id" {\n type = string\n}\n${reading("called", "var.id")}`,
      }),
    ),
  },
  {
    name: "the data source of a check, which fails and later succeeds",
    steps: ["absent", "a"].map((id) =>
      mocked(
        `${simple("a")}check "k" {\n data "tfcoremock_simple_resource" "d" {\n id = "${id}"\n}\n${condition("assert", "data.tfcoremock_simple_resource.d.id != null")}${condition("assert", 'terraform.workspace == "x"')}}\n`,
      ),
    ),
  },
  {
    name: "conditions of what an unchanged target depends on",
    steps: [{}, { targets: ["tfcoremock_simple_resource.b"] }].map((settings) =>
      mocked(
        `${simple("a", `lifecycle {\n${condition("postcondition", "self.id != null")}}`)}resource "tfcoremock_simple_resource" "b" {\n string = tfcoremock_simple_resource.a.id\n}\n`,
        {},
        settings,
      ),
    ),
  },
  {
    name: "warnings about a precondition of an output of a module that nothing refers to",
    steps: [
      mocked('module "m" {\n source = "./m"\n v = sensitive("x")\n}\nresource "terraform_data" "a" {\n}\n', {
        "m/main.tf":
          'variable "v" {\n type = string\n}\noutput "o" {\n value = 1\n precondition {\n condition = terraform.workspace != "x"\n error_message = "Failed: ${var.v}"\n}\n}\n',
      }),
    ],
  },
  ...["", 'output "o" {\n value = provider::framework::join("-", "v", "w")\n}\n'].map((output): PickedCase => ({
    name: `a provider function in the for_each of a module call${output === "" ? "" : " and elsewhere, whose provider's configuration refers to a variable"}`,
    steps: [
      step(
        `${required("framework", "tfcoremock")}${output === "" ? framework : framework.replace('framework"\n', 'framework${var.v}"\n')}${mock}variable "v" {\n default = ""\n}\nmodule "m" {\n source = "./m"\n for_each = toset([provider::framework::join("-", "x", "y")])\n}\n${output}`,
        {},
        { "m/main.tf": 'resource "terraform_data" "a" {\n}\n' },
      ),
    ],
  })),
  {
    name: "module calls with an unknown count or for_each: `exclusions-of-unknown-calls`",
    steps: ['count = terraform_data.t.id == "x" ? 1 : 0', "for_each = toset([terraform_data.t.id])"].map((repetition) =>
      mocked(`resource "terraform_data" "t" {\n}\nmodule "m" {\n source = "./m"\n}\nmodule "n" {\n source = "./n"\n ${repetition}\n}\n`, {
        "m/main.tf": `resource "terraform_data" "t" {\n}\nmodule "n" {\n source = "./n"\n ${repetition}\n}\n`,
        "n/main.tf": 'resource "terraform_data" "a" {\n}\n',
        "m/n/main.tf": 'resource "terraform_data" "a" {\n}\n',
      }),
    ),
  },
  {
    name: "an ephemeral resource and a deprecated attribute in arguments of modules whose variable has a validation, in a refresh-only apply",
    steps: [{}, { mode: "refreshOnly" as const }].map((settings) =>
      step(
        `${required("framework", "tfcoremock")}${framework}${mock}ephemeral "framework_token" "e" {\n name = "e"\n}\nresource "framework_record" "r" {\n name = "r"\n}\nmodule "m" {\n source = "./m"\n v = "x\${coalesce(framework_record.r.old_name, "y")}"\n}\nmodule "n" {\n source = "./m"\n v = ephemeral.framework_token.e.name\n}\n`,
        settings,
        {
          "m/main.tf":
            'variable "v" {\n type = string\n ephemeral = true\n validation {\n condition = var.v != "a"\n error_message = "Failed."\n}\n}\n',
        },
      ),
    ),
  },
  ...["each.key", "terraform_data.t.id"].map((text): PickedCase => ({
    name: `a set of different objects for a list of objects, unknown in the ${text === "each.key" ? "validation" : "plan: `unconvertible-elements`"}`,
    steps: [
      mocked(
        `resource "terraform_data" "t" {\n}\nresource "tfcoremock_stack" "s" {\n for_each = toset(["a", "b"])\n items = toset([{}, { count = 1, text = ${text} }, { text = "y", flag = true }])\n}\n`,
      ),
    ],
  })),
  {
    name: "a conditional of lists of different objects, of which the condition is unknown: `unconvertible-elements`",
    steps: [
      mocked(
        'resource "terraform_data" "t" {\n}\nresource "tfcoremock_complex_resource" "c" {\n set = terraform_data.t.id == "x" ? [{ number = 1, string = "a" }, { number = 2, string = "b" }] : [{ number = 1 }]\n}\n',
      ),
    ],
  },
  ...['key = "a"', 'value = "b"'].map((known): PickedCase => ({
    name: `unknown nested objects with ${known}, which lack ${known.startsWith("key") ? "only a computed attribute: `unconvertible-elements`" : "a required attribute"}`,
    steps: [
      framed(
        `resource "terraform_data" "t" {\n}\nresource "framework_record" "r" {\n name = "r"\n items = toset([{ ${known} }, { ${known.split(" ")[0]} = terraform_data.t.id }])\n}\n`,
      ),
    ],
  })),
  ...["", 'validation {\n condition = var.v != null\n error_message = "Failed."\n}\n'].map((validation): PickedCase => ({
    name: `an ephemeral resource that only the argument of a module without instances uses${validation === "" ? "" : ", for a variable with a validation"}`,
    steps: [
      step(
        `${required("framework", "tfcoremock")}${framework}${mock}ephemeral "framework_token" "e" {\n name = "e"\n}\nresource "terraform_data" "t" {\n}\nmodule "m" {\n source = "./m"\n count = 0\n v = ephemeral.framework_token.e.name\n}\n`,
        {},
        { "m/main.tf": `variable "v" {\n type = string\n ephemeral = true\n ${validation}}\n` },
      ),
    ],
  })),
  {
    name: "the postcondition of an object whose final plan is inconsistent",
    steps: [
      mocked(
        `resource "tfcoremock_simple_resource" "a" {\n}\nresource "tfcoremock_shelf" "b" {\n dynamic "board" {\n for_each = toset(["!", "zzzz", tfcoremock_simple_resource.a.id])\n content {\n width = length(board.value)\n}\n}\n lifecycle {\n ${condition("postcondition", "terraform.workspace != null")}}\n}\n`,
      ),
    ],
  },
  {
    name: "a condition that refers to a deprecated attribute, whose error message is invalid",
    steps: [
      step(
        `${required("framework")}${framework}resource "framework_record" "a" {\n name = "a"\n}\nresource "terraform_data" "b" {\n lifecycle {\n precondition {\n condition = framework_record.a.id != ""\n error_message = "Failed: \${framework_record.a.old_name}"\n}\n}\n}\n`,
      ),
    ],
  },
  {
    name: "a precondition of an output that nothing refers to, and whose value refers to an ephemeral resource",
    steps: [
      step(
        `${required("framework", "tfcoremock")}${framework}${mock}${simple("a")}module "m" {\n source = "./m"\n}\n`,
        {},
        {
          "m/main.tf": `${required("framework")}ephemeral "framework_token" "t" {\n name = "t"\n}\noutput "o" {\n value = ephemeral.framework_token.t.value\n ephemeral = true\n${condition("precondition", "terraform.workspace != null")}}\n`,
        },
      ),
    ],
  },
  ...["", 'resource "terraform_data" "a" {\n depends_on = [module.m]\n}\n'].flatMap((more) =>
    ["", condition("precondition", "terraform.workspace != null")].map((precondition) => ({
      name: `the value of an output of a module that ${more === "" ? "nothing refers to" : "a resource depends on"}, ${precondition === "" ? "without" : "with"} a precondition`,
      steps: [
        mocked(`module "m" {\n source = "./m"\n}\n${more}`, {
          "m/main.tf": `${required("tfcoremock")}resource "tfcoremock_shelf" "s" {\n}\noutput "o" {\n value = regex("z", tfcoremock_shelf.s.label)\n${precondition}}\n`,
        }),
      ],
    })),
  ),
];
