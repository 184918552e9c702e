import type { Client, OutboxItem } from '@privity/client'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { OutboxRow } from '../src/features/messages/OutboxRow.tsx'

const item = (error?: string) =>
  ({
    id: 'm',
    connectionId: 'c',
    createdAt: 0,
    body: { kind: 'text', text: 'Hello' },
    state: 'failed',
    error,
  }) as OutboxItem

const render = (given: OutboxItem) =>
  renderToStaticMarkup(createElement(OutboxRow, { client: {} as Client, item: given, turn: false, tail: true }))

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

test('a text shows in the direction it is written in', () => {
  expect(render(item())).toContain('<div class="bubble" dir="auto">Hello</div>')
})
