import type { Client, OutboxItem } from '@privity/client'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { OutboxRow } from '../../../src/features/messages/message/OutboxRow.tsx'

const item = (error?: string, more: Partial<OutboxItem> = {}) =>
  ({
    id: 'm',
    connectionId: 'c',
    createdAt: 0,
    body: { kind: 'text', text: 'Hello' },
    state: 'failed',
    error,
    ...more,
  }) as OutboxItem

const place = { turn: false, tail: true, otherName: 'Ben Example', original: undefined }
const render = (given: OutboxItem) =>
  renderToStaticMarkup(createElement(OutboxRow, { client: {} as Client, item: given, ...place }))

test('why a message failed can be read by everyone, and is tied to what can be done about it', () => {
  const html = render(item('Your contact has another key.'))
  const [, id] = /<p[^>]* id="([^"]+)"[^>]*>Your contact has another key\.<\/p>/.exec(html) ?? []
  expect(id).toBeDefined()
  expect(html.split(`aria-describedby="${id}"`)).toHaveLength(3)
  expect(html).not.toContain('title=')
})

test('where no reason is known, nothing refers to one', () => {
  expect(render(item())).not.toContain('aria-describedby')
})

const unknown = 'It is not known whether this message arrived.'

test('of a message that may have arrived it is not said that it failed', () => {
  const html = render(item(unknown, { code: 'ARRIVAL_UNKNOWN' }))
  expect(html).toContain(unknown)
  expect(html).not.toContain('Failed to send message')
  expect(html).toContain('Try again')
})

test('Try again is not offered where the message could arrive twice', () => {
  const html = render(item(unknown, { code: 'ARRIVAL_UNKNOWN', isFinal: true }))
  expect(html).not.toContain('Try again')
  expect(html).toContain('Discard')
})

test('a text shows in the direction it is written in', () => {
  expect(render(item())).toContain('<div class="bubble" dir="auto">Hello</div>')
})
