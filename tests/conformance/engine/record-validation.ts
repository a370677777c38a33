// SPDX-License-Identifier: Apache-2.0
// Records what `tofu validate -json` reports for all picked configurations, and compares it with the engine: `npm run vectors -- validation`.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findPeer } from "@tenon/peers";
import { providerFactory } from "@tenon/plugin-host";
import { differingConfigurations, faultyConfigurations } from "./faulty-configurations.ts";
import { pickedConfigurations } from "./picked-configurations.ts";
import { configurationKey, engineDiagnostics, TofuValidation } from "./validation-source.ts";

const path = join(import.meta.dirname, "validation-answers.json");
const [tofu, provider] = [findPeer("tofu"), findPeer("framework-provider")];
if (tofu === undefined || provider === undefined) throw new Error("this needs the peers tofu and framework-provider: npm run peers");

const all = [...pickedConfigurations, ...faultyConfigurations, ...Object.values(differingConfigurations).flat()];
const expected = new Set(Object.values(differingConfigurations).flat().map(configurationKey));
const answers: Record<string, unknown> = {};
const framework = providerFactory(provider.path);
let differing = 0;
using tofuValidation = new TofuValidation(tofu.path, provider.path);
let next = 0;
await Promise.all(
  Array.from({ length: 3 }, async () => {
    for (let index = next++; index < all.length; index = next++) {
      const picked = all[index]!;
      const key = configurationKey(picked);
      const ours = JSON.stringify(await engineDiagnostics(picked, framework));
      let theirs = await tofuValidation.diagnostics(picked);
      // OpenTofu's answer can depend on the random order of Go's maps: it is asked again before it counts as different.
      for (let asked = 1; asked < 8 && !expected.has(key) && JSON.stringify(theirs) !== ours; asked++) {
        theirs = await tofuValidation.diagnostics(picked);
      }
      answers[key] = theirs;
      if (JSON.stringify(theirs) === ours || expected.has(key)) continue;
      differing++;
      console.log(`${JSON.stringify(picked)}\n- ${JSON.stringify(theirs)}\n+ ${ours}\n`);
    }
  }),
);
const lines = all.map((picked) => `  ${JSON.stringify(configurationKey(picked))}: ${JSON.stringify(answers[configurationKey(picked)])}`);
const text = `{\n${[...new Set(lines)].join(",\n")}\n}\n`;
const isChanged = text !== readFileSync(path, { encoding: "utf8", flag: "a+" });
writeFileSync(path, text);
if (differing > 0) process.exitCode = 1;
console.log(
  `${all.length} configurations, ${differing} differ from the engine; the file of answers is ${isChanged ? "changed" : "unchanged"}`,
);
