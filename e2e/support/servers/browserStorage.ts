import type { Page } from '@playwright/test'

/** Names of everything in this browser's storage; deletes those without the prefix `but`, if given. */
const names = (page: Page, but?: string) =>
  page.evaluate(async (spared) => {
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result))
        request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB')))
      })
    const database = await done(indexedDB.open('privity'))
    const values = database.transaction('values', 'readwrite').objectStore('values')
    const all = (await done(values.getAllKeys())).map(String)
    const others = spared === undefined ? [] : all.filter((name) => !name.startsWith(spared))
    await Promise.all(others.map((name) => done(values.delete(name))))
    database.close()
    return all
  }, but)

export const kept = (page: Page): Promise<string[]> => names(page)

/** Deletes everything in this browser's storage but names with this prefix. */
export const forgetAllBut = (page: Page, prefix: string) => names(page, prefix)
