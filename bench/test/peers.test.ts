import { expect, test } from 'vitest'
import { storedKeys, scram } from '../peers/scram.ts'
import { attributeOf, createStanzas, insideOf } from '../peers/stanzas.ts'
import { readCounts } from '../peers/syncs.ts'

const sent =
  `<?xml version='1.0'?><stream:stream id='7' xmlns='jabber:client'><stream:features><bind/><a><b/></a></stream:features>` +
  `<presence from="u1@localhost/x"/><message from='u2@localhost' type='chat'><body>0000000007.x</body></message> <iq id='1' type='result'/>`
const stanzas = [
  `<stream:stream id='7' xmlns='jabber:client'>`,
  '<stream:features><bind/><a><b/></a></stream:features>',
  '<presence from="u1@localhost/x"/>',
  `<message from='u2@localhost' type='chat'><body>0000000007.x</body></message>`,
  `<iq id='1' type='result'/>`,
]

test('a stream is cut into its stanzas, however its parts arrive', () => {
  for (const length of [1, 2, 7, 64, sent.length]) {
    const taken: string[] = []
    const { read } = createStanzas((stanza) => taken.push(stanza))
    for (let at = 0; at < sent.length; at += length) read(sent.slice(at, at + length))
    expect(taken).toEqual(stanzas)
  }
})

test('a new stream on the same connection begins from nothing', () => {
  const taken: string[] = []
  const cut = createStanzas((stanza) => {
    taken.push(stanza)
    if (stanza.startsWith('<success')) cut.restart()
  })
  cut.read(`<stream:stream><success xmlns='x'/>`)
  cut.read('<stream:stream><stream:features/>')
  expect(taken).toEqual(['<stream:stream>', `<success xmlns='x'/>`, '<stream:stream>', '<stream:features/>'])
})

test('attributes and insides of a stanza', () => {
  const message = stanzas[3] as string
  expect(attributeOf(message, 'from')).toBe('u2@localhost')
  expect(attributeOf(stanzas[2] as string, 'from')).toBe('u1@localhost/x')
  expect(attributeOf(message, 'id')).toBeUndefined()
  expect(insideOf(message, 'body')).toBe('0000000007.x')
  expect(insideOf('<message/>', 'body')).toBeUndefined()
})

test('the keys of all accounts answer a challenge of their salt and no other', () => {
  const { first, answer } = scram('u1')
  const nonce = /r=(.*)$/.exec(Buffer.from(first, 'base64').toString())?.[1] ?? ''
  const challenge = (salt: Buffer) =>
    Buffer.from(`r=${nonce}more,s=${salt.toString('base64')},i=${storedKeys.iterations}`).toString('base64')
  expect(Buffer.from(answer(challenge(storedKeys.salt)), 'base64').toString()).toMatch(
    new RegExp(`^c=biws,r=${nonce}more,p=[A-Za-z0-9+/]{27}=$`),
  )
  expect(() => answer(challenge(Buffer.from('another')))).toThrow('other keys')
})

test('the calls that strace counts', () => {
  const text = `% time     seconds  usecs/call     calls    errors syscall
------ ----------- ----------- --------- --------- ----------------
 99.61    0.512345         512      1001           fdatasync
  0.39    0.002000          20       100         3 fsync
------ ----------- ----------- --------- --------- ----------------
100.00    0.514345                  1101         3 total
`
  expect(readCounts(text)).toEqual({ fsync: 100, fdatasync: 1001, sync_file_range: 0, msync: 0 })
})
