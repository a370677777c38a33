// SPDX-License-Identifier: Apache-2.0
import type { DescMethod, DescService } from "@bufbuild/protobuf";
import { Code, ConnectError, type HandlerContext, type ServiceImpl } from "@connectrpc/connect";
import type { ServiceRegistration } from "./carrier.ts";

/** Maximum length of a status text, in characters: it is sent percent-encoded in a header, whose size peers limit. */
const maxTextLength = 4000;

/**
 * Error that a call fails with when its handler throws: the text of the thrown error, with code `Internal` unless it is a `ConnectError`.
 *
 * When the call has been cancelled or its deadline has passed, the error is that reason instead.
 */
export function handlerError(reason: unknown, context: Pick<HandlerContext, "signal">): ConnectError {
  const original = context.signal.aborted && !(reason instanceof ConnectError) ? (context.signal.reason as unknown) : reason;
  const error =
    original instanceof ConnectError ? original : new ConnectError(textOf(original), Code.Internal, undefined, undefined, original);
  const text = sendable(error.rawMessage);
  return text === error.rawMessage ? error : new ConnectError(text, error.code, error.metadata, error.details.filter(isOutgoing), error);
}

/** Returns the implementation of a service with handlers that throw only errors of {@link handlerError}. */
export function withHandlerErrors({ service, implementation }: ServiceRegistration): Partial<ServiceImpl<DescService>> {
  const methods = service.methods.flatMap((method) => {
    // A `DescService` does not know the types of its methods; requests and responses are passed through.
    const handler = implementation[method.localName] as Handler | undefined;
    return handler === undefined ? [] : [[method.localName, withHandlerError(method, handler.bind(implementation))] as const];
  });
  return Object.fromEntries<unknown>(methods) as Partial<ServiceImpl<DescService>>;
}

type Handler = (request: unknown, context: HandlerContext) => unknown;

function withHandlerError(method: DescMethod, handler: Handler): Handler {
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

function sendable(text: string): string {
  const shorter = text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;
  // Percent-encoding fails on a lone surrogate.
  return shorter.toWellFormed();
}

function isOutgoing(detail: ConnectError["details"][number]): detail is Extract<ConnectError["details"][number], { desc: unknown }> {
  return "desc" in detail;
}
