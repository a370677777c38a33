// SPDX-License-Identifier: Apache-2.0
import { kindOf } from "../../cty/notation.ts";
import type { Random } from "@tenon/testing/generate";
import type { Variable } from "./scope.ts";

/** The kind of value that the generator aims at; the expression may evaluate to another kind. */
type Want = "number" | "string" | "bool" | "sequence" | "mapping" | "any";

const wants: readonly Want[] = ["number", "string", "bool", "sequence", "mapping"];

/** Functions by the kind of their result, with the kinds of their arguments. */
const calls: Readonly<Record<Exclude<Want, "any">, readonly (readonly [name: string, ...args: Want[]])[]>> = {
  number: [
    ["length", "sequence"],
    ["length", "mapping"],
    ["max", "number", "number"],
    ["min", "number"],
    ["absolute", "number"],
    ["strlen", "string"],
    ["ceil", "number"],
    ["parseint", "string", "number"],
    ["tonumber", "string"],
    ["signum", "number"],
    ["pow", "number", "number"],
    ["provider::test::length", "sequence"],
    ["log", "number", "number"],
  ],
  string: [
    ["upper", "string"],
    ["lower", "string"],
    ["core::upper", "string"],
    ["join", "string", "sequence"],
    ["provider::test::join", "string", "sequence"],
    ["format", "string", "any"],
    ["substr", "string", "number", "number"],
    ["tostring", "any"],
    ["trimspace", "string"],
    ["replace", "string", "string", "string"],
    ["jsonencode", "any"],
    ["title", "string"],
    ["blame", "number"],
    ["blamerest", "number", "any"],
  ],
  bool: [
    ["contains", "sequence", "any"],
    ["can", "any"],
    ["not", "bool"],
    ["equal", "any", "any"],
    ["tobool", "any"],
    ["hasindex", "sequence", "number"],
  ],
  sequence: [
    ["concat", "sequence", "sequence"],
    ["range", "number"],
    ["keys", "mapping"],
    ["values", "mapping"],
    ["split", "string", "string"],
    ["distinct", "sequence"],
    ["flatten", "sequence"],
    ["reverselist", "sequence"],
    ["toset", "sequence"],
    ["tolist", "sequence"],
    ["setunion", "sequence", "sequence"],
    ["slice", "sequence", "number", "number"],
    ["compact", "sequence"],
    ["formatlist", "string", "sequence"],
    ["chunklist", "sequence", "number"],
  ],
  mapping: [
    ["merge", "mapping", "mapping"],
    ["tomap", "mapping"],
    ["zipmap", "sequence", "sequence"],
    ["jsondecode", "string"],
  ],
};

const attributes: readonly string[] = ["name", "size", "tags", "inner", "x", "y", "a", "b", "nmae", "key", "value"];
const words: readonly string[] = ["a", "b", "foo", "bar", "x y", "ünï", "1", "true", "web-", "${", "%{", "\\n", '\\"', "日本"];
const typeTexts: readonly string[] = [
  "string",
  "number",
  "bool",
  "list(string)",
  "map(any)",
  "set(number)",
  "object({ name = string })",
  "tuple([string, number])",
  "any",
  "object({ name = string, size = optional(number) })",
];

/** Generates expressions that are mostly valid in a scope, and records the constructs that it used. */
export class ExpressionMaker {
  readonly constructs: Set<string> = new Set();
  readonly #random: Random;
  readonly #locals: Variable[];
  #budget: number;

  constructor(random: Random, variables: readonly Variable[], budget: number) {
    this.#random = random;
    this.#locals = [...variables];
    this.#budget = budget;
  }

  expression(want: Want = "any"): string {
    const random = this.#random;
    this.#budget--;
    // Sometimes use another kind than the valid one.
    const wanted = want === "any" || random.chance(0.08) ? random.pick(wants) : want;
    if (this.#budget <= 0) return this.#leaf(wanted);
    const make = random.weighted<() => string>([
      [5, () => this.#leaf(wanted)],
      [5, () => this.#natural(wanted)],
      [2, () => this.#conditional(wanted)],
      [2, () => this.#call(wanted)],
      [1, () => this.#parentheses(wanted)],
      [1, () => this.#path()],
      [1, () => this.#try(wanted)],
    ]);
    return make();
  }

  /** A template without the surrounding quotes. */
  template(): string {
    this.#use("template");
    return this.#templateParts(0);
  }

  #use(construct: string): void {
    this.constructs.add(construct);
  }

  #leaf(want: Want): string {
    const random = this.#random;
    if (random.chance(0.04)) {
      this.#use("null");
      return "null";
    }
    if (random.chance(0.03)) return this.#misspelt();
    const fitting = this.#locals.filter(({ type }) => fits(want, type));
    if (fitting.length > 0 && random.chance(0.6)) {
      this.#use("variable");
      return random.pick(fitting).name;
    }
    switch (want) {
      case "number":
        return random.pick(["0", "1", "2", "3", "10", "1.5", "-1", "1e3", "0.1", "9007199254740993", "4294967296"]);
      case "bool":
        return random.pick(["true", "false"]);
      case "sequence":
        return random.pick(["[]", "[1, 2]", '["a", "b"]', '["a", 1, true]']);
      case "mapping":
        return random.pick(["{}", "{ a = 1 }", '{ a = "x", b = "y" }']);
      default:
        return `"${random.pick(["", "a", "b", "1", "true", "foo", "x y", "ünï", "a,b", "%s", "10"])}"`;
    }
  }

  #misspelt(): string {
    this.#use("unknown variable");
    const name = this.#locals.length === 0 ? "nope" : this.#random.pick(this.#locals).name;
    return this.#random.pick([`${name}x`, `${name}s`, "nope", "quite_another"]);
  }

  #natural(want: Want): string {
    const random = this.#random;
    switch (want) {
      case "number":
        return random.chance(0.15) ? this.#unary("-", "number") : this.#binary(random.pick(["+", "-", "*", "/", "%"]), "number");
      case "bool":
        if (random.chance(0.2)) return this.#unary("!", "bool");
        if (random.chance(0.4)) return this.#binary(random.pick(["&&", "||"]), "bool");
        return random.chance(0.5)
          ? this.#binary(random.pick(["==", "!="]), "any")
          : this.#binary(random.pick(["<", "<=", ">", ">="]), "number");
      case "sequence":
        return random.weighted<() => string>([
          [3, () => this.#tuple()],
          [4, () => this.#forTuple()],
          [4, () => this.#splat()],
        ])();
      case "mapping":
        return random.chance(0.5) ? this.#object() : this.#forObject();
      default:
        if (random.chance(0.15)) return this.#heredoc();
        this.#use("quoted template");
        return `"${this.#templateParts(0)}"`;
    }
  }

  #unary(operator: string, want: Want): string {
    this.#use(`unary ${operator}`);
    return `${operator}${this.#operand(want)}`;
  }

  #binary(operator: string, want: Want): string {
    this.#use(`binary ${operator}`);
    const side = want === "any" ? this.#random.pick(wants) : want;
    return `${this.#operand(side)} ${operator} ${this.#operand(side)}`;
  }

  #operand(want: Want): string {
    const made = this.expression(want);
    // Nothing may follow a heredoc's end marker on its line.
    return made.includes("<<") ? `(${made}\n)` : /[ ?]/.test(made) && this.#random.chance(0.7) ? `(${made})` : made;
  }

  #conditional(want: Want): string {
    this.#use("conditional");
    const other: Want = this.#random.chance(0.85) ? want : "any";
    return `${this.#operand("bool")} ? ${this.#operand(want)} : ${this.#operand(other)}`;
  }

  #parentheses(want: Want): string {
    this.#use("parentheses");
    return `(${this.expression(want)}\n)`;
  }

  #try(want: Want): string {
    if (this.#random.chance(0.15)) return this.#customDecoded(want);
    this.#use("try");
    return this.#random.chance(0.2)
      ? `convert(${this.#inside("any")}, ${this.#random.pick(typeTexts)})`
      : `try(${this.#random.times(1 + this.#random.int(3), () => this.#inside(want)).join(", ")})`;
  }

  /** A call of a function that decodes its arguments itself. */
  #customDecoded(want: Want): string {
    this.#use("custom decoding");
    if (this.#random.chance(0.3)) return `wordof(${this.#random.pick(["word", "a.b", this.#inside(want)])})`;
    const closures = this.#random.times(this.#random.int(3), () => this.#random.pick(["extra", "[extra]", this.#inside(want)]));
    return `valueof(${[this.#inside("any"), ...closures].join(", ")})`;
  }

  /** An expression inside brackets, where newlines are ignored; a heredoc gets a newline after it. */
  #inside(want: Want): string {
    const made = this.expression(want);
    return made.includes("<<") ? `${made}\n` : made;
  }

  #call(want: Want): string {
    this.#use("call");
    const random = this.#random;
    const [name, ...args] = random.pick(calls[want as Exclude<Want, "any">]);
    const made = args.map((arg) => this.#inside(arg));
    if (name.startsWith("blame")) made[0] = String(random.int(4));
    if (random.chance(0.06)) {
      this.#use("wrong argument count");
      if (random.chance(0.5)) made.pop();
      else made.push(this.#inside("any"));
    }
    let called = name;
    if (random.chance(0.04)) {
      this.#use("unknown function");
      called = random.pick([`${name}x`, "nope", "core::nope", "other::upper", name.slice(1)]);
    }
    if (random.chance(0.08)) {
      this.#use("expansion");
      made.push(this.#inside(random.chance(0.85) ? "sequence" : "any").trimEnd());
      if (made.at(-1)!.includes("<<")) made[made.length - 1] = '["a", "b"]';
      return `${called}(${made.join(", ")}...)`;
    }
    return `${called}(${made.join(", ")})`;
  }

  #tuple(): string {
    this.#use("tuple");
    return `[${this.#random.times(this.#random.int(4), () => this.#inside("any")).join(", ")}]`;
  }

  #object(): string {
    this.#use("object");
    const random = this.#random;
    const entry = (): string => {
      const key = random.weighted<() => string>([
        [6, () => random.pick(["a", "b", "name", "size", "null", "true", "x-y"])],
        [2, () => `"${random.pick(["a", "b c", "${name}", "k"])}"`],
        [2, () => `(${this.#inside("string")})`],
        [1, () => String(random.int(5))],
        [1, () => random.pick(["item.name", "tags.a"])],
      ])();
      return `${key} ${random.pick(["=", "=", ":"])} ${this.#inside("any")}`;
    };
    const entries = random.times(random.int(4), entry);
    const broken = entries.some((one) => one.includes("<<"));
    return broken ? `{\n${entries.map((one) => `${one.trimEnd()}\n`).join("")}}` : `{ ${entries.join(", ")} }`;
  }

  /** Calls `run` with additional variables in scope. */
  #within<T>(names: readonly string[], run: () => T): T {
    const before = this.#locals.length;
    for (const name of names)
      this.#locals.push({ name, type: this.#random.pick(["string", "number", ["object", { name: "string", size: "number" }]]) });
    const made = run();
    this.#locals.length = before;
    return made;
  }

  #forTuple(): string {
    this.#use("for tuple");
    const names = this.#random.chance(0.4) ? ["k", "v"] : ["v"];
    const collection = this.#collection();
    return this.#within(names, () => `[for ${names.join(", ")} in ${collection} : ${this.#inside("any")}${this.#condition()}]`);
  }

  #forObject(): string {
    this.#use("for object");
    const random = this.#random;
    const names = random.chance(0.6) ? ["k", "v"] : ["v"];
    const collection = this.#collection();
    return this.#within(names, () => {
      const key = random.chance(0.5) ? names[0]! : random.chance(0.7) ? `"\${${random.pick(names)}}-x"` : this.#inside("string").trimEnd();
      const safeKey = key.includes("<<") ? "v" : key;
      const group = random.chance(0.35);
      if (group) this.#use("for grouping");
      const value = this.#inside("any");
      return `{for ${names.join(", ")} in ${collection} : ${safeKey} => ${value.includes("<<") ? "v" : value}${group ? "..." : ""}${this.#condition()}}`;
    });
  }

  #collection(): string {
    const made = this.#inside(this.#random.chance(0.6) ? "sequence" : this.#random.chance(0.85) ? "mapping" : "any");
    return made;
  }

  #condition(): string {
    if (!this.#random.chance(0.35)) return "";
    this.#use("for condition");
    const made = this.#inside(this.#random.chance(0.9) ? "bool" : "any");
    return ` if ${made}`;
  }

  #splat(): string {
    this.#use("splat");
    const random = this.#random;
    const sources = this.#locals.filter(({ type }) => typeof type !== "string");
    const source = sources.length > 0 && random.chance(0.75) ? random.pick(sources).name : `(${this.#inside("sequence")})`;
    const full = random.chance(0.65);
    if (!full) this.#use("attribute splat");
    let made = `${source}${full ? "[*]" : ".*"}`;
    for (let step = random.int(3); step > 0; step--) {
      if (full && random.chance(0.25)) made += random.chance(0.5) ? `[${random.int(3)}]` : `[${this.#leaf("number")}]`;
      else if (random.chance(0.15)) {
        this.#use("nested splat");
        made += "[*]";
      } else made += `.${random.pick(attributes)}`;
    }
    return made;
  }

  #path(): string {
    const random = this.#random;
    if (this.#locals.length === 0) return this.#leaf("string");
    let made = random.chance(0.85) ? random.pick(this.#locals).name : `(${this.#inside("any")})`;
    for (let step = 1 + random.int(3); step > 0; step--) {
      made += random.weighted<() => string>([
        [5, () => (this.#use("attribute"), `.${random.pick(attributes)}`)],
        [3, () => (this.#use("index"), `[${random.pick(["0", "1", "5", "-1", "1.5", '"a"', '"name"', "true"])}]`)],
        [1, () => (this.#use("legacy index"), `.${random.int(3)}`)],
        [2, () => (this.#use("computed index"), `[${this.#inside(random.chance(0.5) ? "number" : "string")}]`)],
      ])();
    }
    return made;
  }

  #templateParts(depth: number): string {
    const random = this.#random;
    const part = (): string =>
      random.weighted<() => string>([
        [4, () => random.pick(words).replace("${", "$${").replace("%{", "%%{")],
        [5, () => this.#interpolation()],
        [depth < 2 ? 1 : 0, () => this.#ifDirective(depth)],
        [depth < 2 ? 1 : 0, () => this.#forDirective(depth)],
      ])();
    return random.times(random.int(4), part).join("");
  }

  #trim(open: string): readonly [string, string] {
    if (!this.#random.chance(0.1)) return [open, "}"];
    this.#use("trim marker");
    return this.#random.pick([
      [`${open}~`, "}"],
      [open, "~}"],
      [`${open}~`, "~}"],
    ]);
  }

  #interpolation(): string {
    this.#use("interpolation");
    const [open, close] = this.#trim("${");
    const made = this.#random.chance(0.85) ? this.expression(this.#random.chance(0.7) ? "string" : "number") : this.#inside("any");
    return made.includes("<<") ? "" : `${open}${made}${close}`;
  }

  #ifDirective(depth: number): string {
    this.#use("if directive");
    const [open, close] = this.#trim("%{");
    const condition = this.#leafless("bool");
    const other = this.#random.chance(0.5) ? `%{ else }${this.#templateParts(depth + 1)}` : "";
    return `${open} if ${condition} ${close}${this.#templateParts(depth + 1)}${other}%{ endif }`;
  }

  #forDirective(depth: number): string {
    this.#use("for directive");
    const [open, close] = this.#trim("%{");
    const collection = this.#leafless("sequence");
    const names = this.#random.chance(0.3) ? ["k", "v"] : ["v"];
    return this.#within(
      names,
      () => `${open} for ${names.join(", ")} in ${collection} ${close}${this.#templateParts(depth + 1)}%{ endfor }`,
    );
  }

  #leafless(want: Want): string {
    const made = this.expression(want);
    return made.includes("<<") ? this.#leaf(want) : made;
  }

  #heredoc(): string {
    const flush = this.#random.chance(0.5);
    this.#use(flush ? "flush heredoc" : "heredoc");
    const indent = flush ? "  " : "";
    const lines = this.#random.times(
      1 + this.#random.int(3),
      () => `${indent}${" ".repeat(this.#random.int(3))}${this.#templateParts(1).replaceAll("\\n", "n").replaceAll('\\"', "q")}\n`,
    );
    return `<<${flush ? "-" : ""}EOT\n${lines.join("")}${indent}EOT`;
  }
}

function fits(want: Want, type: Variable["type"]): boolean {
  const kind = kindOf(type);
  switch (want) {
    case "sequence":
      return kind === "list" || kind === "set" || kind === "tuple";
    case "mapping":
      return kind === "map" || kind === "object";
    case "any":
      return true;
    default:
      return kind === want;
  }
}

/** The source with one or two random edits: characters deleted, doubled or inserted. */
export function damaged(random: Random, source: string): string {
  const characters = Array.from(source);
  for (let times = 1 + random.int(2); times > 0; times--) {
    const at = random.int(characters.length + 1);
    random.weighted<() => void>([
      [3, () => void characters.splice(at, 1)],
      [1, () => void characters.splice(at, 1 + random.int(5))],
      [
        3,
        () =>
          void characters.splice(
            at,
            0,
            random.pick([
              '"',
              "{",
              "}",
              "[",
              "]",
              "(",
              ")",
              "${",
              "%{",
              ",",
              ".",
              "*",
              "=",
              "?",
              ":",
              "\n",
              "&",
              "|",
              "'",
              "`",
              ";",
              "@",
              "=>",
              "...",
              "if",
              "for",
              "~",
              "\u0000",
              "#",
            ]),
          ),
      ],
      [1, () => void characters.splice(at, 0, characters[at] ?? "")],
    ])();
  }
  return characters.join("");
}
