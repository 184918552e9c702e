import type { SignedInUser } from '@privity/contract/session'
import type { AccountDevice } from '../device/sharedComputer.ts'
import type { Tabs } from '../device/tabs.ts'

/** The sessions that were begun on a shared computer: they store nothing and end with the window. */
export interface SharedComputer {
  /** Call before anything of the session is read or stored. */
  begin(signedIn: SignedInUser): void
  /**
   * Whether the window of the session was closed. Browsers that restore their windows keep its cookie: then this page
   * was not reloaded, and no other tab has the session.
   */
  isLeft(signedIn: SignedInUser): Promise<boolean>
}

const isReload = () =>
  performance.getEntriesByType('navigation').some((each) => (each as PerformanceNavigationTiming).type === 'reload')

export function createSharedComputer(device: AccountDevice, tabs: Pick<Tabs, 'addId' | 'runIfClosed'>): SharedComputer {
  return {
    begin({ session }) {
      if (session.sharedComputer !== true) return
      device.forgetWithPage()
      tabs.addId(session.id)
    },
    async isLeft({ session }) {
      if (session.sharedComputer !== true || device.isTransient() || isReload()) return false
      return (await tabs.runIfClosed(session.id, async () => true)) === true
    },
  }
}
