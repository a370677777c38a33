// SPDX-License-Identifier: Apache-2.0
import type { HeaderList } from "../hpack/header-list.ts";

/** Headers that the protocol sets. Callers and handlers cannot set them. */
const reserved: ReadonlySet<string> = new Set(["content-type", "content-length", "te", "user-agent", "host", "date", "trailer"]);
const connectionHeaders: ReadonlySet<string> = new Set(["connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade"]);

/** Headers of a list, without pseudo-headers. */
export function headersOf(list: HeaderList | undefined): Headers {
  const headers = new Headers();
  const fields = list?.fields ?? [];
  for (let index = 0; index < fields.length; index += 2) {
    if (!fields[index]!.startsWith(":")) headers.append(fields[index]!, fields[index + 1]!);
  }
  return headers;
}

/** Names and values, alternating, of the headers that a caller or handler sets. Headers of the protocol are omitted. */
export function metadataFields(headers: Headers): string[] {
  const fields: string[] = [];
  headers.forEach((value, name) => {
    if (!reserved.has(name) && !connectionHeaders.has(name) && !name.startsWith("grpc-")) fields.push(name, value);
  });
  return fields;
}
