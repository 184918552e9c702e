import type { Device } from './device.ts'

/** Notices between the tabs of one browser. Nothing secret: a tab that hears one reads again for itself. */
export type TabNotice =
  | { type: 'outbox'; userId: string; removed?: string | undefined }
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
  /** Runs `work` in any number of tabs at a time, and in none while another one is alone. */
  together<T>(name: string, work: () => Promise<T>): Promise<T>
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
    alone: (name, work) => (locks ? locks.request(name, work) : inThisTab.alone(name, work)),
    together: (name, work) => (locks ? locks.request(name, { mode: 'shared' }, work) : inThisTab.together(name, work)),
    ifGone: (tabId, work) =>
      locks ? locks.request(lifeOf(tabId), { ifAvailable: true }, async (lock) => (lock ? work() : undefined)) : work(),
    close() {
      channel.close()
      close()
    },
  }
}

const lifeOf = (tabId: string) => `privity-tab/${tabId}`

type Queues = Pick<Tabs, 'alone' | 'together'>

interface Room {
  hearers: Set<Hear>
  /** The ids of open tabs. */
  living: Set<string>
  queues: Queues
}

const rooms = new WeakMap<Device, Room>()

function joinRoom(device: Device, hear: Hear): Tabs {
  const room = rooms.get(device) ?? { hearers: new Set<Hear>(), living: new Set<string>(), queues: createQueues() }
  rooms.set(device, room)
  const id = crypto.randomUUID()
  room.living.add(id)
  const mine: Hear = (notice) => hear(notice)
  room.hearers.add(mine)
  const closed = Promise.withResolvers<void>()

  const untilClosed =
    (kind: keyof Queues): Tabs['alone'] =>
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
    tell(notice) {
      for (const other of room.hearers)
        if (other !== mine) queueMicrotask(() => room.hearers.has(other) && other(notice))
    },
    alone: untilClosed('alone'),
    together: untilClosed('together'),
    ifGone: async (tabId, work) =>
      room.queues.alone(lifeOf(tabId), async () => (room.living.has(tabId) ? undefined : work())),
    close() {
      room.hearers.delete(mine)
      room.living.delete(id)
      closed.resolve()
    },
  }
}

/** By name, in the order they came: one piece of work alone, or several together. */
function createQueues(): Queues {
  const lines = new Map<string, { alone: Promise<unknown>; together: Promise<unknown> }>()
  const none = Promise.resolve()
  const lineOf = (name: string) => lines.get(name) ?? { alone: none, together: none }
  return {
    alone(name, work) {
      const { alone, together } = lineOf(name)
      const mine = Promise.allSettled([alone, together]).then(work)
      lines.set(name, { alone: mine, together: none })
      return mine
    },
    together(name, work) {
      const { alone, together } = lineOf(name)
      const mine = Promise.allSettled([alone]).then(work)
      lines.set(name, { alone, together: Promise.allSettled([together, mine]) })
      return mine
    },
  }
}
