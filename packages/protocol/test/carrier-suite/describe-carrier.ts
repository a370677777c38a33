// SPDX-License-Identifier: Apache-2.0
import { describe } from "vitest";
import { type CarrierPair, linkKinds } from "../probe-link.ts";
import { admissionTests } from "./admission.ts";
import { callTests } from "./calls.ts";
import { endingTests } from "./endings.ts";
import { flowTests } from "./flow-control.ts";
import { linkTests } from "./links.ts";

/** What every pair of a carrier's client and a carrier's server must do, over real sockets. */
export function describeCarrier(name: string, pair: CarrierPair): void {
  describe(name, () => {
    for (const link of linkKinds) {
      describe(`over ${link.network}, ${link.secure ? "TLS" : "plaintext"}`, () => {
        linkTests(pair, link);
      });
    }
    describe("calls", () => {
      callTests(pair);
    });
    describe("limits and flow", () => {
      flowTests(pair);
    });
    describe("who may connect", () => {
      admissionTests(pair);
    });
    describe("how it ends", () => {
      endingTests(pair);
    });
  });
}
