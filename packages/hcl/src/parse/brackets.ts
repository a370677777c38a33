// SPDX-License-Identifier: Apache-2.0
import { Kind, oppositeBracket, type TokenKind } from "../scan/token-kind.ts";
import type { Tokens } from "../scan/tokens.ts";

/** Matching brackets of a source with errors. A closing bracket closes all brackets opened within its pair. */
export class Brackets {
  /** Innermost open bracket before each token; -1 if there is none. */
  readonly #around: Int32Array;
  /** Whether the bracket at this index is ever closed. */
  readonly #isClosed: Uint8Array;

  constructor(tokens: Tokens) {
    this.#around = new Int32Array(tokens.count);
    this.#isClosed = new Uint8Array(tokens.count);
    const open: number[] = [];
    const openKinds = new Uint32Array(Kind.BadUtf8 + 1);
    for (let index = 0; index < tokens.count; index++) {
      this.#around[index] = open.at(-1) ?? -1;
      const kind = bracketKind(tokens.kind(index));
      if (openers.has(kind)) {
        open.push(index);
        openKinds[kind]! += 1;
      } else if (closers.has(kind)) {
        const wanted = oppositeBracket(kind);
        // A closing bracket without an opening one closes nothing.
        while (openKinds[wanted]! > 0) {
          const opener = open.pop()!;
          const openerKind = bracketKind(tokens.kind(opener));
          openKinds[openerKind]! -= 1;
          if (openerKind !== wanted) continue;
          this.#isClosed[opener] = 1;
          break;
        }
      }
    }
  }

  /** Whether the token is inside a bracket that is never closed. */
  isInOpen(index: number): boolean {
    const around = this.#around[index]!;
    return around >= 0 && this.#isClosed[around] === 0;
  }
}

/** Kind under which an opening bracket is matched: `}` closes both `${` and `%{`. */
function bracketKind(kind: TokenKind): TokenKind {
  return kind === Kind.TemplateControl ? Kind.TemplateInterp : kind;
}

const openers: ReadonlySet<TokenKind> = new Set<TokenKind>([
  Kind.OBrace,
  Kind.OBrack,
  Kind.OParen,
  Kind.OQuote,
  Kind.OHeredoc,
  Kind.TemplateInterp,
]);
const closers: ReadonlySet<TokenKind> = new Set<TokenKind>([...openers].map(oppositeBracket));
