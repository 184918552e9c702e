import { describe, expect, test } from 'vitest'
import { codeAlphabet, normaliseCode } from '../src/connections/connectionCode.ts'
import { connections } from '../src/connections/connections.ts'
import { config } from '../src/config.ts'
import { browsers } from '../src/keys/browsers.ts'
import type { Endpoint } from '../src/endpoint.ts'
import { AppError, errors, type ErrorCode } from '../src/errors.ts'
import { files } from '../src/files.ts'
import { lockedAccounts } from '../src/founder/lockedAccounts.ts'
import { founderOrganizations } from '../src/founder/organizations.ts'
import { founderSupportRequests } from '../src/founder/supportRequests.ts'
import { founderUsers } from '../src/founder/users.ts'
import { reportKeys } from '../src/founder/reportKeys.ts'
import { founderSecondFactor } from '../src/founder/secondFactor.ts'
import { founderSessions } from '../src/founder/session.ts'
import { monitoring } from '../src/founder/monitoring.ts'
import { keys } from '../src/keys/keys.ts'
import { fileSegmentBytes, limits, sealedFileSize } from '../src/limits.ts'
import { messages } from '../src/messages/messages.ts'
import { notifications } from '../src/notifications.ts'
import { invitations, organization, organizationPolicy, userAdministration } from '../src/organization/organization.ts'
import { preferenceCalls } from '../src/account/preferences.ts'
import { privacy } from '../src/account/privacy.ts'
import { recovery } from '../src/account/recovery.ts'
import { secondFactor } from '../src/account/secondFactor.ts'
import { securityEvents } from '../src/audit/securityEvents.ts'
import { session } from '../src/account/session.ts'
import { support } from '../src/support.ts'
import { base64url, username } from '../src/values.ts'

const features = {
  browsers,
  config,
  connections,
  files,
  founderOrganizations,
  founderSupportRequests,
  founderUsers,
  founderSessions,
  founderSecondFactor,
  reportKeys,
  keys,
  lockedAccounts,
  invitations,
  messages,
  monitoring,
  notifications,
  organization,
  organizationPolicy,
  preferenceCalls,
  privacy,
  recovery,
  secondFactor,
  securityEvents,
  session,
  support,
  userAdministration,
}
const endpoints: Endpoint[] = Object.values(features).flatMap((feature) => Object.values(feature))

describe('endpoints', () => {
  test('that browsers ask again and again keep no session alive', () => {
    const polled = endpoints.filter((each) => each.polled)
    expect(polled.length).toBeGreaterThan(2)
    for (const { path, byItself } of polled) expect(byItself, path).toBe(true)
  })

  test('no two share a method and path', () => {
    const places = endpoints.map((each) => `${each.method} ${each.path.replaceAll(/:\w+/g, ':x')}`)
    expect(new Set(places).size).toBe(places.length)
  })

  test('every parameter of a path is declared, and nothing else', () => {
    for (const each of endpoints) {
      const named = [...each.path.matchAll(/:(\w+)|(\*)$/g)].map((match) => match[1] ?? '*')
      expect(Object.keys(each.params?.shape ?? {}), each.path).toEqual(named)
    }
  })

  test('a call that reads has no body', () => {
    for (const each of endpoints) if (each.method === 'GET') expect(each.body, each.path).toBeUndefined()
  })
})

describe('errors', () => {
  test('each has an error status and a sentence', () => {
    for (const [code, { status, message }] of Object.entries(errors)) {
      expect(status, code).toBeGreaterThanOrEqual(400)
      // The specification has this one without its full stop.
      expect(message, code).toMatch(code === 'NOT_FOUNDER' ? /^Not authenticated as founder$/ : /^[A-Z].*\.$/)
      expect(new AppError(code as ErrorCode).toBody()).toEqual({ error: message, code, message })
    }
  })
})

describe('connection codes', () => {
  test('are accepted in any case, with spaces, with hyphens or without', () => {
    for (const typed of ['KTR-MVX-482', 'ktr-mvx-482', ' ktrmvx482 ', 'KTR MVX 482', 'ktr-mvx482'])
      expect(normaliseCode(typed)).toBe('KTR-MVX-482')
  })

  test('are refused in any other form, look-alikes included', () => {
    for (const typed of [
      '',
      'KTR-MVX-48',
      'KTR-MVX-4822',
      'KTI-MVX-482',
      'KTO-MVX-482',
      'KTR-MVX-480',
      'KTR-MVX-481',
      '123-ABC-DEF',
      'KTR_MVX_482',
    ])
      expect(normaliseCode(typed), typed).toBeUndefined()
  })

  test('leave out letters and digits that are taken for one another', () => {
    expect(codeAlphabet.letters + codeAlphabet.digits).not.toMatch(/[IO01]/)
  })
})

describe('sizes', () => {
  test('a sealed file is as long as the Tink format makes it', () => {
    const first = fileSegmentBytes - 40 - 16
    const rest = fileSegmentBytes - 16
    expect(sealedFileSize(0)).toBe(40 + 16)
    expect(sealedFileSize(1)).toBe(40 + 1 + 16)
    expect(sealedFileSize(first)).toBe(fileSegmentBytes)
    expect(sealedFileSize(first + 1)).toBe(fileSegmentBytes + 1 + 16)
    expect(sealedFileSize(first + rest)).toBe(2 * fileSegmentBytes)
    expect(sealedFileSize(limits.fileBytes)).toBe(40 + limits.fileBytes + 101 * 16)
  })

  test('base64url of n bytes is taken, n - 1 and n + 1 are not', () => {
    const form = base64url(32)
    const text = (bytes: number) => Buffer.alloc(bytes, 7).toString('base64url')
    expect(form.safeParse(text(32)).success).toBe(true)
    expect(form.safeParse(text(31)).success).toBe(false)
    expect(form.safeParse(text(33)).success).toBe(false)
    expect(form.safeParse(`${text(32).slice(0, -1)}+`).success).toBe(false)
  })

  test('usernames are 3 to 32 of a-z 0-9 . _ - in any case', () => {
    expect(username.parse(' Amara.Osei ')).toBe('amara.osei')
    for (const bad of ['ab', 'a'.repeat(33), 'amara osei', 'amara@osei', 'amära', ''])
      expect(username.safeParse(bad).success, bad).toBe(false)
  })
})
