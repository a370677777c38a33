// SPDX-License-Identifier: Apache-2.0
import type { DescMethod, DescService } from "@bufbuild/protobuf";
import { Code, ConnectError, type HandlerContext } from "@connectrpc/connect";
import type { ServiceRegistration } from "../../carrier/carrier.ts";
import type { HeaderList } from "../hpack/header-list.ts";
import { parseTimeout } from "./timeout.ts";

export type Handler = (request: unknown, context: HandlerContext) => unknown;

/** Where a path leads. */
export interface Route {
  readonly service: DescService;
  readonly method: DescMethod;
  readonly path: string;
  readonly handler: Handler;
}

/** What a request's headers say. */
export type RequestHead =
  | { readonly kind: "call"; readonly route: Route; readonly timeoutMs: number | undefined }
  /** It is a gRPC call, but not one that can be answered. */
  | { readonly kind: "refused"; readonly error: ConnectError; readonly headers: readonly string[] }
  /** It is no gRPC call. */
  | { readonly kind: "foreign"; readonly httpStatus: string };

/** Leads requests to handlers. */
export class Router {
  readonly #routes = new Map<string, Route>();

  constructor(services: readonly ServiceRegistration[]) {
    for (const { service, implementation } of services) {
      for (const method of service.methods) {
        // A service described only by its type has methods without types; what they take and give is theirs.
        const handler = implementation[method.localName] as Handler | undefined;
        if (handler === undefined) continue;
        const path = `/${service.typeName}/${method.name}`;
        this.#routes.set(path, { service, method, path, handler: handler.bind(implementation) });
      }
    }
  }

  /** Reads a request's headers; of a list that comes again, once. */
  read(headers: HeaderList): RequestHead {
    return (headers.memo ??= this.#read(headers)) as RequestHead;
  }

  #read(headers: HeaderList): RequestHead {
    if (headers.oversized) return refused(Code.ResourceExhausted, "the request's headers are too long");
    if (headers.get(":method") !== "POST") return { kind: "foreign", httpStatus: "405" };
    if (!/^application\/grpc(\+proto)?\s*(;|$)/i.test(headers.get("content-type") ?? "")) return { kind: "foreign", httpStatus: "415" };
    const encoding = headers.get("grpc-encoding") ?? "identity";
    if (encoding !== "identity") {
      const error = new ConnectError(`messages compressed with ${JSON.stringify(encoding)} are not understood here`, Code.Unimplemented);
      return { kind: "refused", error, headers: ["grpc-accept-encoding", "identity"] };
    }
    const path = headers.get(":path") ?? "";
    const route = this.#routes.get(path);
    if (route === undefined) return refused(Code.Unimplemented, `nothing is served at ${path}`);
    const timeout = headers.get("grpc-timeout");
    const timeoutMs = timeout === undefined ? undefined : parseTimeout(timeout);
    if (timeout !== undefined && timeoutMs === undefined) return refused(Code.Internal, `the deadline ${JSON.stringify(timeout)} is none`);
    return { kind: "call", route, timeoutMs };
  }
}

function refused(code: Code, text: string): RequestHead {
  return { kind: "refused", error: new ConnectError(text, code), headers: [] };
}
