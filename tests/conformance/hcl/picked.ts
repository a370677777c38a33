// SPDX-License-Identifier: Apache-2.0
/* Cases chosen by hand for evaluation and decoding, with every error that the Go library has for them. */
import type { Case, Json } from "../cty/notation.ts";

const text = (value: string): Json => ({ t: "string", v: value });
const numeral = (value: string): Json => ({ t: "number", v: { n: value } });
const unknown = (type: Json, r?: Json): Json => ({ t: type, v: r === undefined ? { $: "unknown" } : { $: "unknown", r } });
const nothing = (type: Json): Json => ({ t: type, v: { $: "null" } });
const marked = (value: Json): Json => {
  const { t, v } = value as { readonly t: Json; readonly v: Json };
  return { t, v: { $: "marked", m: ["secret"], v } };
};
const item: Json = ["object", { id: "number", name: "string" }];

const variables: readonly (readonly [string, Json])[] = [
  ["s", text("hello")],
  ["n", numeral("3")],
  ["b", { t: "bool", v: true }],
  ["words", { t: ["list", "string"], v: ["a", "b"] }],
  ["none", { t: ["list", "string"], v: [] }],
  ["ids", { t: ["set", "string"], v: ["x", "y"] }],
  ["tags", { t: ["map", "string"], v: [["a", "1"]] }],
  [
    "item",
    {
      t: item,
      v: [
        ["id", { n: "1" }],
        ["name", "one"],
      ],
    },
  ],
  [
    "items",
    {
      t: ["list", item],
      v: [
        [
          ["id", { n: "1" }],
          ["name", "one"],
        ],
      ],
    },
  ],
  ["pool", { t: ["set", item], v: [] }],
  ["pair", { t: ["tuple", ["string", "number"]], v: ["p", { n: "2" }] }],
  ["mixed", { t: ["list", ["list", "string"]], v: [["a"], []] }],
  [
    "odd",
    {
      t: ["tuple", [["list", "string"], item]],
      v: [
        ["a"],
        [
          ["id", { n: "1" }],
          ["name", "one"],
        ],
      ],
    },
  ],
  ["scalars", { t: ["list", "string"], v: ["a", { $: "null" }] }],
  ["nul", nothing("dynamic")],
  ["nulstr", nothing("string")],
  ["nullist", nothing(["list", "string"])],
  ["dyn", unknown("dynamic")],
  ["us", unknown("string", { null: false, prefix: "ab" })],
  ["un", unknown("number", { null: false, min: [{ n: "1" }, true], max: [{ n: "5" }, true] })],
  ["ub", unknown("bool")],
  ["ul", unknown(["list", "string"], { null: false, lenMin: "1", lenMax: "3" })],
  ["uo", unknown(item)],
  ["ut", unknown(["tuple", ["string", item]])],
  ["secret", marked(text("pw"))],
  ["secretlist", marked({ t: ["list", "string"], v: ["a"] })],
  ["secretflag", marked({ t: "bool", v: false })],
];

const scope: Json = [{ variables: variables as unknown as Json, functions: true }];

/** Expressions that evaluate without an error. */
const valued: readonly string[] = [
  "1 + 2 * 3",
  "7 % 4 - 1 / 4",
  "n < 3 || n <= 3 && n > 2",
  "un < 7",
  "un > 2",
  "-n",
  "!b",
  'n >= 3 && s == "hello" || ub',
  'b ? 1 : "x"',
  "ub ? 1 : 5",
  "ub ? un : 10",
  'ub ? ul : ["z"]',
  "ub ? ul : words",
  "ub ? nul : s",
  "b ? nul : n",
  "b ? words : none",
  'b ? [1] : ["a"]',
  'ub ? { a = 1 } : { a = "x" }',
  "secretflag ? 1 : 2",
  "ub && false",
  "ub || true",
  "dyn && nul",
  "words[0]",
  'words["1"]',
  "tags.a",
  'tags["a"]',
  'item["id"]',
  "pair.0",
  "pair[1]",
  "ul[0]",
  "uo.name",
  "dyn.x.y[0]",
  "ut[1].id",
  "secretlist[0]",
  "dyn[n]",
  "items[*].id",
  "items.*.name",
  "item[*].id",
  "nul[*]",
  "s[*]",
  "ul[*]",
  "uo[*].id",
  "dyn[*].a",
  "none[*]",
  "ids[*]",
  "secretlist[*]",
  "us[*]",
  "mixed[*][*]",

  "pair[*]",
  "[for w in words : upper(w)]",
  '[for i, w in words : i if w != "a"]',
  "{for k, v in tags : v => k}",
  '{for w in words : "k" => w...}',
  "[for x in ul : x]",
  "{for x in dyn : x => x}",
  "[for x in words : x if ub]",
  "{for x in secretlist : x => 1}",
  "[for x in words : x if secretflag]",
  "[for i in ids : i]",
  "[for k, v in item : v]",
  "{for x in words : us => x}",
  '"a${n}b${b}"',
  '"${words}"',
  '"x-${us}-y"',
  '"${s}${us}"',
  '"${secret}!"',
  '"%{ if b }yes%{ else }no%{ endif }"',
  '"%{ for w in words }${w},%{ endfor }"',
  '"%{ for x in ul }${x}%{ endfor }"',
  '{ a = 1, (s) = 2, "${n}" = 3, 4 = 5, null = 6 }',
  "{ (us) = 1 }",
  "{ (secret) = 1 }",
  '[1, "a", null, [true]]',
  "upper(s)",
  "max(1, 2, n)",
  "max([1, 5]...)",
  'join("-", words)',
  "core::upper(s)",
  "provider::test::length(words)",
  "try(nope, s)",
  "try(us, 1)",
  "can(nope)",
  "can(s)",
  "can(us)",
  "convert([1], set(string))",
  "max(ul...)",
  "max(dyn...)",
  "upper(secretlist...)",
  "(((n)))",
  "<<E\n  ${s}\nE\n",
];

/** Expressions that fail, with the beginning of the diagnostic's detail, or its summary if the detail varies. */
const faulty: readonly (readonly [why: string, source: string])[] = [
  ['There is no variable named "wrods". Did you mean "words"?', "wrods"],
  ['There is no variable named "entirely".', "entirely.else"],
  ["This value is null, so it does not have any indices.", "nul[0]"],
  ["Can't use a null value as an indexing key.", "words[nulstr]"],
  ["The given key does not identify an element in this collection value: a number is required.", 'words["x"]'],
  ["The given key does not identify an element in this collection value: indexing a sequence requires a whole number", "words[0.5]"],
  ["The given key does not identify an element in this collection value: a negative number", "words[-1]"],
  ["The given key does not identify an element in this collection value: the collection has no elements.", "none[0]"],
  ["The given key does not identify an element in this collection value: the given index is greater than or equal", "words[2]"],
  ["The given key does not identify an element in this collection value.", "words[7]"],
  ["The given key does not identify an element in this collection value: string required, but have tuple.", "item[[]]"],
  ["The given key does not identify an element in this collection value. An object only supports", "item[0]"],
  ["Elements of a set are identified only by their value", "ids[0]"],
  ["This value does not have any indices.", "s[0]"],
  ["This value is null, so it does not have any attributes.", "nul.a"],
  ['This object does not have an attribute named "nope".', "item.nope"],
  ['This map does not have an element with the key "z".', "tags.z"],
  ['Can\'t access attributes on a list of objects. Did you mean to access attribute "id"', "items.id"],
  ["Can't access attributes on a list of objects. Did you mean to access an attribute", "items.nope"],
  ["Can't access attributes on a set of objects.", "pool.id"],
  ["Can't access attributes on a primitive-typed value (string).", "s.a"],
  ["This value does not have any attributes.", "words.a"],
  ["Unsuitable value for left operand: a number is required.", "s + 1"],
  ["Unsuitable value for right operand: bool required, but have tuple.", "b && []"],
  ["Unsuitable value for unary operand: number required, but have tuple.", "-[]"],
  ["Error during operation: argument must not be null.", "nul + 1"],
  ["Error during operation: can't divide zero by zero", "0 / 0"],
  ["Error during operation: argument must not be null.", "!nul"],
  ["The condition value is null.", "nul ? 1 : 2"],
  ["The condition expression must be of type bool.", "n ? 1 : 2"],
  [
    "The true and false result expressions must have consistent types. The 'true' value is tuple, but the 'false' value is number.",
    "b ? [] : 1",
  ],
  [
    "The true and false result expressions must have consistent types. The 'true' value includes object attribute \"a\"",
    "b ? { a = 1, b = [] } : { b = [] }",
  ],
  [
    'The true and false result expressions must have consistent types. Type mismatch for object attribute "a"',
    "b ? { a = [] } : { a = {} }",
  ],
  ["The true and false result expressions must have consistent types. Type mismatch for tuple element 0", "b ? [[1]] : [{ a = 1 }]"],
  ["The true and false result expressions must have consistent types. The 'true' tuple has length 1", "b ? [1] : [1, {}]"],
  ["The true result value has the wrong type: a number is required.", "b ? ids : convert([1], list(number))"],
  ["The false result value has the wrong type: a number is required.", "!b ? convert([1], list(number)) : ids"],
  ["A null value cannot be used as the collection", "[for x in nul : x]"],
  ["A value of type string cannot be used as the collection", "[for x in s : x]"],
  ["The value of the 'if' clause must not be null.", "[for x in words : x if nul]"],
  ["The 'if' clause value is invalid: bool required, but have tuple.", "[for x in words : x if []]"],
  ["The 'if' clause value is invalid: a bool is required.", "[for x in words : x if x]"],
  ["The 'if' clause value is invalid: a bool is required.", "{for x in words : x => x if x}"],
  ["The value of the 'if' clause must not be null.", "[for x in scalars : x if x == nul ? nul : true]"],
  ["The value of the 'if' clause must not be null.", '{for x in words : x => x if x == "a" ? nul : true}'],
  ["Key expression in 'for' expression must not produce a null value.", "{for x in words : nul => x}"],
  ["The key expression produced an invalid result: string required, but have tuple.", "{for x in words : [x] => x}"],
  ['Two different items produced the key "k"', '{for x in words : "k" => x}'],
  ["Splat expressions (with the * symbol) cannot be applied to null sequences.", "nullist[*]"],
  ["The second level of splat expression produced elements of different types", "scalars[*][*]"],
  ["Can't use a null value as a key.", "{ (nul) = 1 }"],
  ["Can't use this value as a key: string required, but have tuple.", "{ ([]) = 1 }"],
  ["If this expression is intended to be a reference, wrap it in parentheses.", "{ item.name = 1 }"],
  ["The expression result is null.", '"a${nul}"'],
  ["Cannot include the given value in a string template: string required, but have list of string.", '"a${words}"'],
  ['There is no function named "uper". Did you mean "upper"?', "uper(s)"],
  ['There are no functions in namespace "other::".', "other::upper(s)"],
  ['There is no function named "nope" in namespace core::.', "core::nope(s)"],
  ["The expanding argument (indicated by ...) must not be null.", "max(nul...)"],
  ["The expanding argument (indicated by ...) must not be null.", "max(nullist...)"],
  ["The expanding argument (indicated by ...) must be of a tuple, list, or set type.", "max(tags...)"],
  ['Function "upper" expects 1 argument(s). Missing value for "str".', "upper()"],
  ['Function "join" expects at least 1 argument(s). Missing value for "separator".', "join()"],
  ['Function "upper" expects only 1 argument(s).', "upper(s, s)"],
  ['Invalid value for "str" parameter: string required, but have list of string.', "upper(words)"],
  ['Invalid value for "num" parameter: a number is required.', "absolute(s)"],
  ['Invalid value for "index" parameter: blamed for trying.', "blame(0)"],
  ['Call to function "blame" failed: blamed for trying.', "blame(5)"],
  ['Invalid value for "rest" parameter: blamed for trying.', "blamerest(3, 1)"],
  ['Call to function "try" failed: no expression succeeded:', "try(nope)"],
  ['Call to function "try" failed: at least one argument is required.', "try()"],
  ['The keyword "strin" is not a valid type specification.', "convert(s, strin)"],
  ['Invalid value for "value" parameter: a number is required.', "convert(s, number)"],
];

/** Iteration results that are not strings. No source text of a template directive produces them, so the trees are built by hand. */
const joined: readonly (readonly [why: string, source: string])[] = [
  ["An iteration result is null. Cannot include a null value in a string template.", "[for x in words : nul]"],
  ["Cannot include one of the interpolation results into the string template: string required, but have tuple.", "[for x in words : []]"],
];

/** Sources with an invalid encoding. */
const unreadable: readonly (readonly [why: string, source: Json])[] = [
  ["All input files must be UTF-8 encoded.", { hex: "61203d2022ff220a" }],
];

/** JSON texts that are not a body. */
const rootless: readonly (readonly [why: string, source: string])[] = [
  ["The root value in a JSON-based configuration must be either a JSON object or a JSON array of objects.", "1"],
  ["Extra characters appear after the JSON value.", "{} 1"],
  ["There is a syntax error in the given JSON number.", '{"a": 1e99999999999}'],
];

const evaluateCase = (source: string, syntax: Json = "native", frames: Json = scope): Case => ({
  op: "evaluate",
  args: [syntax, source, frames],
});

const json: readonly (readonly [why: string, source: string])[] = [
  ["Cannot use this expression as an object key: string required, but have list of string.", '{"${words}": 1}'],
  ["Cannot use null value as an object key.", '{"${nul}": 1}'],
  ['An attribute named "hello" was already defined at main.hcl:1,2-9.', '{"hello": 1, "${s}": 2}'],
];

const attribute = (name: string, type: Json = "string", required = false): Json => ({ kind: "attribute", name, type, required });
const object = (specs: { readonly [name: string]: Json }): Json => ({ kind: "object", specs });
const rule = object({ name: attribute("name") });
const labelled: Json = object({ key: { kind: "blockLabel", index: 0, name: "key" } });
const dynamicRule = object({ name: attribute("name", "dynamic") });

/** Bodies that do not conform to a spec, with the detail or the summary of the diagnostic. */
const undecodable: readonly (readonly [why: string, spec: Json, source: string, op?: string, syntax?: string])[] = [
  ['The argument "a" is required, but no definition was found.', attribute("a", "string", true), ""],
  ['An argument named "nam" is not expected here. Did you mean "name"?', attribute("name"), "nam = 1\n"],
  [
    'An argument named "rule" is not expected here. Did you mean to define a block of type "rule"?',
    { kind: "block", type: "rule", nested: rule },
    "rule = 1\n",
  ],
  ['Blocks of type "rul" are not expected here. Did you mean "rule"?', { kind: "block", type: "rule", nested: rule }, "rul {}\n"],
  ['Blocks of type "tags" are not expected here. Did you mean to define argument "tags"?', attribute("tags"), "tags {}\n"],
  ["No labels are expected for rule blocks.", { kind: "block", type: "rule", nested: rule }, 'rule "a" {}\n'],
  ["Only 1 labels (key) are expected for rule blocks.", { kind: "block", type: "rule", nested: labelled }, 'rule "a" "b" {}\n'],
  ["All rule blocks must have 1 labels (key).", { kind: "block", type: "rule", nested: labelled }, "rule {}\n"],
  ['Inappropriate value for attribute "a": a number is required.', attribute("a", "number"), 'a = "x"\n'],
  [
    'Only one block of type "rule" is allowed. Previous definition was at main.hcl:1,1-5.',
    { kind: "block", type: "rule", nested: rule },
    "rule {}\nrule {}\n",
  ],
  ['A block of type "rule" is required here.', { kind: "block", type: "rule", nested: rule, required: true }, ""],
  ...["blockList", "blockSet", "blockTuple"].flatMap((kind): (typeof undecodable)[number][] => [
    ['At least 2 "rule" blocks are required.', { kind, type: "rule", nested: rule, min: 2 }, "rule {}\n"],
    ['No more than 1 "rule" blocks are allowed', { kind, type: "rule", nested: rule, max: 1 }, "rule {}\nrule {}\n"],
  ]),
  ...["blockList", "blockSet"].map((kind): (typeof undecodable)[number] => [
    "Block with index 1 has inconsistent argument types: a number is required.",
    { kind, type: "rule", nested: dynamicRule },
    "rule {\n name = convert([1], list(number))\n}\nrule {\n name = ids\n}\n",
  ]),
  [
    "Corresponding attributes in all blocks of this type must be the same.",
    { kind: "blockList", type: "rule", nested: dynamicRule },
    "rule {\n name = []\n}\nrule {\n name = 1\n}\n",
  ],
  [
    "Unconsistent argument types in rule blocks",
    { kind: "blockSet", type: "rule", nested: dynamicRule },
    "rule {\n name = {}\n}\nrule {\n name = true\n}\n",
  ],
  [
    'A block for rule "a" was already defined.',
    { kind: "blockMap", type: "rule", nested: rule, labels: ["key"] },
    'rule "a" {}\nrule "a" {}\n',
  ],
  [
    'A block for rule "a" "b" was already defined.',
    { kind: "blockObject", type: "rule", nested: rule, labels: ["key", "inner"] },
    'rule "a" "b" {}\nrule "a" "b" {}\n',
  ],
  ['A block of type "rule" is required here.', { kind: "blockAttributes", type: "rule", elementType: "string", required: true }, ""],
  [
    'Invalid value for attribute of "rule" block: a number is required.',
    { kind: "blockAttributes", type: "rule", elementType: "number" },
    'rule {\n a = "x"\n}\n',
  ],
  ['Only one block of type "rule" is allowed.', { kind: "blockAttributes", type: "rule", elementType: "number" }, "rule {}\nrule {}\n"],
  ["Blocks are not allowed here.", { kind: "blockAttributes", type: "rule", elementType: "number" }, "rule {\n x {}\n}\n"],
  ["Decoder transform returned an error", { kind: "transformFunction", wrapped: attribute("a"), function: "length" }, 'a = "x"\n'],
  ["It must be set.", { kind: "validate", wrapped: attribute("a"), summary: "Not set", detail: "It must be set." }, ""],
  ['The argument "a" is required, but no definition was found.', attribute("a", "string", true), "{}", "decode", "json"],
  ['No argument or block type is named "nam". Did you mean "name"?', attribute("name"), '{"nam": 1}', "decode", "json"],
  ['The argument "name" was already set at main.hcl:1,2-11.', attribute("name"), '{"name": 1, "name": 2}', "decode", "json"],
  [
    "Either a JSON object or JSON array of objects is required here, to define arguments and child blocks.",
    { kind: "blockList", type: "rule", nested: rule },
    '{"rule": [1]}',
    "decode",
    "json",
  ],
  ["A JSON object is required here, to define arguments and child blocks.", attribute("name"), "[1]", "decode", "json"],
  [
    'Either a JSON object or a JSON array is required, representing the contents of one or more "rule" blocks.',
    { kind: "block", type: "rule", nested: rule },
    '{"rule": 1}',
    "decode",
    "json",
  ],
  [
    "At least one object property is required, whose name represents the rule block's key.",
    { kind: "block", type: "rule", nested: labelled },
    '{"rule": {}}',
    "decode",
    "json",
  ],
  [
    "Either a JSON object or JSON array of objects is required here, to specify key labels for this block.",
    { kind: "block", type: "rule", nested: labelled },
    '{"rule": 1}',
    "decode",
    "json",
  ],
  [
    "A JSON object is required here, to specify key labels for this block.",
    { kind: "block", type: "rule", nested: labelled },
    '{"rule": [1]}',
    "decode",
    "json",
  ],
  [
    "A JSON object is required here, setting the arguments for this block.",
    { kind: "blockAttributes", type: "rule", elementType: "string" },
    '{"rule": [1]}',
    "decode",
    "json",
  ],
  [
    "Duplicate attribute definition",
    { kind: "blockAttributes", type: "rule", elementType: "string" },
    '{"rule": {"a": 1, "a": 2}}',
    "decode",
    "json",
  ],
  [
    "Cannot use a string value in for_each.",
    { kind: "blockList", type: "rule", nested: rule },
    'dynamic "rule" {\n for_each = s\n content {}\n}\n',
    "decode.dynamic",
  ],
  [
    'There are no functions in namespace "core::".',
    { kind: "blockList", type: "rule", nested: { kind: "blockList", type: "rule", nested: rule } },
    'rule {\n dynamic "rule" {\n  for_each = core::nope(s)\n  content {}\n }\n}\n',
    "decode.dynamic",
  ],
  [
    "Cannot use a null value in for_each.",
    { kind: "blockList", type: "rule", nested: rule },
    'dynamic "rule" {\n for_each = nullist\n content {}\n}\n',
    "decode.dynamic",
  ],
  [
    "Dynamic iterator must be a single variable name.",
    { kind: "blockList", type: "rule", nested: rule },
    'dynamic "rule" {\n for_each = words\n iterator = a.b\n content {}\n}\n',
    "decode.dynamic",
  ],
  [
    "A single static variable reference is required",
    { kind: "blockList", type: "rule", nested: rule },
    'dynamic "rule" {\n for_each = words\n iterator = "a"\n content {}\n}\n',
    "decode.dynamic",
  ],
  [
    'A dynamic block must have a nested block of type "content"',
    { kind: "blockList", type: "rule", nested: rule },
    'dynamic "rule" {\n for_each = words\n}\n',
    "decode.dynamic",
  ],
  [
    "Only one nested content block is allowed for each dynamic block.",
    { kind: "blockList", type: "rule", nested: rule },
    'dynamic "rule" {\n for_each = words\n content {}\n content {}\n}\n',
    "decode.dynamic",
  ],
  [
    'Blocks of type "other" are not expected here.',
    { kind: "blockList", type: "rule", nested: rule },
    'dynamic "other" {\n for_each = words\n content {}\n}\n',
    "decode.dynamic",
  ],
  ...(
    [
      ['Blocks of type "rule" require 1 label(s).', "[]"],
      ['Blocks of type "rule" require 1 label(s).', "[1, 2]"],
      ["A static list expression is required.", "words"],
      ["Cannot use this value as a dynamic block label", "[words]"],
      ["Cannot use a null value as a dynamic block label.", "[nulstr]"],
      ["This value is not yet known.", "[us]"],
      ["This value has dynamic marks that make it unsuitable", "[secret]"],
    ] as const
  ).map(([why, labels]): (typeof undecodable)[number] => [
    why,
    { kind: "blockList", type: "rule", nested: labelled },
    `dynamic "rule" {\n for_each = words\n labels = ${labels}\n content {}\n}\n`,
    "decode.dynamic",
  ]),
];

/** Bodies that decode without an error, for every kind of spec. */
const decodable: readonly (readonly [spec: Json, source: string, op?: string, syntax?: string])[] = [
  [
    object({ a: attribute("a"), t: { kind: "tuple", specs: [attribute("b", "number"), { kind: "literal", value: text("x") }] } }),
    'a = 1\nb = "2"\n',
  ],
  [{ kind: "expression", source: "upper(s)" }, ""],
  [{ kind: "default", primary: attribute("a"), default: { kind: "literal", value: text("d") } }, ""],
  [{ kind: "transformExpression", wrapped: attribute("a"), source: "[v, v]", variable: "v" }, "a = s\n"],
  [{ kind: "transformFunction", wrapped: attribute("a"), function: "upper" }, "a = s\n"],
  [{ kind: "refine", wrapped: attribute("a"), refinements: { null: false } }, "a = us\n"],
  [{ kind: "validate", wrapped: attribute("a"), summary: "Not set", detail: "It must be set." }, "a = s\n"],
  [{ kind: "blockAttributes", type: "rule", elementType: "string" }, "rule {\n a = 1\n b = s\n}\n"],
  ...["block", "blockList", "blockSet", "blockTuple"].map((kind): (typeof decodable)[number] => [
    { kind, type: "rule", nested: labelled },
    'rule "a" {}\n',
  ]),
  ...["blockMap", "blockObject"].map((kind): (typeof decodable)[number] => [
    { kind, type: "rule", labels: ["x", "y"], nested: rule },
    'rule "a" "b" {\n name = s\n}\nrule "a" "c" {}\n',
  ]),
  [{ kind: "blockList", type: "rule", nested: rule }, '{"rule": [{"name": "${s}"}, {"name": null}], "//": "note"}', "decode", "json"],
  ...["words", "tags", "ids", "pair", "ul", "dyn", "secretlist", "item"].map((each): (typeof decodable)[number] => [
    { kind: "blockTuple", type: "rule", nested: dynamicRule },
    `rule {\n name = "first"\n}\ndynamic "rule" {\n for_each = ${each}\n iterator = it\n content {\n name = [it.key, it.value]\n }\n}\n`,
    "decode.dynamic",
  ]),
  [
    { kind: "blockList", type: "rule", nested: object({ sub: { kind: "blockTuple", type: "sub", nested: dynamicRule } }) },
    'dynamic "rule" {\n for_each = words\n content {\n dynamic "sub" {\n for_each = tags\n content {\n name = "${rule.value}${sub.value}"\n }\n }\n }\n}\n',
    "decode.dynamic",
  ],
];

/** Valid and invalid type expressions. */
const types: readonly string[] = [
  "string",
  "any",
  "list(any)",
  "set(map(number))",
  "tuple([string, bool])",
  "object({})",
  'object({ a = string, b = optional(number, 1), c = optional(object({ d = optional(string, "x") }), {}) })',
  "list",
  "object",
  "tuple",
  "nope",
  "string()",
  "any()",
  "list()",
  "list(string, number)",
  "object(1)",
  "object({ (a) = string })",
  "object({ a = string, a = string })",
  "object({ a = optional() })",
  "object({ a = optional(string, 1, 2) })",
  'object({ a = optional(number, "x") })',
  "object({ a = optional(number, nope) })",
  "tuple(string)",
  "optional(string)",
  "set(nope(1))",
  "nope(string)",
  "1 + 1",
  '"string"',
  "object()",
  "tuple()",
  "a.b",
];

export interface Picked {
  readonly input: Case;
  /** Expected diagnostic: the beginning of its detail, or its summary. Absent if none is required. */
  readonly why?: string;
}

export const picked: readonly Picked[] = [
  ...valued.map((source): Picked => ({ input: evaluateCase(source) })),
  ...faulty.map(([why, source]): Picked => ({ input: evaluateCase(source), why })),
  ...json.map(([why, source]): Picked => ({ input: evaluateCase(source, "json"), why })),
  { input: evaluateCase('{"a": "${n}", "b${n}": [1, true, null, "x"], "${us}": 1}', "json") },
  { input: evaluateCase('"${s}"', "json", null) },
  { input: evaluateCase("s", "native", null), why: "Variables may not be used here." },
  { input: evaluateCase("upper(1)", "native", null), why: "Functions may not be called here." },
  { input: evaluateCase("s", "native", [{ functions: true }]), why: "Variables may not be used here." },
  { input: evaluateCase("s", "native", [{ variables: [["s", text("outer")]] }, { variables: [["s", text("inner")]] }]) },
  ...undecodable.map(([why, spec, source, op = "decode", syntax = "native"]): Picked => ({
    input: { op, args: [syntax, source, spec, scope] },
    why,
  })),
  ...decodable.map(([spec, source, op = "decode", syntax = "native"]): Picked => ({ input: { op, args: [syntax, source, spec, scope] } })),
  ...types.flatMap((source) =>
    ["type", "constraint", "defaults"].map((mode): Picked => ({ input: { op: `typeexpr.${mode}`, args: ["native", source] } })),
  ),
  ...["A static list expression is required.", "A static map expression is required.", "A static function call is required."].map(
    (why): Picked => ({ input: { op: "static", args: ["native", "1 + n"] }, why }),
  ),
  ...joined.map(([why, source]): Picked => ({ input: { op: "evaluate.join", args: [source, scope] }, why })),
  ...unreadable.map(([why, source]): Picked => ({ input: { op: "parse.config", args: [source] }, why })),
  ...rootless.map(([why, source]): Picked => ({ input: { op: "content", args: ["json", source, [{}]] }, why })),
  {
    input: {
      op: "mergedAttributes",
      args: [
        [
          ["native", "a = 1\n"],
          ["json", '{"a": 2}'],
        ],
      ],
    },
    why: 'Argument "a" was already set at main.hcl:1,1-2',
  },
  {
    input: {
      op: "mergedContent",
      args: [
        [
          ["native", "a = 1\n"],
          ["json", '{"a": 2}'],
        ],
        [{ attributes: [{ name: "a" }, { name: "b", required: true }] }],
      ],
    },
    why: 'Argument "a" was already set at main.hcl:1,1-2',
  },
];
