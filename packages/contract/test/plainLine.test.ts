import { describe, expect, test } from 'vitest'
import { founderOrganizations } from '../src/founder/organizations.ts'
import { organization } from '../src/organization/organization.ts'
import { support } from '../src/support.ts'
import { personName } from '../src/values.ts'

const organizationName = founderOrganizations.create.body.shape.name
const renamed = organization.update.body.shape.name
const subject = support.create.body.shape.subject

describe.each([
  ['a person’s name', personName],
  ['an organization’s name', organizationName],
  ['an organization’s new name', renamed],
  ['a support subject', subject],
])('%s', (_, schema) => {
  test.each([
    'From: boss@example.org',
    'Fr\u200bom: boss@example.org',
    'Fr\u00adom: boss@example.org',
    'Fr\u2060om: boss@example.org',
    'Fr\u200com: boss@example.org',
    '\u200bFrom: boss@example.org',
    'From\uff1a boss@example.org',
    '\uff26rom: boss@example.org',
    'Resent-From: boss@example.org',
    'In-Reply-To: <1@example.org>',
    'List-Unsubscribe: <mailto:x@example.org>',
    ': boss@example.org',
  ])('does not begin like a mail header: %j', (text) => {
    expect(schema.safeParse(text).success).toBe(false)
  })

  test.each(['\u200b', '\u{e0041}\u{e0042}', '\u2800', ' '])('has something to see: %j', (text) => {
    expect(schema.safeParse(text).success).toBe(false)
  })

  test.each(['Anna From', 'E-mail: nothing comes', 'Fromm', 'Müller & Söhne: Recht', '👩‍⚖️ Court'])(
    'takes %j as it is',
    (text) => {
      expect(schema.parse(text)).toBe(text)
    },
  )

  test('is kept without characters that nobody sees', () => {
    expect(schema.parse(' An\u200bna\u00ad ')).toBe('Anna')
  })
})
