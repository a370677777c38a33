// SPDX-License-Identifier: Apache-2.0
import type { Expression, SourceRange } from "@tenon/hcl";
import type { Block } from "@tenon/hcl/body";
import { isValidIdentifier } from "@tenon/hcl/scan";
import { badIdentifierDetail, reportAll, reportError, type Report } from "./report.ts";

/** A local value of a module. */
export interface LocalValue {
  readonly name: string;
  readonly expression: Expression;
  readonly range: SourceRange;
}

/** Reads a `locals` block. @see OpenTofu configs, decodeLocalsBlock */
export function readLocals(block: Block, report: Report): readonly LocalValue[] {
  const { attributes, diagnostics } = block.body.justAttributes();
  reportAll(report, diagnostics);
  return [...attributes.values()].map(({ name, expression, nameRange, range }) => {
    if (!isValidIdentifier(name)) reportError(report, "Invalid local value name", badIdentifierDetail, nameRange);
    return { name, expression, range };
  });
}
