// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import { warningDiagnostic } from "@tenon/schema";
import { emptyEntry, objectValue } from "../../conversion/encode.ts";
import type { Handler } from "../../compile/provider.ts";
import type { ObjectShape } from "../../shape/shape.ts";
import { hasContent } from "../../shape/part.ts";
import { validateConfig } from "../../validation/config-validation.ts";
import { reporters, decodeView } from "./handler-values.ts";
import { hasFailed, runHandler, type ServerCall } from "./server-call.ts";
import { handlerContext } from "./handler-context.ts";

interface Validation {
  /** Name of the validated component, for messages: `notebook_note`. */
  readonly subject: string;
  readonly validate: Handler<void> | undefined;
  readonly deprecated?: string | undefined;
  readonly writeOnlyAllowed: boolean;
}

/**
 * Validates a configuration against the schema, and then with the author's `validate`. `validate` runs only if the schema reports no
 * error, because its types promise that required attributes are set.
 */
export async function validateWith(shape: ObjectShape, config: Value, validation: Validation, call: ServerCall): Promise<void> {
  call.secrets.add(shape, config);
  // Some callers send null for a provider that has no configuration block.
  const present = hasContent(config) ? config : objectValue(shape, shape.entries.map(emptyEntry));
  const diagnostics = validateConfig(shape, present, { writeOnlyAllowed: validation.writeOnlyAllowed });
  call.diagnostics.push(...(diagnostics instanceof Promise ? await diagnostics : diagnostics));
  const { validate, subject, deprecated } = validation;
  if (validate !== undefined && !hasFailed(call)) {
    const seen = decodeView(shape, present, "configDraft", "configuration", call);
    if (seen !== undefined) {
      const context = handlerContext(call, { config: seen, ...reporters(shape, call) });
      await runHandler(call, `Cannot validate ${subject}`, () => validate(context));
    }
  }
  if (deprecated !== undefined) call.diagnostics.push(warningDiagnostic("Deprecated", `${subject} is deprecated: ${deprecated}`));
}
