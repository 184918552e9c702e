import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { QueryClientProvider } from '@tanstack/react-query'
import { Router } from 'wouter'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { defaultPolicy, defaultPreferences } from '@privity/contract/preferenceDefaults'
import type { Policy } from '@privity/contract/preferences'
import type { OrganizationPolicy } from '@privity/contract/organization'
import { setFormats, isoDay, startOfDay } from '../../../src/i18n/dateTime.ts'
import { speak, startLanguage } from '../../../src/i18n/language.ts'
import { queryClient } from '../../../src/app/queryClient.ts'
import { reachQuery } from '../../../src/features/organization/queries.ts'
import { announcedDay, FactorNotice } from '../../../src/pages/dashboard/AnnouncedFactor.tsx'
import { AnnouncedTwoFactor } from '../../../src/features/organization/policy/PolicySettings.tsx'
import { Requirement } from '../../../src/features/secondFactor/SecondFactorSection.tsx'
import { isAnnounced, offeredDays } from '../../../src/features/organization/policy/policyChange.ts'

await startLanguage(() => import('../../../src/i18n/translations.ts'))
afterEach(async () => {
  vi.unstubAllEnvs()
  queryClient.clear()
  setFormats(defaultPreferences)
  await speak('en')
})

const from = new Date(2027, 0, 5).getTime()
const day = 24 * 60 * 60 * 1000
const client = { organization: {}, on: () => () => {} } as never

describe('the notice to a member', () => {
  const notice = (on: boolean | undefined) => {
    if (on !== undefined) queryClient.setQueryData(['/api/second-factor'], { on })
    const drawn = createElement(Router, { ssrPath: '/', children: createElement(FactorNotice, { client, from }) })
    return renderToStaticMarkup(createElement(QueryClientProvider, { client: queryClient }, drawn))
  }

  test('says the day in the format of the member, in both languages', async () => {
    expect(notice(false)).toContain('From 01/05/2027 your organization requires two-factor authentication.')
    setFormats({ ...defaultPreferences, dateFormat: 'YYYY-MM-DD' })
    await speak('de')
    expect(notice(false)).toContain('Ab 2027-01-05 verlangt Ihre Organisation die Zwei-Faktor-Authentifizierung.')
  })

  test('leads to where it is set up', () => {
    expect(notice(false)).toContain('href="/privacy-security#twoFactor"')
  })

  test('is shown neither to who has one nor before that is known', () => {
    expect([notice(undefined), notice(true)]).toEqual(['', ''])
  })

  test('is there while a day is announced, and no longer', () => {
    expect(announcedDay(defaultPolicy)).toBeUndefined()
    expect(announcedDay({ ...defaultPolicy, twoFactorFrom: from })).toBe(from)
    expect(announcedDay({ ...defaultPolicy, twoFactor: true, twoFactorFrom: from })).toBeUndefined()
  })
})

describe('the setting under Privacy & Security', () => {
  const said = (policy: Policy) => renderToStaticMarkup(createElement(Requirement, { policy }))

  test('names the announced day in the format of the member, in both languages', async () => {
    const policy = { ...defaultPolicy, twoFactorFrom: from }
    expect(said(policy)).toContain('Required by your organization from 01/05/2027.')
    setFormats({ ...defaultPreferences, dateFormat: 'YYYY-MM-DD' })
    await speak('de')
    expect(said(policy)).toContain('Ab 2027-01-05 von Ihrer Organisation verlangt.')
  })

  test('says that it is required once the day has come, and nothing without a requirement', () => {
    expect(said({ ...defaultPolicy, twoFactor: true, twoFactorFrom: from })).toContain('Set by your organization.')
    expect(said(defaultPolicy)).toBe('')
  })
})

describe('the day that an administrator chooses', () => {
  test('begins at its first moment in the own time zone', () => {
    expect(startOfDay('2027-01-05')).toBe(from)
    expect(isoDay(from)).toBe('2027-01-05')
  })

  test.each(['', '2027-02-30', '2027-13-01', '05.01.2027', 'x'])('is not %j', (text) => {
    expect(startOfDay(text)).toBeUndefined()
  })

  test('is offered a week ahead, from tomorrow to a year on', () => {
    expect(offeredDays(new Date(2027, 0, 5, 13).getTime())).toEqual({
      usual: '2027-01-12',
      first: '2027-01-06',
      last: '2028-01-06',
    })
  })

  test.each([
    ['has 25 hours', '2026-10-25T00:30', '2026-10-26'],
    ['comes before one of 23 hours', '2026-03-28T23:30', '2026-03-29'],
  ])('is offered from tomorrow where the day %s', (_what, now, first) => {
    vi.stubEnv('TZ', 'Europe/Berlin')
    expect(offeredDays(new Date(now).getTime()).first).toBe(first)
  })

  test('is announced until it comes', () => {
    const policy = { twoFactor: true, twoFactorFrom: from } as OrganizationPolicy
    expect(isAnnounced(policy, from - 1)).toBe(true)
    expect(isAnnounced(policy, from)).toBe(false)
    expect(isAnnounced({ ...policy, twoFactor: false }, from - day)).toBe(false)
  })

  test('is shown with how many members are still without', () => {
    queryClient.setQueryData(reachQuery(client).queryKey, { withoutSecondFactor: 3, outsideDomains: 0 })
    const drawn = createElement(AnnouncedTwoFactor, { client, from, onChange: () => {} })
    const markup = renderToStaticMarkup(createElement(QueryClientProvider, { client: queryClient }, drawn))
    expect(markup).toContain('Two-factor authentication is required from 01/05/2027')
    expect(markup).toContain('3 active members have no second factor yet.')
  })
})
