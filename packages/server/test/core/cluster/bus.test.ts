import { expect, test } from 'vitest'
import { createBus } from '../../../src/core/cluster/bus.ts'

test('a failing subscriber keeps a notice neither from other processes nor from others here', () => {
  const sent: string[] = []
  const bus = createBus({ receivesAllEvents: () => true, send: (kind) => void sent.push(kind) })
  const heard: string[] = []
  bus.subscribe('policyChanged', () => {
    throw new Error('it fails')
  })
  bus.subscribe('policyChanged', ({ organizationId }) => void heard.push(organizationId))
  expect(() => bus.publish('policyChanged', { organizationId: 'o' })).toThrow('it fails')
  expect([sent, heard]).toEqual([['policyChanged'], ['o']])
})
