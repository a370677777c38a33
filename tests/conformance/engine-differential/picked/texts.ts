// SPDX-License-Identifier: Apache-2.0
import { required, sdkv2, simple, step, mocked, framed, type PickedCase } from "./configuration.ts";

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

/** Plans and states as text, and the ranges of diagnostics. */
export const textsCases: readonly PickedCase[] = [
  {
    name: "the columns of keys outside of ASCII in the plan text",
    steps: [framed('resource "framework_record" "a" {\n name = "a"\n notes = { "日本" = "one", "long key" = "two", "ä" = "three" }\n}\n')],
  },
  {
    name: "a null element that becomes unknown in the plan text: `null-elements-that-become-unknown`",
    steps: [0, 1].map((index) =>
      framed(
        `${index === 0 ? "" : 'resource "terraform_data" "t" {\n input = "x"\n}\n'}resource "framework_record" "a" {\n name = "a"\n tags = ["one", ${index === 0 ? "null" : "terraform_data.t.output"}]\n}\n`,
      ),
    ),
  },
  {
    name: "a replacement of blocks in a block, with a sensitive attribute",
    steps: [{}, { replace: ["tfcoremock_case.c"] }].map((settings) =>
      mocked('resource "tfcoremock_case" "c" {\n drawer {\n paper {\n text = "x"\n}\n}\n drawer {\n}\n}\n', {}, settings),
    ),
  },
  {
    name: "blocks that become unknown in the plan text",
    steps: [mocked(shelf('["one"]')), mocked(shelf('["one", "two"]'))],
  },
  {
    name: "blocks with a sensitive attribute that become unknown in the plan text",
    steps: ["one", "two"].map((text) =>
      mocked(
        `resource "terraform_data" "t" {\n input = ["x"]\n triggers_replace = ["${text}"]\n}\nresource "tfcoremock_shelf" "s" {\n id = "s"\n dynamic "letter" {\n for_each = toset(terraform_data.t.output)\n content {\n text = letter.value\n}\n}\n}\n`,
      ),
    ),
  },
  {
    name: "elements of an output that were null and become unknown in the plan text",
    steps: [{}, { replace: ["tfcoremock_meter.m[1]"] }].map((settings) =>
      mocked(
        'resource "tfcoremock_meter" "m" {\n count = 3\n id = "m-${count.index}"\n}\noutput "o" {\n value = tfcoremock_meter.m[*].reading\n}\noutput "p" {\n value = [for one in tfcoremock_meter.m : [one.reading]]\n}\noutput "q" {\n value = tolist(tfcoremock_meter.m[*].reading)\n}\n',
        {},
        settings,
      ),
    ),
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
    name: "an element of a list that begins with JSON in the plan text",
    steps: [mocked('resource "terraform_data" "a" {\n input = ["x", "${jsonencode({ a = 1 })}-b", jsonencode({ b = 2 })]\n}\n')],
  },
  {
    name: "a text that begins with JSON in the text of a state",
    steps: [mocked(simple("a", 'string = "{\\"A\\":1}-1000"'))],
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
    name: "sets of objects with different attributes",
    steps: [
      mocked(
        'resource "tfcoremock_complex_resource" "a" {\n id = "a"\n set = concat([{ number = 1 }], [{ bool = true, string = "x" }])\n list = [{ number = 1 }, { string = "x" }]\n}\n',
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
    name: "an error about an inconsistent final plan of a sensitive value",
    steps: [
      mocked(
        'resource "tfcoremock_simple_resource" "a" {\n}\nresource "tfcoremock_shelf" "b" {\n dynamic "board" {\n for_each = toset([sensitive("!"), "zzzz", tfcoremock_simple_resource.a.id])\n content {\n width = length(board.value)\n}\n}\n}\n',
      ),
    ],
  },
  {
    name: "the text of a plan that replaces an object by one with the same values, beside drift",
    steps: [{}, { outside: [{ kind: "change" as const, pick: 0 }], replace: ["tfcoremock_simple_resource.b"] }].map((settings) =>
      mocked(
        `module "m" {\n source = "./m"\n}\n${simple("b", "number = 1")}`,
        {
          "m/main.tf": `${required("tfcoremock")}${simple("a", 'string = "one"\nlifecycle {\n ignore_changes = all\n}')}output "o" {\n value = tfcoremock_simple_resource.a\n}\n`,
        },
        settings,
      ),
    ),
  },
  {
    name: "the text of a map that is sensitive as a whole, and then only in one of its values",
    steps: ['sensitive({ a = "x", b = "y" })', '{ a = "x", b = sensitive("y") }', 'sensitive({ a = "x", b = "z" })'].map((map) =>
      mocked(
        `resource "tfcoremock_complex_resource" "c" {\n map = { for key, one in ${map} : key => { string = one } }\n}\nresource "terraform_data" "t" {\n input = ${map}\n}\n`,
      ),
    ),
  },
  {
    name: "the text of a plan that changes only the type of an output, beside drift",
    steps: [
      "[for one in [jsonencode(tfcoremock_simple_resource.a)] : one if one == null]",
      "tolist([for one in [jsonencode(tfcoremock_simple_resource.a)] : one if one == null])",
    ].map((value, index) =>
      mocked(
        `${simple("a", 'string = "one"\nlifecycle {\n ignore_changes = all\n}')}output "o" {\n value = ${value}\n}\n`,
        {},
        index === 0 ? {} : { outside: [{ kind: "change", pick: 0 }] },
      ),
    ),
  },
  {
    name: "the texts of single blocks that are sensitive as a whole, and of those that become so",
    steps: ["[1]", "sensitive([1])", "[1, 2]"].map((values) =>
      framed(
        `resource "framework_record" "a" {\n name = "a"\n dynamic "rule" {\n for_each = ${values}\n content {\n port = rule.value\n}\n}\n}\n`,
      ),
    ),
  },
  {
    name: "elements of maps and lists that were null and become unknown in the plan text",
    steps: ["one", "two"].map((text, index) =>
      step(
        `${required("time", "sdkv2")}${sdkv2}resource "terraform_data" "d" {\n for_each = toset(["a", "b"])\n ${index === 0 ? "" : `triggers_replace = "${text}"`}\n}\nresource "time_static" "t" {\n rfc3339 = "2024-02-29T12:00:00Z"\n triggers = { for key, one in terraform_data.d : key => ${index === 0 ? "null" : "one.id"} }\n}\nresource "sdkv2_server" "s" {\n name = "s"\n image = "one"\n labels = { a = ${index === 0 ? "null" : 'terraform_data.d["a"].id'}, b = "x", c = ${index === 0 ? '"y"' : 'terraform_data.d["a"].id'} }\n commands = ["x", ${index === 0 ? '"y"' : 'terraform_data.d["a"].id'}]\n disk {\n gigabytes = 10\n}\n}\n`,
      ),
    ),
  },
];
