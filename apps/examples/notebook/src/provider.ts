// SPDX-License-Identifier: Apache-2.0
import type { ServedProvider } from "@tenon/provider-sdk";
import { note } from "./note.ts";
import { notebook } from "./notebook.ts";
import { slug } from "./slug.ts";

export const provider: ServedProvider = notebook.with([
  note,
  () => import("./page.ts").then((module) => module.page),
  () => import("./search.ts").then((module) => module.search),
  slug,
]);
