// SPDX-License-Identifier: Apache-2.0
import { PluginHostError } from "../../error.ts";
import { type HttpResponse } from "./http-client.ts";
import { withoutSecrets } from "./http-url.ts";

/** Untrusted JSON from a server. Every access checks the type, and errors have the source and the path. */
export class JsonResponse {
  readonly #value: unknown;
  readonly #path: string;
  readonly #source: string;

  private constructor(value: unknown, path: string, source: string) {
    this.#value = value;
    this.#path = path;
    this.#source = source;
  }

  /** Parses a response. @throws PluginHostError `SOURCE_FAILED` if it is not JSON */
  static of(response: HttpResponse): JsonResponse {
    const source = withoutSecrets(response.url);
    try {
      return new JsonResponse(JSON.parse(new TextDecoder().decode(response.body)), "", source);
    } catch (cause) {
      throw new PluginHostError("SOURCE_FAILED", `${source} returned an invalid response: it is not JSON`, { cause });
    }
  }

  /** Returns the value of a key; an absent value if the object lacks the key. */
  get(key: string): JsonResponse {
    const path = this.#path === "" ? key : `${this.#path}.${key}`;
    if (this.#value === undefined || this.#value === null) return new JsonResponse(undefined, path, this.#source);
    if (typeof this.#value !== "object" || Array.isArray(this.#value)) this.refuse("an object");
    const found: unknown = Object.hasOwn(this.#value, key) ? (this.#value as Record<string, unknown>)[key] : undefined;
    return new JsonResponse(found, path, this.#source);
  }

  isAbsent(): boolean {
    return this.#value === undefined || this.#value === null;
  }

  isText(): boolean {
    return typeof this.#value === "string";
  }

  /** Whether the value is `true`. */
  isTrue(): boolean {
    return this.#value === true;
  }

  /** Returns the elements of a list; empty if it is absent. */
  list(): readonly JsonResponse[] {
    if (this.isAbsent()) return [];
    if (!Array.isArray(this.#value)) return this.refuse("a list");
    return this.#value.map((element: unknown, index) => new JsonResponse(element, `${this.#path}[${index}]`, this.#source));
  }

  /** Returns the entries of an object; empty if it is absent. */
  entries(): readonly (readonly [key: string, value: JsonResponse])[] {
    if (this.isAbsent()) return [];
    if (typeof this.#value !== "object" || Array.isArray(this.#value)) this.refuse("an object");
    return Object.keys(this.#value as object).map((key) => [key, this.get(key)] as const);
  }

  text(): string {
    return typeof this.#value === "string" ? this.#value : this.refuse("a string");
  }

  optionalText(): string | undefined {
    return this.isAbsent() ? undefined : this.text();
  }

  number(): number {
    return typeof this.#value === "number" ? this.#value : this.refuse("a number");
  }

  /** Throws the error for an invalid value. */
  refuse(expected: string): never {
    const where = this.#path === "" ? "the response" : JSON.stringify(this.#path);
    throw new PluginHostError("SOURCE_FAILED", `${this.#source} returned an invalid response: ${where} must be ${expected}`);
  }
}
