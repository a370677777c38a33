// SPDX-License-Identifier: Apache-2.0
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  arbitraryChunk,
  arbitraryExchanges,
  arbitraryOffer,
  type Exchange,
  type Exchanges,
  type Offer,
} from "../../test/wire/arbitrary-message.ts";
import { joinedProvider } from "../../test/wire/joined-provider.ts";
import { recordingProvider, type Answers, type RecordedCall } from "../../test/wire/recording-provider.ts";
import { valueEquality } from "../../test/wire/value-equality.ts";
import type { StateChunk } from "../messages/state-store.ts";
import type { Provider, StreamingCall, UnaryCall } from "../provider.ts";

expect.addEqualityTesters([valueEquality as never]);

const runs = { numRuns: 5, interruptAfterTimeLimit: 8000 };

/** A client of a provider that offers and answers what it is told to. */
function joined(version: 5 | 6, { schema, identities }: Offer, answers: Answers): { client: Provider; calls: RecordedCall[] } {
  const { provider, calls } = recordingProvider({
    getProviderSchema: schema,
    getResourceIdentitySchemas: { identitySchemas: identities, diagnostics: [] },
    ...answers,
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
const names = Object.keys(arbitraryExchanges(fc.sample(arbitraryOffer(6), 1)[0]!)) as (keyof Exchanges)[];

describe.for([5, 6] as const)("protocol %i", (version) => {
  const offer = arbitraryOffer(version);
  const carried = names.filter((name) => version === 6 || !stateStoreCalls.has(name));

  test.for(carried)("%s: the provider gets what was asked, the caller what was answered", async (name) => {
    // Schemas are what takes time to generate, so each serves several calls.
    const exchanges = offer.chain((offered) =>
      fc
        .array(arbitraryExchanges(offered)[name] as fc.Arbitrary<Exchange>, { minLength: 4, maxLength: 4 })
        .map((all) => ({ offered, all })),
    );
    await fc.assert(
      fc.asyncProperty(exchanges, async ({ offered, all }) => {
        const responses = all.map(({ response }) => response);
        const { client, calls } = joined(version, offered, { [name]: () => responses.shift() });
        for (const { request, response } of all) {
          const answer = streams.has(name)
            ? await collected((client[name] as StreamingCall<unknown, unknown>)(request))
            : await (client[name] as UnaryCall<unknown, unknown>)(request);
          expect(answer).toEqual(response);
        }
        expect(calls.filter((call) => call.name === name).map((call) => call.request)).toEqual(all.map(({ request }) => request));
      }),
      runs,
    );
  });

  test("schemas arrive as they are", async () => {
    await fc.assert(
      fc.asyncProperty(offer, async (offered) => {
        const { client } = joined(version, offered, {});
        expect(await client.getProviderSchema({})).toEqual(offered.schema);
        expect(await client.getResourceIdentitySchemas({})).toEqual({ identitySchemas: offered.identities, diagnostics: [] });
      }),
      runs,
    );
  });
});

test("writeStateBytes: the provider gets the target and every chunk", async () => {
  const [offered] = fc.sample(arbitraryOffer(6), 1);
  await fc.assert(
    fc.asyncProperty(fc.array(arbitraryChunk, { maxLength: 4 }), async (sent) => {
      const received: StateChunk[] = [];
      const { client, calls } = joined(6, offered!, {
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
