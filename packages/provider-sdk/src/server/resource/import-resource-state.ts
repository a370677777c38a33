// SPDX-License-Identifier: Apache-2.0
import { string, type Value } from "@tenon/cty";
import { numberFromText, UNKNOWN, valueOf, type Payload } from "@tenon/cty/unstable/payload";
import { errorDiagnostic, type Deferred, type ImportResourceStateRequest, type ImportResourceStateResponse } from "@tenon/schema";
import { emptyEntry, objectValue } from "../../conversion/encode.ts";
import type { Importer } from "../../definition/import-state.ts";
import { hasContent, partOf } from "../../shape/part.ts";
import type { Handler } from "../../compile/provider.ts";
import type { CompiledResource } from "../../compile/resource.ts";
import { clientFor } from "../call/client-access.ts";
import { openDeferral } from "../call/deferral.ts";
import { resourcePrivateState } from "../call/private-state.ts";
import { encodeResult } from "../call/handler-values.ts";
import { openIdentity } from "./resource-identity.ts";
import { aboutResource, rpc, type Bare, type Rpc } from "../call/rpc.ts";
import type { ServedInstance } from "../instance/served-instance.ts";
import { hasFailed, runHandler, type ServerCall } from "../call/server-call.ts";
import { handlerContext } from "../call/handler-context.ts";

type Request = ImportResourceStateRequest;
type Response = Bare<ImportResourceStateResponse>;

const noImport: Response = { importedResources: [] };
const noPrivateState = new Uint8Array(0);

/** Imports an existing resource. The core reads it afterwards. @see rule 32 in test/rules */
export const importResourceState: Rpc<Request, ImportResourceStateResponse> = rpc({
  name: "ImportResourceState",
  logFields: aboutResource,
  run: async (instance, request, call) => {
    const resource = instance.resource(request.typeName);
    const { importState, typeName } = resource;
    const fault = importFault(resource, request);
    if (importState === undefined || fault !== undefined) {
      call.diagnostics.push(errorDiagnostic(`Cannot import ${typeName}`, fault ?? ""));
      return noImport;
    }
    if (typeof importState !== "function") {
      const state = stateOfAttributes(resource, importState, request, call);
      return state === undefined ? noImport : { importedResources: [{ typeName, state, private: noPrivateState, ...identityOf(request) }] };
    }
    const access = clientFor(instance, call, `import ${typeName}`, request.clientCapabilities);
    if (access.kind === "deferred") return deferredImport(resource, request, access.deferred);
    return access.kind === "ready" ? runImport(instance, resource, importState, access.client, request, call) : noImport;
  },
  failed: () => noImport,
});

/** The reason why the resource cannot be imported; undefined if it can. */
function importFault({ importState, identity }: CompiledResource, request: Request): string | undefined {
  if (importState === undefined) return "This resource cannot be imported: its provider has no importState for it.";
  if (request.identity !== undefined && hasContent(request.identity)) {
    return identity === undefined ? "This resource has no identity: import it by its id." : undefined;
  }
  return request.id === "" ? "The id to import is empty." : undefined;
}

/** The identity of the import request. The read that follows completes it. */
function identityOf({ identity }: Request): { readonly identity?: Value } {
  return identity === undefined || !hasContent(identity) ? {} : { identity };
}

/** The response of a deferred import: its state is unknown. */
function deferredImport({ shape, typeName }: CompiledResource, request: Request, deferred: Deferred): Response {
  const state = valueOf(shape.type, UNKNOWN);
  return { importedResources: [{ typeName, state, private: noPrivateState, ...identityOf(request) }], deferred };
}

async function runImport(
  instance: ServedInstance,
  resource: CompiledResource,
  importState: Handler,
  client: unknown,
  request: Request,
  call: ServerCall,
): Promise<Response> {
  const { shape, typeName } = resource;
  const { id } = request;
  const privateState = (await resourcePrivateState(instance, typeName, noPrivateState, call))!;
  const identity = openIdentity(resource, request.identity, call);
  const { defer, watch, deferred } = openDeferral(request.clientCapabilities);
  const context = handlerContext(call, { client, id, ...identity.context, defer, privateState });
  const outcome = await runHandler(call, `Cannot import ${typeName}`, () => watch(() => importState(context)));
  const deferral = deferred();
  if (deferral !== undefined) {
    const newIdentity = identity.fromHandler(`importState of ${typeName}`);
    const response = deferredImport(resource, request, deferral);
    const [imported] = response.importedResources;
    if (imported === undefined || hasFailed(call)) return noImport;
    const kept = { ...imported, private: await privateState.bytes(), ...(newIdentity === undefined ? {} : { identity: newIdentity }) };
    return { ...response, importedResources: [kept] };
  }
  if (!outcome.ok) return noImport;
  if (outcome.value === undefined || outcome.value === null) {
    const target = id === "" ? "this identity" : `the id ${JSON.stringify(id)}`;
    call.diagnostics.push(errorDiagnostic(`Cannot import ${typeName}`, `No resource with ${target} exists.`));
    return noImport;
  }
  const operation = `importState of ${typeName}`;
  const state = encodeResult(shape, outcome.value, "result", operation, call);
  if (hasFailed(call)) return noImport;
  const { newIdentity } = identity.ofState(state, operation);
  const stored = await privateState.bytes();
  if (hasFailed(call)) return noImport;
  return {
    importedResources: [{ typeName, state, private: stored, ...(newIdentity === undefined ? {} : { identity: newIdentity }) }],
  };
}

/** The state whose attributes hold the parts of an id or of an identity; its other attributes are null. */
function stateOfAttributes(resource: CompiledResource, importer: Importer<string>, request: Request, call: ServerCall): Value | undefined {
  const { identity } = identityOf(request);
  const values = identity === undefined ? valuesOfId(resource, importer, request.id, call) : valuesOfIdentity(resource, identity);
  if (values === undefined) return undefined;
  const { shape } = resource;
  return objectValue(
    shape,
    shape.entries.map((entry) => (values.has(entry.name) ? valueOf(entry.shape.type, values.get(entry.name)!) : emptyEntry(entry))),
  );
}

/** The values of the identity for the attributes of the same names. */
function valuesOfIdentity({ shape, identity }: CompiledResource, given: Value): ReadonlyMap<string, Payload> {
  const known = identity!.shape.entries.filter((entry) => shape.byName.has(entry.name));
  return new Map(known.map((entry) => [entry.name, partOf(given, entry).payload]));
}

function valuesOfId(
  { shape, typeName }: CompiledResource,
  { attributes, separator }: Importer<string>,
  id: string,
  call: ServerCall,
): ReadonlyMap<string, Payload> | undefined {
  const refuse = (why: string): undefined => void call.diagnostics.push(errorDiagnostic(`Cannot import ${typeName}`, why));
  const parts = splitId(id, separator, attributes.length);
  const wanted = attributes.join(separator);
  if (parts === undefined) return refuse(`The id has the form ${wanted}; ${JSON.stringify(id)} does not.`);
  const values = new Map<string, Payload>();
  for (const [index, name] of attributes.entries()) {
    const { type } = shape.byName.get(name)!.shape;
    const part = type === string ? parts[index]! : numberFromText(parts[index]!);
    if (part === undefined) return refuse(`The id has the form ${wanted}, where ${name} is a number.`);
    values.set(name, part);
  }
  return values;
}

/** Splits an id into `count` parts, none of them empty; the last part may contain the separator. */
function splitId(id: string, separator: string, count: number): readonly string[] | undefined {
  const pieces = id.split(separator);
  const parts = [...pieces.slice(0, count - 1), pieces.slice(count - 1).join(separator)];
  return pieces.length >= count && parts.every((part) => part !== "") ? parts : undefined;
}
