/** Web Lock held by every visible tab, in shared mode. */
const inSight = 'privity-in-sight'
/** Time in ms for which an event counts as announced; longer than the slowest tab takes to receive it. */
const announcedMs = 10_000

const locks = () => navigator.locks as LockManager | undefined

/** Holds the shared lock while this tab is visible. Returns a function that releases it. */
export function holdInSight(): () => void {
  let release = () => {}
  const follow = () => {
    release()
    release = () => {}
    if (document.visibilityState !== 'visible') return
    const done = new Promise<void>((resolve) => (release = resolve))
    void locks()?.request(inSight, { mode: 'shared' }, () => done)
  }
  follow()
  document.addEventListener('visibilitychange', follow)
  return () => {
    document.removeEventListener('visibilitychange', follow)
    release()
  }
}

/** Whether any tab of this application is visible. */
export async function isAnyInSight(): Promise<boolean> {
  const held = (await locks()?.query())?.held ?? []
  return held.some(({ name }) => name === inSight)
}

/** Resolves to true in one tab only, the first to ask about this event; in every tab if there are no Web Locks. */
export function claimAnnouncement(id: string): Promise<boolean> {
  const manager = locks()
  if (!manager) return Promise.resolve(true)
  return new Promise((resolve) => {
    void manager.request(`privity-told-${id}`, { ifAvailable: true }, (lock) => {
      resolve(lock !== null)
      if (lock !== null) return new Promise((free) => setTimeout(free, announcedMs))
    })
  })
}
