// SPDX-License-Identifier: Apache-2.0
import { randomUUID } from "node:crypto";
import type { Value } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { encode } from "@tenon/cty/json";
import { hasErrors, identityType, impliedType, type ListResourceEvent } from "@tenon/schema";
import { BridgeError } from "../../error.ts";
import type { ResourceMapping } from "../mapping/mapping.ts";
import { mapBlock } from "../mapping/object-mapping.ts";
import { isPropertyArray, isPropertyMap, type PropertyMap, type PropertyValue } from "../property/property-value.ts";
import { isUnknown } from "../values/property-equality.ts";
import { propertiesOf } from "../values/property-state.ts";
import { plain, providerValue } from "../values/provider-value.ts";
import { errorTexts, showWarnings, type BridgeContext } from "./bridge-context.ts";

/** Resource in a list. */
export interface ListedResource {
  readonly id: string;
  readonly name: string;
}

/** Request for a page of a list. */
export interface ListRequest {
  readonly token: string;
  readonly query: PropertyMap;
  /** Maximum number of resources; 0 for no limit. */
  readonly limit: number;
  /** Maximum number of resources in a page; 0 for no limit. */
  readonly pageSize: number;
  /** Token that the previous page ended with; empty for the first page. */
  readonly continuationToken: string;
}

/** Event of a list: a resource, the token of the next page, or `computed` if the query is not known yet. */
export type ListEvent =
  | { readonly kind: "resource"; readonly resource: ListedResource }
  | { readonly kind: "continuation"; readonly token: string }
  | { readonly kind: "computed" };

/** Time for which the rest of a list is kept, in milliseconds. */
const continuationMs = 5 * 60_000;

interface OpenList {
  readonly token: string;
  readonly resources: AsyncIterator<ListedResource>;
  readonly timer: NodeJS.Timeout;
  readonly cancel: () => void;
}

/** The lists of one session, which keep their further pages. */
export class ResourceLists {
  readonly #open = new Map<string, OpenList>();

  /**
   * Lists the existing resources of a type, a page at a time. The rest of a list is kept for five minutes.
   *
   * @throws BridgeError `INVALID_REQUEST` for an unknown type or page; `INVALID_PROPERTIES`; `PROVIDER_FAILED`
   */
  async *list(context: BridgeContext, request: ListRequest, signal: AbortSignal): AsyncGenerator<ListEvent, void> {
    const resources = request.continuationToken === "" ? this.#begin(context, request) : this.#continue(request);
    if (resources === undefined) {
      yield { kind: "computed" };
      return;
    }
    const onAbort = resources.cancel;
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      for (let sent = 0; request.pageSize === 0 || sent < request.pageSize; sent += 1) {
        const next = await resources.iterator.next();
        if (next.done === true) return;
        yield { kind: "resource", resource: next.value };
      }
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
    yield { kind: "continuation", token: this.#keep(request.token, resources) };
  }

  /** Drops the rest of every list. */
  close(): void {
    for (const { timer, cancel } of this.#open.values()) {
      clearTimeout(timer);
      cancel();
    }
    this.#open.clear();
  }

  #begin(context: BridgeContext, { token, query, limit }: ListRequest): RunningList | undefined {
    const resource = context.mapping.resources.get(token);
    const schema = resource?.listSchema;
    if (resource === undefined || schema === undefined) {
      throw new BridgeError(
        "INVALID_REQUEST",
        `the package ${context.mapping.name} cannot list resources of type ${JSON.stringify(token)}`,
      );
    }
    if (holdsUnknown(query)) return undefined;
    const { value, problems } = providerValue(mapBlock(schema.block), impliedType(schema.block), query, { of: "config" });
    if (problems.length > 0) {
      const texts = problems.map(({ property, reason }) => `${property}: ${reason}`);
      throw new BridgeError("INVALID_PROPERTIES", `the query is invalid: ${texts.join("; ")}`);
    }
    const controller = new AbortController();
    const iterator = listed(context, resource, value, limit, controller.signal);
    return { iterator, cancel: () => controller.abort() };
  }

  #continue({ token, continuationToken }: ListRequest): RunningList {
    const kept = this.#open.get(continuationToken);
    if (kept === undefined || kept.token !== token) {
      throw new BridgeError("INVALID_REQUEST", "the page of the list has expired: start the list again");
    }
    clearTimeout(kept.timer);
    this.#open.delete(continuationToken);
    return { iterator: kept.resources, cancel: kept.cancel };
  }

  #keep(token: string, { iterator, cancel }: RunningList): string {
    const key = randomUUID();
    const drop = (): void => {
      this.#open.delete(key);
      cancel();
    };
    this.#open.set(key, { token, resources: iterator, cancel, timer: setTimeout(drop, continuationMs).unref() });
    return key;
  }
}

interface RunningList {
  readonly iterator: AsyncIterator<ListedResource>;
  readonly cancel: () => void;
}

async function* listed(
  context: BridgeContext,
  resource: ResourceMapping,
  config: Value,
  limit: number,
  signal: AbortSignal,
): AsyncGenerator<ListedResource, void> {
  const { typeName } = resource;
  const includeResourceObject = resource.id.kind === "attribute";
  let count = 0;
  for await (const event of context.provider.listResource({ typeName, config, includeResourceObject, limit }, { signal })) {
    showWarnings(context, event.diagnostics, "");
    if (hasErrors(event.diagnostics)) throw new BridgeError("PROVIDER_FAILED", errorTexts(event.diagnostics).join("\n"));
    yield { id: listedId(resource, event), name: event.displayName };
    count += 1;
    if (limit > 0 && count >= limit) return;
  }
}

/** ID of a listed resource that an import accepts. */
function listedId(resource: ResourceMapping, { identity, resourceObject }: ListResourceEvent): string {
  const { id, identitySchema, object } = resource;
  if (id.kind === "attribute" && resourceObject && resourceObject.payload !== null) {
    const property = object.byAttribute.get(id.name);
    const value = property && propertiesOf(object, resourceObject, { secrets: false }).get(property.property);
    if (typeof value === "string" && value !== "") return value;
  }
  return identity && identitySchema && identity.payload !== null ? encode(identity, identityType(identitySchema), { convert }) : "";
}

function holdsUnknown(value: PropertyValue): boolean {
  const given = plain(value) ?? null;
  if (isPropertyArray(given)) return given.some(holdsUnknown);
  return isPropertyMap(given) ? given.values().some(holdsUnknown) : isUnknown(given);
}
