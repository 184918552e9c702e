import { type Browser, browsers as contract } from '@privity/contract/browsers'
import { limits } from '@privity/contract/limits'
import type { OwnEpoch, OwnKeys } from '@privity/contract/keys'
import { type AccountKey, isSeedOf } from '@privity/e2ee'
import { deriveRecovery, deriveRecoverySeed } from '@privity/e2ee/recoveryKey'
import type { Device } from '../../device/device.ts'
import type { Tabs } from '../../device/tabs.ts'
import type { Call } from '../../transport/call.ts'
import type { SecurityAlert } from '../../transport/callError.ts'
import type { Clock } from '../../transport/clock.ts'
import { type Approvals, createApprovals } from './approval.ts'
import { acceptBrowsers } from './browserList.ts'
import { createBrowserCalls, createLoadLinks } from './browserNetwork.ts'
import { createBrowsers } from './browsers.ts'
import { createEpochs } from '../epochsAhead.ts'
import type { OwnIdentity } from '../ownIdentity.ts'
import { type LoadedOwnKeys, loadOwnKeys } from '../ownKeys.ts'

/** The user's browsers, as Account settings show them. */
export interface ShownBrowsers {
  /** The mode "Only approved browsers". */
  onlyApproved: boolean
  /** Whether the organization requires it. */
  isModeRequired: boolean
  /** This browser first. */
  browsers: readonly Browser[]
}

export interface BrowserSettings extends Approvals {
  /** Lists this browser, and publishes what is missing. */
  visit(): Promise<void>
  /** Leaves out what the identity has not signed, with an alarm. */
  list(): Promise<ShownBrowsers>
  /** Ends the sessions of the browser, and destroys what is sealed to it. */
  remove(browserId: string): Promise<void>
  /** Switches the mode "Only approved browsers". */
  setOnlyApproved(on: boolean): Promise<void>
  /** Approves this browser with what is sealed to the recovery key. Throws RECOVERY_KEY_WRONG; E2eeError for a typo. */
  openWithRecoveryKey(recoveryKey: string): Promise<void>
}

export function createBrowserSettings(deps: {
  call: Call
  device: Device
  tabs: Pick<Tabs, 'runExclusive'>
  clock: Clock
  alarm: SecurityAlert
  own: OwnIdentity & { userId: string; sessionId: string; accountKey: AccountKey }
  /** Throws for keys that the identity has not signed. */
  verify(keys: OwnKeys): Promise<unknown>
  /** Loads the keys again. */
  onChanged(): Promise<void>
}): BrowserSettings {
  const { call, device, clock, own, alarm } = deps
  const { userId, identity } = own
  async function loadKeys(): Promise<LoadedOwnKeys> {
    const keys = await loadOwnKeys({ call, device }, userId)
    await deps.verify(keys)
    return keys
  }
  const browsers = createBrowsers<OwnEpoch>({
    ...deps,
    calls: createBrowserCalls(call, own, loadKeys),
    epochsAhead: limits.epochsAhead,
    isSeedOf,
    createEpochs: (newest, startsAt) =>
      createEpochs({ identity, userId, previous: newest as OwnEpoch, startsAt, now: clock.now() }),
  })
  async function change(work: Promise<void>): Promise<void> {
    await work
    await deps.onChanged()
  }

  const signer = { userId, identityKey: identity.publicKey }

  /** An answer that looks wrong is asked for once more: another tab may have seen a newer one meanwhile. */
  async function list(isAskedAgain = false): Promise<ShownBrowsers> {
    const shown = await call(contract.list, {})
    // Loaded afterwards: if this identity is still the account's, it is the one that signed the list.
    const { mode, isModeRequired } = (await loadKeys()).browsers
    const listing = { browsers: shown.map(({ entry }) => entry), removed: [] }
    const accepted = await acceptBrowsers({ ...deps, loadLinks: createLoadLinks(call) }, signer, listing)
    if (accepted.isAltered && !isAskedAgain) return list(true)
    if (accepted.isAltered) alarm('BROWSERS_ALTERED')
    const browsers = shown.filter(({ entry }) => accepted.signed.includes(entry))
    return { onlyApproved: mode.onlyApproved, isModeRequired, browsers }
  }

  return {
    ...createApprovals({
      call,
      own: signer,
      visit: browsers.visit,
      ownEntry: browsers.ownEntry,
      list: async () => (await list()).browsers,
      approve: (browserId, entryHash) => change(browsers.approve(browserId, entryHash)),
    }),
    visit: () => change(browsers.visit()),
    list: () => list(),
    remove: (browserId) => change(browsers.remove(browserId)),
    setOnlyApproved: (on) => change(browsers.setOnlyApproved(on)),
    async openWithRecoveryKey(recoveryKey) {
      const [kemSeed, { proof }] = await Promise.all([deriveRecoverySeed(recoveryKey), deriveRecovery(recoveryKey)])
      await browsers.visit()
      await change(browsers.openWithRecoveryKey({ kemSeed, proof }))
    },
  }
}
