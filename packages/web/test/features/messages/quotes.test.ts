import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { Client, DecryptedMessage } from '@privity/client'
import { expect, test } from 'vitest'
import { Quoted } from '../../../src/features/messages/quotes/Quoted.tsx'

const now = 1_000
const quote = { messageId: 'a', expiresAt: now + 1, excerpt: 'You owe me a million' }
const original = (body: DecryptedMessage['body']) => ({ id: 'a', mine: true, body }) as DecryptedMessage

const render = (shown: DecryptedMessage | undefined, expiresAt = quote.expiresAt) =>
  renderToStaticMarkup(
    createElement(Quoted, {
      client: { now: () => now } as Client,
      quote: { ...quote, expiresAt },
      original: shown,
      sender: 'Ben Example',
      otherName: 'Ben Example',
    }),
  )

test('a quote shows the text of the original, not what its sender says of it', () => {
  const html = render(original({ kind: 'text', text: 'I owe you nothing' }))
  expect(html).toContain('You</b>')
  expect(html).toContain('I owe you nothing')
  expect(html).not.toContain('million')
})

test('a quote of a message that was deleted says so', () => {
  const html = render(original({ kind: 'deleted' }))
  expect(html).toContain('Message deleted')
  expect(html).not.toContain('million')
})

test('a quote of a message that the page does not show is marked as the words of its sender', () => {
  const html = render(undefined)
  expect(html).toContain('Quoted by: ')
  expect(html).toContain('Ben Example')
  expect(html).toContain('You owe me a million')
})

test('a quote does not outlive the quoted message', () => {
  const html = render(undefined, now)
  expect(html).toContain('The quoted message has disappeared')
  expect(html).not.toContain('million')
})
