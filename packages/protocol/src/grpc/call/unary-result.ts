// SPDX-License-Identifier: Apache-2.0
import type { DescMessage, DescMethodUnary, DescService, MessageShape } from "@bufbuild/protobuf";
import type { UnaryResponse } from "@connectrpc/connect";
import type { HeaderList } from "../hpack/header-list.ts";
import { headersOf } from "./metadata.ts";

/**
 * Response of a unary call. Headers and trailers are created on first use, because few callers read them.
 *
 * It is a class, because V8 makes a dictionary of each object literal with accessors, which takes longer than the rest of the bookkeeping of a
 * response.
 */
export class UnaryResult<Input extends DescMessage, Output extends DescMessage> implements UnaryResponse<Input, Output> {
  readonly stream = false;
  readonly service: DescService;
  readonly method: DescMethodUnary<Input, Output>;
  readonly message: MessageShape<Output>;
  readonly #headers: HeaderList | undefined;
  readonly #trailers: HeaderList;
  #header: Headers | undefined;
  #trailer: Headers | undefined;

  constructor(
    method: DescMethodUnary<Input, Output>,
    message: MessageShape<Output>,
    headers: HeaderList | undefined,
    trailers: HeaderList,
  ) {
    this.service = method.parent;
    this.method = method;
    this.message = message;
    this.#headers = headers;
    this.#trailers = trailers;
  }

  get header(): Headers {
    return (this.#header ??= headersOf(this.#headers));
  }

  get trailer(): Headers {
    return (this.#trailer ??= headersOf(this.#trailers));
  }
}
