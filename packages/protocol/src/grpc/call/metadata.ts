// SPDX-License-Identifier: Apache-2.0
import type { HeaderList } from "../hpack/header-list.ts";

/** Headers that belong to the protocol, not to who calls or answers. */
const reserved: ReadonlySet<string> = new Set(["content-type", "content-length", "te", "user-agent", "host", "date", "trailer"]);
const connectionHeaders: ReadonlySet<string> = new Set(["connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade"]);

/** What a header list says, without HTTP/2's own part. */
export function headersOf(list: HeaderList | undefined): Headers {
  const headers = new Headers();
  const fields = list?.fields ?? [];
  for (let index = 0; index < fields.length; index += 2) {
    if (!fields[index]!.startsWith(":")) headers.append(fields[index]!, fields[index + 1]!);
  }
  return headers;
}

/** Names and values in turn of what a caller or handler adds. What belongs to the protocol is left out. */
export function metadataFields(headers: Headers): string[] {
  const fields: string[] = [];
  headers.forEach((value, name) => {
    if (!reserved.has(name) && !connectionHeaders.has(name) && !name.startsWith("grpc-")) fields.push(name, value);
  });
  return fields;
}
