// SPDX-License-Identifier: Apache-2.0
import type { ServedProvider } from "../../../src/index.ts";
import { note } from "./note.ts";
import { notebook } from "./notebook.ts";

export const provider: ServedProvider = notebook.with([note, () => import("./page.ts").then((module) => module.page)]);
