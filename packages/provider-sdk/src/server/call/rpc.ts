// SPDX-License-Identifier: Apache-2.0
import type { Diagnostic } from "@tenon/schema";
import type { Awaitable } from "../../definition/call-context.ts";
import { finishedDiagnostics, type ServerCall } from "./server-call.ts";
import type { ServedInstance } from "../instance/served-instance.ts";

/** One unary RPC of the protocol. */
export interface Rpc<Request, Response> {
  /** Name of the RPC in protocol 6. */
  readonly name: string;
  /** Log fields that name the component of the request. */
  readonly logFields: (request: Request) => Readonly<Record<string, string>>;
  readonly run: (instance: ServedInstance, request: Request, call: ServerCall) => Awaitable<Response>;
  /** The response that carries only diagnostics, because the provider could not be loaded or the RPC failed. */
  readonly failed: (request: Request, diagnostics: readonly Diagnostic[]) => Response;
}

/** A response without its diagnostics. */
export type Bare<Response> = Omit<Response, "diagnostics">;

interface DiagnosingRpc<Request, Response> {
  readonly name: string;
  readonly logFields?: (request: NoInfer<Request>) => Readonly<Record<string, string>>;
  readonly run: (instance: ServedInstance, request: Request, call: ServerCall) => Awaitable<Bare<Response>>;
  readonly failed: (request: Request) => Bare<Response>;
}

/** Defines an RPC whose response contains the diagnostics of the call, like nearly every response. */
export function rpc<Request, Response extends { readonly diagnostics: readonly Diagnostic[] }>(
  definition: DiagnosingRpc<Request, Response>,
): Rpc<Request, Response> {
  const withDiagnostics = (response: Bare<Response>, diagnostics: readonly Diagnostic[]): Response =>
    ({ ...response, diagnostics }) as Response;
  return {
    name: definition.name,
    logFields: definition.logFields ?? (() => ({})),
    run: (instance, request, call) => {
      const response = definition.run(instance, request, call);
      return response instanceof Promise
        ? response.then((finished) => withDiagnostics(finished, finishedDiagnostics(call)))
        : withDiagnostics(response, finishedDiagnostics(call));
    },
    failed: (request, diagnostics) => withDiagnostics(definition.failed(request), diagnostics),
  };
}

/** Defines an RPC whose response contains only diagnostics. */
export function checkingRpc<Request>(
  name: string,
  logFields: (request: NoInfer<Request>) => Readonly<Record<string, string>>,
  run: (instance: ServedInstance, request: Request, call: ServerCall) => void | Promise<void>,
): Rpc<Request, { readonly diagnostics: readonly Diagnostic[] }> {
  return rpc({
    name,
    logFields,
    run: (instance, request, call) => {
      const checked = run(instance, request, call);
      return checked instanceof Promise ? checked.then(() => ({})) : {};
    },
    failed: () => ({}),
  });
}

/** Log fields of an RPC for a resource. */
export function aboutResource({ typeName }: { readonly typeName: string }): Readonly<Record<string, string>> {
  return { tf_resource_type: typeName };
}

/** Log fields of an RPC for an ephemeral resource. */
export function aboutEphemeralResource({ typeName }: { readonly typeName: string }): Readonly<Record<string, string>> {
  return { tf_ephemeral_resource_type: typeName };
}

/** Log fields of an RPC for a data source. */
export function aboutDataSource({ typeName }: { readonly typeName: string }): Readonly<Record<string, string>> {
  return { tf_data_source_type: typeName };
}

/** Log fields of an RPC for a list resource. */
export function aboutListResource({ typeName }: { readonly typeName: string }): Readonly<Record<string, string>> {
  return { tf_list_resource_type: typeName };
}

/** Log fields of an RPC for an action. */
export function aboutAction({ actionType }: { readonly actionType: string }): Readonly<Record<string, string>> {
  return { tf_action_type: actionType };
}

/** Log fields of an RPC for a state store. */
export function aboutStateStore({ typeName }: { readonly typeName: string }): Readonly<Record<string, string>> {
  return { tf_state_store_type: typeName };
}
