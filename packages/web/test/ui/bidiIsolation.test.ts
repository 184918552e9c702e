import { afterEach, expect, test } from 'vitest'
import { speak, startLanguage } from '../../src/i18n/language.ts'
import { isolating } from '../../src/ui/translation.ts'
import { connectionTexts } from '../../src/features/connections/texts.ts'
import { fileTexts } from '../../src/features/files/texts.ts'
import { notificationTexts } from '../../src/features/notifications/texts.ts'
import { organizationTexts } from '../../src/features/organization/texts.ts'
import { safetyNumberTexts } from '../../src/features/trust/safetyNumber/texts.ts'

await startLanguage(() => import('../../src/i18n/translations.ts'))
afterEach(() => speak('en'))

const apart = (text: string) => `\u2068${text}\u2069`

test.each(['آمنة', 'שרה כהן', 'ޢަލީ', 'Amina آمنة', '𐤀𐤁'])('%s stands apart from the words around it', async (name) => {
  expect(connectionTexts.removed(name)).toBe(`Your connection with ${apart(name)} was removed`)
  expect(organizationTexts.users.roleOf(name)).toBe(`Role of ${apart(name)}`)
  expect(safetyNumberTexts.mismatch(name).advice).toContain(apart(name))
  await speak('de')
  expect(connectionTexts.removed(name)).toContain(apart(name))
  expect(safetyNumberTexts.mismatch(name).advice).toContain(apart(name))
  await speak('en')
  expect(connectionTexts.removed(name)).toBe(`Your connection with ${apart(name)} was removed`)
})

test('two of them in one sentence stand apart from each other and from numbers', () => {
  expect(notificationTexts.requested('שרה', 'תיק 12.pdf')).toBe(`${apart('שרה')} requests ${apart('תיק 12.pdf')}`)
  expect(fileTexts.hasAccess('שרה', 2, 3)).toBe(`${apart('שרה')} has 2 of 3 downloads left`)
})

test.each(['Amara', 'Zoë Łukasiewicz', 'Αθηνά', '张伟', 'अनिता', '👩‍⚖️'])('for %s nothing is added', (name) =>
  expect(connectionTexts.removed(name)).toBe(`Your connection with ${name} was removed`),
)

test('texts of every kind stay what they are', () => {
  const texts = isolating({
    one: 'שרה',
    list: ['a', 'b'],
    count: (many: number) => many * 2,
    deep: { none: undefined },
  })
  expect(texts).toEqual({
    one: 'שרה',
    list: ['a', 'b'],
    count: expect.any(Function) as unknown,
    deep: { none: undefined },
  })
  expect(texts.count(2)).toBe(4)
})
