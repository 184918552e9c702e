import type { Device } from './device.ts'

/** Notices between the tabs of one browser. Nothing secret: a tab that hears one reads again for itself. */
export type TabNotice =
  | { type: 'outbox'; userId: string }
  | { type: 'signed_out' }
  | { type: 'signed_in'; userId: string }
  | { type: 'keys_changing'; userId: string }
  | { type: 'keys_changed'; userId: string; changed: boolean }

export interface Tabs {
  /** Another one each time the page is loaded. */
  id: string
  /** Reaches every other tab. */
  tell(notice: TabNotice): void
  /** Runs `work` in one tab at a time; a tab that is closed gives way. */
  alone<T>(name: string, work: () => Promise<T>): Promise<T>
  /** Runs `work`, in one tab at a time, if the tab of this id is closed. */
  ifGone<T>(tabId: string, work: () => Promise<T>): Promise<T | undefined>
  close(): void
}

type Hear = (notice: TabNotice) => void

/** BroadcastChannel and Web Locks in a browser; elsewhere the clients of one device are its tabs. */
export function createTabs(device: Device, hear: Hear): Tabs {
  if (typeof window === 'undefined' || typeof BroadcastChannel === 'undefined') return joinRoom(device, hear)
  const channel = new BroadcastChannel('privity')
  channel.addEventListener('message', ({ data }: MessageEvent<TabNotice>) => hear(data))
  const locks = navigator.locks as LockManager | undefined
  const inThisTab = createQueues()
  const id = crypto.randomUUID()
  const { promise: closed, resolve: close } = Promise.withResolvers<void>()
  // Held for as long as the page lives, however it ends.
  void locks?.request(lifeOf(id), () => closed)
  return {
    id,
    tell: (notice) => channel.postMessage(notice),
    alone: (name, work) => (locks ? locks.request(name, work) : inThisTab(name, work)),
    ifGone: (tabId, work) =>
      locks ? locks.request(lifeOf(tabId), { ifAvailable: true }, async (lock) => (lock ? work() : undefined)) : work(),
    close() {
      channel.close()
      close()
    },
  }
}

const lifeOf = (tabId: string) => `privity-tab/${tabId}`

interface Room {
  hearers: Set<Hear>
  /** The ids of open tabs. */
  living: Set<string>
  alone: Tabs['alone']
}

const rooms = new WeakMap<Device, Room>()

function joinRoom(device: Device, hear: Hear): Tabs {
  const room = rooms.get(device) ?? { hearers: new Set<Hear>(), living: new Set<string>(), alone: createQueues() }
  rooms.set(device, room)
  const id = crypto.randomUUID()
  room.living.add(id)
  const mine: Hear = (notice) => hear(notice)
  room.hearers.add(mine)
  return {
    id,
    tell(notice) {
      for (const other of room.hearers)
        if (other !== mine) queueMicrotask(() => room.hearers.has(other) && other(notice))
    },
    alone: room.alone,
    ifGone: async (tabId, work) => room.alone(lifeOf(tabId), async () => (room.living.has(tabId) ? undefined : work())),
    close() {
      room.hearers.delete(mine)
      room.living.delete(id)
    },
  }
}

/** One piece of work at a time by name, in the order they came. */
function createQueues(): Tabs['alone'] {
  const last = new Map<string, Promise<unknown>>()
  return async (name, work) => {
    const before = last.get(name)
    const mine = (async () => {
      await before?.catch(() => {})
      return work()
    })()
    last.set(name, mine)
    return mine
  }
}
