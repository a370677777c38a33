// SPDX-License-Identifier: Apache-2.0
import type { Diagnostic } from "../../diagnostic.ts";
import type { ShapeOf, Types } from "../types.ts";
import type { Kind } from "./kind.ts";
import { readPath, writePath, type AttributePathInit } from "./path.ts";

/** Diagnostic to read. */
export interface DiagnosticWire {
  readonly severity: number;
  readonly summary: string;
  readonly detail: string;
  readonly attribute?: Parameters<typeof readPath>[0] | undefined;
}
/** Diagnostic to write. Severities are those of the protocol: 1 is an error, 2 a warning. */
export type DiagnosticInit = { severity: 1 | 2; summary: string; detail: string; attribute?: AttributePathInit };

/** Diagnostics of a call without values, or with values of different types. */
export const diagnostics: Kind<readonly Diagnostic[], readonly DiagnosticWire[], DiagnosticInit[]> = diagnosticsIn(undefined);

/** Diagnostics about a value of the given type. */
export function diagnosticsIn(of: ShapeOf | undefined): Kind<readonly Diagnostic[], readonly DiagnosticWire[], DiagnosticInit[]> {
  return {
    read: (wire) => wire.map(readDiagnostic),
    write: (model, types) => model.map((diagnostic) => writeDiagnostic(diagnostic, of, types)),
  };
}

/** Reads a diagnostic. */
export function readDiagnostic(wire: DiagnosticWire): Diagnostic {
  return {
    // Every severity except a warning is an error: an unknown severity of a later protocol may be one.
    severity: wire.severity === 2 ? "warning" : "error",
    summary: wire.summary,
    detail: wire.detail,
    ...(wire.attribute === undefined ? {} : { attribute: readPath(wire.attribute) }),
  };
}

/** Writes a diagnostic about a value of the given type. */
export function writeDiagnostic(model: Diagnostic, of: ShapeOf | undefined, types: Types): DiagnosticInit {
  return {
    severity: model.severity === "warning" ? 2 : 1,
    summary: model.summary,
    detail: model.detail,
    ...(model.attribute === undefined ? {} : { attribute: writePath(model.attribute, of, types) }),
  };
}
