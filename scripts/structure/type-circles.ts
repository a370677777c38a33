// SPDX-License-Identifier: Apache-2.0
import type { TypeCircle } from "./type-circle-check.ts";

/** The accepted circles of imports, by package. Only type declarations that refer to each other are accepted. */
export const typeCircles: Readonly<Record<string, readonly TypeCircle[]>> = {
  cty: [
    {
      files: ["model/capsule-ops.ts", "model/path.ts", "model/type.ts", "model/value.ts"],
      reason: "Declarations only: a capsule type's operations take values and paths, a path has values as keys, and a value has a type.",
    },
  ],

  hcl: [
    {
      files: ["syntax/diagnostic.ts", "syntax/expression.ts", "syntax/scope.ts"],
      reason:
        "Declarations only: a diagnostic shows an expression and its scope, a derived expression is evaluated in a scope to diagnostics, and a scope has values by expression.",
    },
  ],

  protocol: [],

  schema: [],

  "provider-sdk": [],

  "plugin-host": [],
};
