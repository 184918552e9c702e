import type { TrustState } from '@privity/client'
import type { SecurityFacts } from '@privity/contract/privacy'
import type { SignedInSession } from '@privity/contract/session'
import { privacyTexts } from './texts.ts'

/** `unsafe`: the page was not loaded over a secure connection. `mayGo`: the browser may evict the stored keys. */
export type KeyStorage = 'kept' | 'mayGo' | 'unsafe'

export interface StatusFacts {
  now: number
  security: SecurityFacts
  /** Trust state of each contact that has keys. */
  trust: readonly TrustState[]
  sessions: readonly SignedInSession[]
  storage: KeyStorage
  secondFactor: { on: boolean; recoveryCodesLeft: number }
  /** The user has not confirmed that they saved the recovery key shown at sign-up. */
  isRecoveryKeyUnsaved: boolean
}

export interface StatusItem {
  id: string
  title: string
  state: 'good' | 'attention'
  text: string
  /** Link to the page or control that changes it. */
  link?: { label: string; href: string }
  /** Action offered here: request persistent storage, or dismiss the failed sign-ins up to a time. */
  ask?: { label: string; what: 'persist' } | { label: string; what: 'settle'; until: number }
}

type Format = (at: number) => string

const day = 24 * 60 * 60 * 1000
const oldKey = 365 * day
const oldSession = 30 * day
const manyFailures = 5
const fewCodes = 2

function secondFactor({ secondFactor: { on, recoveryCodesLeft: left } }: StatusFacts): StatusItem {
  const texts = privacyTexts.status
  const base = { id: 'secondFactor', title: texts.secondFactor }
  if (!on) {
    const link = { label: texts.setUp, href: '#twoFactor' }
    return { ...base, state: 'attention', text: texts.secondFactorOff, link }
  }
  if (left > fewCodes) return { ...base, state: 'good', text: texts.secondFactorOn }
  return {
    ...base,
    state: 'attention',
    text: texts.fewCodes(left),
    link: { label: texts.renewCodes, href: '#twoFactor' },
  }
}

function recoveryKey({ now, security, isRecoveryKeyUnsaved: unsaved }: StatusFacts, date: Format): StatusItem[] {
  const texts = privacyTexts.status
  const at = security.recoveryKeyAt
  if (at === undefined) return []
  const old = now - at > oldKey
  return [
    {
      id: 'recoveryKey',
      title: texts.recoveryKey,
      state: old || unsaved ? 'attention' : 'good',
      text: unsaved ? texts.recoveryKeyUnsaved : old ? texts.recoveryKeyOld(date(at)) : texts.recoveryKeyOf(date(at)),
      link: { label: texts.renew, href: '/account-settings' },
    },
  ]
}

function contacts({ trust }: StatusFacts): StatusItem[] {
  const texts = privacyTexts.status
  const changed = trust.filter((state) => state === 'changed').length
  const unverified = trust.filter((state) => state === 'unverified' || state === 'linked').length
  const verification = unverified === 0 ? texts.allVerified(trust.length) : texts.unverified(unverified, trust.length)
  return [
    {
      id: 'keys',
      title: texts.keys,
      state: changed > 0 ? 'attention' : 'good',
      text: changed > 0 ? texts.keysChanged(changed) : texts.keysSame,
      ...(changed > 0 && { link: { label: texts.review, href: '/' } }),
    },
    {
      id: 'contacts',
      title: texts.contacts,
      state: unverified > 0 ? 'attention' : 'good',
      text: trust.length === 0 ? texts.noContacts : verification,
      ...(unverified > 0 && { link: { label: texts.verify, href: '/connection-management' } }),
    },
  ]
}

function sessions({ now, sessions: all }: StatusFacts, date: Format): StatusItem {
  const texts = privacyTexts.status
  const others = all.filter(({ current }) => !current)
  const base = { id: 'sessions', title: texts.sessions, link: { label: texts.manage, href: '/account-settings' } }
  if (others.length === 0) return { ...base, state: 'good', text: texts.onlyThis }
  const oldest = Math.min(...others.map(({ createdAt }) => createdAt))
  const old = now - oldest > oldSession
  const text = old ? texts.othersOld(others.length, date(oldest)) : texts.others(others.length, date(oldest))
  return { ...base, state: old ? 'attention' : 'good', text }
}

function failures({ now, security }: StatusFacts, time: Format): StatusItem {
  const texts = privacyTexts.status
  const { count, lastAt, lastAddress = '', settledAt } = security.failedSignIns
  const base = { id: 'failures', title: texts.failures }
  if (count === 0 || lastAt === undefined) {
    const text = settledAt === undefined ? texts.noFailures : texts.noFailuresSince(time(settledAt))
    return { ...base, state: 'good', text }
  }
  return {
    ...base,
    // A few failures of weeks ago, probably the user's own, need no attention.
    state: count >= manyFailures || now - lastAt < day ? 'attention' : 'good',
    text: texts.failed(count, time(lastAt), lastAddress),
    link: { label: texts.changePassword, href: '/account-settings' },
    ask: { label: texts.settle, what: 'settle', until: lastAt },
  }
}

function storage({ storage: kept }: StatusFacts): StatusItem {
  const texts = privacyTexts.status
  const base = { id: 'storage', title: texts.storage }
  if (kept === 'kept') return { ...base, state: 'good', text: texts.storageKept }
  if (kept === 'unsafe') return { ...base, state: 'attention', text: texts.storageUnsafe }
  return { ...base, state: 'attention', text: texts.storageMayGo, ask: { label: texts.keep, what: 'persist' } }
}

function switched(id: 'sessionTimeout' | 'loginNotifications', on: boolean): StatusItem {
  const texts = privacyTexts.status
  const [title, yes, no] =
    id === 'sessionTimeout'
      ? [texts.timeout, texts.timeoutOn, texts.timeoutOff]
      : [texts.logins, texts.loginsOn, texts.loginsOff]
  if (on) return { id, title, state: 'good', text: yes }
  return { id, title, state: 'attention', text: no, link: { label: texts.switchOn, href: `#${id}` } }
}

/** Evaluates the facts: items that need attention first, otherwise in this order. */
export function statusItems(
  facts: StatusFacts,
  preferences: { sessionTimeout: boolean; loginNotifications: boolean },
  { date, time }: { date: Format; time: Format },
): StatusItem[] {
  const items = [
    secondFactor(facts),
    ...contacts(facts),
    ...recoveryKey(facts, date),
    sessions(facts, date),
    failures(facts, time),
    switched('sessionTimeout', preferences.sessionTimeout),
    switched('loginNotifications', preferences.loginNotifications),
    storage(facts),
  ]
  return [...items.filter(({ state }) => state === 'attention'), ...items.filter(({ state }) => state === 'good')]
}
