// SPDX-License-Identifier: Apache-2.0

/** What is wrong with CSV, and the line it is on. */
export class CsvError extends Error {
  /** Counted from 1. */
  readonly line: number;

  constructor(reason: string, line: number) {
    super(reason);
    this.line = line;
  }
}

const bareQuote = 'bare " in non-quoted-field';
const strayQuote = 'extraneous or missing " in quoted-field';

/**
 * Reads comma-separated values record by record, as RFC 4180 has them and Go reads them: empty lines do not count, fields in
 * quotes may have line breaks in them, every record has as many fields as the first.
 *
 * @see go encoding/csv
 */
export class CsvReader {
  readonly #text: string;
  #position = 0;
  #line = 0;
  #width: number | undefined;

  /** `width` is how many fields every record must have; that of the first by default. */
  constructor(text: string, width?: number) {
    this.#text = text;
    this.#width = width;
  }

  /** The next record, undefined at the end. @throws CsvError */
  read(): string[] | undefined {
    let line: string | undefined;
    do {
      line = this.#readLine();
    } while (line === "\n" || line === "");
    if (line === undefined) return undefined;
    const start = this.#line;
    const fields = this.#fields(line);
    this.#width ??= fields.length;
    if (fields.length !== this.#width) throw new CsvError("wrong number of fields", start);
    return fields;
  }

  /** A line with its end, which is always a line feed; the last may have none. */
  #readLine(): string | undefined {
    this.#line++;
    if (this.#position >= this.#text.length) return undefined;
    const feed = this.#text.indexOf("\n", this.#position);
    const end = feed < 0 ? this.#text.length : feed + 1;
    const line = this.#text.slice(this.#position, end);
    this.#position = end;
    if (feed < 0) return line.endsWith("\r") ? line.slice(0, -1) : line;
    return line.endsWith("\r\n") ? `${line.slice(0, -2)}\n` : line;
  }

  #fields(firstLine: string): string[] {
    const fields: string[] = [];
    let line = firstLine;
    for (;;) {
      if (!line.startsWith('"')) {
        const comma = line.indexOf(",");
        const field = comma >= 0 ? line.slice(0, comma) : withoutFeed(line);
        if (field.includes('"')) throw new CsvError(bareQuote, this.#line);
        fields.push(field);
        if (comma < 0) return fields;
        line = line.slice(comma + 1);
        continue;
      }
      const { field, rest } = this.#quoted(line.slice(1));
      fields.push(field);
      if (!rest.startsWith(",")) return fields;
      line = rest.slice(1);
    }
  }

  /** The rest of a field after its opening quote, and what follows the closing one. */
  #quoted(afterQuote: string): { readonly field: string; readonly rest: string } {
    let field = "";
    let rest = afterQuote;
    let line = this.#line;
    for (;;) {
      const quote = rest.indexOf('"');
      if (quote >= 0) {
        field += rest.slice(0, quote);
        rest = rest.slice(quote + 1);
        if (rest.startsWith('"')) {
          field += '"';
          rest = rest.slice(1);
        } else if (rest.startsWith(",") || rest === "" || rest === "\n") return { field, rest };
        else throw new CsvError(strayQuote, this.#line);
        continue;
      }
      if (rest === "") throw new CsvError(strayQuote, line);
      field += rest;
      rest = this.#readLine() ?? "";
      // The error of a quote that is never closed is on the last line there is.
      if (rest !== "") line = this.#line;
    }
  }
}

function withoutFeed(line: string): string {
  return line.endsWith("\n") ? line.slice(0, -1) : line;
}
