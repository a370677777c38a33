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

/** What names the remote object. */
export type ImportTarget = { readonly id: string } | { readonly identity: Value };

/** What was imported. */
export interface ImportOutcome {
  /** Absent where there are errors, or it was deferred. */
  readonly object?: ResourceObject;
  /** Only where the caller allowed it. */
  readonly deferred?: Deferred;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Takes a remote object under management: has the provider find it by id or by identity, and reads it.
 *
 * @throws ProviderError where the provider cannot be asked; `UNIMPLEMENTED` where it cannot import at all.
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
  if (hasErrors(diagnostics)) return { diagnostics };
  if (response.deferred && clientCapabilitiesOf(options).deferralAllowed) return { deferred: response.deferred, diagnostics };
  const imported = onlyImported(type, response.importedResources, named, options, diagnostics);
  if (imported === undefined) return { diagnostics };

  const object = createResourceObject({
    value: imported.state,
    private: imported.private,
    identity: imported.identity,
    status: "ready",
    schemaVersion: type.schema.version,
  });
  const read = await readObject(type, object, options);
  diagnostics.push(...read.diagnostics);
  if (hasErrors(diagnostics)) return { diagnostics };
  if (read.deferred) return { deferred: read.deferred, diagnostics };
  if (read.object) return { object: read.object, diagnostics };
  const detail =
    `The provider found no object to import to ${addressOf(type, options)} with ${named}. Only objects that exist can be imported: check that it is ` +
    "right, and that it belongs to the region or endpoint that the provider is configured for.";
  diagnostics.push(errorDiagnostic("Cannot import non-existent remote object", detail));
  return { diagnostics };
}

/** The one resource that came back; nothing where the answer is wrong. */
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
      errorDiagnostic("Import returned no resources", `Asked to import ${address} with ${named}, the provider answered with no resource.`),
    );
    return undefined;
  }
  if (resources.length > 1) {
    const detail = `Asked to import ${address} with ${named}, the provider answered with ${resources.length} resources, where one is expected.`;
    diagnostics.push(errorDiagnostic("Multiple import states not supported", detail));
    return undefined;
  }
  if (imported.typeName !== type.typeName) {
    const what = imported.typeName === "" ? "no resource type" : `resource type ${JSON.stringify(imported.typeName)}`;
    diagnostics.push(providerFault(type, "Import returned another resource type", `answered with ${what} when asked to import ${address}`));
    return undefined;
  }
  if (imported.state.payload === null) {
    diagnostics.push(
      errorDiagnostic("Import returned null resource", `Asked to import ${address} with ${named}, the provider answered with no state.`),
    );
    return undefined;
  }
  const faults = objectFaults(type, "Provider produced invalid object", imported.state, "imported", address);
  diagnostics.push(...faults);
  return faults.length > 0 ? undefined : imported;
}
