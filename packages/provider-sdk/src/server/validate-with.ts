// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import { warningDiagnostic } from "@tenon/schema";
import { emptyEntry, objectValue } from "../conversion/encode.ts";
import type { Handler } from "../schema/provider.ts";
import type { ObjectShape } from "../schema/shape.ts";
import { hasContent } from "../planning/part.ts";
import { validateConfig } from "../validation/config-validation.ts";
import { reporter, shown } from "./resource-context.ts";
import { hasFailed, runHandler, type ServerCall } from "./server-call.ts";

interface Validation {
  /** What is validated, for messages: `notebook_note`. */
  readonly subject: string;
  readonly validate: Handler<void> | undefined;
  readonly deprecated?: string | undefined;
  readonly writeOnlyAllowed: boolean;
}

/**
 * Validates a configuration: the schema first, and only where it has nothing to say the author's own `validate`, whose types
 * promise that what is required is there.
 */
export async function validateWith(shape: ObjectShape, config: Value, validation: Validation, call: ServerCall): Promise<void> {
  call.secrets.add(shape, config);
  // A provider without a configuration block is sent null by some callers.
  const present = hasContent(config) ? config : objectValue(shape, shape.entries.map(emptyEntry));
  const found = validateConfig(shape, present, { writeOnlyAllowed: validation.writeOnlyAllowed });
  call.diagnostics.push(...(found instanceof Promise ? await found : found));
  const { validate, subject, deprecated } = validation;
  if (validate !== undefined && !hasFailed(call)) {
    const seen = shown(shape, present, "configDraft", "configuration", call);
    if (seen !== undefined) {
      const { warn, signal, log } = call;
      await runHandler(call, `Cannot validate ${subject}`, () =>
        validate({ config: seen, error: reporter(shape, call), warn, signal, log }),
      );
    }
  }
  if (deprecated !== undefined) call.diagnostics.push(warningDiagnostic("Deprecated", `${subject} is deprecated: ${deprecated}`));
}
