// SPDX-License-Identifier: Apache-2.0
import type { RunnableStep } from "../run-case.ts";
import { required, step, simple, condition, mock, mocked, failing, sdkv2, type PickedCase } from "./configuration.ts";

const half = (image: string): string =>
  `resource "sdkv2_server" "s" {\n name = "s"\n image = "${image}"\n lifecycle {\n destroy = false\n}\n}\n`;

/** A module of which one instance has an error, and what depends on its instances. */
const halfFaulty = (text: string): RunnableStep =>
  mocked(
    `module "m" {\n source = "./m"\n for_each = toset(["a", "b"])\n key = each.key\n text = "${text}"\n}\n${simple("after", `string = "${text}"\n depends_on = [module.m]`)}${simple("beside", `string = "${text}"`)}output "o" {\n value = "${text}-\${module.m["a"].o}"\n}\noutput "p" {\n value = "${text}"\n}\n`,
    {
      "m/main.tf": `variable "key" {\n type = string\n}\nvariable "text" {\n type = string\n}\nresource "tfcoremock_simple_resource" "first" {\n id = var.key\n string = var.text\n lifecycle {\n${condition("precondition", 'var.key == "a" || var.text == "one"')}}\n}\nresource "tfcoremock_simple_resource" "second" {\n id = "\${tfcoremock_simple_resource.first.id}-2"\n string = var.text\n}\nresource "tfcoremock_simple_resource" "counted" {\n count = var.key == "a" || var.text == "one" ? 1 : null\n id = "\${var.key}-3"\n string = var.text\n}\noutput "o" {\n value = tfcoremock_simple_resource.first.id\n}\n`,
    },
  );

/** A resource that loses an instance, and what depends on it or on its module. */
const losing = (keys: string, text: string, lost: string): RunnableStep =>
  mocked(
    `resource "tfcoremock_simple_resource" "r" {\n for_each = toset(${keys})\n id = each.key\n lifecycle {\n prevent_destroy = true\n}\n}\n${simple("dependent", `string = "${text}-\${tfcoremock_simple_resource.r["a"].id}"`)}output "o" {\n value = "${text}-\${tfcoremock_simple_resource.r["a"].id}"\n}\noutput "p" {\n value = "${text}"\n}\nmodule "m" {\n source = "./m"\n}\n${simple("after", `string = "${text}"\n depends_on = [module.m]`)}`,
    { "m/main.tf": lost },
  );

const movedTo = (...keys: readonly string[]): string =>
  keys.map((key) => `moved {\n from = tfcoremock_simple_resource.r["a"]\n to = tfcoremock_simple_resource.r["${key}"]\n}\n`).join("");

/** Plans with errors of moves and imports beside other errors. */
const misplaced: readonly PickedCase[] = [
  ["of an object that must not be destroyed", ""],
  ["of a module call", 'module "m" {\n source = "./m"\n for_each = tfcoremock_simple_resource.r["b"].string\n}\n'],
  ["of an output", 'output "o" {\n value = tfcoremock_simple_resource.r["b"].string + 1\n}\n'],
].flatMap(([error, block]): PickedCase[] => {
  const objects = (keys: string, rest: string): RunnableStep =>
    mocked(
      `resource "tfcoremock_simple_resource" "r" {\n for_each = toset(${keys})\n id = each.key\n string = "s"\n lifecycle {\n prevent_destroy = ${block === ""}\n}\n}\n${rest}`,
      { "m/main.tf": simple("n") },
    );
  const imported = `import {\n to = tfcoremock_simple_resource.r["z"]\n id = "z"\n}\n`;
  return [
    { name: `ambiguous moves beside an error ${error}`, steps: [objects('["e"]', ""), objects('["b", "c"]', movedTo("b", "c") + block)] },
    {
      name: `an import of an absent instance beside an error ${error}: \`ranges-of-absent-imports\``,
      steps: [objects('["e"]', ""), objects('["b"]', imported + block)],
    },
    {
      name: `an import of an absent instance and ambiguous moves beside an error ${error}: \`ranges-of-absent-imports\``,
      steps: [objects('["e"]', ""), objects('["b", "c"]', movedTo("b", "c") + imported + block)],
    },
  ];
});

/** Changes that fail, and what depends on them. */
export const failuresCases: readonly PickedCase[] = [
  {
    name: "a sensitive block of a set that the provider changes at apply, and of which it makes two: `sensitive-set-elements-in-errors`",
    steps: [
      step(
        `${required("sdkv2")}${sdkv2}resource "sdkv2_server" "a" {\n name = "a"\n image = "a"\n}\nresource "sdkv2_server" "b" {\n name = "b"\n image = "b"\n rule {\n port = 80\n}\n rule {\n port = 80\n protocol = sdkv2_server.a.password\n}\n}\n`,
      ),
    ],
  },
  { name: "the plan of what depends on a module instance with errors", steps: ["one", "two"].map(halfFaulty) },
  {
    name: "the plan of what depends on a resource whose instance must not be destroyed",
    steps: [losing('["a", "b"]', "one", ""), losing('["a"]', "two", "")],
  },
  ...misplaced,
  {
    name: "a variable of a module that depends on an object whose update waits for a failed destruction",
    steps: ["one", "two"].map((text) =>
      step(
        `${required("tfcoremock")}${text === "one" ? mock : failing("delete", "one")}${simple("a", `string = "${text}"`)}resource "tfcoremock_simple_resource" "b" {\n id = "${text}"\n string = tfcoremock_simple_resource.a.string\n}\nmodule "m" {\n source = "./m"\n v = "x"\n depends_on = [tfcoremock_simple_resource.a]\n}\n`,
        {},
        {
          "m/main.tf": `variable "v" {\n type = string\n${condition("validation", 'var.v != ""')}}\noutput "o" {\n value = var.v\n ${condition("precondition", 'var.v != ""')}}\n`,
        },
      ),
    ),
  },
  {
    name: "an import of an instance of a resource whose `for_each` has an error: `ranges-of-absent-imports`",
    steps: [
      mocked(
        'resource "terraform_data" "t" {\n}\nresource "tfcoremock_simple_resource" "r" {\n for_each = toset([terraform_data.t.id])\n id = each.key\n}\nimport {\n to = tfcoremock_simple_resource.r["z"]\n id = "z"\n}\n',
      ),
    ],
  },
  {
    name: "an import and moves of objects that depend on an error",
    steps: [
      mocked(
        `locals {\n l = 1 + "x"\n}\nresource "tfcoremock_simple_resource" "r" {\n for_each = toset(["b", "c"])\n id = each.key\n string = local.l\n}\n${movedTo("b", "c")}import {\n to = tfcoremock_simple_resource.r["z"]\n id = "z"\n}\n`,
      ),
    ],
  },
  {
    name: "the plan of a deposed object whose resource depends on an object with errors",
    steps: ["a", "b", "c"].map((id, index) =>
      step(
        `${required("tfcoremock")}${index === 1 ? failing("delete", "a") : mock}${simple("first", `lifecycle {\n${condition("precondition", `"${id}" != "c"`)}}`)}resource "tfcoremock_simple_resource" "r" {\n id = "${id}"\n string = tfcoremock_simple_resource.first.string\n lifecycle {\n create_before_destroy = true\n}\n}\n`,
      ),
    ),
  },
  ...["input = length(module.m)", "depends_on = [module.m]"].map((text): PickedCase => ({
    name: `a failed change on which only an argument of a module depends that nothing uses, with ${text.split(" ")[0]!} of another resource`,
    steps: ["one", "two"].map((value) =>
      step(
        `${required("tfcoremock")}${failing("update", "a")}${simple("a", `string = "${value}"`)}module "m" {\n source = "./m"\n v = tfcoremock_simple_resource.a.number\n}\nresource "terraform_data" "d" {\n ${text}\n triggers_replace = "${value}"\n}\noutput "o" {\n value = "${value}-\${length(module.m)}"\n}\n`,
        {},
        {
          "m/main.tf":
            'variable "v" {\n type = number\n}\nlocals {\n l = var.v\n}\nresource "terraform_data" "r" {\n}\noutput "o" {\n value = 1\n}\n',
        },
      ),
    ),
  })),
  {
    name: "a failed destruction of an object that the configuration made sensitive: `sensitivity-of-failed-destructions`",
    steps: [0, 1].map((index) =>
      step(
        `${required("tfcoremock")}${index === 0 ? mock : failing("delete", "a")}${index === 0 ? simple("a", 'string = sensitive("s")') : ""}`,
      ),
    ),
  },
  {
    name: "the data source of a check after a failed change in an apply with an exclusion",
    steps: ["one", "two"].map((text, index) =>
      step(
        `${required("tfcoremock")}${failing("update", "a")}${simple("a", `string = "${text}"`)}${simple("b")}${simple("c")}check "k" {\n data "tfcoremock_simple_resource" "d" {\n id = tfcoremock_simple_resource.b.id\n}\n${condition("assert", "data.tfcoremock_simple_resource.d.id != null")}}\n`,
        index === 0 ? {} : { excludes: ["tfcoremock_simple_resource.c"] },
      ),
    ),
  },
  ...(
    [
      ["creation", failing("create", "a"), simple("a")],
      ["destruction", failing("delete", "old"), ""],
      [
        "read of another data source",
        mock,
        'data "tfcoremock_simple_resource" "z" {\n id = "${tfcoremock_simple_resource.b.string}none"\n depends_on = [tfcoremock_simple_resource.c]\n}\n',
      ],
      ["precondition of an output", mock, 'module "m" {\n source = "./m"\n}\noutput "o" {\n value = module.m.o\n}\n'],
    ] as const
  ).flatMap(([failure, provider, text]) =>
    [{}, { excludes: ["tfcoremock_simple_resource.e"] }].map((settings): PickedCase => ({
      name: `the data source of a check, which depends on a change, after a failed ${failure}${"excludes" in settings ? " in an apply with an exclusion" : ""}`,
      steps: [
        mocked(`${simple("old")}${simple("b", 'string = "x"')}${simple("c", 'string = "x"')}`),
        step(
          `${required("tfcoremock")}${provider}${failure === "destruction" ? "" : simple("old")}${text}${simple("b", 'string = "y"')}${simple("c", 'string = "y"')}${simple("e")}check "k" {\n data "tfcoremock_simple_resource" "d" {\n id = tfcoremock_simple_resource.b.id\n}\n${condition("assert", "data.tfcoremock_simple_resource.d.id != null")}}\n`,
          settings,
          {
            "m/main.tf": `resource "terraform_data" "x" {\n}\nresource "terraform_data" "t" {\n input = terraform_data.x.id == "z" ? "a" : null\n}\noutput "o" {\n value = "x"\n${condition("precondition", "terraform_data.t.output != null")}}\n`,
          },
        ),
      ],
    })),
  ),
  ...(["root", "module"] as const).map((place): PickedCase => {
    const values = (text: string): string =>
      `locals {\n l = ${text}\n}\nresource "terraform_data" "u" {\n input = (local.l == "x") || true\n}\n`;
    return {
      name: `a change after an unchanged object of the ${place} that refers to a faulty local value: \`changes-beside-unneeded-values\``,
      steps: [0, 1].map((index) =>
        step(
          `resource "terraform_data" "y" {\n triggers_replace = ${index}\n}\nresource "terraform_data" "x" {\n input = terraform_data.y.id == "z" ? "a" : null\n triggers_replace = ${index}\n}\nresource "terraform_data" "c" {\n triggers_replace = ${index}\n input = ${place === "root" ? "terraform_data.u.id" : "module.m.o"}\n}\noutput "p" {\n value = "\${${place === "root" ? "terraform_data.u.id" : "module.m.o"}}-\${terraform_data.x.id}"\n}\ncheck "k" {\n${condition("assert", `${place === "root" ? "terraform_data.u.id" : "module.m.o"} != null`)}}\n${place === "root" ? values(index === 0 ? '"x"' : '"a${terraform_data.x.output}"') : `module "m" {\n source = "./m"\n v = ${index === 0 ? '"x"' : "terraform_data.x.output"}\n}\n`}`,
          {},
          { "m/main.tf": `variable "v" {\n}\n${values('"a${var.v}"')}output "o" {\n value = terraform_data.u.id\n}\n` },
        ),
      ),
    };
  }),
  {
    name: "the data source of a check that depends on a replaced object, after a failed provisioner",
    steps: [0, 1].map((index) =>
      mocked(
        `resource "terraform_data" "x" {\n triggers_replace = ${index}\n lifecycle {\n create_before_destroy = true\n}\n}\n${index === 0 ? "" : `${simple("a", "depends_on = [terraform_data.x]")}check "k" {\n data "tfcoremock_simple_resource" "d" {\n id = tfcoremock_simple_resource.a.id\n}\n${condition("assert", "data.tfcoremock_simple_resource.d.id != null")}}\nresource "terraform_data" "f" {\n provisioner "local-exec" {\n command = "sleep 0.3; exit 3"\n}\n}\n`}`,
      ),
    ),
  },
  ...(["precondition", "postcondition"] as const).map((kind): PickedCase => ({
    name: `the data source of a check, which depends on a change, beside a failed ${kind} of an unchanged object`,
    steps: ["x", "y"].map((text) =>
      mocked(
        `resource "terraform_data" "t" {\n triggers_replace = "${text}"\n}\n${simple("b", `string = "${text}"`)}${simple("a", `lifecycle {\n${condition(kind, `"${text}" == "x" || terraform_data.t.id == "z"`)}}`)}check "k" {\n data "tfcoremock_simple_resource" "d" {\n id = tfcoremock_simple_resource.b.id\n}\n${condition("assert", "data.tfcoremock_simple_resource.d.id != null")}}\n`,
      ),
    ),
  })),
  ...["string", 'id == "z" ? "a" : "b"'].map((attribute): PickedCase => ({
    name: `an output of an unchanged resource whose for_each refers to ${attribute} of an object that fails`,
    steps: [0, 1].map((index) =>
      step(
        `${required("tfcoremock")}${failing("create", "a1")}${simple("c")}resource "tfcoremock_simple_resource" "a" {\n id = "a${index}"\n string = "x"\n}\nresource "tfcoremock_simple_resource" "b" {\n for_each = { x = tfcoremock_simple_resource.a.${attribute} }\n id = "b"\n}\noutput "o" {\n value = [for one in tfcoremock_simple_resource.b : one.id]\n${condition("precondition", 'tfcoremock_simple_resource.c.id != "z"')}}\noutput "p" {\n value = tfcoremock_simple_resource.b["x"].id\n}\n`,
      ),
    ),
  })),
  {
    name: "errors of what depends on a faulty object in another module instance",
    steps: [
      mocked('module "m" {\n source = "./m"\n for_each = toset(["a", "b"])\n key = each.key\n}\n', {
        "m/main.tf": `variable "key" {\n type = string\n}\nresource "tfcoremock_simple_resource" "first" {\n id = var.key\n lifecycle {\n${condition("precondition", 'var.key == "a"')}}\n}\nresource "tfcoremock_simple_resource" "second" {\n id = "\${tfcoremock_simple_resource.first.id}-2"\n lifecycle {\n${condition("precondition", 'var.key == "c"')}}\n}\n`,
      }),
    ],
  },
  {
    name: "outputs that refer to a failed change only in their values or by depends_on",
    steps: ["one", "two"].map((text) =>
      step(
        `${required("tfcoremock")}${failing("update", "a")}${simple("a", `string = "${text}"`)}output "o" {\n value = tfcoremock_simple_resource.a.float\n${condition("precondition", "terraform.workspace != null")}}\noutput "p" {\n value = "${text}"\n depends_on = [tfcoremock_simple_resource.a]\n}\n`,
      ),
    ),
  },
  {
    name: "checks and outputs of a resource without instances that refers to a failed change",
    steps: ["one", "two"].map((text) =>
      step(
        `${required("tfcoremock")}${failing("update", "a")}${simple("a", `string = "${text}"`)}resource "tfcoremock_simple_resource" "b" {\n count = 0\n string = tfcoremock_simple_resource.a.string\n}\ncheck "c" {\n${condition("assert", 'length(tfcoremock_simple_resource.b) == 1 && "one" != "two"')}}\noutput "o" {\n value = "${text}-\${length(tfcoremock_simple_resource.b)}"\n}\n`,
      ),
    ),
  },
  {
    name: "an object that a failed destruction depends on since the plan",
    steps: ["", "one"].map((text) =>
      mocked(
        `${text === "" ? "" : simple("b")}resource "terraform_data" "a" {\n triggers_replace = "${text}"\n input = ${text === "" ? "null" : "tfcoremock_simple_resource.b.id"}\n provisioner "local-exec" {\n when = destroy\n command = "exit 3"\n}\n}\n`,
      ),
    ),
  },
  {
    name: "conditions in a module that depends on a failed change",
    steps: ["one", "two"].map((text) =>
      step(
        `${required("tfcoremock")}${failing("update", "a")}${simple("a", `string = "${text}"`)}module "m" {\n source = "./m"\n v = "x"\n depends_on = [tfcoremock_simple_resource.a]\n}\nresource "terraform_data" "d" {\n input = module.m.o\n}\n`,
        {},
        {
          "m/main.tf": `variable "v" {\n type = string\n${condition("validation", 'var.v != "y"')}}\noutput "o" {\n value = var.v\n${condition("precondition", 'var.v != "y"')}}\n`,
        },
      ),
    ),
  },
  {
    name: "a failed change that another module instance refers to directly, through a local value and through another object",
    steps: ["one", "two"].map((text) =>
      step(
        `${required("tfcoremock")}${failing("update", "x-0")}module "m" {\n source = "./m"\n count = 2\n index = count.index\n text = "${text}"\n}\n`,
        {},
        {
          "m/main.tf": `${required("tfcoremock")}variable "index" {\n type = number\n}\nvariable "text" {\n type = string\n}\nlocals {\n l = tfcoremock_simple_resource.x.string\n}\n${[
            ["x", "var.text"],
            ["y", "local.l"],
            ["z", "tfcoremock_simple_resource.x.string"],
            ["w", "tfcoremock_simple_resource.z.string"],
          ]
            .map(
              ([name, text]) => `resource "tfcoremock_simple_resource" "${name}" {\n id = "${name}-\${var.index}"\n string = ${text}\n}\n`,
            )
            .join("")}`,
        },
      ),
    ),
  },
  {
    name: "a failed change of an object that is no longer to be destroyed",
    steps: ["", "lifecycle {\n destroy = false\n}"].map((lifecycle, index) =>
      step(required("tfcoremock") + failing("update", "a") + simple("a", `string = "${index}"\n${lifecycle}`)),
    ),
  },
  {
    name: "a failed creation, and a failed change, of an object that is not to be destroyed",
    steps: [
      step(`${required("sdkv2")}provider "sdkv2" {\n directory = "\${path.cwd}/objects/sdkv2"\n}\n${half("half")}`),
      step(`${required("sdkv2")}provider "sdkv2" {\n directory = "\${path.cwd}/objects/sdkv2"\n}\n${half("whole")}`),
    ],
  },
  {
    name: "all but the place of the old object after a failed second plan of a replacement: `deposed-by-failed-plans`",
    steps: ["one", "two"].map((id) =>
      mocked(
        `resource "tfcoremock_shelf" "b" {\n id = "${id}"\n dynamic "board" {\n for_each = ${id === "one" ? "[]" : 'toset([sensitive("!"), "zzzz", terraform_data.x.id])'}\n content {\n width = length(board.value)\n}\n}\n lifecycle {\n create_before_destroy = true\n}\n}\n${id === "one" ? "" : 'resource "terraform_data" "x" {\n}\n'}`,
      ),
    ),
  },
  {
    name: "all but the value of an output of an excluded instance that the plan does not have: `outputs-outside-of-the-plan`",
    steps: ["one", "two"].map((key) =>
      mocked(
        `resource "tfcoremock_simple_resource" "r" {\n for_each = toset(["a", "b"])\n id = each.key\n string = "${key}"\n}\noutput "o" {\n value = { for key, one in tfcoremock_simple_resource.r : "${key}-\${key}" => one.id }\n depends_on = [terraform_data.x]\n}\nresource "terraform_data" "x" {\n input = [for one in tfcoremock_simple_resource.r : one.id]\n}\n`,
        {},
        key === "one" ? {} : { excludes: ['tfcoremock_simple_resource.r["a"]'] },
      ),
    ),
  },
  {
    name: "the validation of a variable of a module that only an output outside of the plan needs: `outputs-outside-of-the-plan`",
    steps: [{}, { excludes: ['terraform_data.a["x"]'] }].map((settings) =>
      step(
        'module "m" {\n source = "./m"\n count = 2\n v = "v"\n}\nresource "terraform_data" "a" {\n for_each = toset(["x", "y"])\n}\nresource "terraform_data" "b" {\n input = [for one in terraform_data.a : one.id]\n}\noutput "o" {\n value = terraform_data.b.id\n depends_on = [module.m]\n}\n',
        settings,
        {
          "m/main.tf": `variable "v" {\n type = string\n${condition("validation", 'var.v != "x"')}}\nresource "terraform_data" "t" {\n}\ncheck "k" {\n${condition("assert", "terraform_data.t.id != null")}}\n`,
        },
      ),
    ),
  },
  {
    name: "a precondition of an output that the plan does not have: `outputs-outside-of-the-plan`",
    steps: ["one", "two"].map((key) =>
      mocked(
        `resource "tfcoremock_simple_resource" "r" {\n for_each = toset(["a", "b"])\n id = each.key\n string = "${key}"\n}\noutput "o" {\n value = { for key, one in tfcoremock_simple_resource.r : "${key}-\${key}" => one.id }\n depends_on = [terraform_data.x]\n${condition("precondition", "terraform.workspace != null")}}\nresource "terraform_data" "x" {\n input = [for one in tfcoremock_simple_resource.r : one.id]\n}\n`,
        {},
        key === "one" ? {} : { excludes: ['tfcoremock_simple_resource.r["a"]'] },
      ),
    ),
  },
  {
    name: "the warning about a deprecated value of an excluded output that the plan does not have: `outputs-outside-of-the-plan`",
    steps: [[], ["tfcoremock_simple_resource.a"]].map((excludes) =>
      mocked(
        `${simple("a", 'string = "x"')}module "m" {\n source = "./m"\n}\noutput "o" {\n value = "\${tfcoremock_simple_resource.a.string}-\${module.m.o}"\n}\n`,
        {
          "m/main.tf":
            'resource "terraform_data" "t" {\n input = "y"\n}\noutput "o" {\n value = terraform_data.t.input\n deprecated = "Use another output."\n}\n',
        },
        excludes.length === 0 ? {} : { excludes },
      ),
    ),
  },
];
