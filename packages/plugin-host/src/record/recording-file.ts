// SPDX-License-Identifier: Apache-2.0
import type { FileKind } from "./frame-file.ts";

/** The format of recordings, which docs/recordings.md describes. */
export const recordingFile: FileKind = { magic: "TENONREC", version: 1 };
