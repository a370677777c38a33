// SPDX-License-Identifier: Apache-2.0
import type { DescMethod, DescService } from "@bufbuild/protobuf";
import { Code, ConnectError, type HandlerContext, type ServiceImpl } from "@connectrpc/connect";
import type { ServiceRegistration } from "./carrier.ts";

/** A status text travels in a header, percent-encoded: far longer ones do not get through every peer. */
const maxTextLength = 4000;

/**
 * What a caller is told of an error that a handler threw: its text, with code `Internal` unless it is a `ConnectError`.
 *
 * Where the call had been cancelled or had run out of time, that is what is told.
 */
export function handlerError(reason: unknown, context: Pick<HandlerContext, "signal">): ConnectError {
  const cut = context.signal.aborted && !(reason instanceof ConnectError) ? (context.signal.reason as unknown) : reason;
  const error = cut instanceof ConnectError ? cut : new ConnectError(textOf(cut), Code.Internal, undefined, undefined, cut);
  const text = presentable(error.rawMessage);
  return text === error.rawMessage ? error : new ConnectError(text, error.code, error.metadata, error.details.filter(isOutgoing), error);
}

/** The same service, every method of which throws only what {@link handlerError} makes of its errors. */
export function withHandlerErrors({ service, implementation }: ServiceRegistration): Partial<ServiceImpl<DescService>> {
  const methods = service.methods.flatMap((method) => {
    // A service described only by its type has methods without types; what they take and give passes through untouched.
    const handler = implementation[method.localName] as Handler | undefined;
    return handler === undefined ? [] : [[method.localName, guarded(method, handler.bind(implementation))] as const];
  });
  return Object.fromEntries<unknown>(methods) as Partial<ServiceImpl<DescService>>;
}

type Handler = (request: unknown, context: HandlerContext) => unknown;

function guarded(method: DescMethod, handler: Handler): Handler {
  if (method.methodKind === "unary" || method.methodKind === "client_streaming") {
    return async (request, context) => {
      try {
        return await handler(request, context);
      } catch (error) {
        throw handlerError(error, context);
      }
    };
  }
  return async function* (request, context) {
    try {
      yield* handler(request, context) as AsyncIterable<unknown>;
    } catch (error) {
      throw handlerError(error, context);
    }
  };
}

function textOf(reason: unknown): string {
  if (!(reason instanceof Error)) return String(reason);
  return reason.message === "" ? reason.name : reason.message;
}

function presentable(text: string): string {
  const shorter = text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;
  // Percent-encoding fails on half a surrogate pair.
  return shorter.toWellFormed();
}

function isOutgoing(detail: ConnectError["details"][number]): detail is Extract<ConnectError["details"][number], { desc: unknown }> {
  return "desc" in detail;
}
