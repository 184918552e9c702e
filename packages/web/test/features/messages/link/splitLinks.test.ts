import { describe, expect, it } from 'vitest'
import { splitLinks } from '../../../../src/features/messages/link/splitLinks.ts'

const links = (text: string) => splitLinks(text).flatMap((part) => part.href ?? [])
const written = (text: string) => splitLinks(text).flatMap((part) => (part.href === undefined ? [] : part.text))

describe('an address', () => {
  it.each([
    ['See https://example.com/a?b=c#d now', 'https://example.com/a?b=c#d'],
    ['HTTPS://Example.COM/Path', 'HTTPS://Example.COM/Path'],
    ['siehe:https://example.com', 'https://example.com'],
    ['https://example.com.', 'https://example.com'],
    ['https://example.com/a?!', 'https://example.com/a'],
    ['https://example.com/a...', 'https://example.com/a'],
    ['(https://example.com/a)', 'https://example.com/a'],
    ['([https://example.com/a].)', 'https://example.com/a'],
    ['https://en.wikipedia.org/wiki/Deed_(law)', 'https://en.wikipedia.org/wiki/Deed_(law)'],
    ['(https://en.wikipedia.org/wiki/Deed_(law))', 'https://en.wikipedia.org/wiki/Deed_(law)'],
    ['<https://example.com/a>', 'https://example.com/a'],
    ['“https://example.com/a”', 'https://example.com/a'],
    ["'https://example.com/a'", 'https://example.com/a'],
    ['„https://example.com/a“', 'https://example.com/a'],
    ['請看https://example.com/a。', undefined],
    ['請看 https://example.com/a。次', 'https://example.com/a'],
    ['https://example.com/straße/日本', 'https://example.com/straße/日本'],
    ['https://[2001:db8::1]:8443/a', 'https://[2001:db8::1]:8443/a'],
    ['https://example.com\nnext line', 'https://example.com'],
    ['https://example.com\u00a0next', 'https://example.com'],
  ])('in %j is %j', (text, address) => {
    expect(written(text)).toEqual(address === undefined ? [] : [address])
  })

  it('of which there are two makes two, with the text around them', () => {
    expect(splitLinks('a https://b.example, https://c.example d')).toEqual([
      { text: 'a ' },
      { text: 'https://b.example', href: 'https://b.example/' },
      { text: ', ' },
      { text: 'https://c.example', href: 'https://c.example/' },
      { text: ' d' },
    ])
  })

  it('leaves the text as it was written', () => {
    const text = 'x (https://a.example/b). https:// https://\u202ec.example "https://d.example"'
    expect(
      splitLinks(text)
        .map((part) => part.text)
        .join(''),
    ).toBe(text)
  })
})

describe('no address', () => {
  it.each([
    'http://example.com',
    'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'ftp://example.com',
    'blob:null/1',
    'intent://scan/#Intent;scheme=zxing;end',
    'mailto:a@example.com',
    'www.example.com',
    'example.com',
    '//example.com',
    'https:example.com',
    'https:/example.com',
    String.raw`https:\\example.com`,
    'https://',
    'https://.',
    'https://?',
    'https:///',
    'xhttps://example.com',
    'https://example.com:port',
    'https://example.com:99999',
    'https://256.256.256.256',
    'https://[::1',
    'https://%',
    'https://user@',
    String.raw`https://example.com\@evil.example`,
    'https://example.com\u202e/moc.live',
    '\u2066https://example.com\u2069/a',
    'https://exam\u200bple.com',
    'https://exam\u00adple.com',
    'https://example.com/\u200f',
    'https://example.com/\u061ca',
    'https://example.com/\u0000',
    'https://example.com/\ud800',
    'https://example.com/\u{e0061}',
  ])('is %j', (text) => {
    expect(links(text)).toEqual([])
  })
})

describe('only https is opened, and where it leads is what the browser says', () => {
  it.each([
    ['https://good.example@evil.example/', 'evil.example'],
    ['https://good.example:443@evil.example/', 'evil.example'],
    ['https://good.example%2f@evil.example/', 'evil.example'],
    ['https://evil.example#@good.example', 'evil.example'],
    ['https://evil.example?@good.example', 'evil.example'],
    ['https://evil.example/@good.example', 'evil.example'],
    ['https://аpple.com', 'xn--pple-43d.com'],
    ['https://münchen.example', 'xn--mnchen-3ya.example'],
    ['https://ex\u0430mple.com', 'xn--exmple-4nf.com'],
    ['https://ｅｘample.com', 'example.com'],
    ['https://2130706433', '127.0.0.1'],
    ['https://0x7f.1', '127.0.0.1'],
    ['https://example.com:443', 'example.com'],
    ['https://example.com:444', 'example.com:444'],
    ['javascript:https://example.com', 'example.com'],
    ['view-source:https://example.com', 'example.com'],
  ])('%s leads to %s', (text, host) => {
    const [href = ''] = links(text)
    expect(new URL(href)).toMatchObject({ protocol: 'https:', host })
  })

  it('a text of the greatest length is divided quickly whatever it contains', () => {
    const texts = ['https://', '(', ')', '.', 'https://a', '\u202e'].map((each) => `https://a${each.repeat(500)}`)
    for (const text of texts)
      expect(
        splitLinks(text)
          .map((part) => part.text)
          .join(''),
      ).toBe(text)
  })
})
