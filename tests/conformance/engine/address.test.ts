// SPDX-License-Identifier: Apache-2.0
// Compares how the engine and OpenTofu parse, format and order addresses.
import {
  compareResourceInstances,
  formatAbsoluteResource,
  formatConfigResource,
  formatModuleInstance,
  formatMoveEndpoint,
  formatProvider,
  formatProviderConfig,
  formatProviderConfigInstance,
  formatProviderForDisplay,
  formatReference,
  formatReferenceSubject,
  formatRemoveEndpoint,
  formatResourceInstance,
  formatTarget,
  moveEndpointOf,
  parseAbsoluteResource,
  parseConfigResource,
  parseLegacyProviderConfig,
  parseModuleInstance,
  parseProvider,
  parseProviderConfigInstance,
  parseReference,
  parseResourceInstance,
  parseTarget,
  removeEndpointOf,
  requireAddress,
  type ParsedAddress,
} from "@tenon/engine/address";
import { parseTraversal, type Traversal } from "@tenon/hcl";
import { describePeer } from "@tenon/peers/vitest";
import { test } from "vitest";
import { openOracle } from "../cty/oracle.ts";
import { createRandom, type Random } from "@tenon/testing/generate";
import { diagnosticsNotation, withoutEmptyRanges, type DiagnosticNotation } from "./diagnostic-notation.ts";

interface AddressAnswer {
  readonly text?: string;
  readonly diagnostics: readonly DiagnosticNotation[];
}

/** The engine's counterparts of the oracle's operations on one text. */
const readers: Readonly<Record<string, (text: string) => AddressAnswer>> = {
  "address.target": reader(parseTarget, formatTarget),
  "address.resource": reader(parseAbsoluteResource, formatAbsoluteResource),
  "address.resourceInstance": reader(parseResourceInstance, formatResourceInstance),
  "address.configResource": reader(parseConfigResource, formatConfigResource),
  "address.moduleInstance": reader(parseModuleInstance, formatModuleInstance),
  "address.providerConfig": reader(parseProviderConfigInstance, formatProviderConfigInstance),
  "address.legacyProviderConfig": reader(parseLegacyProviderConfig, formatProviderConfig),
  "address.moveEndpoint": reader(ofTraversal(moveEndpointOf), formatMoveEndpoint),
  "address.removeEndpoint": reader(ofTraversal(removeEndpointOf), formatRemoveEndpoint),
  "address.reference": reader(
    parseReference,
    (reference) => `${formatReferenceSubject(reference.subject)} | ${formatReference(reference)}`,
  ),
  "address.provider": (text) => {
    const { provider, diagnostics } = parseProvider(text);
    return answer(provider && `${formatProvider(provider)} | ${formatProviderForDisplay(provider)}`, diagnosticsNotation(diagnostics));
  },
};

function reader<T>(parse: (text: string) => ParsedAddress<T>, format: (address: T) => string): (text: string) => AddressAnswer {
  return (text) => {
    const { address, diagnostics } = parse(text);
    return answer(address === undefined ? undefined : format(address), diagnosticsNotation(diagnostics));
  };
}

function ofTraversal<T>(parse: (traversal: Traversal) => ParsedAddress<T>): (text: string) => ParsedAddress<T> {
  return (text) => {
    const { traversal, diagnostics } = parseTraversal(text, "", { recovery: "first-error" });
    return diagnostics.length > 0 ? { diagnostics } : parse(traversal);
  };
}

function answer(text: string | undefined, diagnostics: readonly DiagnosticNotation[]): AddressAnswer {
  return text === undefined ? { diagnostics } : { text, diagnostics };
}

const words = ["a", "b_c", "module", "data", "ephemeral", "resource", "provider", "var", "local", "each", "count", "self", "path"];
const rarer = ["terraform", "tofu", "lazy", "arg", "template", "m", "x-y", "größe"];
const keys = ["[0]", "[12]", '["k"]', '["a.b"]', '["q\\"\\n$${x}"]', "[1.5]", "[true]", '["ä\\u0007"]', "[-1]", "[1e3]", ".0"];
const providers =
  "time hashicorp/time Example.COM/a/b -/x a.b/-/x  a//b a/b/c/d a.b a--b/c -a/b a/terraform-x a/terraform-provider-x a/opentofu-provider- opentofu-x exämple.com/a/b example.com:443/a/b example.com:8443/a/b https://x/y xn--exmple-cua.com/a/b a..b/c/d terraform.io/builtin/terraform x.y:/a/b x.y:99999/a/b a/b_c a/ä".split(
    " ",
  );

function address(random: Random): string {
  const word = (): string => random.pick(random.chance(0.85) ? words : rarer);
  const modules = random.chance(0.5) ? "" : Array.from({ length: random.int(3) }, () => `module.${word()}${key(0.4)}.`).join("");
  const provider = random.chance(0.15) ? `provider[${JSON.stringify(random.pick(providers))}]` : undefined;
  const rest = Array.from({ length: 1 + random.int(4) }, () => word() + key(0.2)).join(".");
  return provider === undefined ? modules + rest : `${modules}${provider}${random.chance(0.5) ? `.${rest}` : ""}`;

  function key(probability: number): string {
    return random.chance(probability) ? random.pick(keys) : "";
  }
}

describePeer(["engine-oracle"], "addresses beside OpenTofu", () => {
  test("are parsed and formatted the same, with the same diagnostics", async ({ expect }) => {
    const random = createRandom(20_261_122);
    const texts = [...Array.from({ length: 1500 }, () => address(random)), "provider::a::b", "provider::a", "a..b", "", "a[", "module"];
    const cases = [
      ...texts.flatMap((text) => Object.keys(readers).flatMap((op) => (op === "address.provider" ? [] : [{ op, args: [text] }]))),
      ...providers.map((text) => ({ op: "address.provider", args: [text] })),
    ];
    const oracle = await openOracle({ peer: "engine-oracle", repeats: 1 });
    try {
      const answers = await oracle.ask(cases);
      const differences = cases.flatMap(({ op, args: [text] }, index) => {
        const answer = answers[index]!;
        if (!("ok" in answer)) return [JSON.stringify({ op, text, answer })];
        const { diagnostics, ...rest } = answer.ok as unknown as AddressAnswer;
        const theirs = { ...rest, diagnostics: withoutEmptyRanges(diagnostics) };
        const ours = readers[op]!(text!);
        return JSON.stringify(theirs) === JSON.stringify(ours) ? [] : [JSON.stringify({ op, text, theirs, ours })];
      });
      expect(differences).toEqual([]);
    } finally {
      oracle.close();
    }
  });

  test("have the same order", async ({ expect }) => {
    const random = createRandom(20_261_123);
    const modules = ["", "module.a.", "module.a[2].", "module.a[10].", 'module.a["2"].', "module.b.", "module.a.module.b."];
    const instance = (): string =>
      `${random.pick(modules)}${random.pick(["", "data.", "ephemeral."])}${random.pick(["a", "B", "é"])}.${random.pick(["a", "b"])}${random.pick(["", "[2]", "[10]", '["2"]', '["\u{1f600}"]', '["\uffee"]'])}`;
    const cases = Array.from({ length: 1500 }, () => ({ op: "address.order", args: [instance(), instance()] }));
    const oracle = await openOracle({ peer: "engine-oracle", repeats: 1 });
    try {
      const answers = await oracle.ask(cases);
      const differences = cases.flatMap(({ args }, index) => {
        const [left, right] = args.map((text) => requireAddress(text, parseResourceInstance(text)));
        const ours = Math.sign(compareResourceInstances(left!, right!));
        const answer = answers[index]!;
        return "ok" in answer && (answer.ok as unknown) === ours ? [] : [JSON.stringify({ args, answer, ours })];
      });
      expect(differences).toEqual([]);
    } finally {
      oracle.close();
    }
  });
});
