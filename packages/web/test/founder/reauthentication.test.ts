import { expect, test, vi } from 'vitest'
import { CallError } from '@privity/client'
import type { FounderClient } from '@privity/client/founder'
import { founderUsers } from '@privity/contract/founder/users'
import { withReauthentication, identityQuestion } from '../../src/founder/console/client.ts'
import { consoleTexts } from '../../src/founder/console/texts.ts'
import { id } from './tables.ts'

vi.hoisted(() => Object.assign(globalThis, { location: { origin: 'https://privity.example' } }))

const sent = { params: { id } }

/** Refuses the call until it is confirmed. */
function guarded() {
  const state = { isConfirmed: false, calls: [] as unknown[] }
  const call = async (...given: unknown[]) => {
    state.calls.push(given)
    if (!state.isConfirmed) throw new CallError('CONFIRMATION_NEEDED', { status: 403 })
    return {}
  }
  return { state, client: withReauthentication({ call } as unknown as FounderClient) }
}

test('the console asks, and repeats the call as it was', async () => {
  const { state, client } = guarded()
  const done = client.call(founderUsers.remove, sent)
  await expect.poll(() => identityQuestion.get()).toBe(true)
  state.isConfirmed = true
  identityQuestion.answer(true)
  expect(await done).toEqual({})
  expect(state.calls).toEqual([
    [founderUsers.remove, sent],
    [founderUsers.remove, sent],
  ])
  expect(identityQuestion.get()).toBe(false)
})

test('what is not confirmed is not done, and says so', async () => {
  const { state, client } = guarded()
  const done = client.call(founderUsers.remove, sent)
  await expect.poll(() => identityQuestion.get()).toBe(true)
  identityQuestion.answer(false)
  await expect(done).rejects.toMatchObject({ code: 'NOT_CONFIRMED', sentence: consoleTexts.identity.cancelled })
  expect(state.calls).toHaveLength(1)
})

test('other refusals are not asked about', async () => {
  const call = async () => Promise.reject(new CallError('ACCOUNT_NOT_FOUND', { status: 404 }))
  const client = withReauthentication({ call } as unknown as FounderClient)
  await expect(client.call(founderUsers.remove, sent)).rejects.toMatchObject({ code: 'ACCOUNT_NOT_FOUND' })
  expect(identityQuestion.get()).toBe(false)
})
