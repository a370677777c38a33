// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import { warningDiagnostic, type Diagnostic } from "@tenon/schema";
import { emptyEntry, objectValue } from "../../conversion/encode.ts";
import type { Handler } from "../../compile/provider.ts";
import type { Awaitable } from "../../definition/call-context.ts";
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
export function validateWith(shape: ObjectShape, config: Value, validation: Validation, call: ServerCall): Awaitable<void> {
  call.secrets.add(shape, config);
  // Some callers send null for a provider that has no configuration block.
  const present = hasContent(config) ? config : objectValue(shape, shape.entries.map(emptyEntry));
  const found = validateConfig(shape, present, { writeOnlyAllowed: validation.writeOnlyAllowed });
  const continued = (diagnostics: readonly Diagnostic[]): Awaitable<void> => {
    call.diagnostics.push(...diagnostics);
    const handled = validateByAuthor(shape, present, validation, call);
    return handled === undefined ? warnOfDeprecation(validation, call) : handled.then(() => warnOfDeprecation(validation, call));
  };
  return found instanceof Promise ? found.then(continued) : continued(found);
}

/** Runs the author's `validate`. Undefined if there is none, or the configuration has errors. */
function validateByAuthor(
  shape: ObjectShape,
  config: Value,
  { validate, subject }: Validation,
  call: ServerCall,
): Promise<unknown> | undefined {
  if (validate === undefined || hasFailed(call)) return undefined;
  const seen = decodeView(shape, config, "configDraft", "configuration", call);
  if (seen === undefined) return undefined;
  const context = handlerContext(call, { config: seen, ...reporters(shape, call) });
  return runHandler(call, `Cannot validate ${subject}`, () => validate(context));
}

function warnOfDeprecation({ subject, deprecated }: Validation, call: ServerCall): void {
  if (deprecated !== undefined) call.diagnostics.push(warningDiagnostic("Deprecated", `${subject} is deprecated: ${deprecated}`));
}
