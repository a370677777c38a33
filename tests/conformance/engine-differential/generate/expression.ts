// SPDX-License-Identifier: Apache-2.0
import type { Random } from "@tenon/testing/generate";
import { isSameKind, type Kind } from "./kind.ts";
import type { Slot } from "./block.ts";

/** Something that an expression can refer to. */
export interface Referable {
  readonly text: string;
  readonly kind: Kind;
  /** Whether it is known in every plan. */
  readonly known: boolean;
  readonly sensitive: boolean;
  /** Whether its value can differ between two runs, such as a random id. It is kept out of sets and keys, whose order it would change. */
  readonly isRandom: boolean;
  /** Whether it can be null. */
  readonly nullable?: boolean;
  /** Whether it is ephemeral, so that only some places may refer to it. */
  readonly ephemeral?: boolean;
}

/** A generated expression. */
export interface Expression {
  readonly text: string;
  readonly sensitive: boolean;
  readonly known: boolean;
  readonly isRandom: boolean;
  readonly ephemeral: boolean;
}

/** What expressions are chosen by, and what records the functions that they call. */
export interface WriterOptions {
  readonly random: Random;
  readonly functions: Set<string>;
  /** Whether expressions can call the functions of the framework provider. */
  readonly hasProviderFunctions: boolean;
}

const words = ["alpha", "beta", "gamma", "delta", "a b", "Größe", "x-1", "", "line\\nbreak", 'quo\\"te', "$${literal}", "日本"];
const keys = ["a", "b", "c", "key one", "z"];

/** Generates expressions of a wanted type over what is in scope. */
export class ExpressionWriter {
  readonly #random: Random;
  readonly #options: WriterOptions;
  readonly #scope: readonly Referable[];
  #sensitive = false;
  #known = true;
  #isRandom = false;
  #ephemeral = false;
  #depth = 0;

  constructor(options: WriterOptions, scope: readonly Referable[]) {
    this.#random = options.random;
    this.#options = options;
    this.#scope = scope;
  }

  /** Generates an expression. */
  write(slot: Slot, depth = 3): Expression {
    this.#sensitive = false;
    this.#known = true;
    this.#isRandom = false;
    this.#ephemeral = false;
    this.#depth = depth;
    if (slot.choices !== undefined)
      return { text: this.#random.pick(slot.choices), sensitive: false, known: true, isRandom: false, ephemeral: false };
    // A heredoc can stand only where a line may end.
    const text =
      slot.kind === "string" && slot.inline !== true && this.#random.chance(0.04)
        ? `<<-EOT\n    ${this.#random.pick(["first", "second"])}\n      \${${this.#write(slot, 1)}}\n    EOT`
        : this.#write(slot, depth);
    for (const [, name] of text.matchAll(/\b([a-z][\w:]*)\(/g)) this.#options.functions.add(name!);
    return { text, sensitive: this.#sensitive, known: this.#known, isRandom: this.#isRandom, ephemeral: this.#ephemeral };
  }

  #write(want: Slot, depth: number): string {
    const random = this.#random;
    if (random.chance(0.45)) {
      const found = this.#reference(want, depth === this.#depth);
      if (found !== undefined) return found;
    }
    if (depth <= 0 || random.chance(0.35)) return this.#literal(want, depth);
    const inner = (kind: Kind): string => this.#write({ ...want, kind }, depth - 1);
    if (hasObject(want.kind)) return this.#withObjects(want, depth);
    if (random.chance(0.12)) return `(${this.#write({ ...want, kind: "bool" }, depth - 1)} ? ${inner(want.kind)} : ${inner(want.kind)})`;
    if (random.chance(0.05)) return `try(${inner(want.kind)}, ${this.#literal(want, 0)})`;
    if (random.chance(0.03)) return `coalesce(${inner(want.kind)}, ${this.#literal(want, 0)})`;
    if (random.chance(0.02)) return `one([${inner(want.kind)}])`;
    return this.#computed(want, depth);
  }

  /** Objects with different members have no common type, so only a few expressions combine them. */
  #withObjects(want: Slot, depth: number): string {
    const random = this.#random;
    const { kind } = want;
    const literal = (): string => this.#literal(want, depth);
    if (typeof kind === "string" || "map" in kind || "object" in kind) return literal();
    if (random.chance(0.2)) return `concat(${literal()}, ${literal()})`;
    if (random.chance(0.02)) return `toset(${literal()})`;
    if (random.chance(0.02)) return `(${this.#write({ ...want, kind: "bool" }, 1)} ? ${literal()} : ${literal()})`;
    return literal();
  }

  #reference(want: Slot, isWhole: boolean): string | undefined {
    const fitting = this.#scope.filter(
      (one) =>
        (!want.known || one.known) &&
        (!want.open || (!one.sensitive && !one.ephemeral)) &&
        (!one.ephemeral || want.ephemeral === true) &&
        (!want.fixed || !one.isRandom) &&
        (isSameKind(one.kind, want.kind) || (want.kind === "string" && one.kind === "number")),
    );
    if (fitting.length === 0) return undefined;
    const preferred = want.ephemeral && this.#random.chance(0.6) ? fitting.filter((one) => one.ephemeral) : [];
    const {
      text,
      kind,
      sensitive,
      known,
      isRandom,
      nullable,
      ephemeral = false,
    } = this.#random.pick(preferred.length > 0 ? preferred : fitting);
    this.#ephemeral ||= ephemeral;
    this.#sensitive ||= sensitive;
    this.#known &&= known;
    this.#isRandom ||= isRandom;
    // Most functions and operators refuse null.
    return nullable && (want.nonNull === true || !isWhole) && !this.#random.chance(0.01) ? notNull(text, kind) : text;
  }

  #literal(want: Slot, depth: number): string {
    const random = this.#random;
    const { kind } = want;
    switch (kind) {
      case "string":
        if (random.chance(0.06)) return `jsonencode({ a = ${this.#write({ ...want, kind: "string" }, 0)}, b = [${random.int(5)}] })`;
        return `"${random.pick(words)}"`;
      case "number":
        return random.pick(["0", "1", "2", "3", "42", "-7", "1.5", "0.1", "1e3", "123456789012345678901", String(random.int(1000))]);
      case "bool":
        return random.pick(["true", "false"]);
      default:
    }
    if ("list" in kind) return `[${this.#elements({ ...want, kind: kind.list }, depth).join(", ")}]`;
    if ("set" in kind && hasObject(kind)) return `[${this.#elements({ ...want, kind: kind.set, fixed: true }, depth).join(", ")}]`;
    if ("set" in kind) return `toset([${this.#elements({ ...want, kind: kind.set, fixed: true }, depth).join(", ")}])`;
    if ("map" in kind) {
      const names = keys.filter(() => random.chance(0.4));
      return `{ ${names.map((name) => `"${name}" = ${this.#write({ ...want, kind: kind.map }, depth - 1)}`).join(", ")} }`;
    }
    const members = Object.entries(kind.object).filter(([name]) => !(kind.optional?.includes(name) && random.chance(0.4)));
    return `{ ${members.map(([name, one]) => `${name} = ${this.#write({ ...want, kind: one }, depth - 1)}`).join(", ")} }`;
  }

  #elements(want: Slot, depth: number): string[] {
    return this.#random.times(this.#random.int(4), () => this.#write(want, depth - 1));
  }

  #computed(want: Slot, depth: number): string {
    const random = this.#random;
    const { kind } = want;
    const s = (): string => this.#write({ ...want, kind: "string" }, depth - 1);
    // A changed random id could not be recognised any more.
    const f = (): string => this.#write({ ...want, kind: "string", fixed: true }, depth - 1);
    const n = (): string => this.#write({ ...want, kind: "number" }, depth - 1);
    const b = (): string => this.#write({ ...want, kind: "bool" }, depth - 1);
    const of = (one: Kind): string => this.#write({ ...want, kind: one }, depth - 1);
    const choose = (...alternatives: readonly (() => string)[]): string => random.pick(alternatives)();
    switch (kind) {
      case "string":
        return choose(
          () => `"\${${s()}}-\${${n()}}"`,
          () => `"%{if ${b()}}\${${s()}}%{else}none%{endif}"`,
          () => `upper(${f()})`,
          () => `join("/", ${of({ list: "string" })})`,
          () => `format("%s:%v", ${s()}, ${n()})`,
          () => `replace(${f()}, "a", "o")`,
          () => `trimspace(${s()})`,
          () => `md5(${f()})`,
          () => `base64encode(${f()})`,
          () => `tostring(${n()})`,
          () => `lookup(${of({ map: "string" })}, "a", ${s()})`,
          () => `substr("${random.pick(["prefix", "straße"])}", 0, 3)`,
          () => `jsonencode(${of({ map: "number" })})`,
          () => `title(lower(${f()}))`,
          ...(this.#options.hasProviderFunctions ? [() => `provider::framework::join("-", ${s()}, ${s()})`] : []),
        );
      case "number":
        return choose(
          () => `length(${of({ list: "string" })})`,
          () => `${n()} + ${n()}`,
          () => `(${n()}) * 2`,
          () => `max(${n()}, ${n()}, 0)`,
          () => `abs(${n()})`,
          () => `length(tostring(${s()}))`,
          () => `sum(concat([1], ${of({ list: "number" })}))`,
          () => `parseint("${random.int(100)}", 10)`,
          () => `floor((${n()}) / 4)`,
        );
      case "bool":
        return choose(
          () => `${n()} > ${n()}`,
          () => `${s()} == ${s()}`,
          () => `!(${b()})`,
          () => `(${b()}) && (${b()})`,
          () => `contains(${of({ list: "string" })}, ${s()})`,
          () => `can(regex("^[a-z]+$", ${s()}))`,
          () => `alltrue([${b()}, true])`,
          // No random id begins so.
          () => `startswith(${s()}, "al")`,
        );
      default:
    }
    if (hasObject(kind)) return this.#literal(want, depth);
    if ("list" in kind) {
      const element = kind.list;
      return choose(
        () => `concat(${of(kind)}, ${of(kind)})`,
        () => `[for one in ${of(kind)} : one if one != null]`,
        () => (element === "string" ? `sort(keys(${of({ map: "string" })}))` : `reverse(${of(kind)})`),
        () => (element === "string" ? `[for i, one in ${of(kind)} : "\${i}-\${one}"]` : `flatten([${of(kind)}])`),
        () => (want.fixed || typeof element !== "string" ? `concat(${of(kind)})` : `tolist(${of({ set: element })})`),
        () => (element === "string" ? `split(",", ${s()})` : `values(${of({ map: element })})`),
      );
    }
    if ("set" in kind) {
      if (typeof kind.set !== "string") return this.#literal(want, depth);
      const fixed: Slot = { ...want, kind: { list: kind.set }, fixed: true };
      return `toset(${this.#write(fixed, depth - 1)})`;
    }
    if ("map" in kind) {
      return choose(
        () => `merge(${of(kind)}, ${of(kind)})`,
        () => `{ for key, one in ${of(kind)} : "\${key}!" => one }`,
        () => `{ for key, one in ${of(kind)} : key => one if key != "a" }`,
      );
    }
    return this.#literal(want, depth);
  }
}

function hasObject(kind: Kind): boolean {
  return JSON.stringify(kind).includes('"object"');
}

/** An expression that has another value in place of null. */
function notNull(text: string, kind: Kind): string {
  if (kind === "string") return `coalesce(${text}, "n")`;
  if (kind === "number") return `coalesce(${text}, 0)`;
  if (kind === "bool") return `coalesce(${text}, false)`;
  if ("list" in kind) return `try(concat(${text}), [])`;
  if ("set" in kind) return `try(setunion(${text}), [])`;
  if ("map" in kind) return `try(coalesce(${text}, {}), {})`;
  return text;
}
