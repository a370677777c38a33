// SPDX-License-Identifier: Apache-2.0
import { errorDiagnostic, hasErrors, warningDiagnostic, type ListResourceEvent, type ListResourceRequest } from "@tenon/schema";
import { encode } from "../../conversion/encode.ts";
import { problemText } from "../../conversion/problem.ts";
import { isRecord } from "../../conversion/record.ts";
import type { CompiledListResource } from "../../compile/list-resource.ts";
import { clientFor } from "../call/client-access.ts";
import { encodeResult, decodeView } from "../call/handler-values.ts";
import { aboutListResource } from "../call/rpc.ts";
import { requireConforming } from "../instance/served-instance.ts";
import { runHandler, type ServerCall } from "../call/server-call.ts";
import { drainDiagnostics, type StreamRpc } from "../call/stream-rpc.ts";
import { handlerContext } from "../call/handler-context.ts";

/**
 * Lists resources, one event for each, up to the limit. If the handler fails after some results, these have been sent already, and the
 * last event carries the error.
 *
 * @see rule 41 in test/rules; the framework leaves it to the author to stop at the limit.
 */
export const listResource: StreamRpc<ListResourceRequest, ListResourceEvent> = {
  name: "ListResource",
  logFields: aboutListResource,
  async *run(instance, request, call) {
    const { typeName, limit, includeResourceObject } = request;
    const list = instance.listResource(typeName);
    requireConforming(list.shape, request.config, `the configuration of the list of ${typeName}`);
    call.secrets.add(list.shape, request.config);
    const access = clientFor(instance, call, `list ${typeName}`);
    const config = decodeView(list.shape, request.config, "config", "configuration", call);
    if (access.kind === "ready" && config !== undefined) {
      const context = handlerContext(call, {
        client: access.client,
        config,
        includeResource: includeResourceObject,
        limit: limit > 0 ? limit : undefined,
      });
      let count = 0;
      for await (const found of resultsOf(list, context, call)) {
        yield eventOf(list, found, includeResourceObject, call);
        if (++count === limit) break;
      }
    }
    const remaining = drainDiagnostics(call);
    if (remaining.length > 0) yield { displayName: "", diagnostics: remaining };
  },
  failed: (_request, diagnostics) => ({ displayName: "", diagnostics }),
};

/** Yields the results of the author's `list`, until it ends or fails. */
async function* resultsOf(list: CompiledListResource, context: object, call: ServerCall): AsyncIterable<unknown> {
  const summary = `Cannot list ${list.typeName}`;
  const listed = await runHandler(call, summary, () => list.list(context));
  if (!listed.ok) return;
  const iterator = iteratorOf(listed.value);
  if (iterator === undefined) {
    call.diagnostics.push(
      errorDiagnostic(
        "Invalid result from the provider",
        `list of ${list.typeName} must return an iterable or an async iterable. This is a bug in the provider.`,
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

function iteratorOf(result: unknown): Iterator<unknown> | AsyncIterator<unknown> | undefined {
  if (typeof result !== "object" || result === null) return undefined;
  if (Symbol.asyncIterator in result) return (result as AsyncIterable<unknown>)[Symbol.asyncIterator]();
  return Symbol.iterator in result ? (result as Iterable<unknown>)[Symbol.iterator]() : undefined;
}

function eventOf(list: CompiledListResource, found: unknown, withResource: boolean, call: ServerCall): ListResourceEvent {
  const { resource, typeName } = list;
  const { identity, displayName, resource: object } = isRecord(found) ? found : {};
  const name = typeof displayName === "string" ? displayName : "";
  const { value, problems } = encode(resource.identity.shape, identity, "result");
  for (const problem of problems) {
    const where = problem.path.length === 0 ? `the identity of ${JSON.stringify(name)}` : `in the identity of ${JSON.stringify(name)},`;
    const detail = `list of ${typeName}: ${where} ${problemText(problem)}. This is a bug in the provider.`;
    call.diagnostics.push(errorDiagnostic("Incomplete list result", detail));
  }
  if (withResource && object === undefined) {
    call.diagnostics.push(
      warningDiagnostic(
        "Incomplete list result",
        `list of ${typeName}: the state of ${JSON.stringify(name)} was requested, but is missing.`,
      ),
    );
  }
  const state =
    withResource && object !== undefined ? encodeResult(resource.shape, object, "result", `list of ${typeName}`, call) : undefined;
  const diagnostics = drainDiagnostics(call);
  if (hasErrors(diagnostics)) return { displayName: name, diagnostics };
  return { identity: value, displayName: name, diagnostics, ...(state === undefined ? {} : { resourceObject: state }) };
}
