// SPDX-License-Identifier: Apache-2.0
import { type CarrierSession, type RequestStruct, sessionKey } from "@tenon/protocol/carrier";
import { BridgeError } from "../../error.ts";
import type { PropertyMap } from "../property/property-value.ts";
import { resourceContext, type ResourceContext } from "../resource/resource-context.ts";
import { asCallError } from "./call-failure.ts";
import type { CallCancellation, PluginSession } from "./plugin-session.ts";
import type { SessionRegistry } from "./session-registry.ts";

/** The context of a call, as the carrier passes it to a handler. */
export interface CallContext extends CallCancellation {
  readonly values: { get(key: typeof sessionKey): CarrierSession | undefined };
}

/** Maximum delay of a timer in Node.js, in milliseconds. */
const maxTimerMs = 2_147_483_647;

/** Handles a call about a resource. @param decode - decodes the properties of the resource. */
type HandleResource<Response> = (
  session: PluginSession,
  resource: ResourceContext,
  decode: (struct: RequestStruct | undefined) => PropertyMap,
) => Promise<Response>;

/** Finds the session of each call, and converts the errors of its handler. */
export class ProviderCalls {
  readonly #sessions: SessionRegistry;

  constructor(sessions: SessionRegistry) {
    this.#sessions = sessions;
  }

  /** Returns the session that a call continues. */
  sessionOf({ values }: CallContext): PluginSession {
    return this.#sessions.continued(values.get(sessionKey)!);
  }

  /** Handles a call, and converts its errors. */
  async run<Response>(
    context: CallContext,
    handle: (session: PluginSession, signal: AbortSignal) => Promise<Response>,
    phase: "begin" | "continue" = "continue",
  ): Promise<Response> {
    const connection = context.values.get(sessionKey)!;
    const session = phase === "begin" ? this.#sessions.begun(connection) : this.#sessions.continued(connection);
    try {
      return await session.tracked(context, (signal) => handle(session, signal));
    } catch (error) {
      throw asCallError(error);
    }
  }

  /** Handles a call about a resource that needs a configured provider. */
  onConfigured<Response>(context: CallContext, urn: string, timeout: number, handle: HandleResource<Response>): Promise<Response> {
    return this.onResource(context, urn, timeout, (session, resource, decode) => {
      assertConfigured(session, resource.mapping);
      return handle(session, resource, decode);
    });
  }

  /** Handles a call about a resource, within its time limit in seconds. */
  onResource<Response>(context: CallContext, urn: string, timeout: number, handle: HandleResource<Response>): Promise<Response> {
    return this.run(context, async (session, signal) => {
      const limited = timeout > 0 ? AbortSignal.any([signal, AbortSignal.timeout(Math.min(timeout * 1000, maxTimerMs))]) : signal;
      const resource = await resourceContext(await session.context(), urn, limited);
      return await handle(session, resource, (struct) => session.decode(struct, resource.resource));
    });
  }
}

/** Requires a configured provider: some providers crash when they are used before. @throws BridgeError `INVALID_REQUEST` */
export function assertConfigured(session: PluginSession, { name }: { readonly name: string }): void {
  if (session.config === undefined) {
    throw new BridgeError("INVALID_REQUEST", `the provider of package ${name} is not configured: call Configure first`);
  }
}
