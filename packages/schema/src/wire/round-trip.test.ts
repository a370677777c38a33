// SPDX-License-Identifier: Apache-2.0
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  arbitraryChunk,
  arbitraryExchanges,
  arbitraryProviderSchemas,
  type Exchange,
  type Exchanges,
  type ProviderSchemas,
} from "../../test/wire/arbitrary-message.ts";
import { joinedProvider } from "../../test/wire/joined-provider.ts";
import { recordingProvider, type CannedResponses, type RecordedCall } from "../../test/wire/recording-provider.ts";
import { valueEquality } from "../../test/wire/value-equality.ts";
import type { StateChunk } from "../messages/state-store.ts";
import type { Provider, StreamingCall, UnaryCall } from "../provider/provider.ts";

expect.addEqualityTesters([valueEquality as never]);

const runs = { numRuns: 5, interruptAfterTimeLimit: 8000 };

/** Creates a client of a provider with the given schemas and responses. */
function joined(
  version: 5 | 6,
  { schema, identities }: ProviderSchemas,
  responses: CannedResponses,
): { client: Provider; calls: RecordedCall[] } {
  const { provider, calls } = recordingProvider({
    getProviderSchema: schema,
    getResourceIdentitySchemas: { identitySchemas: identities, diagnostics: [] },
    ...responses,
  });
  return { client: joinedProvider(version, provider), calls };
}

const streams: ReadonlySet<string> = new Set(["listResource", "invokeAction", "readStateBytes"]);
const stateStoreCalls: ReadonlySet<string> = new Set([
  "validateStateStoreConfig",
  "configureStateStore",
  "readStateBytes",
  "lockState",
  "unlockState",
  "getStates",
  "deleteState",
]);
const names = Object.keys(arbitraryExchanges(fc.sample(arbitraryProviderSchemas(6), 1)[0]!)) as (keyof Exchanges)[];

describe.for([5, 6] as const)("protocol %i", (version) => {
  const anySchemas = arbitraryProviderSchemas(version);
  const carried = names.filter((name) => version === 6 || !stateStoreCalls.has(name));

  test.for(carried)("%s carries the request to the provider and the response to the caller", async (name) => {
    // Schemas take most of the time to generate, so that each is used for several calls.
    const exchanges = anySchemas.chain((schemas) =>
      fc
        .array(arbitraryExchanges(schemas)[name] as fc.Arbitrary<Exchange>, { minLength: 4, maxLength: 4 })
        .map((all) => ({ schemas, all })),
    );
    await fc.assert(
      fc.asyncProperty(exchanges, async ({ schemas, all }) => {
        const responses = all.map(({ response }) => response);
        const { client, calls } = joined(version, schemas, { [name]: () => responses.shift() });
        for (const { request, response } of all) {
          const received = streams.has(name)
            ? await collected((client[name] as StreamingCall<unknown, unknown>)(request))
            : await (client[name] as UnaryCall<unknown, unknown>)(request);
          expect(received).toEqual(response);
        }
        expect(calls.filter((call) => call.name === name).map((call) => call.request)).toEqual(all.map(({ request }) => request));
      }),
      runs,
    );
  });

  test("carries schemas unchanged", async () => {
    await fc.assert(
      fc.asyncProperty(anySchemas, async (schemas) => {
        const { client } = joined(version, schemas, {});
        expect(await client.getProviderSchema({})).toEqual(schemas.schema);
        expect(await client.getResourceIdentitySchemas({})).toEqual({ identitySchemas: schemas.identities, diagnostics: [] });
      }),
      runs,
    );
  });
});

test("writeStateBytes carries the target and every chunk to the provider", async () => {
  const [schemas] = fc.sample(arbitraryProviderSchemas(6), 1);
  await fc.assert(
    fc.asyncProperty(fc.array(arbitraryChunk, { maxLength: 4 }), async (sent) => {
      const received: StateChunk[] = [];
      const { client, calls } = joined(6, schemas!, {
        writeStateBytes: async ({ chunks }: { chunks: AsyncIterable<StateChunk> }) => {
          for await (const chunk of chunks) received.push(chunk);
          return { diagnostics: [] };
        },
      });
      const chunks = (async function* () {
        yield* sent;
      })();
      expect(await client.writeStateBytes({ typeName: "store", stateId: "default", chunks })).toEqual({ diagnostics: [] });
      expect(calls.at(-1)?.request).toMatchObject({ typeName: "store", stateId: "default" });
      expect(received).toEqual(sent);
    }),
    runs,
  );
});

async function collected(events: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const event of events) all.push(event);
  return all;
}
