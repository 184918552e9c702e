/** A tab that is in sight holds this lock, shared with the others in sight. */
const inSight = 'privity-in-sight'
/** How long a piece of news counts as told: longer than the slowest tab takes to hear of it. */
const told = 10_000

const locks = () => navigator.locks as LockManager | undefined

/** Lets the other tabs of this browser know while this one is in sight. */
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

/** Whether the user has any tab of this application before his eyes. */
export async function isAnyInSight(): Promise<boolean> {
  const held = (await locks()?.query())?.held ?? []
  return held.some(({ name }) => name === inSight)
}

/** True in one tab of this browser only, whoever asks first about this piece of news. */
export function isFirstToTell(id: string): Promise<boolean> {
  const manager = locks()
  if (!manager) return Promise.resolve(true)
  return new Promise((resolve) => {
    void manager.request(`privity-told-${id}`, { ifAvailable: true }, (lock) => {
      resolve(lock !== null)
      if (lock !== null) return new Promise((free) => setTimeout(free, told))
    })
  })
}
