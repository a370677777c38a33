// SPDX-License-Identifier: Apache-2.0
import { isArray, isObject, isRawNumber, type Json } from "../documents/json.ts";
import { type Body, headerText, type RecordedRequest } from "./exchange.ts";
import { isSameExceptSecrets } from "./secrets.ts";

/** How requests are compared with recorded ones. Method, URL and body are compared always. */
export interface MatchSettings {
  /** Headers that are compared, too. Default: none. */
  readonly matchHeaders?: readonly string[];
  /** Names of query parameters and members of JSON bodies that are not compared, such as those of times. */
  readonly ignore?: readonly string[];
}

/** One difference between two requests: its place, and what each of them has there. */
export interface RequestDifference {
  readonly place: string;
  readonly recorded: string;
  readonly requested: string;
}

const absent = "absent";

/** The differences between a recorded request and one of this run; both are masked. Secrets are not compared. */
export function requestDifferences(
  recorded: RecordedRequest,
  requested: RecordedRequest,
  { matchHeaders = [], ignore = [] }: MatchSettings,
): readonly RequestDifference[] {
  const [a, b] = [new URL(recorded.url), new URL(requested.url)];
  const ignored = new Set(ignore);
  const query = (url: URL, name: string): string => url.searchParams.getAll(name).join(", ");
  const parameters = [...new Set([...a.searchParams.keys(), ...b.searchParams.keys()])].filter((name) => !ignored.has(name));
  return [
    ...textDifference("method", recorded.method, requested.method),
    ...textDifference("url", `${a.origin}${decoded(a.pathname)}`, `${b.origin}${decoded(b.pathname)}`),
    ...parameters.flatMap((name) =>
      textDifference(
        `query parameter ${name}`,
        a.searchParams.has(name) ? query(a, name) : absent,
        b.searchParams.has(name) ? query(b, name) : absent,
      ),
    ),
    ...matchHeaders.flatMap((name) => {
      const key = name.toLowerCase();
      return textDifference(`header ${key}`, headerText(recorded.headers, key) || absent, headerText(requested.headers, key) || absent);
    }),
    ...bodyDifferences(recorded.body, requested.body, ignored),
  ];
}

function textDifference(place: string, recorded: string, requested: string): readonly RequestDifference[] {
  return isSameExceptSecrets(recorded, requested) ? [] : [{ place, recorded: shown(recorded), requested: shown(requested) }];
}

function bodyDifferences(a: Body | undefined, b: Body | undefined, ignored: ReadonlySet<string>): readonly RequestDifference[] {
  if (a !== undefined && b !== undefined && "json" in a && "json" in b) return jsonDifferences("body", a.json, b.json, ignored);
  return textDifference("body", bodyText(a), bodyText(b));
}

function jsonDifferences(
  place: string,
  a: Json | undefined,
  b: Json | undefined,
  ignored: ReadonlySet<string>,
): readonly RequestDifference[] {
  if (isObject(a) && isObject(b)) {
    const names = [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((name) => !ignored.has(name));
    return names.flatMap((name) => jsonDifferences(`${place}.${name}`, a[name], b[name], ignored));
  }
  if (isArray(a) && isArray(b) && a.length === b.length)
    return a.flatMap((element, index) => jsonDifferences(`${place}[${index}]`, element, b[index], ignored));
  return textDifference(place, jsonText(a), jsonText(b));
}

function jsonText(value: Json | undefined): string {
  if (value === undefined) return absent;
  // A number and the text of it are different values, and so are null and "null".
  return isRawNumber(value) ? value.rawJSON : JSON.stringify(value);
}

function bodyText(body: Body | undefined): string {
  if (body === undefined) return absent;
  if ("text" in body) return body.text;
  return "json" in body ? jsonText(body.json) : `base64 ${body.base64}`;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function shown(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 200)}… (${text.length} characters)`;
}
