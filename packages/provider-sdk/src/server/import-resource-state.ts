// SPDX-License-Identifier: Apache-2.0
import { string, type Value } from "@tenon/cty";
import { numberFromText, UNKNOWN, valueOf, type Payload } from "@tenon/cty/unstable/payload";
import { errorDiagnostic, type Deferred, type ImportResourceStateRequest, type ImportResourceStateResponse } from "@tenon/schema";
import { emptyEntry, objectValue } from "../conversion/encode.ts";
import type { Importer } from "../definition/import-state.ts";
import { hasContent, partOf } from "../planning/part.ts";
import type { Handler } from "../schema/provider.ts";
import type { CompiledResource } from "../schema/resource.ts";
import { clientFor } from "./client-access.ts";
import { openDeferral } from "./deferral.ts";
import { resourcePrivateState } from "./private-state.ts";
import { answered } from "./resource-context.ts";
import { openIdentity } from "./resource-identity.ts";
import { aboutResource, rpc, type Bare, type Rpc } from "./rpc.ts";
import type { ServedInstance } from "./served-instance.ts";
import { hasFailed, runHandler, type ServerCall } from "./server-call.ts";

type Request = ImportResourceStateRequest;
type Answer = Bare<ImportResourceStateResponse>;

const nothing: Answer = { importedResources: [] };
const noPrivateState = new Uint8Array(0);

/** Takes over what exists already; the core reads it next. @see framework rule 32 */
export const importResourceState: Rpc<Request, ImportResourceStateResponse> = rpc({
  name: "ImportResourceState",
  about: aboutResource,
  run: async (instance, request, call) => {
    const resource = instance.resource(request.typeName);
    const { importState, typeName } = resource;
    const refused = importFault(resource, request);
    if (importState === undefined || refused !== undefined) {
      call.diagnostics.push(errorDiagnostic(`Cannot import ${typeName}`, refused ?? ""));
      return nothing;
    }
    if (typeof importState !== "function") {
      const state = stateOfAttributes(resource, importState, request, call);
      return state === undefined ? nothing : { importedResources: [{ typeName, state, private: noPrivateState, ...identityOf(request) }] };
    }
    const access = clientFor(instance, call, `import ${typeName}`, request.clientCapabilities);
    if (access.kind === "deferred") return notYet(resource, request, access.deferred);
    return access.kind === "ready" ? runImport(instance, resource, importState, access.client, request, call) : nothing;
  },
  failed: () => nothing,
});

/** Why it cannot be imported at all. */
function importFault({ importState, identity }: CompiledResource, request: Request): string | undefined {
  if (importState === undefined) return "This resource cannot be imported: its provider has no importState for it.";
  if (request.identity !== undefined && hasContent(request.identity)) {
    return identity === undefined ? "This resource has no identity: import it by its id." : undefined;
  }
  return request.id === "" ? "There is no id to import by." : undefined;
}

/** The identity it was named by, which the read that follows completes. */
function identityOf({ identity }: Request): { readonly identity?: Value } {
  return identity === undefined || !hasContent(identity) ? {} : { identity };
}

/** What is answered where nobody can say yet what will be imported. */
function notYet({ shape, typeName }: CompiledResource, request: Request, deferred: Deferred): Answer {
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
): Promise<Answer> {
  const { shape, typeName } = resource;
  const { id } = request;
  const { signal, warn, log } = call;
  const privateState = (await resourcePrivateState(instance, typeName, noPrivateState, call))!;
  const identity = openIdentity(resource, request.identity, call);
  const { defer, watch, deferred } = openDeferral(request.clientCapabilities);
  const context = { client, id, ...identity.context, defer, signal, warn, log, privateState };
  const outcome = await runHandler(call, `Cannot import ${typeName}`, () => watch(() => importState(context)));
  const putOff = deferred();
  if (putOff !== undefined) return notYet(resource, request, putOff);
  if (!outcome.ok) return nothing;
  if (outcome.value === undefined || outcome.value === null) {
    const named = id === "" ? "this identity" : `the id ${JSON.stringify(id)}`;
    call.diagnostics.push(errorDiagnostic(`Cannot import ${typeName}`, `There is none with ${named}.`));
    return nothing;
  }
  const who = `importState of ${typeName}`;
  const state = answered(shape, outcome.value, "answer", who, call);
  if (hasFailed(call)) return nothing;
  const { newIdentity } = identity.of(state, who);
  const stored = await privateState.bytes();
  if (hasFailed(call)) return nothing;
  return {
    importedResources: [{ typeName, state, private: stored, ...(newIdentity === undefined ? {} : { identity: newIdentity }) }],
  };
}

/** State with the parts of an id, or of an identity, in its attributes and nothing else. */
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

/** Everything the identity says goes where the state has a place for it. */
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

/** As many parts as there are attributes, none of them empty; what is left belongs to the last. */
function splitId(id: string, separator: string, count: number): readonly string[] | undefined {
  const pieces = id.split(separator);
  const parts = [...pieces.slice(0, count - 1), pieces.slice(count - 1).join(separator)];
  return pieces.length >= count && parts.every((part) => part !== "") ? parts : undefined;
}
