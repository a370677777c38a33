// SPDX-License-Identifier: Apache-2.0
import { Kind, oppositeBracket, type TokenKind } from "../scan/token-kind.ts";
import type { Tokens } from "../scan/tokens.ts";

/** Which brackets belong together, as far as one can tell: a closing one closes everything that was opened within its pair. */
export class Brackets {
  /** The innermost bracket that is open before each token, -1 if there is none. */
  readonly #around: Int32Array;
  /** Is the bracket at this index ever closed? */
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
        // A closing bracket that nothing was opened for closes nothing.
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

  /** Is the token in a bracket that is never closed? */
  isInOpen(index: number): boolean {
    const around = this.#around[index]!;
    return around >= 0 && this.#isClosed[around] === 0;
  }
}

/** `}` ends both sorts of marks within templates. */
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
