// SPDX-License-Identifier: Apache-2.0
import {
  mapCalls,
  ProviderError,
  type AnyUnaryCall,
  type CallName,
  type GetProviderSchemaResponse,
  type ProviderCalls,
} from "@tenon/schema";
import { PluginHostError } from "../error.ts";
import { holdsValues, mayHaveSecrets, secretsOfCall } from "../secrets/message-secrets.ts";
import { secretTexts } from "../secrets/message-texts.ts";
import { CallSecrets } from "./call-secrets.ts";
import type { SessionSecrets } from "./session-secrets.ts";

/**
 * Wraps calls so that their errors hold no secrets: the secrets of all calls in flight are masked in the errors of the provider. Each call
 * that may have secrets is added to the session, so that the provider's log and the report of a crash are masked as well.
 */
export function maskErrors(calls: ProviderCalls, session: SessionSecrets): ProviderCalls {
  let schema: GetProviderSchemaResponse | undefined;
  const secretsOf = (method: CallName, request: object): CallSecrets =>
    new CallSecrets(session.configured, request, (message) => secretTexts(message, secretsOfCall(method, request, schema)));
  const unary = (call: AnyUnaryCall, method: CallName): AnyUnaryCall => {
    if (method === "getProviderSchema") {
      return async (request, options) => {
        const response = await call(request, options);
        schema = response as GetProviderSchemaResponse;
        return response;
      };
    }
    if (!holdsValues(method)) return call;
    return async (request, options) => {
      if (!mayHaveSecrets(method, request, schema)) {
        return call(request, options).catch((error: unknown) => {
          throw maskedError(error, session);
        });
      }
      const secrets = secretsOf(method, request);
      if (method === "configureProvider") session.configured.addTexts(() => secretTexts(request, secretsOfCall(method, request, schema)));
      session.begin(secrets, { responseIsSecret: method === "openEphemeralResource" });
      try {
        const response = await call(request, options);
        secrets.addResponse(response);
        return response;
      } catch (error) {
        throw maskedError(error, session);
      } finally {
        session.end(secrets);
      }
    };
  };
  return mapCalls(calls, {
    unary,
    streaming: (call, method) =>
      async function* (request, options) {
        const secrets = secretsOf(method, request);
        session.begin(secrets);
        try {
          for await (const item of call(request, options)) {
            secrets.addResponse(item);
            yield item;
          }
        } catch (error) {
          throw maskedError(error, session);
        } finally {
          session.end(secrets);
        }
      },
  });
}

/** Returns the same error, or a masked copy of an error that holds a secret. */
function maskedError(error: unknown, session: SessionSecrets): unknown {
  if (!(error instanceof ProviderError)) return error;
  const message = session.hide(error.message);
  const cause = maskedCause(error.cause, session);
  if (message === error.message && cause === error.cause) return error;
  return new ProviderError(error.code, message, { cause, requestSent: error.requestSent });
}

function maskedCause(cause: unknown, session: SessionSecrets): unknown {
  // The report of a crash is already masked.
  if (!(cause instanceof Error) || cause instanceof PluginHostError) return cause;
  const message = session.hide(cause.message);
  return message === cause.message ? cause : new Error(message);
}
