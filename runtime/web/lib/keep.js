/**
 * What this device keeps, so that there is something to read without a network: a small table in the browser's database. Where
 * that is not to be had (a private window), nothing is kept and nothing breaks.
 */

const NAME = "handset";
const TABLE = "kept";

/** @type {Promise<IDBDatabase | null> | null} */
let opening = null;

function open() {
  opening ??= new Promise((resolve) => {
    try {
      const request = indexedDB.open(NAME, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(TABLE);
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => resolve(null);
      request.onblocked = () => resolve(null);
    } catch {
      resolve(null);
    }
  });
  return opening;
}

/**
 * @template T
 * @param {IDBTransactionMode} mode
 * @param {(table: IDBObjectStore) => IDBRequest<T>} ask
 * @returns {Promise<T | undefined>}
 */
async function run(mode, ask) {
  const database = await open();
  if (!database) return undefined;
  return new Promise((resolve) => {
    try {
      const request = ask(database.transaction(TABLE, mode).objectStore(TABLE));
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => resolve(undefined);
    } catch {
      resolve(undefined);
    }
  });
}

/**
 * @param {string} key
 * @returns {Promise<any>}
 */
export function kept(key) {
  return run("readonly", (table) => table.get(key));
}

/**
 * @param {string} key
 * @param {any} value
 */
export async function keep(key, value) {
  await run("readwrite", (table) => table.put(value, key));
}

/**
 * Forgets whatever begins so; without a word, everything.
 * @param {string} [prefix]
 */
export async function forget(prefix) {
  if (prefix === undefined) await run("readwrite", (table) => table.clear());
  else await run("readwrite", (table) => table.delete(IDBKeyRange.bound(prefix, prefix + "\uffff")));
}
