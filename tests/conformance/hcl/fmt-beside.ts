// SPDX-License-Identifier: Apache-2.0
import { parseConfig, type BodySyntax, type SourceRange } from "@tenon/hcl";
import { formatConfiguration } from "@tenon/hcl/write";
import { randomFor } from "../cty/random.ts";
import { CoreFolder, type CoreAnswer } from "./core-folder.ts";
import { formatCase } from "./format-cases.ts";
import { legacyFile, type FmtLoss } from "./legacy-source.ts";

/** What came of formatting files by a core and by ourselves. */
export interface FmtComparison {
  /** How many files were written, and are the same or differ by a loss. */
  readonly written: number;
  /** How many both refuse. */
  readonly refused: number;
  readonly losses: ReadonlyMap<FmtLoss, number>;
  readonly problems: readonly { readonly source: string; readonly theirs: string; readonly ours: string | undefined }[];
}

/** File so-and-so: most are full of legacy forms, the others of any form; some are broken. */
export function generatedFile(seed: number, index: number): string {
  const random = randomFor(seed, "fmt", index);
  const [source] = index % 4 > 0 ? [undefined] : formatCase(random).asked.args;
  return typeof source === "string" ? source : legacyFile(random);
}

/** What a core's `fmt` makes of files, in one process. */
export async function formattedBy(
  cli: string,
  sources: readonly string[],
): Promise<{ readonly files: readonly string[]; readonly answer: CoreAnswer }> {
  using folder = new CoreFolder(cli);
  for (const [index, source] of sources.entries()) folder.write(`${index}.tf`, source);
  const answer = await folder.run(["fmt", "-recursive", "-no-color"]);
  return { files: sources.map((_, index) => folder.read(`${index}.tf`)), answer };
}

/** Formats files by a core, and holds ours against what it wrote, byte for byte, and against what it refused. */
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

/** The loss by which two results differ; undefined if there is anything else. */
export function lossOf(source: string, theirs: string, ours: string): FmtLoss | undefined {
  const isRead = parseConfig(theirs, "").diagnostics.length === 0;
  if (isRead && formatConfiguration(withoutLostLabels(source), "").source === theirs) return "a label that is lost";
  const [own, other] = [withoutWrapping(withoutLostLabels(ours)), withoutWrapping(theirs)];
  // A heredoc that does not end can go on to the end of another one, so that all can be read, as something else.
  if (own === other) return wrappings(ours) > wrappings(theirs) ? "an expression that is cut off" : undefined;
  return !isRead && withoutLostIndices(own) === withoutLostIndices(other) ? "an index that is lost" : undefined;
}

/** How many texts begin with an interpolation. */
const wrappings = (text: string): number => text.split('"${').length - 1;

/** Without what tells an interpolation from its expression, and without layout. */
const withoutWrapping = (text: string): string => text.replaceAll(/"\$\{~?|~?\}"|[()\s]/g, "");

/** Without constant indices that are neither text nor number, and comments beside them, which the writer of the Go library loses. */
const withoutLostIndices = (text: string): string =>
  text.replaceAll(/\[(?:\/\*(?:(?!\*\/).)*\*\/)*(?:true|false|null)(?:\/\*(?:(?!\*\/).)*\*\/)*\]/g, "[]");

/** Without labels of several tokens, which the writer of the Go library does not know for labels, and what stands before them. */
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
