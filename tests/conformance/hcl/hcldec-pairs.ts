// SPDX-License-Identifier: Apache-2.0
/* Spec files with inputs, chosen by hand: every spec block with valid and invalid inputs, every option, and invalid spec files. */

export interface Pair {
  readonly what: string;
  readonly spec: string;
  /** Content of `input.hcl`, or the content of several files by name. */
  readonly input: string | Readonly<Record<string, string>>;
  /** Further options, and names of input files; default `input.hcl`. */
  readonly args?: readonly string[];
}

const names = `object {
  attr "name" {
    type     = string
    required = true
  }
  attr "count" {
    name = "how_many"
    type = number
  }
  attr "tags" { type = map(list(string)) }
}
`;
const server = `object {
  attr "port" { type = number }
  attr "host" { type = string }
}`;
const anything = `attr {
  name = "a"
  type = any
}
`;
const blockMap = `block_map {
  block_type = "server"
  labels     = ["region", "name"]
  ${server}
}
`;
const withFunctions = `function "add" {
  params         = [a, b]
  variadic_param = rest
  result         = a + b + length(rest)
}
function "shout" {
  params = [text]
  result = upper(text)
}
variables {
  base = max(1, 2)
  list = concat(["x"], ["y"])
}
`;

export const pairs: readonly Pair[] = [
  { what: "an object of attributes", spec: names, input: 'name = "a"\nhow_many = "3"\ntags = { a = ["b", 1] }\n' },
  { what: "absent attributes", spec: names, input: 'name = "a"\n' },
  { what: "absent attributes with --keep-nulls", spec: names, input: 'name = "a"\n', args: ["--keep-nulls", "input.hcl"] },
  { what: "the type with nulls", spec: names, input: 'name = "a"\n', args: ["--with-type", "--keep-nulls", "input.hcl"] },
  { what: "the type without nulls", spec: names, input: 'name = "a"\ntags = { a = null }\n', args: ["--with-type", "input.hcl"] },
  { what: "a missing required attribute", spec: names, input: "how_many = 3\n" },
  { what: "an unexpected attribute", spec: names, input: 'name = "a"\nnmae = "b"\n' },
  { what: "values of the wrong type", spec: names, input: 'name = "a"\nhow_many = "three"\ntags = []\n' },
  { what: "two errors in expressions", spec: names, input: 'name = nothing\nhow_many = 1 + "x"\n' },
  { what: "a function call without functions in scope", spec: anything, input: 'a = upper("x")\n' },
  { what: "an error as text", spec: names, input: 'name = "a"\nhow_many = 1 + upper("b")\n', args: ["--diags=", "input.hcl"] },
  { what: "a syntax error", spec: names, input: 'name = "a\nhow_many = = 1\n' },
  { what: "an unclosed block", spec: names, input: 'name = "a"\nb {\n' },
  { what: "numbers with full precision", spec: anything, input: "a = [12345678901234567890123, 0.1, 1e30, -0.5, 1 / 3]\n" },
  { what: "characters that JSON escapes", spec: anything, input: 'a = "<&>\\u2028\\u0001\\"\\\\é😀"\n' },
  { what: "a null at the root", spec: anything, input: "" },
  { what: "a null at the root with its type", spec: anything, input: "", args: ["--with-type", "input.hcl"] },
  {
    what: "nulls in lists, maps and objects",
    spec: anything,
    input: "a = { b = [null, { c = null, d = {} }], e = null, 10 = 1, 9 = 2 }\n",
  },
  {
    what: "a set",
    spec: 'attr {\n  name = "a"\n  type = set(object({b = number}))\n}\n',
    input: "a = [{ b = 2 }, { b = 1 }, { b = 2 }]\n",
  },
  { what: "a tuple type", spec: 'attr {\n  name = "a"\n  type = tuple([string, bool])\n}\n', input: "a = [1, true]\n" },
  { what: "a tuple of another length", spec: 'attr {\n  name = "a"\n  type = tuple([string, bool])\n}\n', input: "a = [1]\n" },
  { what: "an array", spec: `array {\n  attr { name = "a" }\n  literal { value = { b = upper("c") } }\n}\n`, input: "a = 1\n" },
  { what: "a block", spec: `block {\n  block_type = "server"\n  ${server}\n}\n`, input: 'server {\n  port = 80\n  host = "a"\n}\n' },
  { what: "a missing required block", spec: `block {\n  block_type = "server"\n  required = true\n  ${server}\n}\n`, input: "" },
  { what: "a block twice", spec: `block {\n  block_type = "server"\n  ${server}\n}\n`, input: "server {}\nserver {}\n" },
  { what: "a block with labels", spec: `block {\n  block_type = "server"\n  ${server}\n}\n`, input: 'server "x" {}\nother {}\n' },
  { what: "a list of blocks", spec: `block_list {\n  block_type = "server"\n  ${server}\n}\n`, input: "server {}\nserver { port = 1 }\n" },
  {
    what: "too few and too many blocks",
    spec: `array {
  block_list {
    block_type = "server"
    min_items = 2
    ${server}
  }
  block_list {
    block_type = "proxy"
    max_items = 1
    ${server}
  }
}
`,
    input: "server {}\nproxy {}\nproxy {}\n",
  },
  {
    what: "a set of blocks",
    spec: `block_set {\n  block_type = "server"\n  ${server}\n}\n`,
    input: "server {}\nserver {}\nserver { port = 1 }\n",
  },
  { what: "a map of blocks", spec: blockMap, input: 'server "eu" "a" {\n  port = 1\n}\nserver "eu" "b" {}\nserver "us" "a" {}\n' },
  { what: "a map of blocks with a duplicate key", spec: blockMap, input: 'server "eu" "a" {}\nserver "eu" "a" {}\n' },
  { what: "a map of blocks without a label", spec: blockMap, input: 'server "eu" {}\n' },
  { what: "a block type implied by the name", spec: `object {\n  block_list "server" {\n    ${server}\n  }\n}\n`, input: "server {}\n" },
  { what: "a default", spec: 'default {\n  attr { name = "a" }\n  attr { name = "b" }\n  literal { value = "c" }\n}\n', input: "" },
  { what: "an unused default", spec: 'default {\n  attr { name = "a" }\n  literal { value = "c" }\n}\n', input: "a = 1\n" },
  { what: "a transform", spec: 'transform {\n  attr { name = "a" }\n  result = upper("${nested}!")\n}\n', input: 'a = "b"\n' },
  { what: "a transform that fails", spec: 'transform {\n  attr { name = "a" }\n  result = upper(nested)\n}\n', input: "a = []\n" },
  { what: "functions and variables of the spec", spec: withFunctions + anything, input: 'a = [add(base, 1, 2, 3), shout("x"), list]\n' },
  { what: "a function of the spec that fails", spec: withFunctions + anything, input: 'a = add("x", 1)\n' },
  { what: "too few arguments for a function of the spec", spec: withFunctions + anything, input: "a = add(1)\n" },
  { what: "an unknown variable beside others", spec: withFunctions + anything, input: "a = bsae\n" },
  { what: "variables as JSON", spec: anything, input: "a = [b, c]\n", args: ["--vars", ' {"b": [1, "x"], "c": {"d": null}}', "input.hcl"] },
  {
    what: "variables from files, where the last file wins",
    spec: anything,
    input: { "input.hcl": "a = [b, c, d]\n", "vars.hcl": "b = 1\nc = 2\n", "vars.json": '{"c": 3, "d": 4}' },
    args: ["-V", "vars.hcl", "-Vvars.json", "input.hcl"],
  },
  {
    what: "variables that refer to others",
    spec: anything,
    input: { "input.hcl": "a = 1\n", "vars.hcl": "b = c\n" },
    args: ["--vars=vars.hcl", "input.hcl"],
  },
  { what: "variables that are invalid JSON", spec: anything, input: "a = b\n", args: ["--vars={b}", "input.hcl"] },
  {
    what: "variables in blocks",
    spec: anything,
    input: { "input.hcl": "a = 1\n", "vars.hcl": "b {}\n" },
    args: ["--vars=vars.hcl", "input.hcl"],
  },
  { what: "JSON", spec: names, input: { "input.hcl.json": '{"name": "a", "how_many": 1e2}' }, args: ["input.hcl.json"] },
  { what: "JSON with an error", spec: names, input: { "input.hcl.json": '{"name": "a" "how_many": 1}' }, args: ["input.hcl.json"] },
  {
    what: "several files as one",
    spec: names,
    input: { "a.hcl": 'name = "a"\n', "b.hcl.json": '{"how_many": 1}' },
    args: ["a.hcl", "b.hcl.json"],
  },
  { what: "an attribute in two files", spec: names, input: { "a.hcl": 'name = "a"\n', "b.hcl": 'name = "b"\n' }, args: ["a.hcl", "b.hcl"] },
  { what: "a missing input file", spec: names, input: {}, args: ["input.hcl"] },
  { what: "standard input", spec: anything, input: {}, args: [] },
  { what: "a file to write", spec: anything, input: "a = 1\n", args: ["-o", "out.json", "input.hcl"] },
  {
    what: "references",
    spec: `array {\n  attr { name = "a" }\n  block_list {\n    block_type = "server"\n    ${server}\n  }\n}\n`,
    input: 'a = [b.c["d"][0].e, f[g], "${h}"]\nserver {\n  port = b.x\n}\n',
    args: ["--var-refs", '--vars={"b": {"c": {"d": [{"e": 12345678901234567890}]}}, "h": {"10": [], "9": {}}}', "input.hcl"],
  },
  { what: "no references", spec: anything, input: "a = 1\n", args: ["--var-refs", "input.hcl"] },
  { what: "an unknown diagnostics format", spec: anything, input: "a = 1\n", args: ["--diags=text", "input.hcl"] },
  { what: "an unknown option", spec: anything, input: "a = 1\n", args: ["--nothing", "input.hcl"] },
  { what: "a spec file without a spec", spec: "# nothing\n", input: "" },
  { what: "a spec file with two specs", spec: "literal { value = 1 }\nliteral { value = 2 }\n", input: "" },
  { what: "a spec file with an attribute and an unknown block", spec: "a = 1\nothing {\n}\n", input: "" },
  { what: "a spec file with a syntax error", spec: "object {\n", input: "" },
  { what: "a block spec without a spec", spec: 'block {\n  block_type = "a"\n}\n', input: "" },
  { what: "a block spec with two specs", spec: `block {\n  block_type = "a"\n  ${server}\n  ${server}\n}\n`, input: "" },
  { what: "an attribute spec without a name", spec: "attr {}\n", input: "" },
  { what: "a literal without a value", spec: "literal {}\n", input: "" },
  { what: "blocks without a type", spec: `block_list {\n  ${server}\n}\n`, input: "" },
  { what: "a map of blocks without labels", spec: `block_map {\n  block_type = "a"\n  labels = []\n  ${server}\n}\n`, input: "" },
  { what: "a map of blocks of any type", spec: 'block_map {\n  block_type = "a"\n  labels = ["b"]\n  attr { name = "c" }\n}\n', input: "" },
  { what: "an object's spec without a label", spec: 'object {\n  attr {\n    name = "a"\n  }\n}\n', input: "" },
  { what: "a default without specs", spec: "default {}\n", input: "" },
  { what: "a transform of two specs", spec: `transform {\n  result = nested\n  ${server}\n  ${server}\n}\n`, input: "" },
  { what: "a block type that is not a string", spec: 'block_list {\n  block_type = ["a"]\n}\n', input: "" },
  { what: "a count that is not an integer", spec: "block_list {\n  min_items = 1.5\n}\n", input: "" },
  { what: "an unknown type", spec: 'attr {\n  name = "a"\n  type = strng\n}\n', input: "" },
  {
    what: "the attributes of a block",
    spec: 'block_attrs {\n  block_type = "a"\n  element_type = string\n}\n',
    input: "a {\n  b = 1\n}\n",
  },
  { what: "a default of one spec", spec: 'default {\n  attr { name = "a" }\n}\n', input: "a = 1\n" },
  { what: "a block without a type", spec: `block {\n  ${server}\n}\n`, input: "" },
  { what: "a function without a result", spec: `function "f" {\n  params = [a]\n}\n${anything}`, input: "" },
  {
    what: "a function with an invalid parameter name",
    spec: `function "f" {\n  params = [a.b]\n  result = 1\n}\n${anything}`,
    input: "",
  },
];
