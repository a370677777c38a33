// SPDX-License-Identifier: Apache-2.0
import type { Diagnostic } from "@tenon/schema";
import { validateConfig } from "@tenon/schema/lifecycle";
import type { ObjectMapping } from "../mapping/mapping.ts";
import type { PropertyMap } from "../property/property-value.ts";
import { formatPropertyPath, propertyPathOf } from "../values/property-path.ts";
import type { PropertyProblem } from "../values/provider-value.ts";
import { withSensitiveSecrets } from "../values/sensitive-properties.ts";
import { withAutoName, type NameSource } from "./auto-name.ts";
import { diagnosticText, showWarnings } from "./bridge-context.ts";
import { configOf, type ResourceContext } from "./resource-context.ts";

/** Result of a check: inputs with defaults, and their errors. */
export interface CheckedInputs {
  readonly inputs: PropertyMap;
  readonly failures: readonly PropertyProblem[];
}

/** Adds defaults to inputs, and lets the provider validate them. */
export async function checkResource(
  context: ResourceContext,
  news: PropertyMap,
  naming: Omit<NameSource, "resourceName">,
): Promise<CheckedInputs> {
  const { object } = context.resource;
  const inputs = withAutoName(object, news, { ...naming, resourceName: context.resourceName });
  const { value, problems } = configOf(context, inputs);
  if (problems.length > 0) return { inputs, failures: problems };
  const diagnostics = await validateConfig(context.type, value, context.options);
  showWarnings(context, diagnostics, context.urn);
  return { inputs: withSensitiveSecrets(object, inputs), failures: failuresOf(object, diagnostics) };
}

/** Converts the errors among diagnostics to failures at properties. */
export function failuresOf(mapping: ObjectMapping, diagnostics: readonly Diagnostic[]): readonly PropertyProblem[] {
  return diagnostics
    .filter(({ severity }) => severity === "error")
    .map((diagnostic) => ({
      property: diagnostic.attribute ? formatPropertyPath(propertyPathOf(mapping, diagnostic.attribute)) : "",
      reason: diagnosticText(diagnostic),
    }));
}
