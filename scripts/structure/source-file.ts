// SPDX-License-Identifier: Apache-2.0
import { globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { type Comment, parseSync, Visitor } from "oxc-parser";

/** A file of a package's `src` folder, with the properties that the structure checks use. */
export interface SourceFile {
  /** Path below `src`, with `/` between the folders. */
  readonly path: string;
  /** Imports of other files of the same package. */
  readonly imports: readonly LocalImport[];
  /** Names that the file declares and exports, without re-exported names. */
  readonly exports: readonly ExportedName[];
  /** Whether the file contains nothing but re-exports. */
  readonly onlyReexports: boolean;
}

/** One import, type-only import, re-export or `import()` of a file in the same package. */
export interface LocalImport {
  /** Path of the imported file below `src`. */
  readonly target: string;
  /** Line of the import, from 1. */
  readonly line: number;
}

/** A name that a file declares and exports. */
export interface ExportedName {
  readonly name: string;
  /** Line of the first declaration, from 1. */
  readonly line: number;
  /** Whether one of the declarations of the name has a docstring. */
  readonly documented: boolean;
  /** Members of the name's exported interfaces and object types. */
  readonly members: { readonly total: number; readonly documented: number };
}

/** Statement of a module, with the type that oxc-parser gives it. */
type Statement = ReturnType<typeof parseSync>["program"]["body"][number];
type Declaration = NonNullable<Extract<Statement, { type: "ExportNamedDeclaration" }>["declaration"]>;

/** Reads every source of a package, apart from tests and generated code, in the order of the paths. */
export function readSourceFiles(packageFolder: string): readonly SourceFile[] {
  const src = join(packageFolder, "src");
  return globSync("**/*.ts", { cwd: src })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => !/\.test(-d)?\.ts$/.test(path) && !path.startsWith("gen/"))
    .toSorted()
    .map((path) => parseSourceFile(path, readFileSync(join(src, path), "utf8")));
}

/**
 * Parses the text of one source file.
 *
 * @param path - path below `src`, with `/` between the folders.
 * @throws Error when the text is not valid TypeScript.
 */
export function parseSourceFile(path: string, text: string): SourceFile {
  const { program, comments, errors } = parseSync(path, text, { lang: "ts", sourceType: "module" });
  const [error] = errors;
  if (error !== undefined) throw new Error(`${path} is not valid TypeScript: ${error.message}`);
  const lineAt = (offset: number): number => text.slice(0, offset).split("\n").length;
  const hasDocstring = (start: number): boolean => docstringBefore(start, text, comments) !== undefined;

  const imports: LocalImport[] = [];
  const addImport = (source: { readonly type: string; readonly value?: unknown } | null, start: number): void => {
    if (typeof source?.value !== "string" || !source.value.startsWith(".")) return;
    imports.push({ target: posix.join(posix.dirname(path), source.value), line: lineAt(start) });
  };
  new Visitor({
    ImportDeclaration: ({ source, start }) => addImport(source, start),
    ExportNamedDeclaration: ({ source, start }) => addImport(source, start),
    ExportAllDeclaration: ({ source, start }) => addImport(source, start),
    ImportExpression: ({ source, start }) => addImport(source, start),
    TSImportType: ({ source, start }) => addImport(source, start),
  }).visit(program);

  const onlyReexports = program.body.every(
    ({ type, ...statement }) =>
      type === "ExportAllDeclaration" || (type === "ExportNamedDeclaration" && "source" in statement && statement.source !== null),
  );
  return { path, imports, exports: exportedNames(program.body, hasDocstring, lineAt), onlyReexports };
}

function exportedNames(
  statements: readonly Statement[],
  hasDocstring: (start: number) => boolean,
  lineAt: (offset: number) => number,
): readonly ExportedName[] {
  const names = new Map<string, ExportedName>();
  const add = (name: string, start: number, documented: boolean, members: ExportedName["members"]): void => {
    const earlier = names.get(name);
    names.set(name, {
      name,
      line: earlier?.line ?? lineAt(start),
      documented: documented || earlier?.documented === true,
      members: {
        total: members.total + (earlier?.members.total ?? 0),
        documented: members.documented + (earlier?.members.documented ?? 0),
      },
    });
  };
  /** Names in `export { name }` without a source; their declarations may precede or follow it. */
  const listed = new Set<string>();
  for (const statement of statements) {
    if (statement.type !== "ExportNamedDeclaration" || statement.source !== null) continue;
    for (const { local } of statement.specifiers) listed.add(local.type === "Literal" ? local.value : local.name);
  }
  for (const statement of statements) {
    const exported = statement.type === "ExportNamedDeclaration" || statement.type === "ExportDefaultDeclaration";
    const declaration = exported ? statement.declaration : statement;
    if (declaration === null) continue;
    if (statement.type === "ExportDefaultDeclaration") {
      add("default", statement.start, hasDocstring(statement.start), { total: 0, documented: 0 });
      continue;
    }
    for (const name of declaredNames(declaration as Declaration)) {
      if (!exported && !listed.has(name)) continue;
      add(name, statement.start, hasDocstring(statement.start), members(declaration as Declaration, hasDocstring));
    }
  }
  return [...names.values()];
}

function declaredNames(declaration: Declaration): readonly string[] {
  switch (declaration.type) {
    case "VariableDeclaration":
      return declaration.declarations.flatMap(({ id }) => (id.type === "Identifier" ? [id.name] : []));
    case "FunctionDeclaration":
    case "TSDeclareFunction":
    case "ClassDeclaration":
    case "TSInterfaceDeclaration":
    case "TSTypeAliasDeclaration":
    case "TSEnumDeclaration":
      return declaration.id === null ? [] : [declaration.id.name];
    default:
      return [];
  }
}

/** Counts the members of an interface or an object type, and those that have a docstring. */
function members(declaration: Declaration, hasDocstring: (start: number) => boolean): ExportedName["members"] {
  const list =
    declaration.type === "TSInterfaceDeclaration"
      ? declaration.body.body
      : declaration.type === "TSTypeAliasDeclaration" && declaration.typeAnnotation.type === "TSTypeLiteral"
        ? declaration.typeAnnotation.members
        : [];
  return { total: list.length, documented: list.filter(({ start }) => hasDocstring(start)).length };
}

/** Returns the text of the docstring that ends right before `start`. A docstring with only tags counts as absent. */
function docstringBefore(start: number, text: string, comments: readonly Comment[]): string | undefined {
  const comment = comments.findLast(({ end }) => end <= start);
  if (comment === undefined || comment.type !== "Block" || !comment.value.startsWith("*")) return undefined;
  if (text.slice(comment.end, start).trim() !== "") return undefined;
  const content = comment.value.replaceAll(/^\s*\*+/gm, "").trim();
  return content === "" || content.startsWith("@") ? undefined : content;
}
