/** Deletes the account. The end of its session during the call is expected and not shown. */
export interface Deletion {
  isRunning(): boolean
  run(userId: string, remove: () => Promise<void>): Promise<void>
}

export function createDeletion(deps: {
  /** Removes the account's data from this device and notifies the other tabs. */
  removeData(userId: string): Promise<void>
  /** Checks whether the session still exists: a failed call may have deleted the account all the same. */
  recheck(): Promise<void>
}): Deletion {
  let isRunning = false
  return {
    isRunning: () => isRunning,
    async run(userId, remove) {
      isRunning = true
      try {
        await remove()
        await deps.removeData(userId)
      } catch (error) {
        isRunning = false
        await deps.recheck().catch(() => {})
        throw error
      } finally {
        isRunning = false
      }
    },
  }
}
