// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { ApiClient } from "../machinery/client/api-client.ts";
import type { ComponentMapping } from "../mapping/map-components.ts";
import { resolveReferences, type ReferenceContext } from "../reconcile/references.ts";
import { secretValues } from "../reconcile/secret-values.ts";
import { StepFailure } from "../reconcile/step-failure.ts";
import { configurationOf } from "../values/parameters.ts";
import type { ComponentObject, ComponentWriter } from "./component-object.ts";

/** The context in which {@link componentParameters} converts parameters. */
export interface ParameterContext {
  readonly client: ApiClient;
  readonly kind: ComponentMapping;
  readonly relatedKind: ReferenceContext["relatedKind"];
}

/** Resolves the references of an object, and converts its parameters. @throws StepFailure */
export async function componentParameters(
  { client, kind, relatedKind }: ParameterContext,
  writer: ComponentWriter,
  signal: AbortSignal,
): Promise<Value> {
  const patch = await resolveReferences({ client, relatedKind, signal }, kind, withParameters(writer.object));
  if (patch) await writer.patchParameters(patch, signal);
  const owner = withParameters(writer.object);
  const { forProvider } = owner.spec;
  const { value, problems } = configurationOf(kind, { forProvider, secret: await secretValues(client, kind, owner, signal) });
  if (problems.length === 0) return value;
  throw new StepFailure("InvalidParameters", problems.map(({ path, reason }) => `${path}: ${reason}`).join("; "));
}

/** Returns an object with `spec.forProvider`, which users may leave out. */
function withParameters(object: ComponentObject): ComponentObject {
  return { ...object, spec: { ...object.spec, forProvider: object.spec.forProvider ?? {} } };
}
