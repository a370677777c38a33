#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// The plugin pulumi-resource-terraform-provider: any provider, selected by a parameter.
import { servePlugin } from "./server/serve-plugin.ts";

await servePlugin(async () => (await import("./server/dynamic-plugin.ts")).dynamicPlugin);
