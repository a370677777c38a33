// SPDX-License-Identifier: Apache-2.0
import type { Diagnostic } from "@tenon/schema";
import { finishedDiagnostics, type ServerCall } from "./server-call.ts";
import type { ServedInstance } from "./served-instance.ts";

/** One RPC of the protocol. */
export interface Rpc<Request, Response> {
  /** As protocol 6 names it. */
  readonly name: string;
  /** Log fields that say what the request is about. */
  readonly about: (request: Request) => Readonly<Record<string, string>>;
  readonly run: (instance: ServedInstance, request: Request, call: ServerCall) => Promise<Response>;
  /** The answer where there is nothing but diagnostics: the provider could not be loaded. */
  readonly failed: (request: Request, diagnostics: readonly Diagnostic[]) => Response;
}

/** An answer without the diagnostics that belong to it. */
export type Bare<Response> = Omit<Response, "diagnostics">;

interface DiagnosingRpc<Request, Response> {
  readonly name: string;
  readonly about?: (request: NoInfer<Request>) => Readonly<Record<string, string>>;
  readonly run: (instance: ServedInstance, request: Request, call: ServerCall) => Bare<Response> | Promise<Bare<Response>>;
  readonly failed: (request: Request) => Bare<Response>;
}

/** An RPC whose answer has diagnostics, as nearly every one has: they are those of the call. */
export function rpc<Request, Response extends { readonly diagnostics: readonly Diagnostic[] }>(
  definition: DiagnosingRpc<Request, Response>,
): Rpc<Request, Response> {
  const withDiagnostics = (answer: Bare<Response>, diagnostics: readonly Diagnostic[]): Response =>
    ({ ...answer, diagnostics }) as Response;
  return {
    name: definition.name,
    about: definition.about ?? (() => ({})),
    run: async (instance, request, call) => {
      const answer = await definition.run(instance, request, call);
      return withDiagnostics(answer, finishedDiagnostics(call));
    },
    failed: (request, diagnostics) => withDiagnostics(definition.failed(request), diagnostics),
  };
}

/** An RPC that answers only whether it went well. */
export function checkingRpc<Request>(
  name: string,
  about: (request: NoInfer<Request>) => Readonly<Record<string, string>>,
  run: (instance: ServedInstance, request: Request, call: ServerCall) => void | Promise<void>,
): Rpc<Request, { readonly diagnostics: readonly Diagnostic[] }> {
  return rpc({
    name,
    about,
    run: async (instance, request, call) => {
      await run(instance, request, call);
      return {};
    },
    failed: () => ({}),
  });
}

/** Log fields of an RPC about a resource. */
export function aboutResource({ typeName }: { readonly typeName: string }): Readonly<Record<string, string>> {
  return { tf_resource_type: typeName };
}

/** Log fields of an RPC about an ephemeral resource. */
export function aboutEphemeralResource({ typeName }: { readonly typeName: string }): Readonly<Record<string, string>> {
  return { tf_ephemeral_resource_type: typeName };
}

/** Log fields of an RPC about a data source. */
export function aboutDataSource({ typeName }: { readonly typeName: string }): Readonly<Record<string, string>> {
  return { tf_data_source_type: typeName };
}

/** Log fields of an RPC about a list resource. */
export function aboutListResource({ typeName }: { readonly typeName: string }): Readonly<Record<string, string>> {
  return { tf_list_resource_type: typeName };
}

/** Log fields of an RPC about an action. */
export function aboutAction({ actionType }: { readonly actionType: string }): Readonly<Record<string, string>> {
  return { tf_action_type: actionType };
}

/** Log fields of an RPC about a state store. */
export function aboutStateStore({ typeName }: { readonly typeName: string }): Readonly<Record<string, string>> {
  return { tf_state_store_type: typeName };
}
