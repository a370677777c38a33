// SPDX-License-Identifier: Apache-2.0
import { create, toBinary } from "@bufbuild/protobuf";
import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { Code, ConnectError } from "@connectrpc/connect";
import { quoted } from "../../carrier/quoted.ts";
import { errorCode, errorName } from "../frames/frame.ts";
import type { HeaderList } from "../hpack/header-list.ts";
import { headersOf, metadataFields } from "./metadata.ts";

type Detail = ConnectError["details"][number];

const codes: ReadonlyMap<string, Code> = new Map(
  Object.values(Code).flatMap((code) => (typeof code === "number" ? [[`${code}`, code]] : [])),
);

/** Headers of every gRPC response: names and values, alternating. */
export const responseFields: readonly string[] = [":status", "200", "content-type", "application/grpc"];

/** Trailers of a failed call: names and values, alternating. */
export function errorTrailers(error: ConnectError): string[] {
  const fields = ["grpc-status", `${error.code}`, "grpc-message", encodeText(error.rawMessage)];
  if (error.details.length > 0) fields.push("grpc-status-details-bin", encodeStatus(error));
  // Metadata that another server sent with its error is not forwarded.
  if (!error.isWireError) fields.push(...metadataFields(error.metadata));
  return fields;
}

/**
 * Error that the trailers of a response report; undefined for a successful call. Trailers without a status are an error, too.
 *
 * @param headers - headers of the same response; undefined when it consists of trailers only.
 */
export function errorIn(trailers: HeaderList, headers: HeaderList | undefined): ConnectError | undefined {
  const status = trailers.get("grpc-status");
  if (status === "0") return undefined;
  if (status === undefined) return new ConnectError("the response ended without a gRPC status", Code.Internal, headersOf(trailers));
  const code = codes.get(status);
  const metadata = headersOf(headers);
  headersOf(trailers).forEach((value, name) => metadata.append(name, value));
  const text =
    code === undefined ? `the response has the unknown gRPC status ${quoted(status)}` : decodeText(trailers.get("grpc-message") ?? "");
  const error = new ConnectError(text, code ?? Code.Unknown, metadata);
  error.isWireError = true;
  const details = trailers.get("grpc-status-details-bin");
  if (details !== undefined) error.details = decodeDetails(details);
  return error;
}

/** Error for a response that is not gRPC. @see gRPC's http-grpc-status-mapping.md */
export function httpStatusError(status: string | undefined, headers: HeaderList): ConnectError {
  const codes: Readonly<Record<string, Code>> = {
    400: Code.Internal,
    401: Code.Unauthenticated,
    403: Code.PermissionDenied,
    404: Code.Unimplemented,
    429: Code.Unavailable,
    502: Code.Unavailable,
    503: Code.Unavailable,
    504: Code.Unavailable,
  };
  return new ConnectError(
    `the response is not gRPC: HTTP status ${/^\d{3}$/.test(status ?? "") ? status : quoted(status ?? "")}`,
    codes[status ?? ""] ?? Code.Unknown,
    headersOf(headers),
  );
}

/** Error for a stream that was reset. @see gRPC's PROTOCOL-HTTP2.md, Errors */
export function resetError(code: number, reason: string | undefined): ConnectError {
  const text = reason ?? `the peer reset the stream: ${errorName(code)}`;
  switch (code) {
    case errorCode.refusedStream:
      return new ConnectError(text, Code.Unavailable);
    case errorCode.cancel:
      return new ConnectError(text, Code.Canceled);
    case errorCode.enhanceYourCalm:
      return new ConnectError(text, Code.ResourceExhausted);
    case errorCode.inadequateSecurity:
      return new ConnectError(text, Code.PermissionDenied);
    default:
      return new ConnectError(text, Code.Internal);
  }
}

/** Percent-encodes everything but printable ASCII. @see gRPC's PROTOCOL-HTTP2.md, Status-Message */
function encodeText(text: string): string {
  if (/^[ -$&-~]*$/.test(text)) return text;
  let encoded = "";
  for (const byte of Buffer.from(text, "utf8")) {
    const plain = byte >= 0x20 && byte <= 0x7e && byte !== 0x25;
    encoded += plain ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return encoded;
}

/** Decodes a percent-encoded text. Invalid escapes are kept as they are. */
function decodeText(text: string): string {
  const bytes = text.replaceAll(/%([0-9a-fA-F]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}

/** Encodes a `google.rpc.Status`: 1 code, 2 message, 3 details, each of them 1 type URL, 2 value. */
function encodeStatus(error: ConnectError): string {
  const writer = new BinaryWriter();
  writer.tag(1, WireType.Varint).int32(error.code);
  writer.tag(2, WireType.LengthDelimited).string(error.rawMessage);
  for (const detail of error.details) {
    const { type, value } = asBytes(detail);
    writer.tag(3, WireType.LengthDelimited).fork();
    writer.tag(1, WireType.LengthDelimited).string(`type.googleapis.com/${type}`);
    writer.tag(2, WireType.LengthDelimited).bytes(value).join();
  }
  return Buffer.from(writer.finish()).toString("base64").replace(/=+$/, "");
}

function asBytes(detail: Detail): { readonly type: string; readonly value: Uint8Array } {
  if (!("desc" in detail)) return detail;
  return { type: detail.desc.typeName, value: toBinary(detail.desc, create(detail.desc, detail.value)) };
}

/** Decodes the details of a `google.rpc.Status`; empty when they are malformed, because the status itself is in other headers. */
function decodeDetails(text: string): Detail[] {
  const details: Detail[] = [];
  try {
    eachField(Buffer.from(text, "base64"), (field, bytes) => {
      if (field !== 3) return;
      const detail = { type: "", value: new Uint8Array(0) };
      eachField(bytes, (part, content) => {
        if (part === 1) detail.type = Buffer.from(content).toString("utf8").replace(/^.*\//, "");
        if (part === 2) detail.value = new Uint8Array(content);
      });
      details.push(detail);
    });
  } catch {
    return [];
  }
  return details;
}

/** Calls `handle` with each length-delimited field of a message. */
function eachField(message: Uint8Array, handle: (field: number, bytes: Uint8Array) => void): void {
  const reader = new BinaryReader(message);
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    if (wireType === WireType.LengthDelimited) handle(field, reader.bytes());
    else reader.skip(wireType, field);
  }
}
