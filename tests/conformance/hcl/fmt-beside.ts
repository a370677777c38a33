// SPDX-License-Identifier: Apache-2.0
import { parseConfig, type BodySyntax, type SourceRange } from "@tenon/hcl";
import { formatConfiguration } from "@tenon/hcl/write";
import { randomFor } from "@tenon/testing/generate";
import { CoreFolder, type CoreResult } from "./core-folder.ts";
import { formatCase } from "./format-cases.ts";
import { legacyFile, type FmtLoss } from "./legacy-source.ts";

/** Result of formatting files with a core's `fmt` and with `formatConfiguration`. */
export interface FmtComparison {
  /** Number of files that both format, with equal results or with a known loss. */
  readonly written: number;
  /** Number of files that both reject. */
  readonly refused: number;
  readonly losses: ReadonlyMap<FmtLoss, number>;
  readonly problems: readonly { readonly source: string; readonly theirs: string; readonly ours: string | undefined }[];
}

/** The generated file with this seed and index. Three in four contain legacy forms, the others any form; some are invalid. */
export function generatedFile(seed: number, index: number): string {
  const random = randomFor(seed, "fmt", index);
  const [source] = index % 4 > 0 ? [undefined] : formatCase(random).input.args;
  return typeof source === "string" ? source : legacyFile(random);
}

/** Formats files with a core's `fmt`, in one process. */
export async function formattedBy(
  cli: string,
  sources: readonly string[],
): Promise<{ readonly files: readonly string[]; readonly answer: CoreResult }> {
  using folder = new CoreFolder(cli);
  for (const [index, source] of sources.entries()) folder.write(`${index}.tf`, source);
  const answer = await folder.run(["fmt", "-recursive", "-no-color"]);
  return { files: sources.map((_, index) => folder.read(`${index}.tf`)), answer };
}

/** Formats files with a core and with `formatConfiguration`, and compares the results byte for byte, and the files that each rejects. */
export async function compareFmt(cli: string, sources: readonly string[]): Promise<FmtComparison> {
  const { files, answer } = await formattedBy(cli, sources);
  const refusedByCore = new Map<number, Set<number>>();
  for (const [, file, line] of answer.stderr.matchAll(/ on (\d+)\.tf line (\d+)/g))
    refusedByCore.set(Number(file), (refusedByCore.get(Number(file)) ?? new Set()).add(Number(line)));
  const losses = new Map<FmtLoss, number>();
  const problems: FmtComparison["problems"][number][] = [];
  let [written, refused] = [0, 0];
  for (const [index, source] of sources.entries()) {
    const [ours, theirs] = [formatConfiguration(source, "").source, files[index]!];
    const lines = refusedByCore.get(index);
    if (ours === undefined || lines !== undefined) {
      const first = parseConfig(source, "", { recovery: "first-error" }).diagnostics[0]?.subject?.start.line;
      if (ours === undefined && theirs === source && lines?.has(first ?? 0)) refused += 1;
      else problems.push({ source, theirs, ours });
      continue;
    }
    const loss = ours === theirs ? undefined : lossOf(source, theirs, ours);
    if (ours === theirs || loss !== undefined) written += 1;
    else problems.push({ source, theirs, ours });
    if (loss !== undefined) losses.set(loss, (losses.get(loss) ?? 0) + 1);
  }
  return { written, refused, losses, problems };
}

/** The known loss that explains the difference between two results; undefined if none does. */
export function lossOf(source: string, theirs: string, ours: string): FmtLoss | undefined {
  const isRead = parseConfig(theirs, "").diagnostics.length === 0;
  if (isRead && formatConfiguration(withoutLostLabels(source), "").source === theirs) return "a label that is lost";
  const [own, other] = [withoutWrapping(withoutLostLabels(ours)), withoutWrapping(theirs)];
  // An unclosed heredoc can extend to the end marker of another heredoc; the file is then valid, but means something else.
  if (own === other) return wrappings(ours) > wrappings(theirs) ? "an expression that is cut off" : undefined;
  return !isRead && withoutLostIndices(own) === withoutLostIndices(other) ? "an index that is lost" : undefined;
}

/** Number of strings that begin with an interpolation. */
const wrappings = (text: string): number => text.split('"${').length - 1;

/** Text without the quotes and braces of interpolations, without parentheses and without white space. */
const withoutWrapping = (text: string): string => text.replaceAll(/"\$\{~?|~?\}"|[()\s]/g, "");

/** Text without constant indices that are neither string nor number, and the comments beside them; the Go library's writer loses them. */
const withoutLostIndices = (text: string): string =>
  text.replaceAll(/\[(?:\/\*(?:(?!\*\/).)*\*\/)*(?:true|false|null)(?:\/\*(?:(?!\*\/).)*\*\/)*\]/g, "[]");

/** Source without labels of several tokens, and the white space before them; the Go library's writer does not recognize them as labels. */
function withoutLostLabels(source: string): string {
  const bytes = Buffer.from(source).toString("latin1");
  const parts: string[] = [];
  let at = 0;
  for (const [start, end] of lostLabels(parseConfig(source, "").body, bytes).sort(([a], [b]) => a - b)) {
    parts.push(bytes.slice(at, start));
    at = end;
  }
  return Buffer.from(parts.join("") + bytes.slice(at), "latin1").toString();
}

function lostLabels(body: BodySyntax, bytes: string): (readonly [start: number, end: number])[] {
  return body.blocks.flatMap(({ typeRange, labelRanges, body: inner }) => {
    const isLost = ({ start, end }: SourceRange): boolean => end.byte - start.byte > 3 && /[$%]/.test(bytes.slice(start.byte, end.byte));
    const lost = labelRanges.flatMap((range, index) =>
      isLost(range) ? [[(labelRanges[index - 1] ?? typeRange).end.byte, range.end.byte] as const] : [],
    );
    return [...lost, ...lostLabels(inner, bytes)];
  });
}
