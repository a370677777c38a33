// SPDX-License-Identifier: Apache-2.0
import { PluginHostError } from "../../error.ts";
import { type HttpAnswer, withoutSecrets } from "./http-client.ts";

/** JSON from a server, which may be anything: what is read of it is checked, and errors say where it is from. */
export class JsonAnswer {
  private readonly value: unknown;
  private readonly path: string;
  private readonly source: string;

  private constructor(value: unknown, path: string, source: string) {
    this.value = value;
    this.path = path;
    this.source = source;
  }

  /** @throws PluginHostError `SOURCE_FAILED` for what is not JSON. */
  static of(answer: HttpAnswer): JsonAnswer {
    const source = withoutSecrets(answer.url);
    try {
      return new JsonAnswer(JSON.parse(new TextDecoder().decode(answer.body)), "", source);
    } catch (cause) {
      throw new PluginHostError("SOURCE_FAILED", `${source} answers with what is not JSON`, { cause });
    }
  }

  /** What is under a key; a `JsonAnswer` of undefined where there is no such key. */
  get(key: string): JsonAnswer {
    const path = this.path === "" ? key : `${this.path}.${key}`;
    if (this.value === undefined || this.value === null) return new JsonAnswer(undefined, path, this.source);
    if (typeof this.value !== "object" || Array.isArray(this.value)) this.refuse("an object");
    const found: unknown = Object.hasOwn(this.value, key) ? (this.value as Record<string, unknown>)[key] : undefined;
    return new JsonAnswer(found, path, this.source);
  }

  isAbsent(): boolean {
    return this.value === undefined || this.value === null;
  }

  isText(): boolean {
    return typeof this.value === "string";
  }

  /** Elements of a list; none where it is absent. */
  list(): readonly JsonAnswer[] {
    if (this.isAbsent()) return [];
    if (!Array.isArray(this.value)) return this.refuse("a list");
    return this.value.map((element: unknown, index) => new JsonAnswer(element, `${this.path}[${index}]`, this.source));
  }

  /** Keys and what is under them; none where it is absent. */
  entries(): readonly (readonly [key: string, value: JsonAnswer])[] {
    if (this.isAbsent()) return [];
    if (typeof this.value !== "object" || Array.isArray(this.value)) this.refuse("an object");
    return Object.keys(this.value as object).map((key) => [key, this.get(key)] as const);
  }

  text(): string {
    return typeof this.value === "string" ? this.value : this.refuse("a text");
  }

  optionalText(): string | undefined {
    return this.isAbsent() ? undefined : this.text();
  }

  number(): number {
    return typeof this.value === "number" ? this.value : this.refuse("a number");
  }

  /** Says that the answer makes no sense here. */
  refuse(wanted: string): never {
    const where = this.path === "" ? "its answer" : `${JSON.stringify(this.path)} of its answer`;
    throw new PluginHostError("SOURCE_FAILED", `${this.source} makes no sense: ${where} should be ${wanted}`);
  }
}
