// SPDX-License-Identifier: Apache-2.0
import { framed, framework, required, step, simple, condition, mock, mocked, failing, type PickedCase } from "./configuration.ts";

const keptObjects = (text: string): string =>
  `resource "terraform_data" "t" {\n for_each = toset(["a", "b"])\n input = "one"\n lifecycle {\n destroy = false\n}\n}
resource "tfcoremock_simple_resource" "s" {\n string = join(",", [for one in terraform_data.t : one.input])\n bool = ${text} == "x"\n}\n`;

const forgotten = (text: string): string => `resource "tfcoremock_simple_resource" "r" {\n ${text}\n lifecycle {\n destroy = false\n}\n}\n`;

const kept = "lifecycle {\n prevent_destroy = true\n}";

/** Destroy plans, and objects that a state forgets. */
export const destructionsCases: readonly PickedCase[] = [
  {
    name: "a destroy plan of objects on which others depend that must not be destroyed",
    steps: ["normal", "destroy"].map((mode) =>
      mocked(
        `${simple("a", kept)}${simple("b", `string = tfcoremock_simple_resource.a.id\n${kept}`)}${simple("c", "string = tfcoremock_simple_resource.b.id")}module "m" {\n source = "./m"\n count = 2\n}\n`,
        {
          "m/main.tf": `${required("tfcoremock")}resource "terraform_data" "d" {\n}\nresource "terraform_data" "e" {\n input = terraform_data.d.id\n ${kept}\n}\n`,
        },
        { mode: mode as "normal" | "destroy" },
      ),
    ),
  },
  ...["", " destroy = false\n"].map((more): PickedCase => ({
    name: `${more === "" ? "a replacement" : "a failed replacement"} while instances that it depended on are destroyed, of which one has create_before_destroy`,
    steps: ["a", "b"].map((id, index) =>
      step(
        `${required("tfcoremock")}${more === "" ? mock : failing("create", "b")}${index === 0 ? 'resource "terraform_data" "d" {\n count = 2\n input = "x"\n}\n' : ""}resource "tfcoremock_simple_resource" "r" {\n id = "${id}"\n string = ${index === 0 ? "terraform_data.d[0].input" : '"x"'}\n lifecycle {\n create_before_destroy = true\n${more}}\n}\n`,
      ),
    ),
  })),
  ...[[], [1, 2]].map((changed): PickedCase => ({
    name: `the refresh of a deposed object beside the current one${changed.length === 0 ? "" : ", which have both changed outside"}`,
    steps: [
      mocked(simple("a", 'string = "one"\nlifecycle {\n create_before_destroy = true\n}')),
      step(
        `${required("tfcoremock")}${failing("delete", "a")}${simple("a", 'string = "one"\nlifecycle {\n create_before_destroy = true\n}').replace('id = "a"', 'id = "b"')}`,
      ),
      mocked(
        simple("a", 'string = "one"\nlifecycle {\n create_before_destroy = true\n}').replace('id = "a"', 'id = "b"'),
        {},
        { outside: changed.map((pick) => ({ kind: "change", pick })) },
      ),
    ],
  })),
  {
    name: "a destroy plan that warns about an object on which one depends that must not be destroyed",
    steps: (["normal", "destroy"] as const).map((mode) =>
      framed(
        `resource "framework_record" "r" {\n name = "r"\n flag = true\n}\nresource "terraform_data" "d" {\n input = framework_record.r.name\n lifecycle {\n prevent_destroy = true\n}\n}\n`,
        { mode },
      ),
    ),
  },
  {
    name: "a destroy plan with an exclusion on which an object depends that the state forgets: `changes-beside-exclusions`",
    steps: ["normal", "destroy"].map((mode) =>
      mocked(
        `${simple("a")}${forgotten("string = tfcoremock_simple_resource.a.id")}`,
        {},
        { mode: mode as "normal" | "destroy", ...(mode === "destroy" && { excludes: ["tfcoremock_simple_resource.a"] }) },
      ),
    ),
  },
  ...[true, false].flatMap((refresh) =>
    ["", simple("a")].map((more): PickedCase => ({
      name: `a destroy plan ${refresh ? "" : "without refresh "}of an object that ${more === "" ? "has moved" : "could not move"}`,
      steps: [
        mocked(`${simple("a")}${more === "" ? "" : simple("b")}`),
        mocked(
          `${simple("b")}moved {\n from = tfcoremock_simple_resource.a\n to = tfcoremock_simple_resource.b\n}\n`,
          {},
          { mode: "destroy", refresh },
        ),
      ],
    })),
  ),
  {
    name: "the destruction of a replaced object on which an excluded instance depends: `changes-beside-exclusions`",
    steps: ["one", "two"].map((text, index) =>
      mocked(
        `resource "terraform_data" "a" {\n triggers_replace = "${text}"\n lifecycle {\n create_before_destroy = true\n}\n}\nresource "tfcoremock_simple_resource" "r" {\n for_each = toset(["a", "b"])\n id = each.key\n string = terraform_data.a.id\n}\n`,
        {},
        index === 0 ? {} : { excludes: ['tfcoremock_simple_resource.r["a"]'] },
      ),
    ),
  },
  ...([{ targets: ['module.m[0].terraform_data.a["x"]'] }, { excludes: ['module.m[0].terraform_data.c["x"]'] }] as const).map(
    (limits): PickedCase => ({
      name: `a destroy plan of objects in instances of a module, limited to ${JSON.stringify(limits)}`,
      steps: [{}, { ...limits, mode: "destroy" as const }].map((settings) =>
        mocked(
          'resource "terraform_data" "first" {\n}\nmodule "m" {\n source = "./m"\n count = 2\n v = terraform_data.first.id\n}\nresource "terraform_data" "last" {\n input = module.m[1].o\n}\n',
          {
            "m/main.tf": `variable "v" {\n type = string\n}\n${[
              ["a", "var.v"],
              ["b", 'terraform_data.a["x"].output'],
              ["c", 'terraform_data.b["y"].output'],
            ]
              .map(([name, input]) => `resource "terraform_data" "${name!}" {\n for_each = toset(["x", "y"])\n input = ${input!}\n}\n`)
              .join("")}output "o" {\n value = terraform_data.c["x"].output\n}\n`,
          },
          settings,
        ),
      ),
    }),
  ),
  ...(
    [
      { targets: ["tfcoremock_simple_resource.c"] },
      { targets: ["tfcoremock_simple_resource.a"] },
      { excludes: ["tfcoremock_simple_resource.b"] },
    ] as const
  ).flatMap((limits) =>
    (["normal", "destroy"] as const).map((mode): PickedCase => ({
      name: `deposed objects in a ${mode} plan limited to ${JSON.stringify(limits)}`,
      steps: [
        ["a", ""],
        ["x", "a"],
        ["x", ""],
      ].map(([id, kept], index) =>
        step(
          `${required("tfcoremock")}${kept === "" ? mock : failing("delete", kept!)}${simple("b")}${simple("a", "string = tfcoremock_simple_resource.b.string\nlifecycle {\n create_before_destroy = true\n}").replace('id = "a"', `id = "${id!}"`)}${simple("c", "string = tfcoremock_simple_resource.a.string")}`,
          index === 2 ? { ...limits, mode } : {},
        ),
      ),
    })),
  ),
  {
    name: "the destroy-time provisioners of a resource that is created before it is destroyed",
    steps: ["one", "two", ""].map((text) =>
      mocked(
        text === ""
          ? ""
          : `resource "terraform_data" "t" {\n triggers_replace = "${text}"\n provisioner "local-exec" {\n when = destroy\n command = "true"\n}\n lifecycle {\n create_before_destroy = true\n}\n}\nresource "terraform_data" "u" {\n count = ${text === "one" ? 2 : 1}\n provisioner "local-exec" {\n when = destroy\n command = "true"\n}\n lifecycle {\n create_before_destroy = true\n}\n}\n`,
      ),
    ),
  },
  {
    name: "the provisioners of objects in a module instance that is no longer declared",
    steps: ['["a", "b"]', '["a"]', "[]"].map((keys) =>
      mocked(`module "m" {\n source = "./m"\n for_each = toset(${keys})\n}\n`, {
        "m/main.tf": `${required("tfcoremock")}resource "tfcoremock_simple_resource" "r" {\n count = 2\n string = "x"\n provisioner "local-exec" {\n when = destroy\n command = "test \${self.string} = x && test \${count.index} -ge 0 && test -n \${path.module} && test \${terraform.workspace} = default"\n}\n}\n`,
      }),
    ),
  },
  ...["ephemeral = true", "nullable = false"].flatMap((fact) =>
    ["token = var.v", "token = module.m.o"].map((argument): PickedCase => ({
      name: `validations of variables in a destroy plan, with ${fact}, on which a provider with ${argument} depends whose function an object calls`,
      steps: ["normal", "destroy"].map((mode) =>
        step(
          `${required("framework", "tfcoremock")}${mock}${framework.replace("{\n", `{\n ${argument}\n`)}${["v", "w"].map((name) => `variable "${name}" {\n type = string\n default = "x"\n ${fact}\n ${condition("validation", `var.${name} != ""`)}}\n`).join("")}module "m" {\n source = "./m"\n v = var.w\n}\n${simple("a", condition("lifecycle {\n postcondition", 'provider::framework::join("-", self.id) != ""') + "}")}`,
          { mode: mode as "normal" | "destroy" },
          {
            "m/main.tf": `variable "v" {\n type = string\n ${fact}\n ${condition("validation", 'var.v != ""')}}\noutput "o" {\n value = var.v\n ${fact.startsWith("e") ? fact : ""}\n}\n`,
          },
        ),
      ),
    })),
  ),
  ...[true, false].map((refresh): PickedCase => ({
    name: `validations of variables to which only module calls and prevent_destroy refer, in a destroy plan ${refresh ? "with" : "without"} a refresh`,
    steps: ["normal", "destroy"].map((mode) =>
      mocked(
        `${["v", "w"].map((name) => `variable "${name}" {\n type = string\n default = "x"\n ${condition("validation", `var.${name} ${mode === "destroy" && !refresh && name === "v" ? "==" : "!="} ""`)}}\n`).join("")}module "m" {\n source = "./m"\n for_each = toset([var.v])\n}\n${simple("a", 'lifecycle {\n prevent_destroy = var.w == ""\n}')}`,
        { "m/main.tf": `${required("tfcoremock")}${simple("b")}` },
        { mode: mode as "normal" | "destroy", ...(mode === "destroy" && { refresh }) },
      ),
    ),
  })),
  {
    name: "a tainted object with prevent_destroy that is not to be destroyed",
    steps: [{}, { outside: [{ kind: "taint", pick: 0 } as const] }].map((settings) =>
      mocked(simple("a", "lifecycle {\n prevent_destroy = true\n destroy = false\n}"), {}, settings),
    ),
  },
  {
    name: "validations of variables on which a forgotten object depends, in a destroy plan",
    steps: ["normal", "destroy"].map((mode) =>
      mocked(
        `${["v", "w"].map((name) => `variable "${name}" {\n type = string\n default = "x"\n ${condition("validation", `var.${name} != ""`)}}\n`).join("")}module "m" {\n source = "./m"\n v = var.v\n}\n${forgotten("string = module.m.o")}${simple("a", "string = var.w")}`,
        {
          "m/main.tf": `variable "v" {\n type = string\n ${condition("validation", 'var.v != ""')}}\noutput "o" {\n value = var.v\n}\n`,
        },
        { mode: mode as "normal" | "destroy" },
      ),
    ),
  },
  {
    name: "a destroy plan with targets that fails when it reads the objects",
    steps: ["a", "b"].map((id, index) =>
      mocked(
        simple("a", kept).replace('id = "a"', `id = "${id}"`),
        {},
        index === 0 ? {} : { mode: "destroy", targets: ["tfcoremock_simple_resource.a"] },
      ),
    ),
  },
  {
    name: "a deposed object that is gone: `gone-deposed-objects`",
    steps: [
      mocked(simple("a", "lifecycle {\n create_before_destroy = true\n}")),
      step(
        `${required("tfcoremock")}${failing("delete", "a")}${simple("a", "lifecycle {\n create_before_destroy = true\n}").replace('id = "a"', 'id = "b"')}`,
      ),
      mocked(
        simple("a", "lifecycle {\n create_before_destroy = true\n}").replace('id = "a"', 'id = "b"'),
        {},
        { outside: [{ kind: "gone", pick: 0 }] },
      ),
    ],
  },
  {
    name: "a destroy plan of objects whose provider's configuration refers to a data source",
    steps: ["normal", "destroy"].map((mode) =>
      mocked(
        `provider "tfcoremock" {\n alias = "other"\n resource_directory = "\${path.cwd}/objects\${substr(data.tfcoremock_simple_resource.d.id, 0, 0)}"\n}\ndata "tfcoremock_simple_resource" "d" {\n id = tfcoremock_simple_resource.a.id\n}\n${simple("a")}${simple("b", "provider = tfcoremock.other")}`,
        {},
        { mode: mode as "normal" | "destroy" },
      ),
    ),
  },
  ...["true", 'terraform.workspace != "x"', "local.yes"].flatMap((value) =>
    [1, 0].map((left): PickedCase => ({
      name: `objects with prevent_destroy = ${value} of ${left === 0 ? "all" : "one of the"} instances of a module, which are no longer declared`,
      steps: [2, left].map((count) =>
        mocked(`module "m" {\n source = "./m"\n count = ${count}\n texts = ["a"]\n index = count.index\n}\n`, {
          "m/main.tf": `${required("tfcoremock")}variable "texts" {\n type = list(string)\n}\nvariable "index" {\n type = number\n}\nlocals {\n yes = length(var.texts) == 1\n}\nresource "tfcoremock_simple_resource" "r" {\n id = "r-\${var.index}"\n lifecycle {\n prevent_destroy = ${value}\n}\n}\n`,
        }),
      ),
    })),
  ),
  ...["prevent_destroy = true", "destroy = false"].map((rule): PickedCase => ({
    name: `a destroy plan without a refresh of objects with ${rule} of instances of a module, which are no longer declared`,
    steps: [2, 0].map((count) =>
      mocked(
        `module "m" {\n source = "./m"\n count = ${count}\n}\n`,
        { "m/main.tf": `resource "terraform_data" "d" {\n lifecycle {\n ${rule}\n}\n}\n` },
        count === 0 ? { mode: "destroy", refresh: false } : {},
      ),
    ),
  })),
  {
    name: "a destroy plan that forgets an object",
    steps: ["normal", "destroy"].map((mode) =>
      mocked(simple("a", "lifecycle {\n destroy = false\n}") + simple("b"), {}, { mode: mode as "normal" | "destroy" }),
    ),
  },
  {
    name: "a destroy plan whose module calls refer to an object with conditions",
    steps: ["normal", "destroy"].map((mode) =>
      mocked(
        `${simple("a", `lifecycle {\n${condition("postcondition", "self.id != null")}}`)}module "m" {\n source = "./m"\n count = length(tfcoremock_simple_resource.a.id)\n}\n`,
        { "m/main.tf": 'resource "terraform_data" "d" {\n}\n' },
        { mode: mode as "normal" | "destroy" },
      ),
    ),
  },
  {
    name: "conditions of outputs in a destroy plan with targets or exclusions",
    steps: [{}, { targets: ["tfcoremock_simple_resource.a"] }, { excludes: ["tfcoremock_simple_resource.b"] }].map((limits, index) =>
      mocked(
        `${["a", "b", "c"].map((name) => simple(name)).join("")}output "o" {\n value = tfcoremock_simple_resource.a.id\n${condition("precondition", "tfcoremock_simple_resource.b.id != null")}}\n`,
        {},
        index === 0 ? {} : { mode: "destroy", ...limits },
      ),
    ),
  },
  {
    name: "a targeted destruction of an object that is only removed from the state",
    steps: [mocked(keptObjects('"x"')), mocked(keptObjects('"y"'), {}, { mode: "destroy", targets: ['terraform_data.t["a"]'] })],
  },
  {
    name: "a targeted destruction whose dependent is only removed from the state: `dependents-of-forgotten-targets`",
    steps: [{}, { mode: "destroy" as const, targets: ["tfcoremock_simple_resource.a"] }].map((settings) =>
      mocked(
        `${simple("a", "lifecycle {\n create_before_destroy = true\n}")}${forgotten("string = tfcoremock_simple_resource.a.id")}`,
        {},
        settings,
      ),
    ),
  },
  {
    name: "the sensitivity of an ignored argument of an object that is forgotten and created again",
    steps: [0, 1].map((index) =>
      mocked(
        `resource "terraform_data" "t" {\n input = ${index === 0 ? 'sensitive("s")' : '"p"'}\n triggers_replace = ${index}\n lifecycle {\n ignore_changes = [input]\n destroy = false\n}\n}\n`,
      ),
    ),
  },
  {
    name: "a variable of a module for which a forgotten object with conditions is needed, in a destroy plan",
    steps: (["normal", "destroy"] as const).map((mode) =>
      mocked(
        `${forgotten('id = "r"').replace("destroy = false", `destroy = false\n${condition("precondition", "terraform.workspace != null")}`)}module "m" {\n source = "./m"\n for_each = { a = tfcoremock_simple_resource.r.id }\n v = "x"\n}\n${simple("a", "depends_on = [tfcoremock_simple_resource.r]")}`,
        {
          "m/main.tf": `variable "v" {\n type = string\n${condition("validation", 'var.v != "y"')}}\nresource "terraform_data" "t" {\n input = var.v\n lifecycle {\n destroy = false\n}\n}\n`,
        },
        { mode },
      ),
    ),
  },
  {
    name: "the warning of a provider about the destruction of an object that was replaced by a new one",
    steps: ["plain", "other"].map((kind) =>
      framed(
        `resource "framework_record" "r" {\n name = "r"\n kind = "${kind}"\n flag = true\n lifecycle {\n create_before_destroy = true\n}\n}\n`,
      ),
    ),
  },
  {
    name: "a moved object that is forgotten and created again",
    steps: [
      mocked(forgotten('for_each = toset(["k"])\n id = "r-${each.key}"')),
      mocked(
        `${forgotten('count = 1\n id = "r-${count.index}"')}moved {\n from = tfcoremock_simple_resource.r["k"]\n to = tfcoremock_simple_resource.r[0]\n}\n`,
      ),
    ],
  },
  ...[{}, { targets: ["tfcoremock_simple_resource.a"] }].map((settings) => ({
    name: `ephemeral resources in a destroy plan${"targets" in settings ? " with targets" : ""}: one that a provider configuration uses, and another one`,
    steps: [{}, { mode: "destroy" as const, ...settings }].map((step) =>
      framed(
        `provider "tfcoremock" {\n alias = "other"\n resource_directory = "\${path.cwd}/objects\${substr(ephemeral.framework_token.used.name, 0, 0)}"\n}\nephemeral "framework_token" "used" {\n name = "used"\n}\nephemeral "framework_token" "unused" {\n name = "unused"\n}\n${simple("a", "provider = tfcoremock.other")}${simple("b")}`,
        step,
      ),
    ),
  })),
  {
    name: "a destroy plan with nothing to destroy but the data source of a check",
    steps: [{}, { mode: "destroy" as const, excludes: ["tfcoremock_simple_resource.a"] }].map((settings) =>
      mocked(
        `${simple("a")}check "k" {\n data "tfcoremock_simple_resource" "d" {\n id = "a"\n}\n${condition("assert", "true")}}\n`,
        {},
        settings,
      ),
    ),
  },
  {
    name: "a destruction of an object of a module that is forgotten, and whose block refers to a variable",
    steps: [{}, { mode: "destroy" as const }].map((settings) =>
      mocked(
        'module "m" {\n source = "./m"\n v = "x"\n}\n',
        {
          "m/main.tf": `${required("tfcoremock")}variable "v" {\n type = string\n${condition("validation", 'var.v != ""')}}\nresource "tfcoremock_simple_resource" "a" {\n id = "a"\n string = var.v\n lifecycle {\n destroy = false\n}\n}\n${simple("b")}`,
        },
        settings,
      ),
    ),
  },
  {
    name: "the destruction of a deposed object whose resource cannot be created again",
    steps: ["one", "two", "three"].map((text) =>
      mocked(
        `resource "tfcoremock_simple_resource" "a" {\n id = "a-${text}"\n lifecycle {\n create_before_destroy = ${text !== "three"}\n}\n${text === "one" ? "" : 'provisioner "local-exec" {\n command = "exit 3"\n}\n'}}\n`,
      ),
    ),
  },
];
