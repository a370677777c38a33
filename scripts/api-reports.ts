// SPDX-License-Identifier: Apache-2.0
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  CompilerState,
  Extractor,
  ExtractorConfig,
  ExtractorLogLevel,
  type ExtractorMessage,
  type IExtractorInvokeOptions,
} from "@microsoft/api-extractor";
import { publishedPackages } from "./workspace.ts";

/**
 * Compares the public API of every entry point with its report in `packages/<name>/etc/`, so that a diff shows each
 * change of the API. Entry points that only re-export generated code have no report. Needs `build`.
 *
 * @param update - Whether to accept the current API by writing the reports.
 * @returns the differences, or undefined.
 */
export function apiReports(root: string, update: boolean): string | undefined {
  const problems: string[] = [];
  for (const { name, folder, exports } of publishedPackages(root)) {
    const etc = join(folder, "etc");
    mkdirSync(etc, { recursive: true });
    let state: CompilerState | undefined;
    for (const [entry, source] of Object.entries(exports)) {
      if (reexportsGenerated(join(folder, source))) continue;
      const declarations = join(folder, source.replace("./src/", "dist/").replace(/\.ts$/, ".d.ts"));
      if (!existsSync(declarations)) {
        problems.push(`${name}: ${entry} was not built: no ${declarations}`);
        continue;
      }
      const config = extractorConfig(folder, name, entry, declarations, etc);
      state ??= CompilerState.create(config, { additionalEntryPoints: entryPoints(folder, exports) });
      const messages: string[] = [];
      const options: IExtractorInvokeOptions = {
        localBuild: update,
        compilerState: state,
        messageCallback: (message: ExtractorMessage) => {
          message.handled = true;
          if (message.logLevel === ExtractorLogLevel.Error) messages.push(message.text);
        },
      };
      const result = Extractor.invoke(config, options);
      if (messages.length > 0) problems.push(`${name}: ${entry}: ${messages.join("; ")}`);
      if (result.apiReportChanged && !update)
        problems.push(`${name}: ${entry}: the API differs from its report; \`npm run check -- --update-api\` accepts it`);
    }
  }
  return problems.length === 0 ? undefined : problems.join("\n");
}

function reexportsGenerated(source: string): boolean {
  return /^export \* from "\.{1,2}\/gen\//m.test(readFileSync(source, "utf8"));
}

function entryPoints(folder: string, exports: Readonly<Record<string, string>>): string[] {
  return Object.values(exports).map((source) => join(folder, source.replace("./src/", "dist/").replace(/\.ts$/, ".d.ts")));
}

function extractorConfig(
  folder: string,
  name: string,
  entry: string,
  mainEntryPointFilePath: string,
  reportFolder: string,
): ExtractorConfig {
  const report = entry === "." ? "index" : entry.replace("./", "").replaceAll("/", "-");
  return ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(folder, "package.json"),
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath,
      compiler: {
        overrideTsconfig: {
          compilerOptions: {
            target: "esnext",
            module: "nodenext",
            lib: ["esnext"],
            types: ["node"],
            skipLibCheck: true,
            strict: true,
            allowImportingTsExtensions: true,
            noEmit: true,
          },
          files: [mainEntryPointFilePath],
        },
      },
      apiReport: {
        enabled: true,
        reportFileName: `${name.replace("@tenon/", "")}.${report}.api.md`,
        reportFolder,
        reportTempFolder: join(folder, "node_modules", ".api"),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      newlineKind: "lf",
      messages: {
        extractorMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
        tsdocMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
        compilerMessageReporting: { default: { logLevel: ExtractorLogLevel.Error } },
      },
    },
  });
}
