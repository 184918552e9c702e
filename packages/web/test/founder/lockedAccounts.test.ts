import { MutationObserver, type QueryClient } from '@tanstack/react-query'
import { afterEach, describe, expect, it, test, vi } from 'vitest'
import { lockedAccounts } from '@privity/contract/founder/lockedAccounts'
import {
  lockedColumns,
  remainingText,
  unlockMutation,
} from '../../src/founder/features/lockedAccounts/LockedAccounts.tsx'
import { lockedTexts } from '../../src/founder/features/lockedAccounts/texts.ts'
import { dismissToast, toasts } from '../../src/ui/toast/toastStore.ts'
import { draw, fakeClient, heads, id, nothing, refetchedBy, refused, silent } from './tables.ts'

vi.hoisted(() => Object.assign(globalThis, { location: { origin: 'https://privity.example' } }))
afterEach(dismissToast)

describe('locked accounts', () => {
  test('the table has the columns, the reason and the button of the specification', () => {
    const markup = draw(lockedColumns(nothing), [{ id, username: 'r.santoro', lockedUntil: Date.now() + 848_000 }])
    expect(heads(markup)).toEqual(['Username', 'Lock reason', 'Locked until', 'Remaining', 'Action'])
    expect(markup).toContain('5 failed login attempts')
    expect(markup).toMatch(/aria-label="Unlock r.santoro">.*Unlock<\/button>/)
    expect(markup).toMatch(/1[34]m \d\ds/)
  })

  test('the texts are those of the specification', () => {
    expect([lockedTexts.title, lockedTexts.none, lockedTexts.noneHint, lockedTexts.loading]).toEqual([
      'Locked Accounts',
      'No locked accounts',
      'Accounts will appear here after 5 failed login attempts',
      'Loading locked accounts...',
    ])
    expect([lockedTexts.confirm.confirm, lockedTexts.confirm.busy]).toEqual(['Unlock Account', 'Processing...'])
  })

  test('what remains is counted in minutes and seconds', () => {
    expect([900_000, 848_001, 60_000, 59_999, 1_000, 1, 0, -5].map((left) => remainingText(left, 0))).toEqual([
      '15m 00s',
      '14m 09s',
      '1m 00s',
      '1m 00s',
      '0m 01s',
      '0m 01s',
      'Expired',
      'Expired',
    ])
  })

  const account = { id, username: 'r.santoro', lockedUntil: 5 }
  const unlock = (answer: unknown) => {
    const { called, client } = fakeClient(answer)
    const run = (queries: QueryClient) =>
      new MutationObserver(queries, unlockMutation(client, queries)).mutate(account).catch(nothing)
    return { called, run }
  }

  it('unlocks, says so, and loads the list and the tile again', async () => {
    const { called, run } = unlock({ id, username: 'r.santoro' })
    expect(await refetchedBy(run)).toEqual(['locked-accounts', 'realtime-stats'])
    expect(called).toEqual([[lockedAccounts.unlock, { params: { id } }]])
    expect(toasts.get()).toMatchObject({ title: 'Account Unlocked', tone: 'success' })
  })

  it('says with the server, or in its own words, that it has failed', async () => {
    expect(await refetchedBy(unlock(refused).run)).toContain('locked-accounts')
    expect(toasts.get()).toMatchObject({ title: 'Unlock Failed', description: 'The server says why.' })
    await refetchedBy(unlock(silent).run)
    expect(toasts.get()).toMatchObject({ description: 'Failed to unlock account', tone: 'destructive' })
  })
})
