import type { Account, AccountInternals } from './account/types.ts'
import type { Deletion } from './account/deletion.ts'
import type { KeyRotation } from './account/newKeys/rotateKeys.ts'
import type { OwnAccount } from './account/ownAccount.ts'
import type { SecondFactor } from './account/secondFactor.ts'
import type { AuditLogs } from './auditLogs.ts'
import { type Connections, createConnections } from './connections.ts'
import type { CurrentSession } from './currentSession.ts'
import type { Device } from './device/device.ts'
import type { Tabs } from './device/tabs.ts'
import { type Files, forwardFiles } from './files/files.ts'
import type { BrowserSettings } from './keys/browsers/browserSettings.ts'
import type { PasswordDerivation } from './keys/passwordKeys.ts'
import type { DecryptedMessages } from './messages/decrypt.ts'
import type { Drafts } from './messages/drafts.ts'
import { createNotifications, type Notifications } from './notifications.ts'
import type { Organization } from './organization.ts'
import { createPreferences, type PreferenceAccess } from './preferences.ts'
import type { Privacy } from './privacy.ts'
import type { Push } from './push.ts'
import type { Reports } from './reports.ts'
import type { Session } from './session.ts'
import type { Call } from './transport/call.ts'
import type { SecurityAlert } from './transport/callError.ts'
import { forwardCalls, loadLazily } from './transport/lazy.ts'
import type { ServerClock } from './transport/serverClock.ts'
import type { Store } from './transport/store.ts'
import type { TrustCalls } from './trust/types.ts'
import type { Transfer } from './types.ts'

/** The calls of each feature. Those that need keys throw NOT_SIGNED_IN while no account is open. */
export interface Features {
  ownAccount: OwnAccount
  secondFactor: SecondFactor
  browsers: Omit<BrowserSettings, 'visit'>
  /** Whether the mode is "Only approved browsers", as known without a call. */
  isOnlyApproved(): Promise<boolean>
  connections: Connections
  messages: Omit<DecryptedMessages, 'decrypt' | 'listWhole' | 'catchUp' | 'find'> & {
    /**
     * Resolves once the text is stored, encrypted, on this device, in one transaction with `draft`, the rest of the
     * draft. `quote`: what it replies to, by `quoteOf`.
     */
    send: Session['send']
    retry(id: string): Promise<void>
    discard(id: string): Promise<void>
    /** Deletes an own message for both sides. Throws OFFLINE, or MESSAGE_NOT_FOUND once it has expired. */
    delete: Session['deleteMessage']
  }
  drafts: Drafts
  files: Files & { transfers: Store<readonly Transfer[]> }
  trust: TrustCalls
  notifications: Notifications
  push: Push
  preferences: PreferenceAccess
  privacy: Privacy
  organization: Organization
  reports: Reports
  auditLogs: AuditLogs
}

export interface FeatureDeps {
  origin: string
  call: Call
  clock: ServerClock
  device: Device
  tabs: Tabs
  passwords: PasswordDerivation
  account: Account & AccountInternals
  session: CurrentSession
  transfers: Store<readonly Transfer[]>
  deletion: Deletion
  keyRotation: KeyRotation
  alarm: SecurityAlert
}

export function createFeatures(deps: FeatureDeps): Features {
  const { call, origin, clock, account, session, transfers, alarm } = deps
  const passwordDeps = { call, passwords: deps.passwords, state: account.state }
  const trust = forwardCalls(async () => (await session.wait()).trust)
  const connections = createConnections({
    call,
    origin,
    participants: () => session.get()?.participants,
    recordLifetime: (connection) => session.get()?.lifetimes.record(connection),
    trust,
    alarm,
  })

  return {
    ownAccount: loadLazily(async () => {
      const { createOwnAccount } = await import('./account/ownAccount.ts')
      const { device, tabs, deletion, keyRotation } = deps
      return createOwnAccount({
        ...passwordDeps,
        clock,
        device,
        tabs,
        setUser: account.setUser,
        deletion,
        keyRotation,
        alarm,
      })
    }),
    secondFactor: loadLazily(async () => (await import('./account/secondFactor.ts')).createSecondFactor(passwordDeps)),
    browsers: forwardCalls(async () => (await session.wait()).keyring.loadBrowsers()),
    isOnlyApproved: async () => (await session.wait()).keyring.isOnlyApproved(),
    connections,
    messages: forwardCalls(async () => {
      const { decryptedMessages, outbox, send, deleteMessage } = await session.wait()
      return { ...decryptedMessages, send, retry: outbox.retry, discard: outbox.discard, delete: deleteMessage }
    }),
    drafts: forwardCalls(async () => (await session.wait()).drafts),
    files: { transfers, ...forwardFiles(() => session.require().files) },
    trust,
    notifications: createNotifications(call),
    push: loadLazily(async () => (await import('./push.ts')).createPush(call)),
    preferences: createPreferences(call),
    privacy: loadLazily(async () => {
      const { createPrivacy } = await import('./privacy.ts')
      return createPrivacy({ ...passwordDeps, clock, connections: connections.list, session: session.require })
    }),
    organization: loadLazily(async () => (await import('./organization.ts')).createOrganization(call, origin)),
    reports: loadLazily(async () => (await import('./reports.ts')).createReports(call, session.require)),
    auditLogs: loadLazily(async () => (await import('./auditLogs.ts')).createAuditLogs(call)),
  }
}
