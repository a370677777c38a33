// SPDX-License-Identifier: Apache-2.0
import { StringDecoder } from "node:string_decoder";
import { parseJson } from "../../values/json-value.ts";
import { ApiError, type ApiStatus } from "./api-error.ts";
import type { KubernetesObject } from "./kubernetes-object.ts";

/**
 * An event of a watch. The object of a bookmark has only its type, `metadata.resourceVersion` and possibly annotations. The object of a deletion
 * is its last state.
 */
export interface WatchEvent<Item extends KubernetesObject = KubernetesObject> {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK";
  readonly object: Item;
}

/**
 * Parses the lines of a watch.
 *
 * @throws ApiError for an event of type `ERROR`, such as an expired version.
 */
export async function* watchEvents<Item extends KubernetesObject>(
  request: string,
  body: AsyncIterable<Buffer>,
): AsyncGenerator<WatchEvent<Item>> {
  const decoder = new StringDecoder("utf8");
  let pieces: string[] = [];
  for await (const chunk of body) {
    const lines = decoder.write(chunk).split("\n");
    for (const [index, line] of lines.entries()) {
      pieces.push(line);
      // The last line continues in the next chunk.
      if (index === lines.length - 1) break;
      const text = pieces.join("");
      pieces = [];
      if (text !== "") yield parsedEvent<Item>(request, text);
    }
  }
}

function parsedEvent<Item extends KubernetesObject>(request: string, line: string): WatchEvent<Item> {
  const event = parseJson(line) as unknown as WatchEvent<Item> | { readonly type: "ERROR"; readonly object: ApiStatus };
  if (event.type === "ERROR") throw new ApiError({ request, status: event.object.code ?? 500, response: event.object });
  return event;
}
