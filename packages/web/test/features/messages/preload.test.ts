import { expect, it } from 'vitest'
import type { Connection } from '@privity/contract/connections'
import { preloaded } from '../../../src/features/messages/usePreload.ts'

const connection = (id: string, lastSeq = 1) => ({ id, lastSeq }) as Connection

it('takes five, those with unread messages first', () => {
  const connections = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((id) => connection(id))
  const unread = [
    { connectionId: 'g', count: 2 },
    { connectionId: 'b', count: 0 },
  ]
  expect(preloaded(connections, unread)).toEqual(['g', 'a', 'b', 'c', 'd'])
})

it('leaves out those in which nothing was ever written', () => {
  expect(preloaded([connection('a', 0), connection('b')], [])).toEqual(['b'])
})
