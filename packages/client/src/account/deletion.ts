/** The deletion of the account, during which the end of its session is no news. */
export interface Removal {
  isRunning(): boolean
  run(userId: string, remove: () => Promise<void>): Promise<void>
}

export function createRemoval(deps: {
  /** Erases what this device keeps, and tells the other tabs. */
  removed(userId: string): Promise<void>
  /** Finds out whether there still is a session: a failure may hide that it was done. */
  recheck(): Promise<void>
}): Removal {
  let running = false
  return {
    isRunning: () => running,
    async run(userId, remove) {
      running = true
      try {
        await remove()
        await deps.removed(userId)
      } catch (error) {
        running = false
        await deps.recheck().catch(() => {})
        throw error
      } finally {
        running = false
      }
    },
  }
}
