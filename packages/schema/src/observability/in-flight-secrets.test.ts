// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { HiddenTexts } from "./hidden-texts.ts";
import { InFlightSecrets } from "./in-flight-secrets.ts";

function secretsOf(...texts: string[]): HiddenTexts {
  const secrets = new HiddenTexts();
  secrets.addTexts(() => texts);
  return secrets;
}

describe("InFlightSecrets", () => {
  test("masks the secrets of all calls in flight, and of calls that ended within the last seconds", ({ expect }) => {
    const inFlight = new InFlightSecrets();
    const [first, second] = [secretsOf("first"), secretsOf("second")];
    inFlight.begin(first);
    inFlight.begin(second);
    expect(inFlight.hide("first, second")).toBe("(sensitive value), (sensitive value)");
    inFlight.end(first);
    expect(inFlight.hideIn({ text: "first, second" })).toEqual({ text: "(sensitive value), (sensitive value)" });
  });

  test("keeps the secrets of the last 16 ended calls", ({ expect }) => {
    const inFlight = new InFlightSecrets();
    for (let index = 10; index < 30; index++) {
      const secrets = secretsOf(`secret-${index}`);
      inFlight.begin(secrets);
      inFlight.end(secrets);
    }
    expect(inFlight.hide("secret-13 secret-14 secret-29")).toBe("secret-13 (sensitive value) (sensitive value)");
  });

  test("holds output back during a call with a secret response, and masks the response in it afterwards", ({ expect }) => {
    const inFlight = new InFlightSecrets();
    const issued: string[] = [];
    const secrets = new HiddenTexts();
    secrets.addTexts(() => issued);
    inFlight.begin(secrets, { responseIsSecret: true });
    const output: string[] = [];
    expect(inFlight.isHolding).toBe(true);
    inFlight.hold(() => output.push(inFlight.hide("made token-1")));
    expect(output).toEqual([]);
    issued.push("token-1");
    inFlight.end(secrets);
    expect(output).toEqual(["made (sensitive value)"]);
    expect(inFlight.isHolding).toBe(false);
    // The host uses the token from now on.
    for (let index = 0; index < 20; index++) {
      const later = secretsOf(`other-${index}`);
      inFlight.begin(later);
      inFlight.end(later);
    }
    expect(inFlight.hide("token-1")).toBe("(sensitive value)");
  });

  test("passes each call to its parent", ({ expect }) => {
    const parent = new InFlightSecrets();
    const child = new InFlightSecrets(parent);
    const secrets = secretsOf("hidden");
    child.begin(secrets, { responseIsSecret: true });
    expect([parent.hide("hidden"), parent.isHolding]).toEqual(["(sensitive value)", true]);
    child.end(secrets);
    expect(parent.isHolding).toBe(false);
  });
});
