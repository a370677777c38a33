// SPDX-License-Identifier: Apache-2.0
// Written configurations, each for a fault of the engine that generated ones have shown.
import { folderRecords } from "./generate/module.ts";
import type { StepSettings } from "./generate/steps.ts";
import type { RunnableStep } from "./run-case.ts";

/** A written configuration that changes from step to step. */
export interface PickedCase {
  /** What the sides agree on. */
  readonly name: string;
  readonly steps: readonly RunnableStep[];
}

const sources = {
  tfcoremock: "hashicorp/tfcoremock",
  framework: "registry.terraform.io/tenon/framework",
} as const;

const mock = 'provider "tfcoremock" {\n  resource_directory = "${path.cwd}/objects"\n  data_directory = "${path.cwd}/objects"\n}\n';
const framework = 'provider "framework" {\n  directory = "${path.cwd}/objects/framework"\n}\n';
function required(...names: readonly (keyof typeof sources)[]): string {
  const lines = names.map((name) => `    ${name} = { source = "${sources[name]}" }\n`);
  return `terraform {\n  required_providers {\n${lines.join("")}  }\n}\n`;
}

/** A step. Modules are in the folders that their calls name: `./modules/m`. */
function step(main: string, settings: Partial<StepSettings> = {}, modules: Readonly<Record<string, string>> = {}): RunnableStep {
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

const forgotten = (text: string): string => `resource "tfcoremock_simple_resource" "r" {\n ${text}\n lifecycle {\n destroy = false\n}\n}\n`;
const simple = (name: string, body = ""): string => `resource "tfcoremock_simple_resource" "${name}" {\n  id = "${name}"\n${body}\n}\n`;
const condition = (kind: string, text: string): string => `${kind} {\n condition = ${text}\n error_message = "It does not hold."\n }\n`;
const mocked = (text: string, more: Readonly<Record<string, string>> = {}, settings: Partial<StepSettings> = {}): RunnableStep =>
  step(required("tfcoremock") + mock + text, settings, more);
const framed = (text: string, settings: Partial<StepSettings> = {}): RunnableStep =>
  step(required("framework", "tfcoremock") + framework + mock + text, settings);
const failing = (operation: string, id: string): string => mock.replace("{\n", `{\n  fail_on_${operation} = ["${id}"]\n`);

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
const shelf = (size: string): string => `resource "terraform_data" "x" {\n input = ${size}\n}
resource "tfcoremock_shelf" "s" {
  id = "s"
  dynamic "book" {
    for_each = terraform_data.x.output
    content {
      title = book.value
    }
  }
  board {
    width = 1
    dynamic "screw" {
      for_each = terraform_data.x.output
      content {
        size = screw.value
      }
    }
  }
}
`;

const eachProvider = (keys: string | undefined): string =>
  `${required("tfcoremock")}${mock.replace("{\n", `{\n  alias = "each"\n${keys === undefined ? "" : `  for_each = toset(${keys})\n`}`)}`;
const keyed = (name: string, keys: string, providerKey: string): string =>
  `resource "tfcoremock_simple_resource" "${name}" {\n for_each = toset(${keys})\n provider = tfcoremock.each${providerKey}\n id = each.key\n}\n`;
/** A step with a module whose call has the given arguments, and a resource in it with the given keys. */
const moduleStep = (head: string, call: string, keys: string, prefix = '"p"'): RunnableStep =>
  step(
    `${head}module "m" {\n source = "./m"\n prefix = ${prefix}\n ${call}\n}\n`,
    {},
    {
      "m/main.tf": `${required("tfcoremock")}variable "prefix" {\n type = string\n}\nresource "tfcoremock_simple_resource" "r" {\n for_each = toset(${keys})\n id = "\${var.prefix}-\${each.key}"\n}\nresource "tfcoremock_simple_resource" "s" {\n id = "\${var.prefix}-s"\n}\n`,
    },
  );

/** All picked cases. */
export const pickedCases: readonly PickedCase[] = [
  {
    name: "conditions of unchanged objects in a targeted apply",
    steps: [mocked(checked), mocked(checked, {}, { targets: ["tfcoremock_simple_resource.a"] })],
  },
  {
    name: "conditions of unchanged objects in an apply with exclusions",
    steps: [mocked(checked), mocked(checked, {}, { excludes: ["tfcoremock_simple_resource.b"] })],
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
  {
    name: "the data source of a check, which fails and later succeeds",
    steps: ["absent", "a"].map((id) =>
      mocked(
        `${simple("a")}check "k" {\n data "tfcoremock_simple_resource" "d" {\n id = "${id}"\n}\n${condition("assert", "data.tfcoremock_simple_resource.d.id != null")}${condition("assert", "1 == 2")}}\n`,
      ),
    ),
  },
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
    name: "the columns of keys outside of ASCII in the plan text",
    steps: [framed('resource "framework_record" "a" {\n name = "a"\n notes = { "日本" = "one", "long key" = "two", "ä" = "three" }\n}\n')],
  },
  {
    name: "blocks that become unknown in the plan text",
    steps: [mocked(shelf('["one"]')), mocked(shelf('["one", "two"]'))],
  },
  {
    name: "attributes of an output that were null and become unknown in the plan text",
    steps: ["", 'triggers_replace = ["x"]'].map((triggers) =>
      mocked(
        `resource "terraform_data" "a" {\n ${triggers}\n}\noutput "o" {\n value = { fixed = 1, made = terraform_data.a.output, id = [terraform_data.a.id != null] }\n}\n`,
      ),
    ),
  },
  {
    name: "the range of an error about an attribute of a block in a set",
    steps: [
      mocked(
        'variable "v" {\n type = string\n default = null\n}\nresource "tfcoremock_shelf" "s" {\n id = "s"\n label = "title"\n book {\n title = var.v\n}\n}\n',
      ),
    ],
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
    name: "instances of a provider configuration",
    steps: ['["a", "b", "c"]', '["a", "b"]'].map((keys) =>
      step(`${required("tfcoremock")}${mock.replace("{\n", `{\n  alias = "each"\n  for_each = toset(${keys})\n`)}
resource "tfcoremock_simple_resource" "a" {\n for_each = toset(["a", "b"])\n provider = tfcoremock.each[each.key]\n id = each.key\n}\n`),
    ),
  },
  {
    name: "objects whose provider instance is gone",
    steps: [
      step(`${eachProvider('["a", "b"]')}${keyed("r", '["a", "b"]', "[each.key]")}`),
      step(`${eachProvider('["a"]')}${keyed("r", '["a"]', "[each.key]")}`),
    ],
  },
  {
    name: "objects that refer to a provider instance that does not exist",
    steps: [step(`${eachProvider('["a"]')}${keyed("r", '["a", "b"]', "[each.key]")}`)],
  },
  {
    name: "an object without a block in a module whose call selects another provider instance",
    steps: [
      moduleStep(eachProvider('["a", "b"]'), 'providers = { tfcoremock = tfcoremock.each["a"] }', '["x", "y"]'),
      moduleStep(eachProvider('["b"]'), 'providers = { tfcoremock = tfcoremock.each["b"] }', '["x"]'),
    ],
  },
  {
    name: "modules whose calls select a provider instance that does not exist",
    steps: [
      moduleStep(
        eachProvider('["a"]'),
        'for_each  = toset(["a", "c"])\n providers = { tfcoremock = tfcoremock.each[each.key] }',
        '["x", "y"]',
        "each.key",
      ),
    ],
  },
  {
    name: "keys of provider instances that are no texts",
    steps: [
      step(
        `${eachProvider('["1"]')}${keyed("r", '["a"]', "[1]")}${keyed("s", '["a"]', "[null]")}${keyed("t", '["a"]', '[sensitive("1")]')}`,
      ),
    ],
  },
  {
    name: "objects whose provider configuration gets for_each",
    steps: [
      step(`${eachProvider(undefined)}${keyed("r", '["a", "b"]', "")}`),
      step(`${eachProvider('["a"]')}${keyed("r", '["a"]', '["a"]')}`),
    ],
  },
  {
    name: "objects whose provider configuration no longer has for_each",
    steps: [
      step(`${eachProvider('["a"]')}${keyed("r", '["a", "b"]', '["a"]')}`),
      step(`${eachProvider(undefined)}${keyed("r", '["a"]', "")}`),
    ],
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
    name: "the refresh of a deposed object beside the current one",
    steps: [
      mocked(simple("a", "lifecycle {\n create_before_destroy = true\n}")),
      step(
        `${required("tfcoremock")}${failing("delete", "a")}${simple("a", "lifecycle {\n create_before_destroy = true\n}").replace('id = "a"', 'id = "b"')}`,
      ),
      mocked(simple("a", "lifecycle {\n create_before_destroy = true\n}").replace('id = "a"', 'id = "b"')),
    ],
  },
  {
    name: "a text that begins with JSON in the text of a state",
    steps: [mocked(simple("a", 'string = "{\\"A\\":1}-1000"'))],
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
    name: "lines between the modules of a state",
    steps: [
      mocked('module "outer" {\n source = "./outer"\n for_each = toset(["x", "y"])\n name = each.key\n}\n', {
        "outer/main.tf": 'variable "name" {\n type = string\n}\nmodule "inner" {\n source = "./inner"\n name = var.name\n}\n',
        "outer/inner/main.tf": `variable "name" {\n type = string\n}\n${["one", "two"].map((id) => `resource "tfcoremock_simple_resource" "${id}" {\n id = "\${var.name}-${id}"\n}\n`).join("")}module "leaf" {\n source = "./leaf"\n}\n`,
        "outer/inner/leaf/main.tf": 'resource "terraform_data" "d" {\n}\n',
      }),
    ],
  },
  {
    name: "blocks in sets with sensitive attributes",
    steps: ["one", "two"].map((text) =>
      mocked(`resource "terraform_data" "t" {\n input = "${text}"\n}
resource "tfcoremock_shelf" "s" {
  id = "s"
  letter {
    text = "${text}"
    from = "known"
  }
  letter {
    text = "always"
    from = terraform_data.t.output
  }
  letter {
    text = sensitive("marked")
  }
}
resource "tfcoremock_shelf" "u" {
  id = "u"
  stamp {
    from = "${text}"
  }
  stamp {
    code = "always"
  }
}
`),
    ),
  },
  {
    name: "a destroy plan that forgets an object",
    steps: ["normal", "destroy"].map((mode) =>
      mocked(simple("a", "lifecycle {\n destroy = false\n}") + simple("b"), {}, { mode: mode as "normal" | "destroy" }),
    ),
  },
  {
    name: "sets of objects with different attributes",
    steps: [
      mocked(
        'resource "tfcoremock_complex_resource" "a" {\n id = "a"\n set = concat([{ number = 1 }], [{ bool = true, string = "x" }])\n list = [{ number = 1 }, { string = "x" }]\n}\n',
      ),
    ],
  },
  {
    name: "errors of what depends on a faulty object in another module instance",
    steps: [
      mocked('module "m" {\n source = "./m"\n for_each = toset(["a", "b"])\n key = each.key\n}\n', {
        "m/main.tf": `variable "key" {\n type = string\n}\nresource "tfcoremock_simple_resource" "first" {\n id = var.key\n lifecycle {\n${condition("precondition", 'var.key == "a"')}}\n}\nresource "tfcoremock_simple_resource" "second" {\n id = "\${tfcoremock_simple_resource.first.id}-2"\n lifecycle {\n${condition("precondition", 'var.key == "c"')}}\n}\n`,
      }),
    ],
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
    name: "outputs that refer to a failed change only in their values or by depends_on",
    steps: ["one", "two"].map((text) =>
      step(
        `${required("tfcoremock")}${failing("update", "a")}${simple("a", `string = "${text}"`)}output "o" {\n value = tfcoremock_simple_resource.a.float\n${condition("precondition", "terraform.workspace != null")}}\noutput "p" {\n value = "${text}"\n depends_on = [tfcoremock_simple_resource.a]\n}\n`,
      ),
    ),
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
    name: "checks and outputs of a resource without instances that refers to a failed change",
    steps: ["one", "two"].map((text) =>
      step(
        `${required("tfcoremock")}${failing("update", "a")}${simple("a", `string = "${text}"`)}resource "tfcoremock_simple_resource" "b" {\n count = 0\n string = tfcoremock_simple_resource.a.string\n}\ncheck "c" {\n${condition("assert", 'length(tfcoremock_simple_resource.b) == 1 && "one" != "two"')}}\noutput "o" {\n value = "${text}-\${length(tfcoremock_simple_resource.b)}"\n}\n`,
      ),
    ),
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
    name: "a sensitive attribute in a sensitive attribute",
    steps: ["one", "two"].map((text) =>
      mocked(
        `resource "tfcoremock_safe" "a" {\n content = { code = "${text}" }\n}\noutput "o" {\n value = tfcoremock_safe.a\n sensitive = true\n}\n`,
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
    name: "a moved object that is forgotten and created again",
    steps: [
      mocked(forgotten('for_each = toset(["k"])\n id = "r-${each.key}"')),
      mocked(
        `${forgotten('count = 1\n id = "r-${count.index}"')}moved {\n from = tfcoremock_simple_resource.r["k"]\n to = tfcoremock_simple_resource.r[0]\n}\n`,
      ),
    ],
  },
  {
    name: "an error about an inconsistent final plan of a sensitive value",
    steps: [
      mocked(
        'resource "tfcoremock_simple_resource" "a" {\n}\nresource "tfcoremock_shelf" "b" {\n dynamic "board" {\n for_each = toset([sensitive("!"), "zzzz", tfcoremock_simple_resource.a.id])\n content {\n width = length(board.value)\n}\n}\n}\n',
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
  {
    name: "references to a deprecated output of a module",
    steps: ["one", "two"].map((text) =>
      mocked(
        `module "m" {\n source = "./m"\n for_each = toset(["x", "y"])\n}\nlocals {\n all = [for one in module.m : one.old]\n}\n${simple("a", 'string = module.m["x"].old')}output "o" {\n value = "${text}-\${module.m["y"].old}"\n}\noutput "p" {\n value = module.m["x"].fresh\n}\n`,
        { "m/main.tf": 'output "old" {\n value = "old"\n deprecated = "Use fresh."\n}\noutput "fresh" {\n value = "fresh"\n}\n' },
      ),
    ),
  },
];
