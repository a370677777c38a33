// SPDX-License-Identifier: Apache-2.0
import { errorDiagnostic, hasErrors, warningDiagnostic, type ListResourceEvent, type ListResourceRequest } from "@tenon/schema";
import { encode } from "../conversion/encode.ts";
import { problemText } from "../conversion/problem.ts";
import { isRecord } from "../conversion/record.ts";
import type { CompiledListResource } from "../schema/list-resource.ts";
import { clientFor } from "./client-access.ts";
import { answered, shown } from "./resource-context.ts";
import { aboutListResource } from "./rpc.ts";
import { requireConforming } from "./served-instance.ts";
import { runHandler, type ServerCall } from "./server-call.ts";
import { drainDiagnostics, type StreamRpc } from "./stream-rpc.ts";

/**
 * What a list finds, one event each, until the limit. Where it fails half-way what was found before stands, and the last event
 * says why there is no more.
 *
 * @see framework rule 41; the framework leaves it to the author to stop at the limit.
 */
export const listResource: StreamRpc<ListResourceRequest, ListResourceEvent> = {
  name: "ListResource",
  about: aboutListResource,
  async *run(instance, request, call) {
    const { typeName, limit, includeResourceObject } = request;
    const list = instance.listResource(typeName);
    requireConforming(list.shape, request.config, `the configuration of the list of ${typeName}`);
    call.secrets.add(list.shape, request.config);
    const access = clientFor(instance, call, `list ${typeName}`);
    const config = shown(list.shape, request.config, "config", "configuration", call);
    if (access.kind === "ready" && config !== undefined) {
      const { signal, warn, log } = call;
      const context = {
        client: access.client,
        config,
        includeResource: includeResourceObject,
        limit: limit > 0 ? limit : undefined,
        signal,
        warn,
        log,
      };
      let count = 0;
      for await (const found of foundBy(list, context, call)) {
        yield eventOf(list, found, includeResourceObject, call);
        if (++count === limit) break;
      }
    }
    const left = drainDiagnostics(call);
    if (left.length > 0) yield { displayName: "", diagnostics: left };
  },
  failed: (_request, diagnostics) => ({ displayName: "", diagnostics }),
};

/** What the author's list gives, until it ends or fails. */
async function* foundBy(list: CompiledListResource, context: object, call: ServerCall): AsyncIterable<unknown> {
  const summary = `Cannot list ${list.typeName}`;
  const begun = await runHandler(call, summary, () => list.list(context));
  if (!begun.ok) return;
  const iterator = iteratorOf(begun.value);
  if (iterator === undefined) {
    call.diagnostics.push(
      errorDiagnostic(
        "Invalid answer of the provider",
        `list of ${list.typeName} answered nothing that can be iterated. This is a bug in the provider.`,
      ),
    );
    return;
  }
  try {
    for (;;) {
      const next = await runHandler(call, summary, async () => iterator.next());
      if (!next.ok || next.value.done === true) return;
      yield next.value.value;
    }
  } finally {
    await iterator.return?.();
  }
}

function iteratorOf(answer: unknown): Iterator<unknown> | AsyncIterator<unknown> | undefined {
  if (typeof answer !== "object" || answer === null) return undefined;
  if (Symbol.asyncIterator in answer) return (answer as AsyncIterable<unknown>)[Symbol.asyncIterator]();
  return Symbol.iterator in answer ? (answer as Iterable<unknown>)[Symbol.iterator]() : undefined;
}

function eventOf(list: CompiledListResource, found: unknown, withResource: boolean, call: ServerCall): ListResourceEvent {
  const { resource, typeName } = list;
  const { identity, displayName, resource: object } = isRecord(found) ? found : {};
  const name = typeof displayName === "string" ? displayName : "";
  const { value, problems } = encode(resource.identity.shape, identity, "answer");
  for (const problem of problems) {
    call.diagnostics.push(
      errorDiagnostic(
        "Incomplete list result",
        `list of ${typeName}: the identity of ${JSON.stringify(name)} ${problemText(problem)}. This is a bug in the provider.`,
      ),
    );
  }
  if (withResource && object === undefined) {
    call.diagnostics.push(
      warningDiagnostic(
        "Incomplete list result",
        `list of ${typeName}: the state of ${JSON.stringify(name)} was asked for, and is not there.`,
      ),
    );
  }
  const state = withResource && object !== undefined ? answered(resource.shape, object, "answer", `list of ${typeName}`, call) : undefined;
  const diagnostics = drainDiagnostics(call);
  if (hasErrors(diagnostics)) return { displayName: name, diagnostics };
  return { identity: value, displayName: name, diagnostics, ...(state === undefined ? {} : { resourceObject: state }) };
}
