// SPDX-License-Identifier: Apache-2.0

/** The author's own code, which does not import the SDK. */
export interface Note {
  readonly id: string;
  readonly title: string;
  readonly tags: Readonly<Record<string, string>> | null;
}

export interface Notebook {
  insert(note: Omit<Note, "id">): Promise<Note>;
  find(id: string): Promise<Note | undefined>;
  save(note: Omit<Note, "id">): Promise<Note>;
  remove(id: string): Promise<void>;
  count(): Promise<number>;
}

export async function openNotebook(_path: string): Promise<Notebook> {
  const notes = new Map<string, Note>();
  const put = (id: string, { title, tags }: Omit<Note, "id">): Note => (notes.set(id, { id, title, tags }), { id, title, tags });
  return {
    insert: async (note) => put(String(notes.size + 1), note),
    find: async (id) => notes.get(id),
    save: async (note) => put("1", note),
    remove: async (id) => void notes.delete(id),
    count: async () => notes.size,
  };
}
