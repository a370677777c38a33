// SPDX-License-Identifier: Apache-2.0
import { attr, parameter, type Component } from "@tenon/provider-sdk";
import { notebook } from "./notebook.ts";
import type { Notebook } from "./store.ts";

export const slug: Component<Notebook> = notebook.function("slug", {
  summary: "Converts a title to a file name.",
  parameters: { title: parameter(attr.string(), { description: "Any text." }) },
  returns: attr.string(),
  call: ({ title }) =>
    title
      .normalize("NFKD")
      .toLowerCase()
      .replaceAll(/\p{Mark}/gu, "")
      .replaceAll(/[^a-z0-9]+/g, "-")
      .replaceAll(/^-|-$/g, ""),
});
