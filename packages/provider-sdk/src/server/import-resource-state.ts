// SPDX-License-Identifier: Apache-2.0
import { string, type Value } from "@tenon/cty";
import { numberFromText, UNKNOWN, valueOf, type Payload } from "@tenon/cty/unstable/payload";
import { errorDiagnostic, type ImportResourceStateRequest, type ImportResourceStateResponse } from "@tenon/schema";
import { emptyEntry, objectValue } from "../conversion/encode.ts";
import type { Importer } from "../definition/import-state.ts";
import { hasContent } from "../planning/part.ts";
import type { Handler } from "../schema/provider.ts";
import type { CompiledResource } from "../schema/resource.ts";
import { clientFor } from "./client-access.ts";
import { openPrivateState } from "./private-state.ts";
import { answered } from "./resource-context.ts";
import { aboutResource, rpc, type Bare, type Rpc } from "./rpc.ts";
import { hasFailed, runHandler, type ServerCall } from "./server-call.ts";

type Answer = Bare<ImportResourceStateResponse>;

const nothing: Answer = { importedResources: [] };

/** Takes over what exists already; the core reads it next. @see framework rule 32 */
export const importResourceState: Rpc<ImportResourceStateRequest, ImportResourceStateResponse> = rpc({
  name: "ImportResourceState",
  about: aboutResource,
  run: async (instance, request, call) => {
    const resource = instance.resource(request.typeName);
    const { importState, shape, typeName } = resource;
    const refused = importFault(request, importState);
    if (importState === undefined || refused !== undefined) {
      call.diagnostics.push(errorDiagnostic(`Cannot import ${typeName}`, refused ?? ""));
      return nothing;
    }
    if (typeof importState !== "function") {
      const state = stateOfId(resource, importState, request.id, call);
      return state === undefined ? nothing : { importedResources: [{ typeName, state, private: new Uint8Array(0) }] };
    }
    const access = clientFor(instance, call, `import ${typeName}`, request.clientCapabilities);
    if (access.kind === "deferred") {
      const state = valueOf(shape.type, UNKNOWN);
      return { importedResources: [{ typeName, state, private: new Uint8Array(0) }], deferred: access.deferred };
    }
    return access.kind === "ready" ? runImport(resource, importState, access.client, request.id, call) : nothing;
  },
  failed: () => nothing,
});

/** Why it cannot be imported at all. */
function importFault({ id, identity }: ImportResourceStateRequest, importState: CompiledResource["importState"]): string | undefined {
  if (importState === undefined) return "This resource cannot be imported: its provider has no importState for it.";
  if (identity !== undefined && hasContent(identity)) return "This resource has no identity: import it by its id.";
  return id === "" ? "There is no id to import by." : undefined;
}

async function runImport(resource: CompiledResource, importState: Handler, client: unknown, id: string, call: ServerCall): Promise<Answer> {
  const { shape, typeName } = resource;
  const { signal, warn, log } = call;
  const privateState = openPrivateState(new Uint8Array(0), call.diagnostics);
  const outcome = await runHandler(call, `Cannot import ${typeName}`, () => importState({ client, id, signal, warn, log, privateState }));
  if (!outcome.ok) return nothing;
  if (outcome.value === undefined || outcome.value === null) {
    call.diagnostics.push(errorDiagnostic(`Cannot import ${typeName}`, `There is none with the id ${JSON.stringify(id)}.`));
    return nothing;
  }
  const state = answered(shape, outcome.value, "answer", `importState of ${typeName}`, call);
  return hasFailed(call) ? nothing : { importedResources: [{ typeName, state, private: privateState.bytes() }] };
}

/** State with the parts of an id in its attributes and nothing else. */
function stateOfId(
  { shape, typeName }: CompiledResource,
  { attributes, separator }: Importer<string>,
  id: string,
  call: ServerCall,
): Value | undefined {
  const parts = splitId(id, separator, attributes.length);
  const wanted = attributes.join(separator);
  if (parts === undefined) {
    call.diagnostics.push(errorDiagnostic(`Cannot import ${typeName}`, `The id has the form ${wanted}; ${JSON.stringify(id)} does not.`));
    return undefined;
  }
  const values = new Map<string, Payload>();
  for (const [index, name] of attributes.entries()) {
    const { type } = shape.byName.get(name)!.shape;
    const part = type === string ? parts[index]! : numberFromText(parts[index]!);
    if (part === undefined) {
      call.diagnostics.push(errorDiagnostic(`Cannot import ${typeName}`, `The id has the form ${wanted}, where ${name} is a number.`));
      return undefined;
    }
    values.set(name, part);
  }
  return objectValue(
    shape,
    shape.entries.map((entry) => (values.has(entry.name) ? valueOf(entry.shape.type, values.get(entry.name)!) : emptyEntry(entry))),
  );
}

/** As many parts as there are attributes, none of them empty; what is left belongs to the last. */
function splitId(id: string, separator: string, count: number): readonly string[] | undefined {
  const pieces = id.split(separator);
  const parts = [...pieces.slice(0, count - 1), pieces.slice(count - 1).join(separator)];
  return pieces.length >= count && parts.every((part) => part !== "") ? parts : undefined;
}
