// SPDX-License-Identifier: Apache-2.0
/* Sources chosen by hand for their layout: every form of the language, and a comment in every position that can have one. */
import { pickedErrors, pickedForms } from "./syntax-picked.ts";

/** Sources with positions for comments; each `@` is replaced by a comment. */
const commentPlaces: readonly string[] = [
  "@a = 1\n",
  "a @= 1\n",
  "a = @1\n",
  "a = 1 @",
  "a = 1 @\nlong_name = 22 @\n\nb = 3 @\n",
  "a = 1\n@\nlong_name = 2\n",
  "b @{ @\n@\n  a = 1 @\n@\n} @\n",
  "b {} @\n",
  'b "x" @"y" { a = 1 @}\n',
  "a = [@\n  1, @\n  22 @\n  @\n] @\n",
  "a = { @\n  b = 1, @\n  long = 2 @\n@\n} @\n",
  "a = f(@1, @\n  2 @\n) @\n",
  "a = [for @x in y @:\n x @\n if x @\n]\n",
  'a = "x${@b@}"\n',
  "a = <<E\n${@\n b @\n}\nE\n",
  "a = b @\n  ? c : d @\n",
  "a = (b @\n+ @\n c)\n",
  "a @. b [@0]\n",
];

const comments: readonly string[] = ["# c\n", "// c\n", "# c", "/* c */", "/* c\n c */", "/* c */ # d\n", "# ü\r\n"];

/** Sources about layout: unbalanced brackets on a line, adjacent operators, aligned and unaligned lines. */
const layouts: readonly string[] = [
  "",
  " ",
  "\t\t",
  "\n\n  \n",
  "\ufeff",
  "\ufeff\n",
  "a=1  ",
  "  a=1",
  "a = 1\nlong=2\n x = [\n 1]\nlong=3\n",
  "a = {\nb = {\nc = 1 }}\n",
  "a = [{(\n1\n)}]\n",
  "a = [{(\n1\n)\n}\n]\n",
  "a = f({\nb = 1\n}, [\n2\n])\n",
  "}\n}\na {\n",
  "((\n)\n(\n))\n",
  "a = <<E\n x\nE\nlong = <<-E\n  y\n  E\nb = 1 # c\n",
  "a = [<<E\n{\nE\n, # c\n  1]\n",
  "f(<<E\n${ [\n1 ] }\nE\n)\nx = 1\n",
  "a = - 1\nb = a - 1\nc = a - -1\nd = (- 1)\ne = ! - a\nf = [ - 1, - 2 ]\ng = a ? - 1 : - 2\nh = a == - 1\ni = a && - 1\n",
  "a = ! b\nc = ! ! b\n",
  "a = in [ b ]\nc = x in [ b ]\nd = x [ b ]\n e = 1 [ b ]\n f = ( x ) [ b ]\n",
  'a = "${ { } }"\nb = "${ { c = 1 } }"\nd = "${ e } ${ f }%{ if g } h %{ endif }"\ni = "${j}${ k }"\n',
  "a = { }\nb = {c=1}\nd {}\ne {f=1}\n",
  "a . b . 0 . * . c [ * ] . d\n",
  "a = ns :: f ( x ... )\nb = ns::f\n",
  "e\u0301 = 1 # x\n👨‍👩‍👧 = 2\n名前 = 3 # y\n",
  "a = 1\r\nlong = 2\r\n\r\nb {\r\nc = 3\r\n}\r\n",
  'a == b = c\na.b = 1\n"k" = 2\n',
  'a = "x\ny" # z\n',
  "a = 'b' ; c = `d` & e\n",
];

/** All picked sources for the formatter. */
export const pickedLayouts: readonly string[] = [
  ...layouts,
  ...commentPlaces.flatMap((place) => comments.map((comment) => place.replaceAll("@", comment))),
  ...[...pickedForms, ...pickedErrors].flatMap(([op, source]) =>
    op === "parse.config" ? [source] : [`a = ${source}\n`, `b{\nlong_a = ${source}\n}`],
  ),
];
