// SPDX-License-Identifier: Apache-2.0
import { create, type MessageShape } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { structMapRegistration } from "../carrier/struct-map.ts";
import { CheckRequestSchema, ResourceProvider } from "../gen/pulumi/provider_pb.ts";
import { withStructMaps } from "./struct-map-service.ts";

test("a request of Connect has Structs that are read as maps, if the service takes maps", () => {
  let received: unknown;
  const { implementation } = withStructMaps(
    structMapRegistration(ResourceProvider, {
      check: ({ news, olds, urn }) => {
        received = { news: news?.read(), picked: news?.pick(new Set(["b"])), olds, urn };
        return {};
      },
    }),
  );
  const check = implementation["check"] as unknown as (request: MessageShape<typeof CheckRequestSchema>) => unknown;
  check(create(CheckRequestSchema, { urn: "u", news: { a: [{ b: null }], b: 1 } }));
  const news = new Map<string, unknown>([
    ["a", [new Map([["b", null]])]],
    ["b", 1],
  ]);
  expect(received).toEqual({ urn: "u", olds: undefined, news, picked: new Map([["b", 1]]) });
});
