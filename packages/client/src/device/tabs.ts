import type { Device } from './device.ts'

/** Notices between the tabs of one browser. They carry nothing secret: each tab reads the changed data itself. */
export type TabNotice =
  | { type: 'outbox'; userId: string; removed?: string | undefined }
  | { type: 'signed_out' }
  | { type: 'signed_in'; userId: string }
  | { type: 'locked'; userId: string }
  | { type: 'keys_changing'; userId: string }
  | { type: 'keys_changed'; userId: string; changed: boolean }

export interface Tabs {
  /** New with each page load. */
  id: string
  /** Reaches every other tab of this browser. */
  notify(notice: TabNotice): void
  /** Runs `work` under an exclusive lock across tabs; closing a tab releases it. */
  runExclusive<T>(name: string, work: () => Promise<T>): Promise<T>
  /** Gives this tab another id, until it is closed. Several tabs may have it. */
  addId(id: string): void
  /** Runs `work` under an exclusive lock if all tabs with this id are closed. */
  runIfClosed<T>(tabId: string, work: () => Promise<T>): Promise<T | undefined>
  /** Runs `work` under a shared lock: in any number of tabs, but never beside an exclusive holder. */
  runShared<T>(name: string, work: () => Promise<T>): Promise<T>
  close(): void
}

type Listener = (notice: TabNotice) => void

/** BroadcastChannel and Web Locks in a browser; elsewhere the clients of one device are its tabs. */
export function createTabs(device: Device, listener: Listener): Tabs {
  if (typeof window === 'undefined' || typeof BroadcastChannel === 'undefined') return createLocalTabs(device, listener)
  const channel = new BroadcastChannel('privity')
  channel.addEventListener('message', ({ data }: MessageEvent<TabNotice>) => listener(data))
  const locks = navigator.locks as LockManager | undefined
  const inThisTab = createQueues()
  const id = crypto.randomUUID()
  const { promise: closed, resolve: close } = Promise.withResolvers<void>()
  // Held until the page ends, however it ends.
  void locks?.request(lifetimeLock(id), () => closed)
  return {
    id,
    notify: (notice) => channel.postMessage(notice),
    runExclusive: (name, work) => (locks ? locks.request(name, work) : inThisTab.runExclusive(name, work)),
    runShared: (name, work) =>
      locks ? locks.request(name, { mode: 'shared' }, work) : inThisTab.runShared(name, work),
    addId: (added) => void locks?.request(lifetimeLock(added), { mode: 'shared' }, () => closed),
    runIfClosed: (tabId, work) =>
      locks
        ? locks.request(lifetimeLock(tabId), { ifAvailable: true }, async (lock) => (lock ? work() : undefined))
        : work(),
    close() {
      channel.close()
      close()
    },
  }
}

const lifetimeLock = (tabId: string) => `privity-tab/${tabId}`

type Queues = Pick<Tabs, 'runExclusive' | 'runShared'>

interface Room {
  listeners: Set<Listener>
  /** The ids of open tabs, one set for each. */
  openTabs: Set<Set<string>>
  queues: Queues
}

const rooms = new WeakMap<Device, Room>()

function createLocalTabs(device: Device, listener: Listener): Tabs {
  const room = rooms.get(device) ?? {
    listeners: new Set<Listener>(),
    openTabs: new Set<Set<string>>(),
    queues: createQueues(),
  }
  rooms.set(device, room)
  const id = crypto.randomUUID()
  const ids = new Set<string>([id])
  room.openTabs.add(ids)
  const own: Listener = (notice) => listener(notice)
  room.listeners.add(own)
  const closed = Promise.withResolvers<void>()

  const untilClosed =
    (kind: keyof Queues): Tabs['runExclusive'] =>
    (name, work) =>
      new Promise((resolve, reject) => {
        void room.queues[kind](name, () => {
          const done = work()
          done.then(resolve, reject)
          return Promise.race([done, closed.promise]).catch(() => {})
        })
      })

  return {
    id,
    notify(notice) {
      for (const other of room.listeners)
        if (other !== own) queueMicrotask(() => room.listeners.has(other) && other(notice))
    },
    runExclusive: untilClosed('runExclusive'),
    runShared: untilClosed('runShared'),
    addId: (added) => void ids.add(added),
    runIfClosed: async (tabId, work) =>
      room.queues.runExclusive(lifetimeLock(tabId), async () =>
        [...room.openTabs].some((each) => each.has(tabId)) ? undefined : work(),
      ),
    close() {
      room.listeners.delete(own)
      room.openTabs.delete(ids)
      closed.resolve()
    },
  }
}

/** One FIFO queue per name; it runs one exclusive task or several shared ones. */
function createQueues(): Queues {
  const queues = new Map<string, { runExclusive: Promise<unknown>; runShared: Promise<unknown> }>()
  const idle = Promise.resolve()
  const queueOf = (name: string) => queues.get(name) ?? { runExclusive: idle, runShared: idle }
  return {
    runExclusive(name, work) {
      const { runExclusive, runShared } = queueOf(name)
      const own = Promise.allSettled([runExclusive, runShared]).then(work)
      queues.set(name, { runExclusive: own, runShared: idle })
      return own
    },
    runShared(name, work) {
      const { runExclusive, runShared } = queueOf(name)
      const own = Promise.allSettled([runExclusive]).then(work)
      queues.set(name, { runExclusive, runShared: Promise.allSettled([runShared, own]) })
      return own
    },
  }
}
