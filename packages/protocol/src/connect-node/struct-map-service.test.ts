// SPDX-License-Identifier: Apache-2.0
import { create, type MessageShape } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { structMapRegistration } from "../carrier/struct-map.ts";
import { CheckRequestSchema, ResourceProvider } from "../gen/pulumi/provider_pb.ts";
import { withStructMaps } from "./struct-map-service.ts";

test("a request of Connect has its Structs as maps, if the service takes maps", () => {
  let received: unknown;
  const { implementation } = withStructMaps(
    structMapRegistration(ResourceProvider, {
      check: ({ news, olds, urn }) => {
        received = { news, olds, urn };
        return {};
      },
    }),
  );
  const check = implementation["check"] as unknown as (request: MessageShape<typeof CheckRequestSchema>) => unknown;
  check(create(CheckRequestSchema, { urn: "u", news: { a: [{ b: null }] } }));
  expect(received).toEqual({ urn: "u", olds: undefined, news: new Map([["a", [new Map([["b", null]])]]]) });
});
