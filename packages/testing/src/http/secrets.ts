// SPDX-License-Identifier: Apache-2.0
import { isArray, isObject, type Json, numberText } from "../documents/json.ts";
import {
  type Body,
  type Exchange,
  hasResponse,
  headerText,
  type HeaderValues,
  type RecordedEnd,
  type RecordedRequest,
} from "./exchange.ts";

/** What a cassette masks, in addition to names that are secret everywhere, such as `authorization`, `password` and `x-api-key`. */
export interface SecretSettings {
  /** Names of headers, query parameters, form fields and members of JSON bodies whose values are secret. Upper and lower case are equal. */
  readonly names?: readonly string[];
  /** Secret values by a name, which appears in their place: `{ token: "…" }`. They are masked wherever they occur. */
  readonly values?: Readonly<Record<string, string>>;
  /** Names that are not secret, although they look so: `next_token`. */
  readonly except?: readonly string[];
}

// As `loggedFetch` of provider-sdk, but without authors and authorities.
const secretName =
  /auth(?!or(s|ed|ity|ities)?$)|cookie|token|secret|passw|api-?_?key|access-?_?key|private-?_?key|credential|signature|session/i;
const placeholder = /\(sensitive [^()]*\)/g;
/** Shorter values are masked in their places alone, unless they are registered: they would occur everywhere. */
const shortestSecret = 4;
const authScheme = /^(basic|bearer|digest|negotiate|token|apikey|aws4-hmac-sha256) +(?=\S)/i;

/** The secrets of a cassette. A secret that is learned from one exchange is masked in all of them. */
export class Secrets {
  readonly #names: ReadonlySet<string>;
  readonly #except: ReadonlySet<string>;
  /** Placeholders by secret. */
  readonly #placeholders = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  /** Texts that are replaced, the longest first. */
  #replacements: readonly (readonly [text: string, replacement: string])[] | undefined;

  constructor({ names = [], values = {}, except = [] }: SecretSettings) {
    this.#names = new Set(names.map((name) => name.toLowerCase()));
    this.#except = new Set(except.map((name) => name.toLowerCase()));
    for (const [name, value] of Object.entries(values)) if (value !== "") this.#learn(name, value, 1);
  }

  /** Masks an exchange. Call {@link learnFrom} with all exchanges first. */
  mask({ request, response }: Exchange): Exchange {
    const masked = this.maskRequest(request);
    if (!hasResponse(response)) return { request: masked, response: { end: this.#end(response.end) } };
    const { body, redirectedTo, end } = response;
    return {
      request: masked,
      response: {
        status: response.status,
        statusText: this.text(response.statusText),
        headers: this.#headers(response.headers),
        ...(redirectedTo !== undefined && { redirectedTo: this.#url(redirectedTo) }),
        ...(body && { body: this.#body(body, response.headers) }),
        ...(end !== undefined && { end: this.#end(end) }),
      },
    };
  }

  maskRequest({ method, url, headers, body }: RecordedRequest): RecordedRequest {
    return { method, url: this.#url(url), headers: this.#headers(headers), ...(body && { body: this.#body(body, headers) }) };
  }

  /** Replaces all known secrets in a text. */
  text(text: string): string {
    this.#replacements ??= [...this.#placeholders]
      .flatMap(([secret, replacement]) => [...variantsOf(secret)].map((variant) => [variant, replacement] as const))
      .toSorted(([a], [b]) => b.length - a.length);
    return this.#replacements.reduce((masked, [secret, replacement]) => masked.replaceAll(secret, replacement), text);
  }

  /** Learns the secrets in a request. */
  learnFromRequest({ url, headers, body }: RecordedRequest): void {
    this.#learnFromUrl(url);
    this.#learnFromMessage(headers, body);
  }

  /** Learns the secrets in an exchange. */
  learnFrom({ request, response }: Exchange): void {
    this.learnFromRequest(request);
    if (!hasResponse(response)) return;
    if (response.redirectedTo !== undefined) this.#learnFromUrl(response.redirectedTo);
    this.#learnFromMessage(response.headers, response.body);
  }

  #learnFromUrl(text: string): void {
    const url = new URL(text);
    if (url.password !== "") this.#learn("password", decodeURIComponent(url.password));
    for (const [name, value] of url.searchParams) if (this.#isSecret(name)) this.#learn(name, value);
  }

  #learnFromMessage(headers: HeaderValues, body: Body | undefined): void {
    for (const [name, value] of Object.entries(headers)) {
      if (!this.#isSecret(name)) continue;
      for (const one of typeof value === "string" ? [value] : value)
        this.#headerPart(name, one, (part, secret) => this.#learn(part, secret));
    }
    if (body === undefined) return;
    if ("json" in body) this.#learnFromJson(body.json, undefined);
    else if ("text" in body && isForm(headers))
      for (const [name, value] of new URLSearchParams(body.text)) if (this.#isSecret(name)) this.#learn(name, value);
  }

  #learnFromJson(value: Json, secretName: string | undefined): void {
    if (isArray(value)) for (const element of value) this.#learnFromJson(element, secretName);
    else if (isObject(value))
      for (const [name, part] of Object.entries(value)) this.#learnFromJson(part, secretName ?? (this.#isSecret(name) ? name : undefined));
    else if (secretName !== undefined && value !== null && typeof value !== "boolean")
      this.#learn(secretName, typeof value === "string" ? value : (numberText(value) ?? ""));
  }

  #isSecret(name: string): boolean {
    const lower = name.toLowerCase();
    return !this.#except.has(lower) && (secretName.test(name) || this.#names.has(lower));
  }

  /** Calls back for each secret in a header, and returns the header with the results in place of the secrets. */
  #headerPart(name: string, value: string, replace: (name: string, secret: string) => unknown): string {
    const isSetCookie = name === "set-cookie";
    if (isSetCookie || name === "cookie") {
      // Of a cookie in a response, only the first pair is its value.
      const [pairs, attributes] = isSetCookie ? splitAt(value, value.indexOf(";")) : [value, ""];
      const masked = pairs.split(/; */).map((pair) => {
        const [cookie, rest] = splitAt(pair, pair.indexOf("="));
        return rest === "" ? String(replace(name, cookie)) : `${cookie}=${String(replace(cookie.trim(), rest.slice(1)))}`;
      });
      return masked.join("; ") + attributes;
    }
    const [scheme = ""] = authScheme.exec(value) ?? [];
    const secret = value.slice(scheme.length);
    if (/^basic/i.test(scheme)) {
      const [, password] = splitAt(Buffer.from(secret, "base64").toString(), Buffer.from(secret, "base64").toString().indexOf(":"));
      if (password !== "") replace("password", password.slice(1));
    }
    return scheme + String(replace(name, secret));
  }

  /** Learns a secret, and returns its placeholder. */
  #learn(name: string, secret: string, shortest = shortestSecret): string {
    if (secret === "" || secret.replaceAll(placeholder, "") === "") return secret;
    if (secret.length < shortest) return `(sensitive ${name})`;
    const known = this.#placeholders.get(secret);
    if (known !== undefined) return known;
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    const created = `(sensitive ${name.replaceAll(/[()]/g, "")}${count === 1 ? "" : ` ${count}`})`;
    this.#placeholders.set(secret, created);
    this.#replacements = undefined;
    return created;
  }

  #url(text: string): string {
    const url = new URL(text);
    if (url.password !== "") url.password = this.#learn("password", decodeURIComponent(url.password));
    const secrets = [...url.searchParams].filter(([name]) => this.#isSecret(name));
    for (const [name, value] of secrets) this.#learn(name, value);
    // Without secret parameters, the query keeps its form.
    if (secrets.length > 0) {
      const pairs = [...url.searchParams].map(([name, value]) => [name, this.#isSecret(name) ? this.#learn(name, value) : value]);
      url.search = String(new URLSearchParams(pairs as [string, string][]));
    }
    return this.text(url.href);
  }

  #headers(headers: HeaderValues): HeaderValues {
    const mask = (name: string, value: string): string =>
      this.text(this.#isSecret(name) ? this.#headerPart(name, value, (part, secret) => this.#learn(part, secret)) : value);
    return Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        typeof value === "string" ? mask(name, value) : value.map((one) => mask(name, one)),
      ]),
    );
  }

  #body(body: Body, headers: HeaderValues): Body {
    if ("json" in body) return { json: this.json(body.json) };
    if ("base64" in body) return { base64: this.#bytes(Buffer.from(body.base64, "base64")).toString("base64") };
    if (!isForm(headers)) return { text: this.text(body.text) };
    const pairs = [...new URLSearchParams(body.text)];
    const isMasked = pairs.some(([name]) => this.#isSecret(name));
    const masked = pairs.map(([name, value]): [string, string] => [name, this.#isSecret(name) ? this.#learn(name, value) : value]);
    return { text: this.text(isMasked ? String(new URLSearchParams(masked)) : body.text) };
  }

  /** Masks a JSON value. A number that is a secret becomes a text. */
  json(value: Json, secretName?: string): Json {
    if (isArray(value)) return value.map((element) => this.json(element, secretName));
    if (isObject(value)) {
      const entries = Object.entries(value).map(([name, part]) => [
        this.text(name),
        this.json(part, secretName ?? (this.#isSecret(name) ? name : undefined)),
      ]);
      return Object.fromEntries(entries) as Json;
    }
    if (value === null || typeof value === "boolean") return value;
    const text = typeof value === "string" ? value : (numberText(value) ?? "");
    if (secretName !== undefined) return this.#learn(secretName, text);
    return typeof value === "string" ? this.text(text) : (this.#placeholders.get(text) ?? value);
  }

  #end(end: RecordedEnd): RecordedEnd {
    return end === "cancelled" ? end : { ...end, message: this.text(end.message) };
  }

  /** Overwrites secrets in bytes that are not text. */
  #bytes(bytes: Buffer): Buffer {
    const masked = Buffer.from(bytes);
    for (const secret of this.#placeholders.keys())
      for (const variant of variantsOf(secret)) {
        const length = Buffer.byteLength(variant);
        for (let at = masked.indexOf(variant); at >= 0; at = masked.indexOf(variant, at + length)) masked.fill("*", at, at + length);
      }
    return masked;
  }
}

/** Whether a text of this run equals a recorded one. A masked secret equals any text: it may not be known as a secret yet. */
export function isSameExceptSecrets(recorded: string, requested: string): boolean {
  if (recorded === requested) return true;
  const parts = recorded.split(placeholder);
  if (parts.length === 1) return false;
  return new RegExp(`^${parts.map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)).join("[^]+?")}$`).test(requested);
}

/** The forms in which a secret occurs in messages. */
function variantsOf(secret: string): ReadonlySet<string> {
  const encoded = encodeURIComponent(secret);
  const base64 = Buffer.from(secret).toString("base64");
  return new Set([
    secret,
    encoded,
    String(new URLSearchParams([["", secret]])).slice(1),
    JSON.stringify(secret).slice(1, -1),
    base64,
    encodeURI(secret),
  ]);
}

function isForm(headers: HeaderValues): boolean {
  return headerText(headers, "content-type").startsWith("application/x-www-form-urlencoded");
}

function splitAt(text: string, index: number): readonly [before: string, rest: string] {
  return index < 0 ? [text, ""] : [text.slice(0, index), text.slice(index)];
}
