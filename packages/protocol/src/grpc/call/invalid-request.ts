// SPDX-License-Identifier: Apache-2.0
import { Code, ConnectError } from "@connectrpc/connect";

/** Creates the error of a call whose request cannot be decoded. */
export function invalidRequest(typeName: string, cause: unknown): ConnectError {
  const text = `the request is not a valid ${typeName}: ${decodingProblem(cause)}`;
  return new ConnectError(text, Code.InvalidArgument, undefined, undefined, cause);
}

/** Text of a decoding error. A message in a message counts twice in a `google.protobuf.Struct`, which is why 48 levels are the limit there. */
function decodingProblem(cause: unknown): string {
  const text = String(cause);
  return text.includes("recursion depth")
    ? `its values are too deeply nested (more than 48 levels of a google.protobuf.Struct): ${text}`
    : text;
}
