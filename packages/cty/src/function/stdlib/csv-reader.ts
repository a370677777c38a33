// SPDX-License-Identifier: Apache-2.0

/** A syntax error in CSV, with its line. */
export class CsvError extends Error {
  /** Line number, from 1. */
  readonly line: number;

  constructor(reason: string, line: number) {
    super(reason);
    this.line = line;
  }
}

const bareQuote = 'bare " in non-quoted-field';
const strayQuote = 'extraneous or missing " in quoted-field';

/**
 * Reads comma-separated values record by record, by RFC 4180 and as Go does: empty lines are skipped, quoted fields may contain
 * line breaks, and every record has as many fields as the first.
 *
 * @see go encoding/csv
 */
export class CsvReader {
  readonly #text: string;
  #position = 0;
  #line = 0;
  #width: number | undefined;

  /** `width` is the number of fields of every record. Default: that of the first record. */
  constructor(text: string, width?: number) {
    this.#text = text;
    this.#width = width;
  }

  /** Reads the next record; undefined at the end of the text. @throws CsvError */
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

  /** Reads a line with its line break, which is returned as a line feed. The last line may have none. */
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

  /** Reads a field from after its opening quote. `rest` is the text after its closing quote. */
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
      // The error for a missing closing quote has the number of the last line.
      if (rest !== "") line = this.#line;
    }
  }
}

function withoutFeed(line: string): string {
  return line.endsWith("\n") ? line.slice(0, -1) : line;
}
