import { expect, it } from 'vitest'
import { leadOf } from '../../../../src/features/messages/link/leadOf.ts'

const lead = (text: string) => leadOf(text, new URL(text).href)

it.each([
  ['https://Example.com:8443/a', { website: 'example.com:8443', plain: undefined, hasUser: false }],
  ['https://good.example@evil.example/', { website: 'evil.example', plain: undefined, hasUser: true }],
  ['https://:secret@evil.example/', { website: 'evil.example', plain: undefined, hasUser: true }],
  ['https://evil.example/@good.example', { website: 'evil.example', plain: undefined, hasUser: false }],
  ['https://\u0430pple.com/x', { website: '\u0430pple.com', plain: 'xn--pple-43d.com', hasUser: false }],
  [
    'https://a@good.example@münchen.example?b',
    { website: 'münchen.example', plain: 'xn--mnchen-3ya.example', hasUser: true },
  ],
  ['https://xn--pple-43d.com', { website: 'xn--pple-43d.com', plain: 'xn--pple-43d.com', hasUser: false }],
  ['https://\uff45xample.com', { website: 'example.com', plain: undefined, hasUser: false }],
  ['https://2130706433', { website: '127.0.0.1', plain: undefined, hasUser: false }],
])('the reader of %s learns the host', (text, known) => {
  expect(lead(text)).toEqual(known)
})
