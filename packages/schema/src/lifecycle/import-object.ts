// SPDX-License-Identifier: Apache-2.0
import { goString, type Value } from "@tenon/cty";
import { errorDiagnostic, hasErrors, type Diagnostic } from "../diagnostic.ts";
import type { Deferred } from "../messages/common.ts";
import type { ImportedResource } from "../messages/managed-resource.ts";
import { addressOf, clientCapabilitiesOf, enter, type OperationOptions } from "./operation.ts";
import { objectFaults, providerFault } from "./provider-fault.ts";
import { readObject } from "./read-object.ts";
import { createResourceObject, type ResourceObject } from "./resource-object.ts";
import { callOptions, type ResourceType } from "./resource-type.ts";

/** Identifier of the remote object. */
export type ImportTarget = { readonly id: string } | { readonly identity: Value };

/** Result of an import. */
export interface ImportOutcome {
  /**
   * - `imported`: `object` is the imported object.
   * - `notFound`: the provider returned an object for the import, and its read then found no such object. Diagnostics report it too.
   * - `deferred`: the provider cannot import the object yet. Only where the caller allowed deferral.
   * - `failed`: diagnostics hold errors. Whether the object exists is not known.
   */
  readonly status: "imported" | "notFound" | "deferred" | "failed";
  /** Present for `imported` only. */
  readonly object?: ResourceObject;
  /** Why the import was deferred; present for `deferred` only. */
  readonly deferred?: Deferred;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Imports an existing remote object: the provider finds it by id or by identity, and reads it.
 *
 * @throws ProviderError where a call fails; `UNIMPLEMENTED` where the provider does not implement import.
 */
export async function importObject(type: ResourceType, target: ImportTarget, options: OperationOptions = {}): Promise<ImportOutcome> {
  enter("import", type, options);
  const named = "id" in target ? `ID ${JSON.stringify(target.id)}` : `identity ${goString(target.identity)}`;
  const response = await type.provider.importResourceState(
    {
      typeName: type.typeName,
      clientCapabilities: clientCapabilitiesOf(options),
      ...("id" in target ? { id: target.id } : { id: "", identity: target.identity }),
    },
    callOptions(options),
  );
  const diagnostics: Diagnostic[] = [...response.diagnostics];
  if (hasErrors(diagnostics)) return { status: "failed", diagnostics };
  if (response.deferred && clientCapabilitiesOf(options).deferralAllowed) {
    return { status: "deferred", deferred: response.deferred, diagnostics };
  }
  const imported = onlyImported(type, response.importedResources, named, options, diagnostics);
  if (imported === undefined) return { status: "failed", diagnostics };

  const object = createResourceObject({
    value: imported.state,
    private: imported.private,
    identity: imported.identity,
    status: "ready",
    schemaVersion: type.schema.version,
  });
  options.observer?.onImported?.(object, addressOf(type, options));
  const read = await readObject(type, object, options);
  diagnostics.push(...read.diagnostics);
  if (hasErrors(diagnostics)) return { status: "failed", diagnostics };
  if (read.deferred) return { status: "deferred", deferred: read.deferred, diagnostics };
  if (read.object) return { status: "imported", object: read.object, diagnostics };
  const detail =
    `The provider found no object to import to ${addressOf(type, options)} with ${named}. Check that the object exists, that the identifier ` +
    "is right, and that it belongs to the region or endpoint that the provider is configured for.";
  diagnostics.push(errorDiagnostic("Cannot import non-existent remote object", detail));
  return { status: "notFound", diagnostics };
}

/** Returns the only resource of the response; undefined where the response is invalid. */
function onlyImported(
  type: ResourceType,
  resources: readonly ImportedResource[],
  named: string,
  options: OperationOptions,
  diagnostics: Diagnostic[],
): ImportedResource | undefined {
  const address = addressOf(type, options);
  const [imported] = resources;
  if (imported === undefined) {
    diagnostics.push(
      errorDiagnostic("Import returned no resources", `The provider returned no resource for the import of ${address} with ${named}.`),
    );
    return undefined;
  }
  if (resources.length > 1) {
    const detail = `The provider returned ${resources.length} resources for the import of ${address} with ${named}, where one is expected.`;
    diagnostics.push(errorDiagnostic("Multiple import states not supported", detail));
    return undefined;
  }
  if (imported.typeName !== type.typeName) {
    const what = imported.typeName === "" ? "no resource type" : `resource type ${JSON.stringify(imported.typeName)}`;
    diagnostics.push(providerFault(type, "Import returned another resource type", `returned ${what} for the import of ${address}`));
    return undefined;
  }
  if (imported.state.payload === null) {
    diagnostics.push(
      errorDiagnostic("Import returned null resource", `The provider returned no state for the import of ${address} with ${named}.`),
    );
    return undefined;
  }
  const faults = objectFaults(type, "Provider produced invalid object", imported.state, "imported", address);
  diagnostics.push(...faults);
  return faults.length > 0 ? undefined : imported;
}
