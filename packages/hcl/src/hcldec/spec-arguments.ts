// SPDX-License-Identifier: Apache-2.0
import { bool, CtyError, dynamic, isNull, list, number, string, toJs, type Type, type Value } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import type { Attribute, Body } from "../body/body.ts";
import { evaluate } from "../evaluate/evaluate.ts";
import type { Scope } from "../syntax/scope.ts";
import { startRange } from "../syntax/start-range.ts";
import { errorAt, hasErrors, type Diagnostic } from "../syntax/diagnostic.ts";
import type { Expression } from "../syntax/expression.ts";

/** Names of the arguments of a spec block, and whether it contains blocks. */
export interface ArgumentNames {
  readonly required?: readonly string[];
  readonly optional?: readonly string[];
  /** Whether blocks are allowed as well. */
  readonly nested: boolean;
}

/** Reads the arguments of a spec block. Missing and null arguments are undefined. @see go gohcl.DecodeBody */
export class SpecArguments {
  readonly diagnostics: Diagnostic[] = [];
  /** The rest of the block. */
  readonly rest: Body;
  readonly #attributes: ReadonlyMap<string, Attribute>;

  constructor(body: Body, { required = [], optional = [], nested }: ArgumentNames) {
    const schema = { attributes: [...required.map((name) => ({ name, required: true })), ...optional.map((name) => ({ name }))] };
    const { content, diagnostics, remain = body } = nested ? body.partialContent(schema) : { ...body.content(schema), remain: undefined };
    this.diagnostics.push(...diagnostics);
    this.#attributes = content.attributes;
    this.rest = remain;
  }

  get areWrong(): boolean {
    return hasErrors(this.diagnostics);
  }

  expression(name: string): Expression | undefined {
    return this.#attributes.get(name)?.expression;
  }

  text(name: string): string | undefined {
    return this.#native<string>(name, string);
  }

  flag(name: string): boolean | undefined {
    return this.#native<boolean>(name, bool);
  }

  texts(name: string): readonly string[] | undefined {
    return this.#native<readonly string[]>(name, list(string));
  }

  /** Reads an integer argument. */
  count(name: string): number | undefined {
    const count = this.#native<number>(name, number);
    if (count === undefined || Number.isSafeInteger(count)) return count;
    this.#unsuitable(this.expression(name)!, "value must be a whole number, between -9223372036854775808 and 9223372036854775807");
    return undefined;
  }

  /** Reads an argument of any type. */
  value(name: string, scope: Scope): Value | undefined {
    return this.#value(name, dynamic, scope);
  }

  #native<Native>(name: string, type: Type): Native | undefined {
    const value = this.#value(name, type, undefined);
    return value === undefined || isNull(value) ? undefined : (toJs(value) as Native);
  }

  #value(name: string, type: Type, scope: Scope | undefined): Value | undefined {
    const expression = this.expression(name);
    if (expression === undefined) return undefined;
    const { value, diagnostics } = evaluate(expression, scope);
    this.diagnostics.push(...diagnostics);
    if (hasErrors(diagnostics)) return undefined;
    try {
      return convert(value, type);
    } catch (error) {
      if (!(error instanceof CtyError)) throw error;
      this.#unsuitable(expression, error.message);
      return undefined;
    }
  }

  #unsuitable(expression: Expression, why: string): void {
    this.diagnostics.push(errorAt("Unsuitable value type", `Unsuitable value: ${why}`, startRange(expression), expression.range));
  }
}
