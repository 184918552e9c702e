import { type AccountKey, openPrivate, sealPrivate } from '@privity/e2ee'
import { draftBinding } from '../keys/aad.ts'
import type { Device } from '../device/device.ts'
import { draftPrefix } from '../device/storageNames.ts'
import type { Tabs } from '../device/tabs.ts'

/** Unsent text, encrypted on this device: one draft for each conversation and tab. */
export interface Drafts {
  /** Reads the drafts of all tabs; '' if there is none or none can be decrypted. */
  get(connectionId: string): Promise<string>
  /** Lists the conversations that have a draft in any tab, without opening it. */
  listConversations(): Promise<string[]>
  /** Reads this tab's draft, or takes over that of a closed tab. */
  take(connectionId: string): Promise<string>
  set(connectionId: string, text: string): Promise<void>
}

/** The drafts of an open session. */
export interface SessionDrafts extends Drafts {
  /** Returns the changes that `set` would write, for a transaction with other changes. */
  changeOf(connectionId: string, text: string): Promise<ReadonlyMap<string, unknown>>
  /** Removes the drafts of all tabs. */
  drop(connectionId: string): Promise<void>
  /** Resolves when nothing more is written to the device. */
  stop(): Promise<void>
}

export function createDrafts(
  device: Device,
  { userId, accountKey, tabs }: { userId: string; accountKey: AccountKey; tabs: Pick<Tabs, 'id' | 'runIfClosed'> },
): SessionDrafts {
  const prefix = draftPrefix(userId)
  const ownName = (connectionId: string) => `${prefix}${connectionId}/${tabs.id}`
  const bindingOf = (name: string) => draftBinding(userId, name.slice(prefix.length))
  let queue: Promise<unknown> = Promise.resolve()
  let stopped = false

  /** Runs tasks in order: encryption takes a moment, and the last text must win. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = queue.then(work)
    queue = turn.catch(() => {})
    return turn
  }

  async function changeOf(connectionId: string, text: string): Promise<ReadonlyMap<string, unknown>> {
    const name = ownName(connectionId)
    if (text === '') return new Map([[name, undefined]])
    return new Map([[name, await sealPrivate(accountKey, bindingOf(name), new TextEncoder().encode(text))]])
  }

  async function read(name: string): Promise<string> {
    const sealed = await device.get(name)
    if (typeof sealed !== 'string') return ''
    try {
      return new TextDecoder().decode(await openPrivate(accountKey, bindingOf(name), sealed))
    } catch {
      return ''
    }
  }

  const namesOf = (connectionId: string) => device.names(prefix + connectionId)

  async function takeOver(connectionId: string, name: string): Promise<string> {
    const text = await read(name)
    if (text === '' || stopped) return ''
    await device.change(new Map([...(await changeOf(connectionId, text)), [name, undefined]]))
    return text
  }

  async function take(connectionId: string): Promise<string> {
    const own = await read(ownName(connectionId))
    if (own !== '') return own
    for (const name of await namesOf(connectionId)) {
      const tabId = name.slice(`${prefix}${connectionId}/`.length)
      if (tabId === tabs.id) continue
      const text = await tabs.runIfClosed(tabId, () => takeOver(connectionId, name))
      if (text) return text
    }
    return ''
  }

  return {
    changeOf,
    get: (connectionId) =>
      inTurn(async () => {
        const texts = await Promise.all((await namesOf(connectionId)).map(read))
        return texts.filter((text) => text !== '').join('\n')
      }),
    listConversations: () =>
      inTurn(async () => {
        const names = await device.names(prefix)
        return [...new Set(names.map((name) => name.slice(prefix.length).split('/', 1)[0] as string))]
      }),
    take: (connectionId) => inTurn(() => take(connectionId)),
    set: (connectionId, text) =>
      inTurn(async () => {
        if (text === '') await device.remove(ownName(connectionId))
        else if (!stopped) await device.change(await changeOf(connectionId, text))
      }),
    drop: (connectionId) =>
      inTurn(async () => void (await Promise.all((await namesOf(connectionId)).map(device.remove)))),
    async stop() {
      stopped = true
      await queue
    },
  }
}
