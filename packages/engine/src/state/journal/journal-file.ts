// SPDX-License-Identifier: Apache-2.0
import { constants, fdatasync, writeSync } from "node:fs";
import { mkdir, open, readFile, rename, rm, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { EngineError } from "../../error.ts";
import { journalLine, readJournalLines, type JournalText } from "./journal-line.ts";

/**
 * Reads a journal; undefined if there is none.
 *
 * @throws EngineError `STORE_FAILED`
 */
export async function readJournalFile(path: string): Promise<JournalText | undefined> {
  try {
    return readJournalLines(await readFile(path));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw journalError("read", path, error);
  }
}

/**
 * Writes a new journal with mode 0600, and creates its folder. The file is replaced in one step: if the process ends before, the old file
 * stays.
 *
 * @throws EngineError `STORE_FAILED`
 */
export async function writeJournalFile(path: string, lines: readonly string[]): Promise<void> {
  const copy = `${path}.tmp`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await rm(copy, { force: true });
    const file = await open(copy, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
    try {
      await file.writeFile(lines.map(journalLine).join(""));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(copy, path);
    await syncFolder(path);
  } catch (error) {
    await rm(copy, { force: true }).catch(() => undefined);
    throw journalError("write", path, error);
  }
}

/**
 * Removes a journal. Does nothing if there is none.
 *
 * @throws EngineError `STORE_FAILED`
 */
export async function removeJournalFile(path: string): Promise<void> {
  try {
    await rm(path, { force: true });
    await syncFolder(path);
  } catch (error) {
    throw journalError("remove", path, error);
  }
}

/**
 * Renames a journal that cannot be used. Returns its new path, which ends in `.refused`.
 *
 * @throws EngineError `STORE_FAILED`
 */
export async function setJournalAside(path: string): Promise<string> {
  const aside = `${path}.refused`;
  try {
    await rename(path, aside);
    await syncFolder(path);
    return aside;
  } catch (error) {
    throw journalError("rename", path, error);
  }
}

/** Flushes the content of a file to the disk. A call of `FileHandle` would do the same with twice the work. */
function syncData(file: number): Promise<void> {
  return new Promise<void>((resolve, reject) => fdatasync(file, (error) => (error === null ? resolve() : reject(error))));
}

/** Makes the entry of a file in its folder durable. Windows has no such operation. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(dirname(path), constants.O_RDONLY);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function journalError(action: "read" | "write" | "rename" | "remove", path: string, error: unknown): EngineError {
  const reason = error instanceof Error ? error.message : String(error);
  return new EngineError("STORE_FAILED", `cannot ${action} the journal ${path}: ${reason}`, { cause: error });
}

/** Time in milliseconds from the start of a flush to that of the next one, if the next one may wait for the lines of further changes. */
const flushIntervalMs = 5;

/**
 * A journal to which lines are appended. The lines of one turn of the event loop are written together. Written lines survive the end of the
 * process; flushed lines also survive a power failure. Lines that are written during a flush share the next flush.
 */
export class JournalFile {
  readonly path: string;
  readonly #file: FileHandle;
  /** Size of the written lines, in bytes. */
  #size: number;
  #lines: string[] = [];
  #writing: Promise<void> | undefined;
  /** The write of the present lines and their flush, which all who append or flush in one turn wait for. */
  #storing: Promise<void> | undefined;
  #flushing: Promise<void> | undefined;
  #nextFlush: Promise<void> | undefined;
  #isFlushed = true;
  #lastFlush = Number.NEGATIVE_INFINITY;
  #laterFlush: NodeJS.Timeout | undefined;
  #endPause: (() => void) | undefined;
  #failure: EngineError | undefined;

  private constructor(path: string, file: FileHandle, size: number) {
    this.path = path;
    this.#file = file;
    this.#size = size;
  }

  /**
   * Opens an existing journal, and truncates it to its first `size` bytes. Default: it is not truncated.
   *
   * @throws EngineError `STORE_FAILED`
   */
  static async open(path: string, size?: number): Promise<JournalFile> {
    try {
      const file = await open(path, constants.O_RDWR);
      const whole = (await file.stat()).size;
      if (size !== undefined && size < whole) await file.truncate(size);
      return new JournalFile(path, file, size ?? whole);
    } catch (error) {
      throw journalError("write", path, error);
    }
  }

  /** The error of the last write that failed; undefined if none has. */
  get failure(): EngineError | undefined {
    return this.#failure;
  }

  /**
   * Whether further lines are about to be appended, so that a flush may wait until 5 ms after the last one for them. Default: never.
   */
  expectsLines: () => boolean = () => false;

  /** Adds a line. It is written at the end of this turn of the event loop and then flushed, unless an earlier write has failed. */
  append(json: string): void {
    this.#lines.push(journalLine(json));
    if (this.#failure === undefined) void this.flush();
  }

  /**
   * Adds a line that nothing waits for on the disk. It is written at the end of this turn, unless an earlier write has failed, and flushed with
   * the next line that {@link append} adds, or after 5 ms.
   */
  appendUnflushed(json: string): void {
    this.#lines.push(journalLine(json));
    if (this.#failure !== undefined) return;
    this.written().catch(() => undefined);
    this.#laterFlush ??= setTimeout(() => {
      this.#laterFlush = undefined;
      if (this.#failure === undefined) void this.flush().catch(() => undefined);
    }, flushIntervalMs);
  }

  /**
   * Waits until all lines are written. After a failure, the next call tries again.
   *
   * @throws EngineError `STORE_FAILED`
   */
  written(): Promise<void> {
    if (this.#lines.length === 0) return Promise.resolve();
    return (this.#writing ??= this.#write());
  }

  /**
   * Waits until all lines are on the disk. After a failure, the next call tries again.
   *
   * @throws EngineError `STORE_FAILED`
   */
  flush(): Promise<void> {
    if (this.#lines.length === 0) return this.#flushWritten();
    if (this.#storing === undefined) {
      this.#storing = this.#store();
      // An appended line may have no other reader of the result.
      this.#storing.catch(() => undefined);
    }
    return this.#storing;
  }

  async #store(): Promise<void> {
    await this.written();
    await this.#flushWritten();
  }

  /** Flushes the written lines, unless they are flushed already or will be by the flush under way. */
  #flushWritten(): Promise<void> {
    if (this.#isFlushed) return this.#flushing ?? Promise.resolve();
    return (this.#nextFlush ??= this.#flush());
  }

  async #write(): Promise<void> {
    await new Promise<void>((resume) => setImmediate(resume));
    // Lines that are appended from now on are written and flushed later.
    this.#writing = undefined;
    this.#storing = undefined;
    const lines = this.#lines;
    this.#lines = [];
    const content = Buffer.from(lines.join(""));
    try {
      // The write is synchronous because it goes to the cache of the file system, and takes less time than a change of threads.
      for (let written = 0; written < content.length;) {
        written += writeSync(this.#file.fd, content, written, content.length - written, this.#size + written);
      }
      this.#size += content.length;
      this.#isFlushed = false;
      if (this.#endPause !== undefined && !this.expectsLines()) this.#endPause();
    } catch (error) {
      this.#lines = [...lines, ...this.#lines];
      throw (this.#failure = journalError("write", this.path, error));
    }
  }

  async #flush(): Promise<void> {
    await this.#flushing?.catch(() => undefined);
    const pause = this.#lastFlush + flushIntervalMs - performance.now();
    if (pause > 0 && this.expectsLines()) await this.#pauseFlush(pause);
    this.#lastFlush = performance.now();
    clearTimeout(this.#laterFlush);
    this.#laterFlush = undefined;
    this.#endPause = undefined;
    this.#nextFlush = undefined;
    this.#isFlushed = true;
    try {
      await (this.#flushing = syncData(this.#file.fd));
    } catch (error) {
      this.#isFlushed = false;
      throw (this.#failure = journalError("write", this.path, error));
    }
  }

  /** Waits for some time, or until lines are written after which no further ones are expected. */
  #pauseFlush(milliseconds: number): Promise<void> {
    return new Promise((resume) => {
      const timer = setTimeout(resume, milliseconds);
      this.#endPause = () => {
        clearTimeout(timer);
        resume();
      };
    });
  }

  /** Closes the file. Lines that are not written are lost. */
  async close(): Promise<void> {
    clearTimeout(this.#laterFlush);
    await this.#writing?.catch(() => undefined);
    await (this.#nextFlush ?? this.#flushing)?.catch(() => undefined);
    await this.#file.close();
  }
}
