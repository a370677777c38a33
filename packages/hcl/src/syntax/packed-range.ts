// SPDX-License-Identifier: Apache-2.0
import type { SourcePosition, SourceRange } from "./position.ts";
import type { PositionTable } from "./position-table.ts";

/**
 * A range as two byte offsets. A tree has hundreds of thousands of ranges, few of which are ever read.
 *
 * The fields are not private, so that comparisons by property (`toEqual`, `deepStrictEqual`) tell two ranges apart.
 */
export class PackedRange implements SourceRange {
  readonly table: PositionTable;
  readonly startByte: number;
  readonly endByte: number;

  constructor(table: PositionTable, startByte: number, endByte: number) {
    this.table = table;
    this.startByte = startByte;
    this.endByte = endByte;
  }

  get filename(): string {
    return this.table.filename;
  }

  get start(): SourcePosition {
    return this.table.at(this.startByte);
  }

  get end(): SourcePosition {
    return this.table.at(this.endByte);
  }

  toJSON(): SourceRange {
    return { filename: this.filename, start: this.start, end: this.end };
  }
}

Object.defineProperty(PackedRange.prototype, Symbol.for("nodejs.util.inspect.custom"), {
  value(this: PackedRange): SourceRange {
    return this.toJSON();
  },
});
