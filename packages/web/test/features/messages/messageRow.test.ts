import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { Client, DecryptedMessage } from '@privity/client'
import { expect, it } from 'vitest'
import type { Delivery } from '../../../src/features/messages/delivery.ts'
import { MessageRow } from '../../../src/features/messages/message/MessageRow.tsx'

const minute = 60_000
const createdAt = new Date(2030, 0, 31, 14, 5).getTime()

const message = (sentAt: number, more: Partial<DecryptedMessage> = {}): DecryptedMessage => ({
  id: 'm1',
  connectionId: 'c',
  seq: 1,
  senderId: 'other',
  mine: false,
  createdAt,
  expiresAt: createdAt + 24 * 60 * minute,
  body: { kind: 'text', text: 'Hello' },
  signed: {
    sentAt,
    n: 1,
    lifetime: 1,
    previous: undefined,
    otherPrevious: undefined,
    seen: undefined,
    link: 'l',
    envelopeId: 'e',
  },
  ...more,
})

const render = (given: DecryptedMessage, delivery?: Delivery, tail = true) =>
  renderToStaticMarkup(
    createElement(MessageRow, {
      client: { now: () => createdAt } as Client,
      message: given,
      sender: 'Ben',
      otherName: 'Ben Example',
      original: undefined,
      turn: false,
      tail,
      leaving: false,
      delivery,
      fileRow: () => null,
      isTouch: false,
      onMenu() {},
    }),
  )

it('a message that was written at the time at which it arrived shows one time', () => {
  const html = render(message(createdAt - 5 * minute))
  expect(html).toContain('>2:05 PM</time>')
  expect(html).not.toContain('written')
})

it('a message that was written at another time shows both, wherever it stands', () => {
  for (const tail of [true, false]) {
    expect(render(message(createdAt - 6 * minute), undefined, tail)).toContain('dated 1:59 PM, arrived 2:05 PM')
    expect(render(message(createdAt + 6 * minute), undefined, tail)).toContain('dated 2:11 PM, arrived 2:05 PM')
  }
})

it('times of two days come with their dates', () => {
  const html = render(message(createdAt - 15 * 60 * minute))
  expect(html).toContain('dated 01/30/2030 11:05 PM, arrived 01/31/2030 2:05 PM')
})

it('a message that came late says so', () => {
  expect(render(message(createdAt, { isLate: true }), undefined, false)).toContain('Arrived late')
  expect(render(message(createdAt))).not.toContain('late')
})

it('a delivery confirmed by their browser looks different from one that the server reports', () => {
  const own = message(createdAt, { mine: true })
  const signs = (['delivered', 'deliveredConfirmed'] as const).map((delivery) => render(own, delivery))
  expect(signs[1]).toContain('Delivered, confirmed')
  expect(signs[0]).not.toContain('confirmed')
  expect(signs.map((html) => html.includes('lucide-badge-check'))).toEqual([false, true])
})

it('a deleted message says so, and has neither a menu nor a state of delivery', () => {
  const html = render(message(createdAt, { mine: true, body: { kind: 'deleted' }, signed: undefined }), 'read')
  expect(html).toContain('Message deleted')
  expect(html).not.toContain('Message options')
  expect(html).not.toContain('Read')
})
