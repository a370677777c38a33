// SPDX-License-Identifier: Apache-2.0
import { goQuote } from "../../../text/go-quote.ts";
import { callError } from "../../error.ts";
import { daysInMonth, type CivilTime } from "./civil-time.ts";

const grammar: RegExp =
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)T(?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d)(?:\.(?<fraction>\d+))?(?:Z|(?<sign>[+-])(?<offsetHour>\d\d):(?<offsetMinute>\d\d))$/;

/**
 * Parses an RFC 3339 timestamp strictly: all digits present, upper-case `T` and `Z`, no leap seconds.
 *
 * @throws FunctionError with go-cty's text.
 * @see go-cty parseStrictRFC3339, parseTimestamp
 */
export function parseTimestamp(text: string): CivilTime {
  const time = parseStrictly(text);
  if (time === undefined) throw callError(`not a valid RFC3339 timestamp${problemIn(text)}`);
  return time;
}

function parseStrictly(text: string): CivilTime | undefined {
  const parts = grammar.exec(text)?.groups;
  if (parts === undefined) return undefined;
  const field = (name: string): number => Number(parts[name] ?? 0);
  const offset = (field("offsetHour") * 60 + field("offsetMinute")) * 60;
  const time: CivilTime = {
    year: field("year"),
    month: field("month"),
    day: field("day"),
    hour: field("hour"),
    minute: field("minute"),
    second: field("second"),
    nanosecond: Number((parts["fraction"] ?? "").slice(0, 9).padEnd(9, "0")),
    offsetSeconds: parts["sign"] === "-" ? -offset : offset,
  };
  const inRange =
    time.month >= 1 &&
    time.month <= 12 &&
    time.day >= 1 &&
    time.day <= daysInMonth(time.year, time.month) &&
    time.hour <= 23 &&
    time.minute <= 59 &&
    time.second <= 59 &&
    field("offsetHour") <= 23 &&
    field("offsetMinute") <= 59;
  return inRange ? time : undefined;
}

/** A parse error of Go's `time.Parse`: an element of its layout, the text in its place, and for some errors a message. */
interface LayoutProblem {
  readonly element: string;
  readonly found: string;
  readonly message?: string;
}

/**
 * go-cty's text for a timestamp that {@link parseStrictly} rejected. Go looks for the problem with its general parser, which is
 * less strict and reads from left to right. go-cty words the error of that parser.
 */
function problemIn(text: string): string {
  const { element, found, message } = new LaxParser(text).problem() ?? strictProblem(text);
  if (message !== undefined && element === "" && found === "") return message;
  const what = names[element];
  if (element === "T") return ": missing required time introducer 'T'";
  if (element === ":" || element === "-") {
    return found === ""
      ? `: end of string where ${goQuote(element)} is expected`
      : `: found ${goQuote(found)} where ${goQuote(element)} is expected`;
  }
  const name = what ?? "timestamp segment";
  if (found === "") return `: end of string before ${name}`;
  if (name === "hour" && found.includes(":")) return ": hour must be between 0 and 23 inclusive";
  if (name === "hour" && utf8Length(found) !== 2) return ": hour must have exactly two digits";
  if (name === "minute" && utf8Length(found) !== 2) return ": minute must have exactly two digits";
  return `: cannot use ${goQuote(found)} as ${name}`;
}

const names: Readonly<Record<string, string>> = {
  "2006": "year",
  "01": "month",
  "02": "day of month",
  "15": "hour",
  "04": "minute",
  "05": "second",
  "Z07:00": "UTC offset",
};

function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** The problem of a timestamp that only the strict parser rejects. @see go-cty parseStrictRFC3339 */
function strictProblem(text: string): LayoutProblem {
  if (text[12] === ":") return { element: "15", found: text[11]! };
  if (text[19] === ",") return { element: ".", found: "," };
  return { element: "Z07:00", found: text.slice(-6) };
}

/** Parses like Go's `time.Parse` with the layout `2006-01-02T15:04:05Z07:00`. */
class LaxParser {
  #rest: string;
  #year = 0;
  #month = 0;
  #day = 0;

  constructor(text: string) {
    this.#rest = text;
  }

  /** The first problem; undefined if the timestamp can be parsed. */
  problem(): LayoutProblem | undefined {
    return (
      this.#readYear() ??
      this.#literal("-") ??
      this.#number("01", true, (month) => {
        this.#month = month;
        return month < 1 || month > 12 ? "month" : undefined;
      }) ??
      this.#literal("-") ??
      this.#number("02", true, (day) => {
        this.#day = day;
        return undefined;
      }) ??
      this.#literal("T") ??
      this.#number("15", false, (hour) => (hour > 23 ? "hour" : undefined)) ??
      this.#literal(":") ??
      this.#number("04", true, (minute) => (minute > 59 ? "minute" : undefined)) ??
      this.#literal(":") ??
      this.#number("05", true, (second) => (second > 59 ? "second" : undefined)) ??
      this.#readFraction() ??
      this.#readOffset() ??
      this.#readEnd()
    );
  }

  #readYear(): LayoutProblem | undefined {
    const found = this.#rest;
    const digits = [...new TextEncoder().encode(found).subarray(0, 4)];
    const isNumber = digits.length === 4 && digits.every((byte) => byte >= 48 && byte <= 57);
    if (!isNumber) return { element: "2006", found };
    this.#year = Number(found.slice(0, 4));
    this.#rest = found.slice(4);
    return undefined;
  }

  #literal(character: string): LayoutProblem | undefined {
    if (!this.#rest.startsWith(character)) return { element: character, found: this.#rest };
    this.#rest = this.#rest.slice(1);
    return undefined;
  }

  /** Reads a number of two digits, or of one or two digits where the layout has no leading zero. */
  #number(element: string, twoDigits: boolean, outOfRange: (value: number) => string | undefined): LayoutProblem | undefined {
    const found = this.#rest;
    const digits = /^\d\d?/.exec(found)?.[0] ?? "";
    if (digits.length < (twoDigits ? 2 : 1)) return { element, found };
    this.#rest = found.slice(digits.length);
    const range = outOfRange(Number(digits));
    return range === undefined ? undefined : rangeProblem(element, this.#rest, range);
  }

  /** Skips a fraction, also after a comma. Only the strict parser rejects the comma. */
  #readFraction(): undefined {
    this.#rest = this.#rest.replace(/^[.,]\d+/, "");
  }

  #readOffset(): LayoutProblem | undefined {
    const found = this.#rest;
    if (found.startsWith("Z")) {
      this.#rest = found.slice(1);
      return undefined;
    }
    if (utf8Length(found) < 6 || found[3] !== ":") return { element: "Z07:00", found };
    const hour = /^.(\d\d)/s.exec(found)?.[1];
    const minute = /^.{4}(\d\d)/s.exec(found)?.[1];
    this.#rest = found.slice(6);
    if (Number(hour) > 24) return rangeProblem("Z07:00", this.#rest, "time zone offset hour");
    if (hour !== undefined && Number(minute) > 60) return rangeProblem("Z07:00", this.#rest, "time zone offset minute");
    return hour === undefined || minute === undefined || !/^[+-]/.test(found) ? { element: "Z07:00", found } : undefined;
  }

  #readEnd(): LayoutProblem | undefined {
    const found = this.#rest;
    if (found !== "") return { element: "", found, message: `: extra text: ${timeQuote(found)}` };
    const inMonth = this.#day >= 1 && this.#day <= daysInMonth(this.#year, this.#month);
    return inMonth ? undefined : { element: "", found, message: ": day out of range" };
  }
}

function rangeProblem(element: string, found: string, what: string): LayoutProblem {
  return { element, found, message: `: ${what} out of range` };
}

/** Quotes text like Go's package `time`, which writes bytes beyond ASCII in hexadecimal. @see go time.quote */
export function timeQuote(text: string): string {
  let quoted = "";
  for (const byte of new TextEncoder().encode(text)) {
    if (byte < 0x20 || byte >= 0x80) quoted += `\\x${byte.toString(16).padStart(2, "0")}`;
    else quoted += byte === 0x22 || byte === 0x5c ? `\\${String.fromCharCode(byte)}` : String.fromCharCode(byte);
  }
  return `"${quoted}"`;
}
