// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from "node:fs";
import type { ServedProvider } from "@tenon/provider-sdk";
import { declarationVariable, type ProviderDeclaration } from "./declaration.ts";
import { madeProvider } from "./made-provider.ts";

const path = process.env[declarationVariable];
if (path === undefined) throw new Error(`${declarationVariable} names no file`);

export const provider: ServedProvider = madeProvider(JSON.parse(readFileSync(path, "utf8")) as ProviderDeclaration);
