// SPDX-License-Identifier: Apache-2.0
import type { TestCase } from "@tenon/testing";

/** A case of the suite, and how it ends on each runner. */
export interface SuiteCase {
  readonly name: string;
  /** Creates the case. Each run has a folder of its own, and disposes of what the case adds to `cleanup`. */
  readonly create: (folder: string, cleanup: AsyncDisposableStack) => TestCase | Promise<TestCase>;
  /** The parts that the failure's text must have, in their order; the case must pass without them. */
  readonly fails?: readonly (string | RegExp)[];
  /** Whether the failure's text has an error of the core, which Terraform words in another way than OpenTofu. Default: false. */
  readonly hasCoreError?: boolean;
  /** Why command lines skip the case. */
  readonly skips?: { readonly tofu?: RegExp; readonly terraform?: RegExp };
}
