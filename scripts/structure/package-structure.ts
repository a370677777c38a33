// SPDX-License-Identifier: Apache-2.0
import { basename } from "node:path";
import { publishedPackages } from "../workspace.ts";
import { countMembers, namesWithoutDocstring } from "./docstring-check.ts";
import { importsThatGoUp } from "./folder-order-check.ts";
import { folderOrder } from "./folder-order.ts";
import { readSourceFiles, type SourceFile } from "./source-file.ts";
import { unlistedCircles } from "./type-circle-check.ts";
import { typeCircles } from "./type-circles.ts";

/** Result of one check over all packages. */
export interface StructureReport {
  /** The violations, a line each; absent where there are none. */
  readonly problem?: string;
  /** A line about a check that passes. */
  readonly note?: string;
}

/** Checks the sources of every published package. Reads each file once for all checks. */
export class PackageStructure {
  readonly #packages: readonly { readonly name: string; readonly files: readonly SourceFile[] }[];

  constructor(root: string) {
    this.#packages = publishedPackages(root).map(({ folder }) => ({ name: basename(folder), files: readSourceFiles(folder) }));
  }

  /** Fails on an exported name without a docstring. */
  docstrings(): StructureReport {
    const { total, documented } = countMembers(this.#packages.flatMap(({ files }) => files));
    return this.#report(namesWithoutDocstring, `${documented} of ${total} members of exported types have one, too`);
  }

  /** Fails on an import that goes up between the folders of a package. */
  folderOrder(): StructureReport {
    return this.#report((files, name) => importsThatGoUp(files, folderOrder[name] ?? []));
  }

  /** Fails on a circle of imports that is not listed. */
  typeCircles(): StructureReport {
    return this.#report((files, name) => unlistedCircles(files, typeCircles[name] ?? []));
  }

  #report(violationsOf: (files: readonly SourceFile[], name: string) => readonly string[], note?: string): StructureReport {
    const problems = this.#packages.flatMap(({ name, files }) =>
      violationsOf(files, name).map((violation) => `packages/${name}/src/${violation}`),
    );
    return { ...(problems.length > 0 ? { problem: problems.join("\n") } : {}), ...(note === undefined ? {} : { note }) };
  }
}
