import { expect, test } from 'vitest'
import { isVisible, withoutHidden } from '../src/visible.ts'
import { personName } from '../src/values.ts'

test.each(['', ' \n', '\u200b', '\u3164', '\u2800', '\u{e0041}', '\u00ad\ufe0f', '\u200d'])(
  'there is nothing to see in %j, and it is nobody’s name',
  (text) => {
    expect(isVisible(text)).toBe(false)
    expect(personName.safeParse(text).success).toBe(false)
  },
)

test.each(['Anna', 'A', 'Zoë', 'می\u200cخواهم', 'क्\u200dष', '👩\u200d⚖️', '❤️', '1️⃣', 'O’Neil-Sørensen'])(
  '%j stays as it is',
  (text) => {
    expect(isVisible(text)).toBe(true)
    expect(withoutHidden(text)).toBe(text)
    expect(personName.parse(text)).toBe(text)
  },
)

test.each(['Anna\u200b', '\u2060Anna', 'An\u00adna', 'Anna\u{e0041}', 'Anna\u200d', 'Anna\ufe0f', '\u200cAnna \u200b'])(
  '%j is no other name than Anna',
  (text) => expect(personName.parse(text)).toBe('Anna'),
)

const flag = (subdivision: string) =>
  `\u{1f3f4}${[...subdivision].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')}\u{e007f}`

test.each(['gbeng', 'gbsct', 'gbwls'])('the flag of %s keeps what makes it one', (subdivision) => {
  const name = `Anna ${flag(subdivision)}`
  expect(name).toMatch(/\p{RGI_Emoji_Tag_Sequence}$/v)
  expect(personName.parse(name)).toBe(name)
  expect(personName.parse(`${name}${flag(subdivision)}`)).toBe(`${name}${flag(subdivision)}`)
})

test.each([
  flag('gbnir'),
  flag('ustx'),
  flag('gbengx'),
  flag(''),
  flag('gbeng').slice(0, -2),
  `${flag('gbsct').slice(0, -2)}\u{e0061}\u{e007f}`,
])('a flag with anything else after it that nobody sees is a black flag: %j', (text) =>
  expect(personName.parse(`Anna ${text}`)).toBe('Anna \u{1f3f4}'),
)

test.each(['From: Anna', ' bcc : x@example.com', 'X-Priority: 1'])(
  'a name may not begin like the mail header %j',
  (text) => expect(personName.safeParse(text).success).toBe(false),
)

test('what turns the direction of text is refused in a name', () => {
  expect(personName.safeParse('Anna\u202eB').success).toBe(false)
  expect(personName.safeParse('Anna\u061cB').success).toBe(false)
})
