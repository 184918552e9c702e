/** The users who are online, in this process or another. */
export interface Presence {
  isOnline(userId: string): boolean
  /** Calls `listener` when a user's first socket in any process is ready, and when the last one is gone. */
  onChange(listener: (userId: string, online: boolean) => void): void
  /** Records that a user connected to a process or left it; `here` is this process. */
  set(process: string, userId: string, online: boolean): void
  /** Users connected to a process. */
  usersOf(process: string): readonly string[]
  /** Replaces the known users of a process by the list that it sent. */
  replace(process: string, userIds: readonly string[]): void
}

export const here = 'here'

export function createPresence(): Presence {
  const processes = new Map<string, Set<string>>()
  /** Number of processes that each user is connected to. */
  const counts = new Map<string, number>()
  const listeners: ((userId: string, online: boolean) => void)[] = []

  function change(userId: string, by: 1 | -1): void {
    const count = (counts.get(userId) ?? 0) + by
    if (count > 0) counts.set(userId, count)
    else counts.delete(userId)
    const isChange = by === 1 ? count === 1 : count === 0
    if (isChange) for (const listener of listeners) listener(userId, by === 1)
  }

  function usersIn(process: string): Set<string> {
    let users = processes.get(process)
    if (users === undefined) processes.set(process, (users = new Set()))
    return users
  }

  function set(process: string, userId: string, online: boolean): void {
    const users = usersIn(process)
    if (users.has(userId) === online) return
    if (online) users.add(userId)
    else users.delete(userId)
    if (users.size === 0) processes.delete(process)
    change(userId, online ? 1 : -1)
  }

  return {
    isOnline: (userId) => counts.has(userId),
    onChange: (listener) => void listeners.push(listener),
    set,
    usersOf: (process) => [...(processes.get(process) ?? [])],
    replace(process, userIds) {
      const now = new Set(userIds)
      for (const userId of now) set(process, userId, true)
      for (const userId of [...(processes.get(process) ?? [])]) if (!now.has(userId)) set(process, userId, false)
    },
  }
}
