// SPDX-License-Identifier: Apache-2.0
import type { DescMessage, DescMethod, DescService, Message } from "@bufbuild/protobuf";
import { Code, ConnectError, type HandlerContext } from "@connectrpc/connect";
import type { ServiceRegistration } from "../../carrier/carrier.ts";
import { quoted } from "../../carrier/quoted.ts";
import type { HeaderList } from "../hpack/header-list.ts";
import { decodeMessage, decodeMessageWithStructs } from "./decode-message.ts";
import { parseTimeout } from "./timeout.ts";

/** Implementation of a method. */
export type Handler = (request: unknown, context: HandlerContext) => unknown;

/** A method that is served. */
export interface Route {
  readonly service: DescService;
  readonly method: DescMethod;
  /** Path of its requests: `/<service>/<method>`. */
  readonly path: string;
  readonly handler: Handler;
  /** Decodes a request. @throws Error for malformed bytes. */
  readonly decode: (desc: DescMessage, bytes: Uint8Array) => Message;
}

/** Meaning of a request's headers. */
export type RequestHead =
  | { readonly kind: "call"; readonly route: Route; readonly timeoutMs: number | undefined }
  /** A gRPC call without a handler. */
  | { readonly kind: "refused"; readonly error: ConnectError; readonly headers: readonly string[] }
  | { readonly kind: "not-grpc"; readonly httpStatus: string };

/** Finds the handlers of requests. */
export class Router {
  readonly #routes = new Map<string, Route>();

  constructor(services: readonly ServiceRegistration[]) {
    for (const { service, implementation, structs } of services) {
      const decode = structs === "map" ? decodeMessageWithStructs : decodeMessage;
      for (const method of service.methods) {
        // A `DescService` does not know the types of its methods: the handler defines what it takes and returns.
        const handler = implementation[method.localName] as Handler | undefined;
        if (handler === undefined) continue;
        const path = `/${service.typeName}/${method.name}`;
        this.#routes.set(path, { service, method, path, handler: handler.bind(implementation), decode });
      }
    }
  }

  /** Reads the headers of a request. The result for a list object is computed once. */
  read(headers: HeaderList): RequestHead {
    return (headers.memo ??= this.#read(headers)) as RequestHead;
  }

  #read(headers: HeaderList): RequestHead {
    if (headers.oversized) return refused(Code.ResourceExhausted, "the headers of the request are too long");
    if (headers.get(":method") !== "POST") return { kind: "not-grpc", httpStatus: "405" };
    if (!/^application\/grpc(\+proto)?\s*(;|$)/i.test(headers.get("content-type") ?? "")) return { kind: "not-grpc", httpStatus: "415" };
    const encoding = headers.get("grpc-encoding") ?? "identity";
    if (encoding !== "identity") {
      const error = new ConnectError(`the server does not support the message encoding ${quoted(encoding)}`, Code.Unimplemented);
      return { kind: "refused", error, headers: ["grpc-accept-encoding", "identity"] };
    }
    const path = headers.get(":path") ?? "";
    const route = this.#routes.get(path);
    if (route === undefined) return refused(Code.Unimplemented, `the server has no method ${quoted(path)}`);
    const timeout = headers.get("grpc-timeout");
    const timeoutMs = timeout === undefined ? undefined : parseTimeout(timeout);
    if (timeout !== undefined && timeoutMs === undefined) return refused(Code.Internal, `the timeout ${quoted(timeout)} is invalid`);
    return { kind: "call", route, timeoutMs };
  }
}

function refused(code: Code, text: string): RequestHead {
  return { kind: "refused", error: new ConnectError(text, code), headers: [] };
}
