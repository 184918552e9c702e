/** Deletes the account. The end of its session meanwhile is expected and not shown. */
export interface Deletion {
  isRunning(): boolean
  run(userId: string, remove: () => Promise<void>): Promise<void>
}

export function createDeletion(deps: {
  /** Removes the account's data from this device and notifies the other tabs. */
  removed(userId: string): Promise<void>
  /** Checks whether the session still exists: a failed call may have deleted the account all the same. */
  recheck(): Promise<void>
}): Deletion {
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
